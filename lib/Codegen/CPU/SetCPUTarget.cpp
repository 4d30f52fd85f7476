//===- SetCPUTarget.cpp - Record the target CPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/CPUTarget.h"
#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_SETCPUTARGET
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct SetCPUTargetPass
    : public fakequant::impl::SetCPUTargetBase<SetCPUTargetPass> {
  using SetCPUTargetBase::SetCPUTargetBase;

  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<CPUTarget> resolved =
        CPUTarget::get(targetTriple, targetCPU);
    if (!resolved)
      return emitError(UnknownLoc::get(context))
             << llvm::toString(resolved.takeError());
    target = std::move(*resolved);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkInstructions(module)))
      return signalPassFailure();

    llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
        target.createTargetMachine();
    if (!machine) {
      module.emitError() << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    MLIRContext *context = &getContext();
    auto string = [&](const llvm::Twine &text) {
      return StringAttr::get(context, text);
    };
    module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                    string(target.triple.str()));
    module->setAttr(
        LLVM::LLVMDialect::getDataLayoutAttrName(),
        string((*machine)->createDataLayout().getStringRepresentation()));
    module.walk([&](LLVM::LLVMFuncOp function) {
      if (function.isExternal())
        return;
      function.setTargetCpuAttr(string(target.cpu));
      if (!target.features.empty())
        function.setTargetFeaturesAttr(
            LLVM::TargetFeaturesAttr::get(context, target.features));
      function.setDenormalFpMathAttr(string("dynamic,dynamic"));
      hideFloatConstants(function);
    });
  }

private:
  /// Hides what constant float globals hold from LLVM, by passing their
  /// addresses through an empty inline asm. Its folders do not all ask for the
  /// mode for denormals, so that a range known at compile time would get the
  /// parameters of the other mode.
  static void hideFloatConstants(LLVM::LLVMFuncOp function) {
    SymbolTableCollection symbols;
    SmallVector<LLVM::AddressOfOp> addresses;
    function.walk([&](LLVM::AddressOfOp op) {
      LLVM::GlobalOp global = op.getGlobal(symbols);
      if (!global || !global.getConstant())
        return;
      Type type = global.getType();
      while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      bool isHidden = llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<LLVM::InlineAsmOp>(user);
      });
      if (isa<FloatType>(getElementTypeOrSelf(type)) && !isHidden)
        addresses.push_back(op);
    });
    for (LLVM::AddressOfOp op : addresses) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      auto hidden = LLVM::InlineAsmOp::create(
          builder, op.getLoc(), op.getType(), ValueRange{op.getRes()},
          /*asm_string=*/"", /*constraints=*/"=r,0", /*has_side_effects=*/false,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          /*asm_dialect=*/LLVM::AsmDialectAttr(),
          /*operand_attrs=*/ArrayAttr());
      op.getRes().replaceAllUsesExcept(hidden.getResult(0), hidden);
    }
  }

  /// Whether `op` does more to an f16 than to move it.
  static bool computesHalf(Operation *op) {
    if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::SelectOp, LLVM::BitcastOp,
            LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::ConstantOp,
            LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp, LLVM::InsertElementOp,
            LLVM::ExtractElementOp, LLVM::ShuffleVectorOp, LLVM::ReturnOp,
            LLVM::BrOp, LLVM::CondBrOp, LLVM::CallOp>(op))
      return false;
    auto isHalf = [](Type type) { return getElementTypeOrSelf(type).isF16(); };
    return llvm::any_of(op->getOperandTypes(), isHalf) ||
           llvm::any_of(op->getResultTypes(), isHalf);
  }

  /// Refuses what would become a library call for each element.
  LogicalResult checkInstructions(ModuleOp module) {
    auto expected = [&](Operation *op, StringRef what, StringRef level) {
      return op->emitError("expected a target-cpu that ")
             << what << ", " << level << " or later, but got '" << target.cpu
             << "'";
    };
    WalkResult result = module.walk([&](Operation *op) -> WalkResult {
      if (!target.roundsVectors &&
          isa<LLVM::FFloorOp, LLVM::FCeilOp, LLVM::RoundOp, LLVM::RoundEvenOp,
              LLVM::FTruncOp, LLVM::RintOp, LLVM::NearbyintOp>(op))
        return expected(op, "rounds vectors to integral values", "x86-64-v2");
      if (!target.convertsHalf && computesHalf(op))
        return expected(op, "converts f16", "x86-64-v3");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  CPUTarget target;
};

} // namespace
