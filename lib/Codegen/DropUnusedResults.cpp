//===- DropUnusedResults.cpp - Drop results that nobody uses --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns leave a result whose `outs` operand the body reads; here
// that operand becomes an input.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "fakequant/Codegen/Passes.h"
#include "fakequant/Codegen/Transforms.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_DROPUNUSEDRESULTS
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct DropResults : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    llvm::SmallBitVector results(op.getNumResults());
    for (OpResult result : op.getResults())
      if (!result.use_empty())
        results.set(result.getResultNumber());
    if (results.all())
      return rewriter.notifyMatchFailure(op, "every result is used");
    if (results.none()) {
      if (!isMemoryEffectFree(op))
        return rewriter.notifyMatchFailure(op,
                                           "has other effects than results");
      rewriter.eraseOp(op);
      return success();
    }
    results = addAccumulatorsReadBy(op, std::move(results));
    if (results.all())
      return rewriter.notifyMatchFailure(
          op, "the unused results are accumulators that others read");

    linalg::GenericOp rest = cloneWithResults(rewriter, op, results);
    SmallVector<Value> replacements(op.getNumResults());
    for (auto [number, value] :
         llvm::zip_equal(results.set_bits(), rest.getResults()))
      replacements[number] = value;
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

struct RelaxReductionLoops : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    return relaxReductionLoops(rewriter, op);
  }
};

struct DropUnusedResultsPass
    : public fakequant::impl::DropUnusedResultsBase<DropUnusedResultsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDropUnusedResultsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void fakequant::populateDropUnusedResultsPatterns(RewritePatternSet &patterns) {
  patterns.add<DropResults, RelaxReductionLoops>(patterns.getContext());
  // Asking for the size of a result is no use of it.
  tensor::DimOp::getCanonicalizationPatterns(patterns, patterns.getContext());
}
