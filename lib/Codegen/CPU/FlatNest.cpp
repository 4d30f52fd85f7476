//===- FlatNest.cpp - One loop over all elements --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamNest.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

/// An elementwise op without channels: vectors, between masked ones.
class FlatNest : StreamNest {
public:
  FlatNest(IndexBuilder &b, StreamPlan &plan) : StreamNest(b, plan) {}

  void emit() {
    b.branch(isLarge, [&](bool large) {
      const TileSchedule &schedule = large ? plan.large : plan.resident;
      // Starts where the first result is aligned, if that matters.
      Value begin = b.index(0);
      SmallVector<Value> buffers = results();
      if (schedule.streams && !buffers.empty())
        begin = b.rem(b.sub(b.index(lanes), misalignment(buffers.front())),
                      b.index(lanes));
      begin = b.min(begin, total);
      Value streams = decideStreaming(
          schedule, b.rem(b.sub(b.index(lanes), begin), b.index(lanes)));
      Value end = b.add(begin, b.alignDown(b.sub(total, begin), lanes));
      Value stride = b.index(lanes);
      auto emitMasked = [&](Value position) {
        tiles.emit(b, Tile{position, stride, 1, stride, total});
      };
      if (!IndexBuilder::is(begin, 0))
        b.loop(b.index(0), begin, lanes, [&](Value position) {
          tiles.emit(b, Tile{position, stride, 1, stride, begin});
        });
      Value vectors = b.div(b.sub(end, begin), b.index(lanes));
      sums.emitChunks(
          vectors, pieces(), total, {},
          [&](Value first, Value last, ArrayRef<Value>) {
            b.loop(b.add(begin, b.mul(first, stride)),
                   b.add(begin, b.mul(last, stride)), lanes,
                   [&](Value position) {
                     if (schedule.prefetchDistance)
                       prefetchOperands(
                           b.add(position, b.index(schedule.prefetchDistance)));
                     emitWholeTile(Tile{position, stride, 1, Value(), Value()},
                                   streams, [](ArrayRef<Value>) {});
                   });
            emitFence(streams);
          });
      b.loop(end, total, lanes, emitMasked);
    });
  }
};

} // namespace

void fakequant::emitFlatNest(IndexBuilder &b, StreamPlan &plan) {
  FlatNest(b, plan).emit();
}
