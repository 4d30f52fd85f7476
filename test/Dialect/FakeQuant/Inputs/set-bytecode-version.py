# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes the version that bytecode records for the fakequant dialect.

usage: set-bytecode-version.py MAJOR.MINOR < bytecode > bytecode

Fails unless the input records version 1.0, exactly once.
"""

import sys

SECTION = 7  # DialectVersions


def varint(value: int) -> bytes:
    assert value < 128, "one byte, marked by its low bit"
    return bytes([value << 1 | 1])


def section(major: int, minor: int) -> bytes:
    return bytes([SECTION]) + varint(2) + varint(major) + varint(minor)


major, minor = map(int, sys.argv[1].split("."))
bytecode = sys.stdin.buffer.read()
if bytecode.count(section(1, 0)) != 1:
    sys.exit("expected one record of version 1.0")
sys.stdout.buffer.write(bytecode.replace(section(1, 0), section(major, minor)))
