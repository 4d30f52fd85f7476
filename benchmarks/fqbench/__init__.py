# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times fake-quantization kernels beside what one would use instead."""
