//===- FakeQuantToLinalg.h - fakequant to linalg.generic --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CONVERSION_FAKEQUANTTOLINALG_FAKEQUANTTOLINALG_H
#define FAKEQUANT_CONVERSION_FAKEQUANTTOLINALG_FAKEQUANTTOLINALG_H

namespace mlir {
class RewritePatternSet;

namespace fakequant {

/// Adds the pattern that turns any op with `FakeQuantOpInterface` into
/// `linalg.generic` ops on tensors. It declines unranked operands.
void populateFakeQuantToLinalgPatterns(RewritePatternSet &patterns);

} // namespace fakequant
} // namespace mlir

#endif // FAKEQUANT_CONVERSION_FAKEQUANTTOLINALG_FAKEQUANTTOLINALG_H
