//===- Transforms.h - Rewrites of linalg for every target -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns and functions behind the passes in Passes.h, for those who put
// them together in their own way.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_TRANSFORMS_H
#define FAKEQUANT_CODEGEN_TRANSFORMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fakequant {

/// Adds the patterns of `fq-fuse-elementwise`: elementwise ops on tensors
/// become `linalg.generic` ops, and a producer with one result and one use goes
/// into the generic that reads it by the identity map. Such an op reads a
/// tensor of equal elements (the zero of a relu) as a scalar; other constants
/// stay operands, so that nothing is computed here that the program would
/// compute when it runs. Sizes of intermediate results (`tensor.dim`) are
/// traced back, since they count as uses.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Adds the patterns of `fq-drop-unused-results`: each generic on tensors is
/// rebuilt without the results that have no use, except for reductions whose
/// running value another result reads. Loops that nothing reduces over become
/// `parallel`. Sizes of results (`tensor.dim`) are traced back, since they
/// count as uses.
void populateDropUnusedResultsPatterns(RewritePatternSet &patterns);

/// Adds the pattern of `fq-split-mixed-generics`: a generic on tensors with
/// elementwise results and reductions becomes two, the reductions first. It
/// declines where an elementwise result reads an accumulator, as a running sum
/// does.
void populateSplitMixedGenericsPatterns(RewritePatternSet &patterns);

/// Merges `second` into `first`, an earlier op of its block, and replaces both.
/// Definitions of operands of `second` move before `first` where they have to.
/// Fails and changes nothing, and tells `rewriter` why, where the two
///
/// - have other operands than tensors, stand for library calls, have bodies
///   with side effects, or differ in discardable attributes,
/// - do not both read a value by the identity map over equally many loops,
/// - or depend on each other, or on ops that cannot move.
FailureOr<linalg::GenericOp> mergeGenerics(RewriterBase &rewriter,
                                           linalg::GenericOp first,
                                           linalg::GenericOp second);

/// Merges generics below `root` until no two can be merged, the first with the
/// nearest first. Returns the number of merges.
int64_t mergeAllGenerics(RewriterBase &rewriter, Operation *root);

/// Gives each `outs` operand of a linalg op below `root` that comes from a
/// `linalg.fill` or `tensor.empty` with other uses a copy of that op, so that
/// none of them must be copied when it becomes a buffer. `tensor.dim` does not
/// count as a use. CSE undoes it.
void unshareDestinations(RewriterBase &rewriter, Operation *root);

/// Moves inputs of `op` that are dead after it to its `outs`, one for each
/// elementwise result that has no buffer yet. Fails, and tells `rewriter` why,
/// where there is no such pair. See `fq-reuse-dead-operands` for what
/// qualifies.
FailureOr<linalg::GenericOp> reuseDeadOperands(RewriterBase &rewriter,
                                               linalg::GenericOp op);

} // namespace mlir::fakequant

#endif // FAKEQUANT_CODEGEN_TRANSFORMS_H
