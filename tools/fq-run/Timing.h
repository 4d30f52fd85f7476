//===- Timing.h -------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long calls take.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TOOLS_FQRUN_TIMING_H
#define FAKEQUANT_TOOLS_FQRUN_TIMING_H

#include "fakequant/Execution/Jit.h"

namespace mlir::fakequant {

struct CallTimes {
  double minMs;
  double medianMs;
};

/// Times `count` calls, at least one. Calls that take less than 30 microseconds
/// are timed `count` times in batches of about 50, so that reading the clock
/// does not count; a batch gives one time, its mean.
CallTimes timeCalls(JitCall &call, unsigned count);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TOOLS_FQRUN_TIMING_H
