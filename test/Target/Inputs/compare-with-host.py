# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds an object's results against those of fq-run, bit for bit.

compare-with-host.py TYPE FOLDER --fq-run COMMAND --module FILE -- DRIVER...

TYPE is f32, f16, bf16 or f64; --module is shapes.mlir with that type, lowered for this machine; DRIVER is
the command that runs driver.c linked with the object. Any NaN equals any other:
which one an operation makes is up to the CPU.
"""

import argparse
import pathlib
import shlex
import subprocess

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("type")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--fq-run", required=True)
parser.add_argument("--module", required=True)
parser.add_argument("driver", nargs="+")
arguments = parser.parse_args()

NAMES = {"f32": "<f4", "f16": "<f2", "bf16": "<u2", "f64": "<f8"}
dtype = np.dtype(NAMES[arguments.type])
random = np.random.default_rng(20221)
folder = arguments.folder
folder.mkdir(parents=True, exist_ok=True)


def convert(values):
    """To the type's bits; bf16 by rounding to nearest even."""
    if arguments.type != "bf16":
        return values.astype(dtype)
    bits = values.astype("<f4").view("<u4").astype(np.uint64)
    rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")
    return np.where(np.isnan(values), 0x7FC0, rounded).astype("<u2")


def is_nan(values):
    if arguments.type == "bf16":
        return (values & 0x7FFF) > 0x7F80
    return np.isnan(values)


def data(shape):
    values = random.normal(0, 1.5, shape)
    # Halves of steps, limits, zeros of both signs, and what is no number.
    special = [0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 1e-41, -3e-6, np.inf, -np.inf, np.nan]
    where = random.random(shape) < 0.03
    values[where] = random.choice(special, where.sum())
    return convert(values)


def ranges(shape):
    low, high = -random.random(shape) * 2, random.random(shape) * 2
    low, high = np.atleast_1d(low), np.atleast_1d(high)
    for i in range(3, low.size, 7):
        low[i] = high[i] = 0
    for i in range(5, low.size, 11):
        low[i], high[i] = 1, -1
    return convert(low.reshape(shape)), convert(high.reshape(shape))


def save(path, array):
    np.save(path, array.view("V2") if arguments.type == "bf16" else array)


def load(path):
    return np.load(path).view(dtype)


def check(entry, shape, channel):
    """The number of results compared."""
    is_gradient = entry.endswith("gradient")
    inputs = [data(shape) for _ in range(1 + is_gradient)]
    range_shape = ()
    if not entry.startswith("args"):
        range_shape = shape[channel : channel + 1] if channel is not None else ()
        inputs += ranges(range_shape)
    result_shapes = [shape]
    if is_gradient and not entry.startswith("args"):
        result_shapes += [range_shape, range_shape]

    command = [*shlex.split(arguments.fq_run), arguments.module, "--entry", entry]
    for i, array in enumerate(inputs):
        save(folder / f"in{i}.npy", array)
        command += ["--input", folder / f"in{i}.npy"]
    for i in range(len(result_shapes)):
        command += ["--output", folder / f"host{i}.npy"]
    subprocess.run(command, check=True)

    command = [*arguments.driver, entry, str(dtype.itemsize)]
    filler = [np.full(s, 0x5A, np.uint8).repeat(dtype.itemsize) for s in result_shapes]
    for i, (array, raw_shape) in enumerate(
        [(a, a.shape) for a in inputs] + list(zip(filler, result_shapes))
    ):
        array.tofile(folder / f"{i}.raw")
        command += [str(folder / f"{i}.raw"), str(len(raw_shape))]
        command += [str(size) for size in raw_shape]
    subprocess.run(command, check=True)

    for i, array in enumerate(inputs):
        if (folder / f"{i}.raw").read_bytes() != array.tobytes():
            raise SystemExit(f"{entry} {shape}: input {i} has changed")
    for i, result_shape in enumerate(result_shapes):
        got = np.fromfile(folder / f"{len(inputs) + i}.raw", dtype)
        host = load(folder / f"host{i}.npy").reshape(-1)
        bits = f"<u{dtype.itemsize}"
        differ = (got.view(bits) != host.view(bits)) & ~(is_nan(got) & is_nan(host))
        if got.shape != host.shape or differ.any():
            first = int(np.flatnonzero(differ)[0])
            raise SystemExit(
                f"{entry} {arguments.type} {shape}: result {i} differs in "
                f"{differ.sum()} of {got.size} elements, first at {first}: "
                f"expected {host[first]} but got {got[first]}"
            )
    return len(result_shapes)


PER_TENSOR = ["args", "args_gradient", "vars", "vars_gradient"]
PER_CHANNEL = ["vars_per_channel", "vars_per_channel_gradient"]
MIDDLE = ["middle", "middle_gradient"]
compared = 0
for shape in [(1, 1), (37, 17), (0, 5)]:
    for entry in PER_TENSOR:
        compared += check(entry, shape, None)
# Narrow and wide rows of columns, whole and cut blocks, more than one chunk.
for shape in [(33, 24), (50, 3), (9, 130), (0, 4), (6000, 24)]:
    for entry in PER_CHANNEL:
        compared += check(entry, shape, 1)
# Columns of channels and what lies inside them, and runs.
for shape in [(7, 5, 3), (3, 4, 200), (2, 3, 16)]:
    for entry in MIDDLE:
        compared += check(entry, shape, 1)
print(f"{compared} results of {arguments.type} agree")
