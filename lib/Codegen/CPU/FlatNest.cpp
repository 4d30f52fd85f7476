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
      SmallVector<Value> buffers = results();
      if (!schedule.streams || buffers.empty())
        return emitLoops(schedule, b.index(0), /*streams=*/false);
      // Starts where the first result is aligned.
      Value begin = alignedUp(b.index(0), misalignment(buffers[0]));
      b.branch(startAlike(),
               [&](bool alike) { emitLoops(schedule, begin, alike); });
    });
  }

private:
  /// Emits vectors from `begin` on, as far as there are elements.
  void emitLoops(const TileSchedule &schedule, Value begin, bool streams) {
    begin = b.min(begin, total);
    Value end = b.add(begin, b.alignDown(b.sub(total, begin), lanes));
    Value stride = b.index(lanes);
    auto emitMasked = [&](Value first, Value last) {
      b.loop(first, last, lanes, [&](Value position) {
        tiles.emit(b, Tile{position, stride, 1, stride, last});
      });
    };
    if (!IndexBuilder::is(begin, 0))
      emitMasked(b.index(0), begin);
    Value vectors = b.div(b.sub(end, begin), stride);
    sums.emitChunks(
        {vectors, pieces(), b.index(1)}, total, {},
        [&](const SumEmitter::Chunk &chunk) {
          b.loop(b.add(begin, b.mul(chunk.first, stride)),
                 b.add(begin, b.mul(chunk.last, stride)), lanes,
                 [&](Value position) {
                   if (schedule.prefetchDistance)
                     prefetchOperands(
                         b.add(position, b.index(schedule.prefetchDistance)));
                   Tile tile{position, stride, 1, Value(), Value()};
                   tile.streams = streams;
                   tiles.emit(b, tile);
                 });
          if (streams)
            emitFence();
        });
    emitMasked(end, total);
  }
};

} // namespace

void fakequant::emitFlatNest(IndexBuilder &b, StreamPlan &plan) {
  FlatNest(b, plan).emit();
}
