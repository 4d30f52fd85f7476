# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m fqbench.peers NAME THREADS

Serves one framework: the commands of benchmarks/cpp/main.cpp, and

    first-call ROWS CHANNELS
      {"import_s": …, "first_s": …}, the first gradient less a warm one
"""

import importlib
import json
import os
import sys
import time

from fqbench.peers.data import Data

MIN_CALLS, MAX_CALLS = 3, 400


def seconds(call, repetitions: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repetitions):
        call()
    return (time.perf_counter() - start) / repetitions


def measure(call, milliseconds: float) -> list[float]:
    """Times of calls; those under 30 us in batches of about 50."""
    call()
    estimate = seconds(call)
    if estimate > 0.1:
        return [estimate * 1e3]
    batch = max(1, int(5e-5 / estimate)) if estimate < 3e-5 else 1
    times: list[float] = []
    start = time.perf_counter()
    while len(times) < MIN_CALLS or (
        (time.perf_counter() - start) * 1e3 < milliseconds and len(times) < MAX_CALLS
    ):
        times.append(seconds(call, batch) * 1e3)
    return [round(value, 6) for value in times]


class Server:
    def __init__(self, name: str, threads: int):
        start = time.perf_counter()
        # Some options of the frameworks count only before they are imported.
        self.framework = importlib.import_module(f"fqbench.peers.{name}")
        self.framework.configure(threads)
        self.import_seconds = time.perf_counter() - start
        self.calls: dict = {}

    def prepare(
        self, op: str, outer: str, channels: str, inner: str, _library: str
    ) -> dict:
        self.calls = {}
        if int(inner) != 1:
            return {"peers": [], "wrong": {}}
        data = Data.make(int(outer), int(channels))
        wrong = {}
        try:
            self.calls = self.framework.make(op, data)
            for name, call in self.calls.items():
                results = call()
                results = results if isinstance(results, (list, tuple)) else (results,)
                arrays = [self.framework.to_numpy(result) for result in results]
                if message := data.find_wrong(op, arrays):
                    wrong[name] = message
        except Exception as error:  # A framework's own, whatever its type.
            print(repr(error), file=sys.stderr)
            wrong[self.framework.__name__] = repr(error)[:300]
        return {"peers": list(self.calls), "wrong": wrong}

    def time(self, peer: str, milliseconds: str) -> dict:
        return {"ms": measure(self.calls[peer], float(milliseconds))}

    def first_call(self, rows: str, channels: str) -> dict:
        data = Data.make(int(rows), int(channels))
        name = self.framework.FASTEST_FIRST_CALL
        start = time.perf_counter()
        call = self.framework.make("gradient", data)[name]
        making = time.perf_counter() - start
        first = seconds(call)
        # IREE compiles when it is made, the others when they are called.
        compiling = making if name.startswith("iree") else first - seconds(call)
        return {"import_s": self.import_seconds, "first_s": compiling}


def main() -> None:
    # Frameworks print where answers belong.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    server = Server(sys.argv[1], int(sys.argv[2]))
    commands = {
        "prepare": server.prepare,
        "time": server.time,
        "first-call": server.first_call,
    }
    for line in sys.stdin:
        command, *arguments = line.split()
        print(json.dumps(commands[command](*arguments)), file=answers, flush=True)
    # Their thread pools need no farewell.
    os._exit(0)


if __name__ == "__main__":
    main()
