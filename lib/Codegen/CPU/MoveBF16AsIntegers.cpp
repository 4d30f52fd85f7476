//===- MoveBF16AsIntegers.cpp - bf16 in memory and selects ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_MOVEBF16ASINTEGERS
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// The integer type as wide as `type`, a bf16 or a vector of them; null for
/// other types.
static Type getIntegerType(Type type) {
  if (!getElementTypeOrSelf(type).isBF16())
    return Type();
  Type i16 = IntegerType::get(type.getContext(), 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(i16);
  return isa<BFloat16Type>(type) ? i16 : Type();
}

namespace {

/// Retypes an op's bf16 operands and result, whose types are of no consequence
/// to what it does.
template <typename OpTy> struct MoveAsIntegers : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    bool isMoved = llvm::any_of(
        llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                 llvm::to_vector(op->getResultTypes())),
        getIntegerType);
    if (!isMoved)
      return rewriter.notifyMatchFailure(op, "moves no bf16");

    auto cast = [&](Type type, Value value) -> Value {
      return LLVM::BitcastOp::create(rewriter, op.getLoc(), type, value);
    };
    rewriter.startOpModification(op);
    for (OpOperand &operand : op->getOpOperands())
      if (Type integer = getIntegerType(operand.get().getType()))
        operand.set(cast(integer, operand.get()));
    rewriter.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      Type integer = getIntegerType(type);
      if (!integer)
        continue;
      result.setType(integer);
      Value back = cast(type, result);
      rewriter.replaceAllUsesExcept(result, back, back.getDefiningOp());
    }
    rewriter.finalizeOpModification(op);
    return success();
  }
};

struct MoveBF16AsIntegersPass
    : public fakequant::impl::MoveBF16AsIntegersBase<MoveBF16AsIntegersPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveAsIntegers<LLVM::LoadOp>, MoveAsIntegers<LLVM::StoreOp>,
                 MoveAsIntegers<LLVM::MaskedLoadOp>,
                 MoveAsIntegers<LLVM::MaskedStoreOp>,
                 MoveAsIntegers<LLVM::SelectOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
