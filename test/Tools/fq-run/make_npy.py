# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a .npy file for a test of fq-run.

make_npy.py FILE EXPRESSION [--resize BYTES]

EXPRESSION is Python over `np`; --resize cuts or lengthens the finished file by
so many bytes, so that it is damaged.
"""

import argparse
import os

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("expression")
parser.add_argument("--resize", type=int, default=0)
arguments = parser.parse_args()

np.save(arguments.file, eval(arguments.expression, {"np": np}))
if arguments.resize:
    os.truncate(arguments.file, os.path.getsize(arguments.file) + arguments.resize)
