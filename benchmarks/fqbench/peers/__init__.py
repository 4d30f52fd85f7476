# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The frameworks, each in a process and an environment of its own."""
