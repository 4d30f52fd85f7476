//===- Timing.cpp ---------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timing calls one by one, or in batches where they are short.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace mlir::fakequant;

/// Milliseconds that `size` calls take.
static double timeBatch(JitCall &call, unsigned size) {
  auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < size; ++i)
    call();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

CallTimes mlir::fakequant::timeCalls(JitCall &call, unsigned count) {
  constexpr double kShortCallMs = 0.03, kBatchMs = 0.05;
  unsigned batch = 1;
  if (timeBatch(call, 1) < kShortCallMs) {
    // Now that code and data are in the caches, see how short it really is.
    double perCall = std::max(timeBatch(call, 8) / 8, 1e-6);
    batch = std::max(1.0, std::ceil(kBatchMs / perCall));
  }

  std::vector<double> times;
  times.reserve(std::min(count, 1u << 16));
  for (unsigned i = 0; i < count; ++i)
    times.push_back(timeBatch(call, batch) / batch);
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  double median = times.size() % 2 ? times[middle]
                                   : (times[middle - 1] + times[middle]) / 2;
  return {times.front(), median};
}
