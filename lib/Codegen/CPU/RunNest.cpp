//===- RunNest.cpp - Contiguous elements of one channel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamNest.h"
#include "SumOrder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

class RunNest : StreamNest {
public:
  RunNest(IndexBuilder &b, StreamPlan &plan) : StreamNest(b, plan) {}

  void emit() {
    scratch.scope([&] { emitScoped(); });
  }

private:
  void emitScoped() {
    using namespace sumorder;
    // Vectors wider than a row would cross into the next row's columns.
    assert(lanes <= kRowLanes && "vector wider than a row of the contract");
    Value rowLanes = b.index(kRowLanes);
    Value columns = b.max(b.mul(channels, rowLanes), rowLanes);
    SmallVector<Value> totals = sums.allocate(columns);
    Value numChunks = b.max(
        b.min(sums.isNone() ? pieces() : chunks(b, total, columns), outer),
        b.index(1));

    // Channels have sums of their own.
    Value numShares = shares(numChunks, channels, kMaxChunks);
    SumEmitter::Cut cut{outer, numChunks, numShares};
    b.branch(isLarge, [&](bool large) {
      const TileSchedule &schedule = large ? plan.large : plan.resident;
      forEachStores(schedule, inner, [&](Stores stores, Value behind) {
        if (stores != Stores::Behind)
          return emitChunks(cut, columns, totals, stores, behind);
        Value isLong =
            b.compare(arith::CmpIPredicate::uge, inner, b.index(kMinRunBehind));
        b.branch(isLong, [&](bool behindPays) {
          scratch.scope([&] {
            emitChunks(cut, columns, totals,
                       behindPays ? Stores::Behind : Stores::Plain, behind);
          });
        });
      });
    });
    sums.emitResults(totals, {channels, b.index(1), b.index(0), rowLanes},
                     flatOuts());
  }

  /// Shorter runs that are not aligned are stored plainly. The lines at their
  /// ends are stored with masks, which holds up what is streamed: measured,
  /// runs of 128 took 5 times as long as plain ones so, runs of 1000 as long.
  static constexpr int64_t kMinRunBehind = 1024;

  void emitChunks(const SumEmitter::Cut &cut, Value columns,
                  ArrayRef<Value> totals, Stores stores, Value behind) {
    auto emitChannel = [&](Value number, Value channel,
                           ArrayRef<Value> buffers) {
      Run run = getRun(number, channel);
      broadcastChannel(channel);
      if (stores == Stores::Behind)
        emitRunBehind(run, behind, buffers);
      else
        emitRun(run, stores == Stores::Streamed, buffers);
    };
    Value channelsEach = b.ceilDiv(channels, cut.numShares);
    sums.emitChunks(cut, columns, totals, [&](const SumEmitter::Chunk &chunk) {
      Value begin = b.index(0), end = channels;
      if (!IndexBuilder::is(cut.numShares, 1)) {
        begin = b.min(b.mul(chunk.share, channelsEach), channels);
        end = b.min(b.add(begin, channelsEach), channels);
      }
      b.loop(chunk.first, chunk.last, 1, [&](Value number) {
        b.loop(begin, end, 1, [&](Value channel) {
          emitChannel(number, channel, chunk.buffers);
        });
      });
      if (stores != Stores::Plain)
        emitFence();
    });
  }

  /// The elements of one channel that lie together.
  struct Run {
    Value begin, end;
    /// Of the channel's sums.
    Value firstColumn;
  };

  Run getRun(Value number, Value channel) {
    Value begin = b.mul(b.add(b.mul(number, channels), channel), inner);
    return {begin, b.add(begin, inner),
            b.mul(channel, b.index(sumorder::kRowLanes))};
  }

  static constexpr int64_t kRunBlock =
      sumorder::kRowLanes * sumorder::kBlockRows;

  /// Emits `body(position, lane)` for each vector of columns of each block of
  /// [begin, end).
  void forEachRunBlock(Value begin, Value end,
                       llvm::function_ref<void(Value, Value)> body) {
    b.loop(begin, end, kRunBlock, [&](Value block) {
      b.loop(b.index(0), b.index(sumorder::kRowLanes), lanes,
             [&](Value lane) { body(b.add(block, lane), lane); });
    });
  }

  void emitRunTile(const Run &run, const Tile &tile, Value lane,
                   ArrayRef<Value> buffers) {
    sums.accumulate(tiles.emit(b, tile), buffers, b.add(run.firstColumn, lane));
  }

  Tile runTile(Value position) {
    return Tile{position, b.index(sumorder::kRowLanes), sumorder::kBlockRows,
                Value(), Value()};
  }
  Tile maskedRunTile(const Run &run, Value position) {
    return Tile{position, b.index(sumorder::kRowLanes), sumorder::kBlockRows,
                b.index(lanes), run.end};
  }

  /// Sums and results at once, block by block.
  void emitRun(const Run &run, bool streams, ArrayRef<Value> buffers) {
    Value wholeEnd = b.add(run.begin, b.alignDown(inner, kRunBlock));
    forEachRunBlock(run.begin, wholeEnd, [&](Value position, Value lane) {
      Tile tile = runTile(position);
      tile.streams = streams;
      emitRunTile(run, tile, lane, buffers);
    });
    forEachRunBlock(wholeEnd, run.end, [&](Value position, Value lane) {
      emitRunTile(run, maskedRunTile(run, position), lane, buffers);
    });
  }

  /// Sums block by block as above, and behind them results at the aligned
  /// addresses, where they can be streamed. Both read the same lines. No result
  /// is stored before the sums have seen its element: its buffer may be theirs.
  void emitRunBehind(const Run &run, Value misalignment,
                     ArrayRef<Value> buffers) {
    Value stride = b.index(lanes);
    auto emitResults = [&](Value begin, Value end) {
      b.loop(begin, end, lanes, [&](Value position) {
        Tile tile{position, stride, 1, Value(), Value()};
        tile.streams = true;
        tiles.emit(b, tile);
      });
    };
    auto emitMaskedResults = [&](Value begin, Value end) {
      b.loop(begin, end, lanes, [&](Value position) {
        tiles.emit(b, Tile{position, stride, 1, stride, end});
      });
    };
    Value first = b.min(alignedUp(run.begin, misalignment), run.end);
    // The end of the whole vectors from `first` on that end by `position`.
    auto wholeVectors = [&](Value position) {
      return b.max(alignedDown(position, misalignment), first);
    };
    Value wholeEnd = b.add(run.begin, b.alignDown(inner, kRunBlock));
    Value last = wholeVectors(run.end);

    b.loop(run.begin, wholeEnd, kRunBlock, [&](Value block) {
      Value next = b.add(block, b.index(kRunBlock));
      forEachRunBlock(block, next, [&](Value position, Value lane) {
        Tile tile = runTile(position);
        tile.dropsResults = true;
        emitRunTile(run, tile, lane, buffers);
      });
      emitResults(wholeVectors(block), wholeVectors(next));
    });
    forEachRunBlock(wholeEnd, run.end, [&](Value position, Value lane) {
      Tile tile = maskedRunTile(run, position);
      tile.dropsResults = true;
      emitRunTile(run, tile, lane, buffers);
    });
    emitMaskedResults(run.begin, first);
    emitResults(wholeVectors(wholeEnd), last);
    emitMaskedResults(last, run.end);
  }

  void broadcastChannel(Value channel) {
    forEachChannelInput([&](unsigned i) {
      Value scalar = memref::LoadOp::create(b, flat[i], ValueRange{channel});
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, vectorType(scalar.getType()), scalar));
    });
  }
};

} // namespace

void fakequant::emitRunNest(IndexBuilder &b, StreamPlan &plan) {
  RunNest(b, plan).emit();
}
