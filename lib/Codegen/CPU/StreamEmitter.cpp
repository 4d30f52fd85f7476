//===- StreamEmitter.cpp - Loops over vectors for a stream ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamEmitter.h"

#include "StreamNest.h"
#include "SumOrder.h"

using namespace mlir;
using namespace mlir::fakequant;

void fakequant::emitStream(OpBuilder &builder, StreamPlan &plan) {
  IndexBuilder b(plan.op.getLoc(), builder);
  b.setInsertionPoint(plan.op);
  if (plan.form == StreamForm::Flat)
    return emitFlatNest(b, plan);
  // Columns or runs, at run time where it must be.
  Value inner =
      plan.channelBegin == plan.channelEnd
          ? b.index(1)
          : productOfLoops(b, plan, plan.channelEnd, plan.getNumLoops());
  Value isRun = b.compare(arith::CmpIPredicate::sge, inner,
                          b.index(sumorder::kRunThreshold));
  b.branch(isRun, [&](bool run) {
    run ? emitRunNest(b, plan) : emitColumnNest(b, plan);
  });
}
