//===- VerifyContracts.cpp - What may be left after a pipeline ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failure names the stage and the op, at the op's location.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"
#include "fakequant/Pipelines/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_VERIFYLINALGCONTRACT
#define GEN_PASS_DEF_VERIFYVECTORCONTRACT
#define GEN_PASS_DEF_VERIFYLLVMCONTRACT
#include "fakequant/Pipelines/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

static bool isFakeQuantization(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isa<FakeQuantOpInterface>(op) || name == "tfl.fake_quant" ||
         name.starts_with("tf.FakeQuantWithMinMax");
}

/// Reports every op below `root` for which `isLeftover` holds.
static LogicalResult
verifyNoneLeft(Operation *root, StringRef pipeline,
               llvm::function_ref<bool(Operation *)> isLeftover) {
  bool isClean = true;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root || !isLeftover(op))
      return WalkResult::advance();
    isClean = false;
    op->emitOpError("cannot be lowered by the pipeline '")
        << pipeline << "'; expected none after it";
    // What it holds goes with it.
    return WalkResult::skip();
  });
  return success(isClean);
}

namespace {

struct VerifyLinalgContractPass
    : public fakequant::impl::VerifyLinalgContractBase<
          VerifyLinalgContractPass> {
  void runOnOperation() override {
    if (failed(verifyNoneLeft(getOperation(), "fakequant-to-linalg",
                              isFakeQuantization)))
      signalPassFailure();
  }
};

struct VerifyVectorContractPass
    : public fakequant::impl::VerifyVectorContractBase<
          VerifyVectorContractPass> {
  void runOnOperation() override {
    if (failed(verifyNoneLeft(
            getOperation(), "fakequant-to-vector", [](Operation *op) {
              return isFakeQuantization(op) ||
                     isa_and_nonnull<linalg::LinalgDialect>(op->getDialect());
            })))
      signalPassFailure();
  }
};

struct VerifyLLVMContractPass
    : public fakequant::impl::VerifyLLVMContractBase<VerifyLLVMContractPass> {
  void runOnOperation() override {
    if (failed(verifyNoneLeft(
            getOperation(), "fakequant-to-llvm", [](Operation *op) {
              return !isa<ModuleOp>(op) &&
                     !isa_and_nonnull<LLVM::LLVMDialect, omp::OpenMPDialect>(
                         op->getDialect());
            })))
      signalPassFailure();
  }
};

} // namespace
