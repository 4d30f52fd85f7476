//===- Comparison.h ---------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparing a result with what was expected.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TOOLS_FQRUN_COMPARISON_H
#define FAKEQUANT_TOOLS_FQRUN_COMPARISON_H

#include "fakequant/Execution/HostTensor.h"

namespace mlir::fakequant {

struct Comparison {
  /// Elements that differ; the first of them in row-major order.
  int64_t numDifferent = 0;
  int64_t first = 0;
  /// The largest |got - expected| over all pairs of finite elements, and where
  /// it is.
  double largestError = 0;
  int64_t largestAt = 0;
  /// Elements where only one of the two is finite, or both are infinite and
  /// unequal, so that no distance can be told.
  int64_t numIncomparable = 0;
  /// What `tolerance` was multiplied with: the largest finite magnitude
  /// expected.
  double magnitude = 0;
};

/// Compares tensors of one type and shape. Elements are equal if their bits
/// are, if both are NaN, or, with a tolerance, if their distance is at most
/// `tolerance` times the largest finite magnitude in `expected`.
Comparison compare(const HostTensor &got, const HostTensor &expected,
                   std::optional<double> tolerance);

/// The position of an element as "[1, 0, 2]".
std::string formatPosition(llvm::ArrayRef<int64_t> shape, int64_t position);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TOOLS_FQRUN_COMPARISON_H
