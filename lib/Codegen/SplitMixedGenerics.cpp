//===- SplitMixedGenerics.cpp - Split elementwise from reductions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mixed generic becomes one with the reductions and one with the rest.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "fakequant/Codegen/Passes.h"
#include "fakequant/Codegen/Transforms.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_SPLITMIXEDGENERICS
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct SplitMixedGeneric : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    if (op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(op, "has no reduction loop");
    llvm::SmallBitVector elementwise = getElementwiseResults(op);
    if (elementwise.none())
      return rewriter.notifyMatchFailure(op, "has no elementwise result");
    if (elementwise.all())
      return rewriter.notifyMatchFailure(op, "has no reduction");
    if (!isMemoryEffectFree(op))
      return rewriter.notifyMatchFailure(op, "has other effects than results");
    if (addAccumulatorsReadBy(op, elementwise) != elementwise)
      return rewriter.notifyMatchFailure(
          op, "an elementwise result reads an accumulator");

    // The reductions come first, so that the other one may overwrite an operand
    // of both.
    llvm::SmallBitVector reductions = elementwise;
    reductions.flip();
    linalg::GenericOp reducing = cloneWithResults(rewriter, op, reductions);
    linalg::GenericOp parallel = cloneWithResults(rewriter, op, elementwise);
    (void)relaxReductionLoops(rewriter, parallel);

    SmallVector<Value> replacements(op.getNumResults());
    for (auto [number, value] :
         llvm::zip_equal(reductions.set_bits(), reducing.getResults()))
      replacements[number] = value;
    for (auto [number, value] :
         llvm::zip_equal(elementwise.set_bits(), parallel.getResults()))
      replacements[number] = value;
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

struct SplitMixedGenericsPass
    : public fakequant::impl::SplitMixedGenericsBase<SplitMixedGenericsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSplitMixedGenericsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void fakequant::populateSplitMixedGenericsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitMixedGeneric>(patterns.getContext());
}
