"""The main job, shown: gradients that TensorFlow exported, compiled and run.

Runs the four modules of examples/digits_qat_step (one step of
quantization-aware training, recorded with TensorFlow 2.21) through fq-run on
the tensors recorded there and prints how each result compares with
TensorFlow's and how long a call takes. The elementwise results must be
TensorFlow's bit for bit. The sums are held against exact ones, and so are
TensorFlow's. Exit status 1 where a result is not what it must be.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = REPOSITORY / "examples" / "digits_qat_step"

# |sum - exact| / sum|addends| must not exceed this at any row count.
SUM_BOUND = 2.0**-22

# What fq-opt prints at each stage, and the flags that lead there.
STAGES = [
    ("as TensorFlow exported it", []),
    ("fakequant", ["--convert-tf-to-fakequant"]),
    ("linalg", ["--convert-tf-to-fakequant", "--fakequant-to-linalg"]),
    ("vector", ["--convert-tf-to-fakequant", "--fakequant-to-vector"]),
    ("LLVM", ["--convert-tf-to-fakequant", "--fakequant-to-llvm"]),
]


class Failure(Exception):
    """Something that ends the demonstration; the message is for the user."""


@dataclass(frozen=True)
class Job:
    """One exported module with its recorded operands and results."""

    title: str
    tensor: str
    kind: str
    operands: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def module(self) -> pathlib.Path:
        return EXAMPLE / f"{self.tensor}_{self.kind}.tf.mlir"

    def file(self, name: str) -> pathlib.Path:
        return EXAMPLE / f"{self.tensor}_{name}.npy"


def gradient(title: str, tensor: str) -> Job:
    return Job(
        title,
        tensor,
        "gradient",
        ("gradients", "inputs", "min", "max"),
        ("backprops_wrt_input", "backprop_wrt_min", "backprop_wrt_max"),
    )


def forward(title: str, tensor: str) -> Job:
    return Job(title, tensor, "forward", ("inputs", "min", "max"), ("outputs",))


JOBS = [
    gradient("Gradient of the activations", "activations"),
    gradient("Gradient of the weights", "weights"),
    forward("Forward of the activations", "activations"),
    forward("Forward of the weights", "weights"),
]


@dataclass
class Report:
    """Collects the lines of one job, and whether each result was right."""

    failures: list[str] = field(default_factory=list)

    def line(self, name: str, text: str, right: bool = True) -> None:
        print(f"  {name:<5} {text}{'' if right else '   <-- WRONG'}")
        if not right:
            self.failures.append(f"{name}: {text}")


def run(command: list[str]) -> str:
    """Runs a tool of ours and returns what it printed; its errors end us."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise Failure(
            f"exit status {done.returncode} from\n  {' '.join(command)}\n"
            f"{done.stderr.rstrip()}"
        )
    return done.stdout


def flush(values: np.ndarray) -> np.ndarray:
    """Denormals to zeros of their sign, as TensorFlow's threads read them."""
    tiny = np.abs(values) < np.finfo(np.float32).tiny
    return np.where(tiny, np.copysign(np.float32(0), values), values)


def nudged_range(low: np.ndarray, high: np.ndarray, levels: tuple[int, int]):
    """The range a channel really has, in f32 and in the contract's order."""
    qmin, qmax = (np.float32(level) for level in levels)
    low, high = flush(low), flush(high)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = flush((high - low) / (qmax - qmin))
        z = qmin - flush(low / scale)
        whole = np.floor(z)
        rounded = whole + (z - whole >= np.float32(0.5)).astype(np.float32)
        zero_point = np.where(z < qmin, qmin, np.where(z > qmax, qmax, rounded))
        return flush((qmin - zero_point) * scale), flush((qmax - zero_point) * scale)


def addends(job: Job) -> dict[str, np.ndarray]:
    """For each sum of a gradient: its addends as f64, [rows, channels]."""
    text = job.module.read_text()
    bits = re.search(r"num_bits = (\d+)", text)
    narrow = re.search(r"narrow_range = true", text)
    levels = (1 if narrow else 0, 2 ** (int(bits[1]) if bits else 8) - 1)
    g, x, low, high = (np.load(job.file(name)) for name in job.operands)
    nudged_min, nudged_max = nudged_range(low, high, levels)
    channels = low.shape[0]
    g, x = flush(g).reshape(-1, channels), flush(x).reshape(-1, channels)
    empty = (low == 0) & (high == 0)
    wide = g.astype(np.float64)
    return {
        "backprop_wrt_min": np.where((x < nudged_min) & ~empty, wide, 0.0),
        "backprop_wrt_max": np.where((x > nudged_max) & ~empty, wide, 0.0),
    }


def sum_distance(sums: np.ndarray, terms: np.ndarray) -> float:
    """The largest |sum - exact| / sum|addends| over the channels."""
    worst = 0.0
    for channel, value in enumerate(sums):
        exact = math.fsum(terms[:, channel])
        scale = math.fsum(np.abs(terms[:, channel]))
        error = abs(float(value) - exact)
        if error:
            worst = max(worst, error / scale if scale else math.inf)
    return worst


def differing(ours: np.ndarray, theirs: np.ndarray) -> int:
    """How many elements differ in a bit; one NaN is as good as another."""
    same = ours.view(np.uint32) == theirs.view(np.uint32)
    return int((~(same | (np.isnan(ours) & np.isnan(theirs)))).sum())


def compare_elements(report: Report, name: str, ours, theirs) -> None:
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        text = f"is {ours.dtype}{list(ours.shape)}, TensorFlow's is"
        report.line(name, f"{text} {theirs.dtype}{list(theirs.shape)}", False)
        return
    wrong = differing(ours, theirs)
    if wrong == 0:
        report.line(name, f"TensorFlow's bit for bit: all {ours.size:,} elements")
    else:
        text = f"differs from TensorFlow's in {wrong:,} of {ours.size:,} elements"
        report.line(name, text, False)


def compare_sums(report: Report, name: str, ours, theirs, terms) -> None:
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        text = f"is {ours.dtype}{list(ours.shape)}, TensorFlow's is"
        report.line(name, f"{text} {theirs.dtype}{list(theirs.shape)}", False)
        return
    distance = sum_distance(ours, terms)
    report.line(
        name,
        f"max |error| / sum|g in the sum|: {distance:<7.2g}   "
        f"TensorFlow's own: {sum_distance(theirs, terms):.2g}",
        distance <= SUM_BOUND,
    )


def show_job(fq_run: str, job: Job, repeat: int) -> list[str]:
    """Runs and prints one job; returns what was wrong with it."""
    expected = {name: np.load(job.file(name)) for name in job.results}
    shape = list(np.load(job.file("inputs")).shape)
    op = re.search(r'"tf\.(FakeQuant\w*)"', job.module.read_text())
    print(f"\n{job.title}: {op[1] if op else job.kind} on f32{shape}")

    command = [fq_run, str(job.module), "--flush-denormals"]
    for name in job.operands:
        command += ["--input", str(job.file(name))]
    with tempfile.TemporaryDirectory() as folder:
        outputs = {name: pathlib.Path(folder, f"{name}.npy") for name in job.results}
        run(command + [a for o in outputs.values() for a in ("--output", str(o))])
        results = {name: np.load(path) for name, path in outputs.items()}

    report = Report()
    if job.kind == "gradient":
        terms = addends(job)
        name = "backprops_wrt_input"
        compare_elements(report, "dx", results[name], expected[name])
        for short, name in (("dmin", "backprop_wrt_min"), ("dmax", "backprop_wrt_max")):
            compare_sums(report, short, results[name], expected[name], terms[name])
    else:
        compare_elements(report, "y", results["outputs"], expected["outputs"])

    printed = run(command + ["--repeat", str(repeat), "--json"])
    times = json.loads(next(l for l in printed.splitlines() if l.startswith("{")))
    report.line(
        "time",
        f"{times['median_ms'] * 1e3:,.1f} us a call, median of {times['repeat']} "
        f"(fastest {times['min_ms'] * 1e3:,.1f} us), {times['gb_per_s']:.1f} GB/s; "
        f"compiled in {times['compile_ms']:.0f} ms",
    )
    return [f"{job.title}, {failure}" for failure in report.failures]


def summarize(text: str) -> str:
    """What a module consists of: its ops by name, or by dialect if many."""
    names = re.findall(r'^ *(?:%[\w:#,% ]+ = )?"?([a-z]\w*\.[\w.]+)', text, re.M)
    names = [name for name in names if not name.startswith("func.")]
    if len(set(names)) > 6:
        names = [name.split(".")[0] for name in names]
    ranked = sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {name}" for name, count in ranked)


def show_road(fq_opt: str, module: pathlib.Path, whole: bool) -> None:
    """Prints what the module consists of, or all of it, at each stage."""
    hint = "" if whole else "   (--show-ir prints each stage)"
    print(f"\nThe road of {module.relative_to(REPOSITORY)}{hint}")
    for title, flags in STAGES:
        text = run([fq_opt, str(module), *flags])
        print(f"  {title + ':':<27}{summarize(text)}")
        if whole:
            print(f"\n// {' '.join(['fq-opt', module.name, *flags])}\n{text}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--fq-run", required=True, help="the built fq-run")
    parser.add_argument("--fq-opt", help="the built fq-opt; shows the stages")
    parser.add_argument(
        "--show-ir", action="store_true", help="print the module at every stage"
    )
    parser.add_argument(
        "--repeat", type=int, default=200, help="timed calls (default: 200)"
    )
    arguments = parser.parse_args()
    if arguments.show_ir and not arguments.fq_opt:
        parser.error("--show-ir needs --fq-opt")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    print("One training step of a network on handwritten digits, recorded with")
    print("TensorFlow 2.21 and run again from the modules that it exported.")
    failures = []
    try:
        for job in JOBS:
            failures += show_job(arguments.fq_run, job, arguments.repeat)
        if arguments.fq_opt:
            show_road(arguments.fq_opt, JOBS[0].module, arguments.show_ir)
    except (Failure, OSError) as failure:
        sys.stdout.flush()
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    for failure in failures:
        print(f"demo: wrong: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
