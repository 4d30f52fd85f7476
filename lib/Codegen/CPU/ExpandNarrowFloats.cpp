//===- ExpandNarrowFloats.cpp - Conversions to 16-bit floats --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_EXPANDNARROWFLOATS
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// `type` with another element type.
static Type withElementType(Type type, Type elementType) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(elementType);
  return elementType;
}

namespace {

/// f64 to a 16-bit float in two steps that round once: f32 has more than two
/// bits more than either, so rounding to odd on the way loses nothing that the
/// second rounding needs (Boldo and Melquiond, "When double rounding is odd",
/// 2005).
struct RoundToOdd : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    if (!getElementTypeOrSelf(from).isF64() ||
        getElementTypeOrSelf(to).getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "expected f64 to a 16-bit float");
    if (op.getRoundingmodeAttr())
      return rewriter.notifyMatchFailure(op, "has a rounding mode of its own");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type f32 = withElementType(from, b.getF32Type());
    Type i32 = withElementType(from, b.getI32Type());
    auto one = arith::ConstantOp::create(
        b, cast<TypedAttr>(isa<ShapedType>(i32)
                               ? Attribute(DenseElementsAttr::get(
                                     cast<ShapedType>(i32), int32_t(1)))
                               : Attribute(b.getI32IntegerAttr(1))));
    auto magnitude = [&](Value value) -> Value {
      // The absolute value as an integer compares like the float.
      Type i64 = withElementType(from, b.getI64Type());
      Value bits = arith::BitcastOp::create(b, i64, value);
      int64_t mask = std::numeric_limits<int64_t>::max();
      auto maskAttr =
          isa<ShapedType>(i64)
              ? Attribute(DenseElementsAttr::get(cast<ShapedType>(i64), mask))
              : Attribute(b.getI64IntegerAttr(mask));
      return arith::AndIOp::create(
          b, bits, arith::ConstantOp::create(b, cast<TypedAttr>(maskAttr)));
    };

    Value nearest = arith::TruncFOp::create(b, f32, op.getIn());
    Value back = arith::ExtFOp::create(b, from, nearest);
    Value isInexact =
        arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, op.getIn());
    Value isAway = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ugt, magnitude(back), magnitude(op.getIn()));
    // Toward zero, then odd where something was cut off.
    Value bits = arith::BitcastOp::create(b, i32, nearest);
    Value down = arith::AndIOp::create(b, isAway, isInexact);
    bits = arith::SubIOp::create(b, bits, arith::ExtUIOp::create(b, i32, down));
    Value odd = arith::OrIOp::create(b, bits, one);
    bits = arith::SelectOp::create(b, isInexact, odd, bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, to, arith::BitcastOp::create(b, f32, bits));
    return success();
  }
};

/// Arithmetic on bf16 that LLVM would do in f32, with a conversion back that
/// flushes or is a call for each element: the same, with the conversion spelled
/// out. f32 has more than twice the bits of bf16 and two more, so a sum, a
/// product or a quotient is still rounded as if once (Figueroa, "When is double
/// rounding innocuous?", 1995). Upstream's emulation of unsupported floats
/// marks its conversions `contract`, and folding then drops a rounding.
struct ComputeWide : public RewritePattern {
  ComputeWide(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        !OpTrait::hasElementwiseMappableTraits(op))
      return rewriter.notifyMatchFailure(op, "computes no element from others");
    if (isa<arith::BitcastOp, arith::ExtFOp, arith::SelectOp, arith::TruncFOp>(
            op))
      return rewriter.notifyMatchFailure(op, "does not compute in bf16");
    auto isNarrow = [](Type type) {
      return getElementTypeOrSelf(type).isBF16();
    };
    if (llvm::none_of(op->getOperandTypes(), isNarrow) &&
        llvm::none_of(op->getResultTypes(), isNarrow))
      return rewriter.notifyMatchFailure(op, "has no bf16");

    // f32 holds integers of 24 bits exactly, f64 those of 53.
    Type wide = rewriter.getF32Type();
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
        getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() > 24)
      wide = rewriter.getF64Type();
    Location loc = op->getLoc();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Type type = operand.getType();
      if (isNarrow(type))
        operand = arith::ExtFOp::create(rewriter, loc,
                                        withElementType(type, wide), operand);
      operands.push_back(operand);
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isNarrow(type) ? withElementType(type, wide) : type);
    Operation *widened = rewriter.create(loc, op->getName().getIdentifier(),
                                         operands, types, op->getAttrs());
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip_equal(widened->getResults(), op->getResultTypes())) {
      Value narrowed = result;
      if (isNarrow(type))
        narrowed = arith::TruncFOp::create(rewriter, loc, type, result);
      results.push_back(narrowed);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ExpandNarrowFloatsPass
    : public fakequant::impl::ExpandNarrowFloatsBase<ExpandNarrowFloatsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeWide, RoundToOdd>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
