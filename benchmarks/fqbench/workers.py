# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that time their peers when told to."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from fqbench import toolchain
from fqbench.cases import Case

# Folder below build/benchmarks/peers, packages.
FRAMEWORKS = ("tensorflow", "torch", "jax", "iree")
PEERS = toolchain.BUILD / "peers"
PACKAGE = Path(__file__).resolve().parent


def memory_environment() -> dict[str, str]:
    """The same memory for everybody: huge pages, and a malloc that keeps freed
    blocks, since some frameworks allocate results in each call."""
    return dict(
        os.environ,
        GLIBC_TUNABLES="glibc.malloc.hugetlb=1",
        MALLOC_MMAP_MAX_="0",
        MALLOC_TRIM_THRESHOLD_="16000000000",
        MALLOC_TOP_PAD_="300000000",
        MALLOC_ARENA_MAX="1",
        TF_CPP_MIN_LOG_LEVEL="3",
        TORCHINDUCTOR_CACHE_DIR=str(toolchain.BUILD / "inductor"),
    )


def framework_python(name: str) -> Path:
    return PEERS / name / "bin" / "python"


def missing_frameworks() -> list[str]:
    return [name for name in FRAMEWORKS if not framework_python(name).exists()]


class Worker:
    """One process with one or more peers, pinned to as many cores as it has
    threads, and stopped while it is not asked: an idle pool must not spin beside
    what is timed."""

    def __init__(self, name: str, threads: int):
        self.name = name
        self.threads = threads
        self.error = ""
        if name == "cpp":
            command = [str(toolchain.build_peers()), str(threads)]
        else:
            command = [
                str(framework_python(name)),
                "-m",
                "fqbench.peers",
                name,
                str(threads),
            ]
        environment = memory_environment()
        environment["OMP_NUM_THREADS"] = str(threads)
        environment["PYTHONPATH"] = str(PACKAGE.parent)
        cores = sorted(os.sched_getaffinity(0))
        pinned = cores[-threads:]
        self.log = open(toolchain.BUILD / f"{name}-{threads}.log", "w")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environment,
            preexec_fn=lambda: os.sched_setaffinity(0, pinned),
            start_new_session=True,
        )

    def ask(self, line: str) -> dict:
        """The answer to a command; an empty one, once, if the process ended."""
        if self.error:
            return {}
        try:
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except (OSError, ValueError):
            answer = ""
        if not answer:
            self.error = f"the process of {self.name} ended; see {self.log.name}"
            print(f"benchmarks: {self.error}", file=sys.stderr)
            return {}
        os.kill(self.process.pid, signal.SIGSTOP)
        return json.loads(answer)

    def prepare(self, case: Case, library: Path | None) -> dict:
        sizes = f"{case.outer} {case.channels} {case.inner}"
        return self.ask(f"prepare {case.op} {sizes} {library or '-'}")

    def time(self, peer: str, milliseconds: float) -> list[float]:
        return self.ask(f"time {peer} {milliseconds}").get("ms", [])

    def close(self) -> None:
        try:
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        self.log.close()
