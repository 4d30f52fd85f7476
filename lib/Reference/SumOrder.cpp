//===- SumOrder.cpp - Sums of a generated sequence ------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumOrder.h"

namespace mlir::fakequant::reference {

std::vector<double>
sumChannels(const SumShape &shape,
            const std::function<float(int64_t)> &contribution) {
  return sumByChannel<float>(
      shape, [&](int64_t position, int64_t) { return contribution(position); });
}

} // namespace mlir::fakequant::reference
