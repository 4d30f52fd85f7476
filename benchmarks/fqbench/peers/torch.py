# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Composed eager ops, PyTorch's own op, and torch.compile with outputs that are
there already."""

import torch

from fqbench.peers.data import Data

FASTEST_FIRST_CALL = "torch-compile"


def configure(threads: int) -> None:
    torch.set_num_threads(threads)
    torch._dynamo.config.recompile_limit = 64
    torch.inference_mode().__enter__()


def make_gradient(data: Data) -> dict:
    g, x, low, high = map(torch.from_numpy, (data.g, data.x, data.low, data.high))
    dx, dmin, dmax = torch.zeros_like(g), torch.zeros_like(low), torch.zeros_like(low)

    def compute(g, x, low, high):
        inside = torch.where((x >= low) & (x <= high), g, 0.0)
        below, above = torch.where(x < low, g, 0.0), torch.where(x > high, g, 0.0)
        return inside, below.sum(0), above.sum(0)

    def store(g, x, low, high, dx, dmin, dmax):
        for result, value in zip((dx, dmin, dmax), compute(g, x, low, high)):
            result.copy_(value)

    compiled = torch.compile(store, dynamic=False)

    def call():
        compiled(g, x, low, high, dx, dmin, dmax)
        return dx, dmin, dmax

    return {"torch-eager": lambda: compute(g, x, low, high), "torch-compile": call}


def make_forward(data: Data) -> dict:
    values = data.x, data.low, data.high, data.inverse, data.zero, data.scale
    x, low, high, inverse, zero, scale = map(torch.from_numpy, values)
    y = torch.zeros_like(x)
    points = torch.full(low.shape, 127, dtype=torch.int32)

    def eager():
        torch.clamp(x, low, high, out=y)
        y.sub_(low).mul_(inverse).sub_(zero).add_(0.5).floor_().mul_(scale)
        return (y,)

    def store(x, low, high, inverse, zero, scale, y):
        levels = (torch.clamp(x, low, high) - low) * inverse - zero
        y.copy_(torch.floor(levels + 0.5) * scale)

    compiled = torch.compile(store, dynamic=False)

    def call():
        compiled(x, low, high, inverse, zero, scale, y)
        return (y,)

    def native():
        return (torch.fake_quantize_per_channel_affine(x, scale, points, 1, 0, 255),)

    return {"torch-eager": eager, "torch-compile": call, "torch-native": native}


def make(op: str, data: Data) -> dict:
    return make_gradient(data) if op == "gradient" else make_forward(data)


def to_numpy(result):
    return result.numpy()
