# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data, and the results that are expected: the range [-1, 1] at 8 bits as
TensorFlow nudges it."""

from dataclasses import dataclass

import numpy as np

F32 = np.float32
SCALE = F32(2) / F32(255)
INVERSE = F32(255) / F32(2)
LOW = F32(-127) * SCALE
HIGH = F32(128) * SCALE
ZERO = np.floor(-LOW * INVERSE + F32(0.5))


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy at an address that every framework takes without another one."""
    memory = np.empty(array.size * 4 + 64, np.uint8)
    offset = -memory.ctypes.data % 64
    copy = memory[offset : offset + array.size * 4].view(F32).reshape(array.shape)
    copy[...] = array
    return copy


@dataclass
class Data:
    g: np.ndarray
    x: np.ndarray
    # For each channel.
    low: np.ndarray
    high: np.ndarray
    inverse: np.ndarray
    zero: np.ndarray
    scale: np.ndarray

    @staticmethod
    def make(rows: int, channels: int) -> "Data":
        random = np.random.default_rng(0)
        g = random.random((rows, channels), F32) * 2 - 1
        x = random.random((rows, channels), F32) * F32(2.5) - F32(1.25)
        values = LOW, HIGH, INVERSE, ZERO, SCALE
        return Data(
            aligned(g), aligned(x), *(np.full(channels, v, F32) for v in values)
        )

    def find_wrong(self, op: str, results: list[np.ndarray]) -> str:
        """What differs from the reference; empty where nothing does."""
        if op == "forward":
            levels = (np.clip(self.x, self.low, self.high) - self.low) * self.inverse
            expected = np.floor(levels - self.zero + F32(0.5)) * self.scale
            count = int((results[0] != expected).sum())
            most = float(np.abs(results[0] - expected).max())
            return f"{count} elements differ, by {most:.3g} at most" if count else ""
        inside = (self.x >= self.low) & (self.x <= self.high)
        count = int((results[0] != np.where(inside, self.g, F32(0))).sum())
        if count:
            return f"{count} elements of dx differ"
        tolerance = 2e-5 * len(self.x)
        for result, mask in (
            (results[1], self.x < self.low),
            (results[2], self.x > self.high),
        ):
            exact = np.where(mask, self.g, F32(0)).sum(0, dtype=np.float64)
            if np.abs(result - exact).max() >= tolerance:
                return "sums differ"
        return ""
