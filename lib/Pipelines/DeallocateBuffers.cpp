//===- DeallocateBuffers.cpp - Free what bufferization allocated ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_DEALLOCATEBUFFERS
#include "fakequant/Pipelines/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// Whether the buffers of `function` are still to be freed, and may be.
static bool needsDeallocation(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    bool isDecided = !op->isRegistered() ||
                     isa<memref::DeallocOp, memref::ReallocOp>(op) ||
                     isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
    return isDecided ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

namespace {

struct DeallocateBuffersPass
    : public fakequant::impl::DeallocateBuffersBase<DeallocateBuffersPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    DeallocateBuffersBase::getDependentDialects(registry);
    insertion().getDependentDialects(registry);
    lowering().getDependentDialects(registry);
  }

  void runOnOperation() override {
    OpPassManager insert = insertion();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && needsDeallocation(function) &&
          failed(runPipeline(insert, function)))
        return signalPassFailure();
    OpPassManager lower = lowering();
    if (failed(runPipeline(lower, getOperation())) ||
        failed(checkTensors(getOperation())))
      signalPassFailure();
  }

private:
  /// Reports what stays on tensors between ops that are on buffers by now. The
  /// conversions that follow would name the casts around it instead.
  static LogicalResult checkTensors(ModuleOp module) {
    bool isClean = true;
    auto report = [&](Operation *op) {
      isClean = false;
      op->emitOpError("cannot be bufferized; expected none beside ops that are "
                      "lowered to buffers");
    };
    module.walk([&](Operation *op) {
      if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op)) {
        Operation *maker = toBuffer.getTensor().getDefiningOp();
        if (maker && !isa<bufferization::ToTensorOp>(maker)) {
          report(maker);
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    return success(isClean);
  }

  // Upstream's pipeline of the same purpose, in two, since it takes a whole
  // module or nothing.
  static OpPassManager insertion() {
    OpPassManager passes(func::FuncOp::getOperationName());
    passes.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(bufferization::createBufferDeallocationSimplificationPass());
    return passes;
  }
  static OpPassManager lowering() {
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(bufferization::createLowerDeallocationsPass());
    passes.addPass(createCSEPass());
    passes.addPass(createCanonicalizerPass());
    return passes;
  }
};

} // namespace
