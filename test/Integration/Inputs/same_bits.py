# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an entry of several modules, each with a number of threads, with and
without flushing denormals, and compares the results with those of the first
module in one thread, bit for bit. Exits with fq-run's status where one
differs."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", help="the module that gives the results")
    parser.add_argument("others", nargs="+", help="MODULE:THREADS")
    parser.add_argument("--fq-run", default="fq-run")
    parser.add_argument("--entry", required=True)
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--results", type=int, required=True)
    arguments = parser.parse_args()

    call = ["--entry", arguments.entry]
    for path in arguments.input:
        call += ["--input", path]
    with tempfile.TemporaryDirectory() as folder:
        for mode in [], ["--flush-denormals"]:
            files = [str(Path(folder, f"{i}.npy")) for i in range(arguments.results)]
            outputs = [word for file in files for word in ("--output", file)]
            expects = [word for file in files for word in ("--expect", file)]
            first = [arguments.fq_run, arguments.first, *call, *mode]
            if status := subprocess.run([*first, *outputs]).returncode:
                return status
            for other in arguments.others:
                module, threads = other.rsplit(":", 1)
                command = [arguments.fq_run, module, *call, *mode, *expects]
                command += ["--threads", threads]
                if status := subprocess.run(command).returncode:
                    print(f"{module} with {threads} threads", *mode)
                    return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
