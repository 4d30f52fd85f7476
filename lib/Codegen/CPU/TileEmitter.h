//===- TileEmitter.h - Straight vector code for a tile ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is one vector wide and some rows high. Its code has no loops: rows are
// unrolled, and the addends of a sum are added pairwise.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_TILEEMITTER_H
#define FAKEQUANT_LIB_CODEGEN_CPU_TILEEMITTER_H

#include "IndexBuilder.h"
#include "StreamPlan.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::fakequant {

/// Where a tile lies in the flat buffers.
struct Tile {
  /// Flat position of the first lane of the first row.
  Value start;
  /// Flat distance from one row to the next.
  Value rowStride;
  int64_t rows;
  /// Set for a masked tile: lanes from `columnLimit` on, and positions from
  /// `end` on, do not exist.
  Value columnLimit, end;
  /// Whether results bypass the caches; their addresses are then aligned to
  /// the vector.
  bool streams = false;
  /// Whether there are only sums to be had.
  bool dropsResults = false;
  /// If set, gets the vector of each row and elementwise result (the number of
  /// its operand) instead of it being stored.
  llvm::function_ref<void(int64_t, unsigned, Value)> takeResult = nullptr;

  bool isMasked() const { return static_cast<bool>(columnLimit); }
};

/// Emits tiles of one stream.
class TileEmitter {
public:
  /// `flatOperands` has an entry for each operand of the plan's op: a rank-1
  /// memref for `Full` access, null otherwise. It may be filled later.
  TileEmitter(StreamPlan &plan, const SmallVectorImpl<Value> &flatOperands)
      : plan(plan), flatOperands(flatOperands) {}

  /// Says what the operands that are no `Full` operands hold, as vectors. They
  /// stay the same for the rows of a tile.
  void setVector(unsigned operand, Value vector) { vectors[operand] = vector; }

  /// Says that a condition of the body holds for no element; null for none.
  void assumeFalse(Value condition) { falseCondition = condition; }

  /// Stores a vector of results, past the caches if it `streams`.
  static void emitStore(IndexBuilder &b, Value vector, Value buffer,
                        Value position, bool streams);

  /// Emits the tile, stores its elementwise results, and returns what it adds
  /// to each sum: a vector of the addend's type.
  SmallVector<Value> emit(IndexBuilder &b, const Tile &tile);

  VectorType vectorOf(Type elementType) const {
    return VectorType::get({static_cast<int64_t>(plan.lanes)}, elementType);
  }

private:
  SmallVector<Value> emitRows(IndexBuilder &b, const Tile &tile, int64_t first,
                              int64_t count);
  SmallVector<Value> emitRow(IndexBuilder &b, const Tile &tile, int64_t row);
  void emitBody(IndexBuilder &b, IRMapping &mapping);
  Value lookup(IndexBuilder &b, IRMapping &mapping, Value scalar);

  StreamPlan &plan;
  const SmallVectorImpl<Value> &flatOperands;
  llvm::SmallDenseMap<unsigned, Value> vectors;
  Value falseCondition;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_TILEEMITTER_H
