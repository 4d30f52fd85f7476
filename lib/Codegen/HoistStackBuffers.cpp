//===- HoistStackBuffers.cpp - Stack buffers out of loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_HOISTSTACKBUFFERS
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct HoistStackBuffersPass
    : public fakequant::impl::HoistStackBuffersBase<HoistStackBuffersPass> {
  void runOnOperation() override {
    Operation *function = getOperation();
    SmallVector<memref::AllocaOp> buffers;
    function->walk([&](memref::AllocaOp op) {
      if (op->getNumOperands() == 0)
        buffers.push_back(op);
    });
    for (memref::AllocaOp buffer : buffers)
      hoist(function, buffer);
  }

private:
  static void hoist(Operation *function, memref::AllocaOp buffer) {
    // Iterations that run at the same time, or code that is another
    // function's, keep buffers of their own.
    Operation *frame = buffer->getParentOp();
    while (frame != function &&
           !frame->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
           (isa<scf::ForOp>(frame) ||
            !frame->hasTrait<OpTrait::AutomaticAllocationScope>()))
      frame = frame->getParentOp();
    Block &start = frame->getRegion(0).front();
    if (buffer->getBlock() != &start)
      buffer->moveBefore(&start, start.begin());
  }
};

} // namespace
