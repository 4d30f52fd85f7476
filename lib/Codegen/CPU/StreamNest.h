//===- StreamNest.h - What the nests of a stream share ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nests that a stream becomes: flat, columns, runs. All address their
// operands as flat buffers. See the description of the pass, and
// docs/numerics.md for the order of sums.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_STREAMNEST_H
#define FAKEQUANT_LIB_CODEGEN_CPU_STREAMNEST_H

#include "IndexBuilder.h"
#include "Scratch.h"
#include "StreamPlan.h"
#include "SumEmitter.h"
#include "TileEmitter.h"

namespace mlir::fakequant {

/// The loops [begin, end) of a plan, multiplied.
Value productOfLoops(IndexBuilder &b, StreamPlan &plan, unsigned begin,
                     unsigned end);

/// Emit the loops and vectors of a plan. `emitFlatNest` is for plans without
/// channels; the others are for plans with channels, and right for any sizes.
void emitFlatNest(IndexBuilder &b, StreamPlan &plan);
void emitColumnNest(IndexBuilder &b, StreamPlan &plan);
void emitRunNest(IndexBuilder &b, StreamPlan &plan);

/// The operands of a stream as flat buffers, its sizes, and how to read and
/// write.
class StreamNest {
protected:
  /// How the results of whole tiles are stored.
  enum class Stores {
    /// Tile by tile, into the caches.
    Plain,
    /// Tile by tile, past the caches.
    Streamed,
    /// Past the caches where tiles are not aligned: the lines of results at
    /// aligned addresses come behind the tiles.
    Behind,
  };

  StreamNest(IndexBuilder &builder, StreamPlan &plan);

  VectorType vectorType(Type elementType) const {
    return tiles.vectorOf(elementType);
  }

  void forEachChannelInput(llvm::function_ref<void(unsigned)> body);

  /// The value of operand `number`, which has `Scalar` access.
  Value loadScalar(unsigned number);

  /// The out operands as flat buffers.
  ArrayRef<Value> flatOuts() const {
    return ArrayRef(flat).drop_front(plan.op.getNumDpsInputs());
  }

  /// The elementwise results.
  SmallVector<Value> results() const;

  /// How many elements `buffer`, a result, starts behind an address aligned to
  /// a vector.
  Value misalignment(Value buffer);

  /// Whether the elementwise results all start equally many elements behind an
  /// aligned address, an i1.
  Value startAlike();

  /// Emits `body` for each way in which results may have to be stored under
  /// `schedule`, where rows of `rowLength` elements consist of tiles, in a
  /// scope of its own. For `Behind`, it gets how many elements behind an
  /// aligned address the results start.
  void forEachStores(const TileSchedule &schedule, Value rowLength,
                     llvm::function_ref<void(Stores, Value)> body);

  /// The last position at or before `position` whose address is aligned, in a
  /// buffer that starts `misalignment` elements behind an aligned address.
  Value alignedDown(Value position, Value misalignment) {
    return b.sub(b.alignDown(b.add(position, misalignment), unit),
                 misalignment);
  }
  /// The first one at or behind `position`.
  Value alignedUp(Value position, Value misalignment) {
    return alignedDown(b.add(position, b.index(unit - 1)), misalignment);
  }

  /// Streamed stores are ordered before what follows only by a fence.
  void emitFence();

  /// Asks for a line of each streamed operand that is read. Positions behind
  /// the end do no harm.
  void prefetchOperands(Value position);

  /// Asks for a line of each elementwise result, to be written with plain
  /// stores.
  void prefetchResults(Value position);

  /// The chunks of an op without sums, for threads to share. With sums, the
  /// order of sums says how many there are; this is about the same.
  Value pieces();

  /// Into how many shares threads cut the columns of each of `numChunks`, where
  /// those are few: at most `limit`, and so many that there are about `wanted`
  /// in all, of pieces() at most.
  Value shares(Value numChunks, Value limit, int64_t wanted);

  StreamPlan &plan;
  IndexBuilder &b;
  Scratch scratch;
  SumEmitter sums;
  /// An entry for each operand; null for those with `Scalar` access.
  SmallVector<Value> flat;
  TileEmitter tiles;
  int64_t lanes;
  /// The elements of each result between two aligned addresses: whole vectors,
  /// and whole cache lines, since half a line past the caches is slow.
  int64_t unit;
  /// The sizes of the loops before, of, and after the channels. Without
  /// channels every loop is an outer one: a sum over the tensor has one channel
  /// and one element a row.
  Value outer, channels, inner;
  Value total;
  /// Whether the operands outgrow the last-level cache, an i1.
  Value isLarge;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_STREAMNEST_H
