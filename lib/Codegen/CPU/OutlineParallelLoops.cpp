//===- OutlineParallelLoops.cpp - Bodies of parallel loops ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_OUTLINEPARALLELLOOPS
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct OutlineParallelLoopsPass
    : public fakequant::impl::OutlineParallelLoopsBase<
          OutlineParallelLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) {
      bool isNested = loop->getParentOfType<scf::ParallelOp>() != nullptr;
      if (loop.getNumLoops() == 1 && loop.getInitVals().empty() && !isNested)
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ParallelOp loop : loops)
      if (failed(outline(rewriter, loop)))
        return signalPassFailure();
  }

private:
  /// Constants would become arguments, vectors among them.
  static void sinkConstants(IRRewriter &rewriter, scf::ParallelOp loop) {
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getRegion(), captured);
    rewriter.setInsertionPointToStart(loop.getBody());
    for (Value value : captured) {
      Operation *op = value.getDefiningOp();
      if (op && op->hasTrait<OpTrait::ConstantLike>())
        replaceAllUsesInRegionWith(value, rewriter.clone(*op)->getResult(0),
                                   loop.getRegion());
    }
  }

  LogicalResult outline(IRRewriter &rewriter, scf::ParallelOp loop) {
    auto parent = loop->getParentOfType<func::FuncOp>();
    if (!parent)
      return success();
    sinkConstants(rewriter, loop);
    SymbolTable symbols(getOperation());
    SmallString<64> name = SymbolTable::generateSymbolName<64>(
        (parent.getName() + "_parallel").str(),
        [&](StringRef candidate) { return symbols.lookup(candidate); }, unique);
    func::CallOp call;
    FailureOr<func::FuncOp> body = outlineSingleBlockRegion(
        rewriter, loop.getLoc(), loop.getRegion(), name, &call);
    if (failed(body))
      return loop.emitOpError("expected a body that moves into a function");
    body->setPrivate();
    // No name for a linker to meet.
    (*body)->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(rewriter.getContext(), LLVM::Linkage::Internal));

    rewriter.setInsertionPoint(loop);
    Location loc = loop.getLoc();
    Value lower = loop.getLowerBound().front();
    Value upper = loop.getUpperBound().front();
    Value step = loop.getStep().front();
    Value second = arith::AddIOp::create(rewriter, loc, lower, step);
    Value isSeveral = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, second, upper);
    auto ifOp = scf::IfOp::create(rewriter, loc, isSeveral,
                                  /*withElseRegion=*/true);
    rewriter.moveOpBefore(loop, ifOp.thenBlock()->getTerminator());
    rewriter.setInsertionPoint(ifOp.elseBlock()->getTerminator());
    auto serial = scf::ForOp::create(rewriter, loc, lower, upper, step);
    rewriter.setInsertionPointToStart(serial.getBody());
    IRMapping mapping;
    mapping.map(loop.getInductionVars().front(), serial.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, mapping);
    return success();
  }

  unsigned unique = 0;
};

} // namespace
