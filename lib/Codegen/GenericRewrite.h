//===- GenericRewrite.h - Taking linalg.generic apart -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes that drop, split and merge results of generics share.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_GENERICREWRITE_H
#define FAKEQUANT_LIB_CODEGEN_GENERICREWRITE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::fakequant {

/// Whether `op` may be rebuilt with other operands and results: it works on
/// tensors only and does not stand for a library function. Tells `rewriter`
/// why where it may not.
LogicalResult checkRebuildable(RewriterBase &rewriter, linalg::GenericOp op);

/// Whether each element that `map` reaches is reached by one iteration of the
/// loops only. The block argument of an `outs` operand with such a map holds
/// the operand's own element; with any other map it may hold what an earlier
/// iteration yielded.
bool isReachedOnce(AffineMap map);

/// The results of `op` whose elements are each computed by one iteration. The
/// others are reductions, if `op` has reduction loops.
llvm::SmallBitVector getElementwiseResults(linalg::GenericOp op);

/// `results` of `op` and those reductions whose running value they depend on.
llvm::SmallBitVector addAccumulatorsReadBy(linalg::GenericOp op,
                                           llvm::SmallBitVector results);

/// Creates, at the rewriter's insertion point, a generic that computes only
/// `results` of `op`, which must hold the accumulators they read. It has the
/// operands and body ops that these results need, equal inputs once, and
/// further operands where the loop ranges would be unknown without. An `outs`
/// operand of another result that is still read becomes an input. Loops stay
/// what they are.
linalg::GenericOp cloneWithResults(RewriterBase &rewriter, linalg::GenericOp op,
                                   const llvm::SmallBitVector &results);

/// Makes `parallel` each `reduction` loop of `op` that no result reduces over.
/// Fails, and tells `rewriter` why, where there is none.
LogicalResult relaxReductionLoops(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_GENERICREWRITE_H
