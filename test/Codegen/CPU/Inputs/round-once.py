# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of round-once.mlir and what they are rounded to.

bf16 is rounded here with whole numbers of any size, f16 by numpy's conversion
from f64, which is one rounding too.
"""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(7)


def to_bf16(value):
    """The bits of the bf16 nearest to a float, ties to even."""
    sign = 0x8000 if np.signbit(value) else 0
    value = abs(value)
    if np.isnan(value):
        return 0x7FC0
    if np.isinf(value):
        return sign | 0x7F80
    numerator, denominator = value.as_integer_ratio()
    # In units of the last place: 2^-133 for denormals, 2^(e-7) otherwise.
    exponent = max(int(np.frexp(value)[1]) - 1, -126) if value else -126
    shift = exponent - 7
    if shift < 0:
        numerator <<= -shift
    else:
        denominator <<= shift
    units, rest = divmod(numerator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and units % 2):
        units += 1
    # A carry out of the fraction goes into the exponent by itself.
    return sign | min(((exponent + 126) << 7) + units, 0x7F80)


def near_ties(mantissa_bits, lowest, highest):
    """Ties between neighbours, and numbers a little above and below them."""
    values = []
    for _ in range(4000):
        exponent = int(random.integers(lowest, highest + 1))
        odd = 2 * int(random.integers(0, 2**mantissa_bits)) + 1
        tie = 1 + odd / 2 ** (mantissa_bits + 1)
        offset = random.choice(
            [0, 2.0**-25, -(2.0**-25), 2.0**-40, -(2.0**-40), 2.0**-52, -(2.0**-52)]
        )
        values.append(np.ldexp(tie + offset, exponent) * random.choice([1, -1]))
    return values


special = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    65504,
    65519.999,
    65520,
    1e-8,
    2.0**-25,
    2.0**-24,
]
special += [
    3.3895314e38,
    3.4e38,
    3.3961775292304957e38,
    1e300,
    1e-300,
    2.0**-133,
    2.0**-134,
    1.5 * 2.0**-134,
]
x = np.array(
    special
    + near_ties(10, -14, 15)
    + near_ties(7, -126, 127)
    # Among denormals ties have fewer bits.
    + [
        np.ldexp(int(random.integers(0, 2**12)) + 0.5, -24)
        * (1 + random.choice([0, 2.0**-50, -(2.0**-50)]))
        for _ in range(500)
    ]
    + [
        np.ldexp(int(random.integers(0, 2**8)) + 0.5, -133)
        * (1 + random.choice([0, 2.0**-50, -(2.0**-50)]))
        for _ in range(500)
    ]
)
with np.errstate(over="ignore"):
    half = x.astype(np.float16)
    twice = x.astype(np.float32).astype(np.float16)
brain = np.array([to_bf16(float(value)) for value in x], np.uint16)
with np.errstate(over="ignore"):
    brain_twice = np.array([to_bf16(float(v)) for v in x.astype(np.float32)], np.uint16)
# The test is one only if rounding twice is wrong often.
assert (half.view(np.uint16) != twice.view(np.uint16)).sum() > 100
assert (brain != brain_twice).sum() > 100

np.save(folder / "x.npy", x)
np.save(folder / "f16.npy", half)
np.save(folder / "bf16.npy", brain.view("V2"))

everything = np.arange(2**16, dtype=np.uint16)
wide = (everything.astype(np.uint32) << 16).view(np.float32)
np.save(folder / "all-bf16.npy", everything.view("V2"))
np.save(folder / "f32-from-bf16.npy", wide)

# Every bf16, the ties after it, and one f32 to either side of the ties.
bits = (everything.astype(np.uint32) << 16)[:, None] + np.array(
    [0, 0x7FFF, 0x8000, 0x8001], np.uint32
)
x32 = bits.reshape(-1).view(np.float32)
np.save(folder / "x32.npy", x32)
values = bits.reshape(-1).astype(np.uint64)
rounded = ((values + 0x7FFF + (values >> 16 & 1)) >> 16).astype(np.uint16)
np.save(
    folder / "bf16-from-f32.npy",
    np.where(np.isnan(x32), 0x7FC0, rounded).astype(np.uint16).view("V2"),
)
