# Part of the fakequant project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cases: through the reference evaluator, and through fq-run."""

import concurrent.futures
import dataclasses
import pathlib
import subprocess

import numpy as np

import records

TIMEOUT_SECONDS = 300


@dataclasses.dataclass
class Outcome:
    """The results, or why there are none."""

    results: list = None
    error: str = None
    # Whether the program said so in an orderly way: exit status 1 and a text.
    is_diagnosed: bool = False


def write_operands(folder, operands):
    paths = []
    for number, operand in enumerate(operands):
        path = folder / f"operand{number}.npy"
        np.save(path, operand)
        paths.append(str(path))
    return paths


def result_paths(folder, case):
    return [str(folder / f"result{n}.npy") for n in range(len(case.result_shapes))]


def run_reference(program, cases, folder):
    """All cases in one process; an outcome for each."""
    lines, outputs = [], []
    for number, case in enumerate(cases):
        here = folder / str(number)
        here.mkdir(parents=True)
        words = ["--op", case.op, "--num-bits", str(case.num_bits)]
        words += ["--narrow-range"] * case.narrow_range + ["--flush-denormals"]
        if case.range:
            words += ["--min", repr(case.range[0]), "--max", repr(case.range[1])]
        outputs.append(result_paths(here, case))
        words += ["--input"] + write_operands(here, case.operands)
        words += ["--output"] + outputs[-1]
        lines.append("\t".join(words) + "\n")
    done = subprocess.run(
        [program, "--batch"],
        input="".join(lines),
        text=True,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    )
    answers = done.stdout.splitlines()
    if len(answers) != len(cases):
        raise RuntimeError(f"{program} stopped: {done.returncode} {done.stderr}")
    return [
        (
            Outcome(results=[np.load(path) for path in paths])
            if answer == "ok"
            else Outcome(error=answer, is_diagnosed=answer.startswith("error: "))
        )
        for answer, paths in zip(answers, outputs)
    ]


def print_type(array, dynamic):
    """A tensor type: static, with '?' for every extent, or for the first."""
    extents = [str(extent) for extent in array.shape]
    if dynamic == "all":
        extents = ["?"] * len(extents)
    elif dynamic == "first" and extents:
        extents[0] = "?"
    return f"tensor<{'x'.join(extents + ['f32'])}>"


def print_module(case, number):
    """The case as TensorFlow's generic form. Shapes and the two spellings of
    attributes take turns; a call to be refused is static, where it is known to
    be wrong before any data comes."""
    turn = 0 if case.is_error else number % 3
    data_dynamic = ["none", "all", "first"][turn]
    range_dynamic = "all" if turn == 1 else "none"
    first_range = 1 + case.is_gradient
    types = [
        print_type(operand, data_dynamic if i < first_range else range_dynamic)
        for i, operand in enumerate(case.operands)
    ]
    results = types[:1]
    if case.is_gradient and case.has_range_operands:
        results += types[2:]

    attributes = [
        f"narrow_range = {'true' if case.narrow_range else 'false'}",
        f"num_bits = {case.num_bits} : i64",
    ]
    if case.range:
        low, high = (f"{limit:.17e}" for limit in case.range)
        attributes += [f"min = {low} : f32", f"max = {high} : f32"]
    braces = ("<{", '}> {device = ""}') if number % 2 else ("{", "}")
    names = {short: tf_name for tf_name, short in records.OPS.items()}
    arguments = [f"%arg{n}" for n in range(len(types))]
    values = [f"%{n}" for n in range(len(results))]
    declared = ", ".join(f"{a}: {t}" for a, t in zip(arguments, types))
    return (
        f"func.func @main({declared}) -> ({', '.join(results)}) {{\n"
        f'  {", ".join(values)} = "tf.{names[case.op]}"({", ".join(arguments)}) '
        f"{braces[0]}{', '.join(attributes)}{braces[1]}"
        f" : ({', '.join(types)}) -> ({', '.join(results)})\n"
        f"  return {', '.join(values)} : {', '.join(results)}\n"
        "}\n"
    )


def print_lite_module(row):
    """A tfl.fake_quant op, which fakequant must not take for TensorFlow's."""
    tensor = f"tensor<{'x'.join(str(n) for n in row['shape'])}xf32>"
    return (
        f"func.func @main(%arg0: {tensor}) -> {tensor} {{\n"
        f'  %0 = "tfl.fake_quant"(%arg0) {{max = {row["max"]:e} : f32, '
        f"min = {row['min']:e} : f32, narrow_range = false, "
        f"num_bits = {row['num_bits']} : i32}} : ({tensor}) -> {tensor}\n"
        f"  return %0 : {tensor}\n"
        "}\n"
    )


def call_fq_run(program, module, inputs, outputs):
    command = [program, str(module), "--flush-denormals"]
    for path in inputs:
        command += ["--input", path]
    for path in outputs:
        command += ["--output", path]
    try:
        done = subprocess.run(
            command, text=True, capture_output=True, timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return Outcome(error=f"no answer in {TIMEOUT_SECONDS} s")
    if done.returncode == 0:
        missing = [path for path in outputs if not pathlib.Path(path).exists()]
        if missing:
            return Outcome(error=f"exit status 0, but not written: {missing}")
        return Outcome(results=[np.load(path) for path in outputs])
    text = done.stderr.strip()
    written = [path for path in outputs if pathlib.Path(path).exists()]
    diagnosed = done.returncode == 1 and "error" in text and not written
    return Outcome(
        error=f"exit status {done.returncode}: {text[:2000]}", is_diagnosed=diagnosed
    )


def run_compiled(program, cases, lite_rows, folder, jobs):
    """Every case and tfl row in a process of its own, `jobs` at a time; the
    outcomes of the cases and those of the rows."""

    def run_case(numbered):
        number, case = numbered
        here = folder / str(number)
        here.mkdir(parents=True)
        module = case.module
        if module is None:
            module = here / "module.mlir"
            module.write_text(print_module(case, number))
        inputs = write_operands(here, case.operands)
        return call_fq_run(program, module, inputs, result_paths(here, case))

    def run_lite(numbered):
        number, row = numbered
        here = folder / f"lite{number}"
        here.mkdir(parents=True)
        module = here / "module.mlir"
        module.write_text(print_lite_module(row))
        operand = records.as_f32(row["inputs"], row["shape"])
        inputs = write_operands(here, [operand])
        return call_fq_run(program, module, inputs, [str(here / "result0.npy")])

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(run_case, enumerate(cases)))
        return outcomes, list(pool.map(run_lite, enumerate(lite_rows)))
