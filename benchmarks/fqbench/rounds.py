# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times all peers of a case in rounds."""

import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass

from fqbench import toolchain
from fqbench.cases import Case
from fqbench.workers import Worker


@dataclass
class Result:
    """What one peer took for one case."""

    op: str
    shape: str
    elements: int
    threads: int
    peer: str
    variant: str
    min_ms: float
    median_ms: float
    # The least of each round, to compare within a round.
    rounds_ms: list[float]

    @property
    def key(self) -> tuple:
        return self.op, self.shape, self.threads


def measure(
    case: Case,
    workers: list[Worker],
    rounds: int,
    milliseconds: float,
    notes: dict[str, str],
) -> list[Result]:
    """In each round every peer, in shuffled order, gets warm-up calls and
    `milliseconds` of timed ones. `notes` gets what a peer computed wrongly."""
    threads = workers[0].threads
    jobs = []
    for worker in workers:
        library = (
            toolchain.compile_case(case, threads) if worker.name == "cpp" else None
        )
        answer = worker.prepare(case, library)
        jobs += [(worker, peer) for peer in answer.get("peers", [])]
        for peer, message in answer.get("wrong", {}).items():
            notes[f"{case.op} {case.shape}, {threads} thread(s), {peer}"] = message
    order = random.Random(1)
    times: dict[str, list[list[float]]] = {peer: [] for _, peer in jobs}
    for number in range(rounds):
        order.shuffle(jobs)
        for worker, peer in jobs:
            taken = worker.time(peer, milliseconds)
            if taken:
                times[peer].append(taken)
        show_progress(
            f"{case.op} {case.shape}, {threads} thread(s): round {number + 1} of {rounds}"
        )
    results = []
    for name, taken in times.items():
        if not taken:
            continue
        peer, _, variant = name.partition(":")
        everything = [value for one in taken for value in one]
        results.append(
            Result(
                case.op,
                case.shape,
                case.elements,
                threads,
                peer,
                variant,
                min(everything),
                statistics.median(everything),
                [min(one) for one in taken],
            )
        )
    return results


_start = time.monotonic()


def show_progress(text: str) -> None:
    print(f"[{time.monotonic() - _start:5.0f} s] {text}", file=sys.stderr, flush=True)


def to_json(results: list[Result]) -> list[dict]:
    return [asdict(result) for result in results]
