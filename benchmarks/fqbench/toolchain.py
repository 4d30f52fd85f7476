# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds what is timed: the C++ peers, and our code for each case."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from fqbench.cases import Case

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "benchmarks"
SOURCES = ROOT / "benchmarks" / "cpp"


def llvm_libraries() -> str:
    for name in "llvm-config-22", "llvm-config":
        if shutil.which(name):
            return subprocess.check_output([name, "--libdir"], text=True).strip()
    sys.exit("benchmarks: expected llvm-config-22 but found none")


def build_peers() -> Path:
    """The C++ peers as a program."""
    program = BUILD / "peers-cpp"
    sources = sorted(SOURCES.glob("*.cpp"))
    newest = max(file.stat().st_mtime for file in SOURCES.iterdir())
    if program.exists() and program.stat().st_mtime > newest:
        return program
    BUILD.mkdir(parents=True, exist_ok=True)
    libraries = llvm_libraries()
    command = [
        os.environ.get("CXX", "clang++-22"),
        *"-std=c++17 -O3 -march=native -ffp-contract=off -fopenmp".split(),
        *"-DNDEBUG -isystem /usr/include/eigen3".split(),
        *map(str, sources),
        *["-o", str(program), f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-ldl"],
    ]
    print("benchmarks: building the C++ peers", file=sys.stderr)
    if subprocess.run(command).returncode:
        sys.exit(
            "benchmarks: the C++ peers do not build (libeigen3-dev, libomp-22-dev?)"
        )
    return program


def module_text(case: Case) -> str:
    """The case in TensorFlow's ops, or in ours where the channel is not last."""
    sizes = [case.outer, case.channels, case.inner]
    axis = 1
    if case.inner == 1:
        sizes.pop()
    elif case.outer == 1:
        sizes.pop(0)
        axis = 0
    data = f"tensor<{'x'.join(map(str, sizes))}xf32>"
    channel = f"tensor<{case.channels}xf32>"
    attributes = f"{{axis = {axis} : i64, num_bits = 8 : i64}}"
    if case.op == "forward":
        return f"""
func.func @kernel(%x: {data}, %min: {channel}, %max: {channel}) -> {data} {{
  %y = fakequant.vars_per_channel %x, %min, %max {attributes}
      : {data}, {channel}, {channel}
  return %y : {data}
}}
"""
    return f"""
func.func @kernel(%g: {data}, %x: {data}, %min: {channel}, %max: {channel})
    -> ({data}, {channel}, {channel}) {{
  %dx, %dmin, %dmax = fakequant.vars_per_channel_gradient %g, %x, %min, %max
      {attributes} : {data}, {data}, {channel}, {channel}
  return %dx, %dmin, %dmax : {data}, {channel}, {channel}
}}
"""


def compile_case(case: Case, threads: int) -> Path:
    """Our code for `case` as a shared object."""
    tools = ROOT / "build" / "bin"
    for name in "fq-opt", "fq-translate":
        if not (tools / name).exists():
            sys.exit(f"benchmarks: expected build/bin/{name}; run scripts/build first")
    folder = BUILD / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{case.op}-{case.shape}-{threads}"
    option = "openmp" if threads > 1 else "none"
    lowered = subprocess.run(
        [str(tools / "fq-opt"), f"--fakequant-to-llvm=threads={option}"],
        input=module_text(case),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    subprocess.run(
        [str(tools / "fq-translate"), "--mlir-to-object", "-o", f"{stem}.o"],
        input=lowered,
        text=True,
        check=True,
    )
    libraries = llvm_libraries()
    link = [
        os.environ.get("CC", "clang-22"),
        "-shared",
        f"{stem}.o",
        "-o",
        f"{stem}.so",
    ]
    if threads > 1:
        link += ["-lomp", f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
    subprocess.run(link, check=True)
    return stem.with_name(stem.name + ".so")
