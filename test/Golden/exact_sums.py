# Part of the fakequant project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dmin and dmax in float64, to judge an order of additions by.

The same computation as in TensorFlow's oracle that recorded the answers, and
none of fakequant's: denormals are flushed as TensorFlow's threads do.
"""

import numpy as np

F32 = np.float32


def flush(values):
    tiny = np.abs(values) < np.finfo(F32).tiny
    return np.where(tiny, np.copysign(F32(0), values), values).astype(F32)


def nudge(low, high, num_bits, narrow_range):
    qmin, qmax = F32(1 if narrow_range else 0), F32((1 << num_bits) - 1)
    scale = ((high - low) / (qmax - qmin)).astype(F32)
    z = (qmin - (low / scale).astype(F32)).astype(F32)
    rounded = np.trunc(z.astype(np.float64) + np.copysign(0.5, z))
    zero_point = np.clip(rounded, qmin, qmax).astype(F32)
    return ((qmin - zero_point) * scale).astype(F32), (
        (qmax - zero_point) * scale
    ).astype(F32)


def exact_sums(case):
    """For dmin and for dmax: the sum, and the sum of magnitudes in it."""
    g, x, low, high = (flush(operand) for operand in case.operands)
    axes = tuple(range(x.ndim - 1)) if case.is_per_channel else None
    zero = (low == 0) & (high == 0)
    sums = []
    with np.errstate(all="ignore"):
        limits = nudge(low, high, case.num_bits, case.narrow_range)
        low, high = (flush(limit) for limit in limits)
        for mask in (x < low, x > high):
            terms = np.where(zero, 0.0, np.multiply(g, mask, dtype=np.float64))
            sums.append((terms.sum(axis=axes), np.abs(terms).sum(axis=axes)))
    return sums


def relative_errors(value, exact, magnitude):
    """|value - exact| over the magnitudes; 0 where exact is not finite, or
    where nothing was added and the value is 0."""
    finite = np.isfinite(exact)
    with np.errstate(all="ignore"):
        off = np.abs(value.astype(np.float64) - exact)
        error = np.where(
            magnitude == 0, np.where(off == 0, 0.0, np.inf), off / magnitude
        )
    return np.where(finite, np.where(np.isnan(error), np.inf, error), 0.0)
