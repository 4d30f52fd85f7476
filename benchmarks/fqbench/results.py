# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks results up: the best variant of a peer, and ratios."""

import statistics

from fqbench.rounds import Result

OURS = "fakequant"
ROOF = "roof-streaming"
FRAMEWORK_PEERS = (
    "torch-compile",
    "torch-eager",
    "torch-native",
    "iree",
    "jax",
    "tf-xla",
    "tf-eager",
)
ORDER = (
    ROOF,
    "roof",
    "hand",
    OURS,
    "fakequant-in-place",
    "plain",
    "eigen-row",
    "eigen-chip",
) + (FRAMEWORK_PEERS)


class Table:
    """Results by op, shape and threads."""

    def __init__(self, results: list[Result]):
        self.results = results

    def best(self, op: str, shape: str, threads: int, peer: str) -> Result | None:
        """The fastest variant of a peer."""
        found = [
            r for r in self.results if r.key == (op, shape, threads) and r.peer == peer
        ]
        return min(found, key=lambda result: result.min_ms, default=None)

    def peers(self, op: str, threads: int) -> list[str]:
        there = {r.peer for r in self.results if (r.op, r.threads) == (op, threads)}
        return [peer for peer in ORDER if peer in there]

    def shapes(self, op: str, threads: int) -> list[str]:
        found = [r.shape for r in self.results if (r.op, r.threads) == (op, threads)]
        return list(dict.fromkeys(found))

    def ratio(
        self, op: str, shape: str, threads: int, peer: str, to: str
    ) -> float | None:
        """How many times as long `peer` takes as `to`. With one thread, of the
        least times. With more, the cores change their speed between rounds: the
        median over rounds of the ratio within a round."""
        one, other = (self.best(op, shape, threads, name) for name in (peer, to))
        if one is None or other is None:
            return None
        if threads == 1:
            return one.min_ms / other.min_ms
        rounds = zip(
            self.rounds(op, shape, threads, peer), self.rounds(op, shape, threads, to)
        )
        return statistics.median(a / b for a, b in rounds)

    def rounds(self, op: str, shape: str, threads: int, peer: str) -> list[float]:
        """The least time of each round over the variants of a peer."""
        found = [
            r for r in self.results if r.key == (op, shape, threads) and r.peer == peer
        ]
        return [min(values) for values in zip(*(r.rounds_ms for r in found))]
