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

/// Makes the zeros that canonicalize, one for each type, in a function's entry
/// block.
class NegativeZeros {
public:
  explicit NegativeZeros(LLVM::LLVMFuncOp function) : function(function) {}

  /// A -0 of `type`, a float or a fixed vector of them, that LLVM knows nothing
  /// of: it would drop the sum with -0, and with it the flush of a denormal and
  /// the quieting of a NaN. (`llvm.canonicalize` says the same, but LLVM 22
  /// fails to select it for two floats on x86-64.)
  Value get(Type type) {
    Value &zero = values[type];
    if (zero)
      return zero;
    Location loc = function.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    auto floatType = cast<FloatType>(getElementTypeOrSelf(type));
    auto bitsType = builder.getIntegerType(floatType.getWidth());
    llvm::APInt bits =
        llvm::APFloat::getZero(floatType.getFloatSemantics(), /*Negative=*/true)
            .bitcastToAPInt();
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
    zero = LLVM::BitcastOp::create(builder, loc, floatType, hidden);
    auto vectorType = dyn_cast<VectorType>(type);
    if (!vectorType)
      return zero;
    Value poison = LLVM::PoisonOp::create(builder, loc, vectorType);
    Value position = LLVM::ConstantOp::create(
        builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(0));
    Value first =
        LLVM::InsertElementOp::create(builder, loc, poison, zero, position);
    zero = LLVM::ShuffleVectorOp::create(
        builder, loc, first, poison,
        SmallVector<int32_t>(vectorType.getNumElements(), 0));
    return zero;
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
    NegativeZeros zeros(getOperation());
    for (LLVM::FMulOp op : products)
      select(rewriter, op, zeros);
  }

private:
  void select(RewriterBase &rewriter, LLVM::FMulOp op, NegativeZeros &zeros) {
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
    // A sum with -0 is a product with 1 in every case, and leaves the units for
    // products to the other one, and to comparisons on some processors.
    Value timesOne =
        LLVM::FAddOp::create(rewriter, loc, x, zeros.get(type), flags);
    Value timesZero = LLVM::FMulOp::create(rewriter, loc, x, zero, flags);
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, condition, timesOne,
                                                timesZero);
    if (factor.use_empty())
      rewriter.eraseOp(factor.getDefiningOp());
  }
};

} // namespace
