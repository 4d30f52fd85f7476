//===- FuseElementwise.cpp - Fuse elementwise producers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's fusion step under a control of our own. Upstream's pattern set
// would also fold constants into any body, whose arithmetic the compiler could
// then do with denormals that the program flushes.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "fakequant/Codegen/Passes.h"
#include "fakequant/Codegen/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// Whether `map` selects loops in their order, so that an operand is read
/// forward, and not transposed.
static bool isInLoopOrder(AffineMap map) {
  if (!map.isProjectedPermutation())
    return false;
  return llvm::is_sorted(map.getResults(), [](AffineExpr a, AffineExpr b) {
    return cast<AffineDimExpr>(a).getPosition() <
           cast<AffineDimExpr>(b).getPosition();
  });
}

/// Whether `op` computes each element of one result from the elements at its
/// place, of operands as large or broadcast.
static bool isElementwiseInLoopOrder(linalg::LinalgOp op) {
  return op->getNumResults() == 1 && linalg::isElementwise(op) &&
         llvm::all_of(op.getIndexingMapsArray(), isInLoopOrder);
}

/// Whether the body of `op` is one op, as that of a generic made of an
/// elementwise op on tensors.
static bool hasOneOpBody(linalg::GenericOp op) {
  return llvm::hasSingleElement(op.getBody()->without_terminator());
}

/// The scalar that each element of `tensor` equals; an attribute or a value,
/// null where there is none or where `tensor` has rank 0.
static OpFoldResult getSplat(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() == 0 ||
      !type.getElementType().isIntOrIndexOrFloat())
    return {};
  if (auto splat = tensor.getDefiningOp<tensor::SplatOp>())
    return splat.getInput();
  SplatElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return constant.getSplatValue<Attribute>();
  return {};
}

/// Whether an input of `op` is a tensor of equal elements, and not each.
static bool readsSplats(linalg::GenericOp op) {
  auto isSplat = [](Value input) { return bool(getSplat(input)); };
  return llvm::any_of(op.getInputs(), isSplat) &&
         !llvm::all_of(op.getInputs(), isSplat);
}

namespace {

/// Makes a generic of an elementwise named op. Fills, the start of sums, and
/// copies say more as they are.
struct GeneralizeElementwise
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp>(op))
      return rewriter.notifyMatchFailure(op, "is a generic already");
    if (isa<linalg::FillOp, linalg::CopyOp>(op))
      return rewriter.notifyMatchFailure(op, "computes nothing");
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expected operands to be tensors");
    if (!isElementwiseInLoopOrder(op))
      return rewriter.notifyMatchFailure(op, "is not elementwise");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// Upstream's conversion of elementwise ops takes an operand for the
/// destination. One that is never read would still ask for that operand's
/// buffer.
struct DetachDestination : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "expected one tensor result");
    OpOperand *init = op.getDpsInitOperand(0);
    if (!llvm::is_contained(op.getInputs(), init->get()))
      return rewriter.notifyMatchFailure(op, "the destination is no operand");
    if (op.payloadUsesValueFromOperand(init))
      return rewriter.notifyMatchFailure(op, "reads its destination");
    // A loop without iterations would leave it as it is.
    if (!op.getMatchingIndexingMap(init).isIdentity())
      return rewriter.notifyMatchFailure(op, "may not write all of it");
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), init->get()),
        getElementTypeOrSelf(init->get().getType()));
    if (empty.getType() != init->get().getType())
      empty = tensor::CastOp::create(rewriter, op.getLoc(),
                                     init->get().getType(), empty);
    rewriter.modifyOpInPlace(op, [&] { init->set(empty); });
    return success();
  }
};

/// The zero of a relu must not be streamed from memory. Only where the generic
/// is one op on tensors: its arithmetic was open to folders before.
struct ReadSplatAsScalar : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    if (op.getNumResults() != 1 || !hasOneOpBody(op))
      return rewriter.notifyMatchFailure(op, "is more than one op");
    if (!readsSplats(op))
      return rewriter.notifyMatchFailure(
          op, "expected an input of equal elements, and one of others");
    for (OpOperand *input : op.getDpsInputOperands()) {
      OpFoldResult splat = getSplat(input->get());
      if (!splat)
        continue;
      auto scalar = dyn_cast<Value>(splat);
      if (!scalar)
        scalar = arith::ConstantOp::create(
            rewriter, op.getLoc(), cast<TypedAttr>(cast<Attribute>(splat)));
      rewriter.replaceAllUsesWith(op.getMatchingBlockArgument(input), scalar);
    }
    // Without the inputs, which nothing reads now.
    llvm::SmallBitVector results(1, true);
    rewriter.replaceOp(op, cloneWithResults(rewriter, op, results));
    return success();
  }
};

struct ShareEqualInputs : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    llvm::SmallDenseSet<std::pair<Value, AffineMap>> inputs;
    bool allDiffer =
        llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return inputs.insert({input->get(), op.getMatchingIndexingMap(input)})
              .second;
        });
    if (allDiffer)
      return rewriter.notifyMatchFailure(op, "no two inputs are equal");
    llvm::SmallBitVector results(op.getNumResults(), true);
    rewriter.replaceOp(op, cloneWithResults(rewriter, op, results));
    return success();
  }
};

/// Whether `consumer` with the operands of `producer` in place of `operand` is
/// still one pass over memory: what is not read in its loops' order is read by
/// one and the same run of loops, its channel. (Beyond that, loops would be
/// scalar, and sums in another order.)
static bool keepsOnePass(linalg::GenericOp producer, linalg::GenericOp consumer,
                         OpOperand *operand) {
  AffineMap channel;
  auto sees = [&](AffineMap map) {
    if (map.getNumResults() == 0 || map.isIdentity())
      return true;
    for (unsigned i = 1; i < map.getNumResults(); ++i)
      if (map.getDimPosition(i) != map.getDimPosition(i - 1) + 1)
        return false;
    if (!channel)
      channel = map;
    return channel == map;
  };
  bool isOnePass =
      llvm::all_of(consumer->getOpOperands(), [&](OpOperand &other) {
        AffineMap map = consumer.getMatchingIndexingMap(&other);
        return &other == operand || (isInLoopOrder(map) && sees(map));
      });
  // A consumer that is none yet loses nothing.
  if (!isOnePass)
    return true;
  // A sum over all loops has no channel.
  bool hasSums = consumer.getNumReductionLoops() != 0;
  bool hasChannel = static_cast<bool>(channel);
  bool fits = llvm::all_of(producer.getDpsInputOperands(), [&](OpOperand *in) {
    return sees(producer.getMatchingIndexingMap(in));
  });
  return fits && (!hasSums || hasChannel || !channel);
}

struct FuseProducer : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : consumer.getDpsInputOperands())
      if (succeeded(check(rewriter, consumer, operand)))
        return fuse(rewriter, consumer, operand);
    return rewriter.notifyMatchFailure(consumer, "no producer to fuse");
  }

private:
  static LogicalResult check(RewriterBase &rewriter, linalg::GenericOp consumer,
                             OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (!producer)
      return failure();
    if (producer->getBlock() != consumer->getBlock())
      return rewriter.notifyMatchFailure(
          producer, "the consumer may run more often than the producer");
    if (producer.getNumResults() != 1)
      return rewriter.notifyMatchFailure(producer, "has several results");
    if (!operand->get().hasOneUse())
      return rewriter.notifyMatchFailure(producer, "has several uses");
    if (producer.getLibraryCall() || consumer.getLibraryCall())
      return rewriter.notifyMatchFailure(producer, "stands for a library call");
    if (!isElementwiseInLoopOrder(producer))
      return rewriter.notifyMatchFailure(producer, "is not elementwise");
    if (producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)))
      return rewriter.notifyMatchFailure(producer, "reads its destination");
    if (hasOneOpBody(producer) && readsSplats(producer))
      return rewriter.notifyMatchFailure(producer, "has splats to read first");
    if (!consumer.getMatchingIndexingMap(operand).isIdentity())
      return rewriter.notifyMatchFailure(
          producer, "is not read once and in the loops' order");
    if (!keepsOnePass(producer, consumer, operand))
      return rewriter.notifyMatchFailure(
          producer, "is broadcast otherwise than what the consumer reads");
    if (!linalg::areElementwiseOpsFusable(operand))
      return rewriter.notifyMatchFailure(producer,
                                         "upstream's fusion does not apply");
    if (!linalg::getPreservedProducerResults(producer, consumer, operand)
             .empty())
      return rewriter.notifyMatchFailure(
          producer, "its result would still give the loop ranges");
    return success();
  }

  static LogicalResult fuse(RewriterBase &rewriter, linalg::GenericOp consumer,
                            OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    FailureOr<linalg::ElementwiseOpFusionResult> fusion =
        linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fusion))
      return rewriter.notifyMatchFailure(consumer, "upstream's fusion failed");
    SmallVector<Value> replacements;
    for (OpResult result : consumer.getResults())
      replacements.push_back(fusion->replacements.lookup(result));
    rewriter.replaceOp(consumer, replacements);
    rewriter.eraseOp(producer);
    return success();
  }
};

struct FuseElementwisePass
    : public fakequant::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFuseElementwisePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void fakequant::populateFuseElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  patterns.add<GeneralizeElementwise, DetachDestination, ReadSplatAsScalar,
               ShareEqualInputs, FuseProducer>(context);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
}
