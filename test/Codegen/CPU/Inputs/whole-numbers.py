# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of vectorize-linalg-run.mlir and what it computes."""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(3)


def save(name, array, dtype=np.float32):
    np.save(folder / f"{name}.npy", np.ascontiguousarray(array, dtype))


a = random.integers(-9, 10, (37, 19)).astype(np.float32)
b = random.integers(-9, 10, (19, 11)).astype(np.float32)
image = random.integers(-9, 10, (1, 9, 9, 5)).astype(np.float32)
blocks = random.integers(-9, 10, (3, 5, 141)).astype(np.float32)
channels = np.arange(1, 6)
row = np.arange(19)
save("a", a)
save("b", b)
save("image", image)
save("window", np.zeros((3, 3)))
save("blocks", blocks)
save("channels", channels)
save("row", row, np.float64)

save("matmul", a @ b)
save("transpose", a.T)
windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))
save("pooling", windows.sum(axis=(-2, -1)))
save("indices", a + np.arange(19))
save("maximum", a.max(axis=0))
save("reverse_order", a.sum(axis=1))
save("slice", a[5:35, 3:17:2] ** 2)
save("column_sums", a.sum(axis=0, dtype=np.float64) + row, np.float64)
save("run_sums", blocks.sum(axis=(0, 2)))
np.save(folder / "all_sum.npy", np.float32(a.sum()))
mixed = blocks * channels[:, None]
save("mixed0", mixed)
save("mixed1", mixed.sum(axis=(0, 2)))
save("in_place", 2 * a * a)
