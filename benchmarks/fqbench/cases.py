# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured."""

from dataclasses import dataclass

OPS = ("gradient", "forward")


@dataclass(frozen=True)
class Case:
    """One op on one f32 shape [outer, channels, inner]; the channel is in the
    middle, and `inner` is 1 where it is the last dimension."""

    op: str
    outer: int
    channels: int
    inner: int = 1

    @property
    def elements(self) -> int:
        return self.outer * self.channels * self.inner

    @property
    def shape(self) -> str:
        sizes = [self.outer, self.channels, self.inner]
        if self.inner == 1:
            sizes.pop()
        elif self.outer == 1:
            sizes.pop(0)
        return "x".join(map(str, sizes))

    @property
    def bytes_per_element(self) -> int:
        """What has to move: g, x and dx, or x and y."""
        return 12 if self.op == "gradient" else 8


# Out of cache, in the last-level cache, in the second-level cache, a call.
SHAPES = (
    (100352, 64),
    (25088, 256),
    (4096, 4096),
    (401408, 16),
    (262144, 3),
    (256, 512),
    (1024, 64),
    (64, 64),
)
LARGE = ("100352x64", "25088x256", "401408x16", "4096x4096")
IN_CACHE = ("256x512", "1024x64")

SWEEP_ELEMENTS = 1 << 24
SWEEP_CHANNELS = (1, 2, 3, 5, 7, 17, 31, 64, 100, 1000, 10007, 65536)
# The channel first, and in the middle.
SWEEP_AXES = tuple(
    (outer, channels, SWEEP_ELEMENTS // outer // channels)
    for channels in (3, 64, 1000)
    for outer in (1, 8)
)


def shape_cases(op: str, sizes: list[tuple[int, int]]) -> list[Case]:
    return [Case(op, rows, channels) for rows, channels in sizes]


def sweep_cases(op: str) -> list[Case]:
    """About 2^24 elements each, whatever the number of channels."""
    cases = [Case(op, SWEEP_ELEMENTS // d, d) for d in SWEEP_CHANNELS]
    return cases + [Case(op, *sizes) for sizes in SWEEP_AXES]
