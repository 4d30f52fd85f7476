//===- SelectMaskedProducts.cpp - Products with 1 or 0 as selects ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_SELECTMASKEDPRODUCTS
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// The i1 that `factor` is 1 or 0 for; null if it is something else.
static Value getCondition(Value factor) {
  auto convert = factor.getDefiningOp<LLVM::UIToFPOp>();
  if (!convert ||
      !getElementTypeOrSelf(convert.getArg().getType()).isInteger(1))
    return Value();
  return convert.getArg();
}

namespace {

/// Makes the ones of a function, one for each type, in its entry block.
class Ones {
public:
  explicit Ones(LLVM::LLVMFuncOp function) : function(function) {}

  /// A 1 of `type`, a float or a fixed vector of them, that LLVM knows nothing
  /// of: it would drop a product with 1, and with it the flush of a denormal
  /// and the quieting of a NaN. (`llvm.canonicalize` says the same, but LLVM
  /// 22 fails to select it for two floats on x86-64.)
  Value get(Type type) {
    Value &one = values[type];
    if (one)
      return one;
    Location loc = function.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    auto floatType = cast<FloatType>(getElementTypeOrSelf(type));
    auto bitsType = builder.getIntegerType(floatType.getWidth());
    llvm::APInt bits =
        llvm::APFloat(floatType.getFloatSemantics(), 1).bitcastToAPInt();
    Value known = LLVM::ConstantOp::create(
        builder, loc, bitsType, builder.getIntegerAttr(bitsType, bits));
    Value hidden =
        LLVM::InlineAsmOp::create(
            builder, loc, bitsType, ValueRange{known}, /*asm_string=*/"",
            /*constraints=*/"=r,0", /*has_side_effects=*/false,
            /*is_align_stack=*/false, LLVM::TailCallKind::None,
            /*asm_dialect=*/LLVM::AsmDialectAttr(),
            /*operand_attrs=*/ArrayAttr())
            .getResult(0);
    one = LLVM::BitcastOp::create(builder, loc, floatType, hidden);
    auto vectorType = dyn_cast<VectorType>(type);
    if (!vectorType)
      return one;
    Value poison = LLVM::PoisonOp::create(builder, loc, vectorType);
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                          builder.getI32IntegerAttr(0));
    Value first =
        LLVM::InsertElementOp::create(builder, loc, poison, one, zero);
    one = LLVM::ShuffleVectorOp::create(
        builder, loc, first, poison,
        SmallVector<int32_t>(vectorType.getNumElements(), 0));
    return one;
  }

private:
  LLVM::LLVMFuncOp function;
  llvm::SmallDenseMap<Type, Value> values;
};

struct SelectMaskedProductsPass
    : public fakequant::impl::SelectMaskedProductsBase<
          SelectMaskedProductsPass> {
  using SelectMaskedProductsBase::SelectMaskedProductsBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    SmallVector<LLVM::FMulOp> products;
    getOperation().walk([&](LLVM::FMulOp op) { products.push_back(op); });
    IRRewriter rewriter(&getContext());
    Ones ones(getOperation());
    for (LLVM::FMulOp op : products)
      select(rewriter, op, ones);
  }

private:
  void select(RewriterBase &rewriter, LLVM::FMulOp op, Ones &ones) {
    Type type = op.getType();
    Type elementType = getElementTypeOrSelf(type);
    auto vectorType = dyn_cast<VectorType>(type);
    if ((!elementType.isF32() && !elementType.isF64()) ||
        (vectorType && (vectorType.isScalable() || vectorType.getRank() != 1)))
      return;
    Value x = op.getLhs(), factor = op.getRhs();
    Value condition = getCondition(factor);
    if (!condition) {
      std::swap(x, factor);
      condition = getCondition(factor);
    }
    if (!condition)
      return;

    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    LLVM::FastmathFlags flags = op.getFastmathFlags();
    Value zero = LLVM::ConstantOp::create(rewriter, loc, type,
                                          rewriter.getZeroAttr(type));
    Value timesOne =
        LLVM::FMulOp::create(rewriter, loc, x, ones.get(type), flags);
    Value timesZero = LLVM::FMulOp::create(rewriter, loc, x, zero, flags);
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, condition, timesOne,
                                                timesZero);
    if (factor.use_empty())
      rewriter.eraseOp(factor.getDefiningOp());
  }
};

} // namespace
