//===- SumEmitter.h - The sums of a stream ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens to the addends of a tile: blocks of rows pairwise, blocks one
// after the other in the accumulator's type, chunks, columns, channels. See the
// order of sums in docs/numerics.md.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_SUMEMITTER_H
#define FAKEQUANT_LIB_CODEGEN_CPU_SUMEMITTER_H

#include "IndexBuilder.h"
#include "Scratch.h"
#include "StreamPlan.h"

namespace mlir::fakequant {

/// Where the columns of the channels lie: column (copy, channel, i) at
/// `copy * copyStride + channel * innerColumns + i`.
struct ColumnLayout {
  Value channels, copies, copyStride, innerColumns;
};

/// Emits the sums of one stream.
class SumEmitter {
public:
  SumEmitter(IndexBuilder &b, StreamPlan &plan, Scratch &scratch)
      : b(b), plan(plan), scratch(scratch),
        lanes(static_cast<int64_t>(plan.lanes)) {}

  bool isNone() const { return plan.sums.empty(); }

  /// A buffer for each sum: `columns` accumulators, in whole vectors.
  SmallVector<Value> allocate(Value columns);

  /// What a chunk consists of: its units, the buffers of its sums, and which of
  /// the shares that its columns are cut into.
  struct Chunk {
    Value first, last;
    ArrayRef<Value> buffers;
    Value share;
  };

  /// How `units` are cut into chunks, and the columns of each into shares;
  /// these have no sums in common. Shares are one where the plan is not
  /// parallel.
  struct Cut {
    Value units, numChunks, numShares;
  };

  /// Emits `body` for each share of each chunk, and adds the sums of the chunks
  /// in order to `totals`. In a parallel plan, they run at the same time.
  void emitChunks(const Cut &cut, Value columns, ArrayRef<Value> totals,
                  llvm::function_ref<void(const Chunk &)> body);

  /// Adds the sums of a block to `buffers`, widened if they are narrower.
  void accumulate(ArrayRef<Value> blockSums, ArrayRef<Value> buffers,
                  Value column);

  /// Buffers of `columns` for the addends of groups of rows that wait for their
  /// partners, by level of the pairwise sum.
  using Pending = SmallVector<SmallVector<Value>>;
  Pending allocatePending(Value columns, int64_t numGroups);

  /// Adds the sums of group `group` of the `numGroups` of a block to those of
  /// the groups before it, pairwise, and after the last group to `buffers`.
  /// The groups before wait at `pendingColumn` of `pending`.
  void mergeGroup(ArrayRef<Value> groupSums, int64_t group, int64_t numGroups,
                  const Pending &pending, Value pendingColumn,
                  ArrayRef<Value> buffers, Value column);

  /// Adds the columns of each channel in `totals`, and adds that to what the
  /// out operand holds. `flatOuts` has the out operands as rank-1 buffers; null
  /// where they are scalars.
  void emitResults(ArrayRef<Value> totals, const ColumnLayout &layout,
                   ArrayRef<Value> flatOuts);

private:
  Type accumulatorType(const StreamSum &sum);
  VectorType vectorType(Type elementType) {
    return VectorType::get({lanes}, elementType);
  }
  Value zero(Type type);
  Value padded(Value columns) { return b.alignUp(columns, lanes); }
  Value load(Value buffer, Value column, Type elementType);
  void clear(ArrayRef<Value> buffers, Value columns);
  void addChunk(ArrayRef<Value> buffers, Value offset, ArrayRef<Value> totals,
                Value columns);
  void emitResult(const StreamSum &sum, Value total, Value channel,
                  const ColumnLayout &layout, ArrayRef<Value> flatOuts);

  IndexBuilder &b;
  StreamPlan &plan;
  Scratch &scratch;
  int64_t lanes;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_SUMEMITTER_H
