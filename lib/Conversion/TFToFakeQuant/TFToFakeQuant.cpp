//===- TFToFakeQuant.cpp - TensorFlow's ops to fakequant ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns and the pass. The pass reads every op first (TFCall.h), and lets
// the dialect's verifier see what each would become, before it changes the
// module.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Conversion/TFToFakeQuant/TFToFakeQuant.h"

#include "TFCall.h"
#include "ValueOrigins.h"
#include "fakequant/Conversion/Passes.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_CONVERTTFTOFAKEQUANT
#include "fakequant/Conversion/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

/// Builds what stands for an op, with operands cast to the types they need.
static Operation *build(OpBuilder &builder, Operation *op, const Call &call) {
  SmallVector<Value> operands;
  for (auto [operand, type] :
       llvm::zip_equal(op->getOperands(), call.operandTypes))
    operands.push_back(castTo(builder, op->getLoc(), type, operand));
  return call.counterpart->create(builder, op->getLoc(), operands,
                                  call.attributes);
}

namespace {

struct ConvertFakeQuant : public RewritePattern {
  ConvertFakeQuant(MLIRContext *context, const Counterpart &counterpart)
      : RewritePattern(counterpart.tfName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    std::string why;
    FailureOr<Call> call = readCall(op, why);
    if (failed(call) || failed(checkResultTypes(op, *call, why)))
      return rewriter.notifyMatchFailure(op, why);
    SmallVector<Value> results;
    for (auto [result, type] : llvm::zip_equal(
             build(rewriter, op, *call)->getResults(), op->getResultTypes()))
      results.push_back(castTo(rewriter, op->getLoc(), type, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct RemoveIdentity : public RewritePattern {
  RemoveIdentity(MLIRContext *context)
      : RewritePattern(kIdentityName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isPlainIdentity(op))
      return rewriter.notifyMatchFailure(
          op, "expected one tensor and one of a compatible type");
    if (!followsFakeQuant(op->getOperand(0)) &&
        !feedsFakeQuant(op->getResult(0)))
      return rewriter.notifyMatchFailure(
          op, "expected to feed or to follow a fake-quantization op");
    rewriter.replaceOp(op,
                       castTo(rewriter, op->getLoc(),
                              op->getResult(0).getType(), op->getOperand(0)));
    return success();
  }
};

struct ConvertConst : public RewritePattern {
  ConvertConst(MLIRContext *context)
      : RewritePattern(kConstName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    TypedAttr value = getConstValue(op);
    if (!value)
      return rewriter.notifyMatchFailure(
          op, "expected dense floats of a type compatible with the result's");
    if (!feedsFakeQuant(op->getResult(0)))
      return rewriter.notifyMatchFailure(
          op, "expected to feed a fake-quantization op");
    Value constant = arith::ConstantOp::create(rewriter, op->getLoc(), value);
    rewriter.replaceOp(op, castTo(rewriter, op->getLoc(),
                                  op->getResult(0).getType(), constant));
    return success();
  }
};

} // namespace

void fakequant::populateTFToFakeQuantPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (const Counterpart &counterpart : getCounterparts())
    patterns.add<ConvertFakeQuant>(context, counterpart);
  patterns.add<RemoveIdentity, ConvertConst>(context);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Reports an op that cannot be converted. What it would become is built for
/// the dialect's verifier and removed again.
static LogicalResult checkCall(Operation *op) {
  std::string why;
  FailureOr<Call> call = readCall(op, why);
  if (failed(call))
    return op->emitOpError(why);

  OpBuilder builder(op);
  Operation *before = op->getPrevNode();
  LogicalResult verified = verify(build(builder, op, *call));
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
  if (failed(verified))
    return failure();
  if (failed(checkResultTypes(op, *call, why)))
    return op->emitOpError(why);
  return success();
}

static constexpr StringLiteral kTFLiteName = "tfl.fake_quant";

static LogicalResult refuseTFLite(Operation *op) {
  return op->emitOpError(
      "expected an op with TensorFlow's arithmetic but got one with TFLite's, "
      "which fakequant does not have: c = min(nudged_max, max(nudged_min, x)), "
      "y = round_half_away((c - nudged_min) * (1 / scale)) * scale + "
      "nudged_min");
}

namespace {

struct ConvertTFToFakeQuantPass
    : public fakequant::impl::ConvertTFToFakeQuantBase<
          ConvertTFToFakeQuantPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    bool isValid = true;
    getOperation()->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name == kTFLiteName) {
        isValid &= succeeded(refuseTFLite(op));
      } else if (findCounterpart(op)) {
        isValid &= succeeded(checkCall(op));
        ops.push_back(op);
      } else if (name == kIdentityName || name == kConstName) {
        ops.push_back(op);
      }
    });
    if (!isValid)
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    populateTFToFakeQuantPatterns(patterns);
    // Nothing but these ops is visited, folded or erased.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
