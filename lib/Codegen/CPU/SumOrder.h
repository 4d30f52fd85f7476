//===- SumOrder.h - The order of sums ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the order of sums in docs/numerics.md, as index arithmetic on
// the sizes. They depend on the shape alone, never on a target or a plan: the
// constants here are part of the contract and no tuning knobs.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_SUMORDER_H
#define FAKEQUANT_LIB_CODEGEN_CPU_SUMORDER_H

#include "IndexBuilder.h"

namespace mlir::fakequant::sumorder {

/// Rows of a block, added pairwise in the addends' type.
inline constexpr int64_t kBlockRows = 8;
/// Columns are a multiple of this where channels are copied side by side, and
/// in a run.
inline constexpr int64_t kRowLanes = 16;
/// Runs of this many elements and more have columns of their own.
inline constexpr int64_t kRunThreshold = 16;
/// Rows narrower than this are copied side by side.
inline constexpr int64_t kCopyThreshold = 128;
inline constexpr int64_t kMaxChunks = 64;
/// At least so many elements in a chunk.
inline constexpr int64_t kChunkElements = 65536;
/// At most so many columns in the chunks together.
inline constexpr int64_t kChunkColumns = 65536;

/// How many rows of `width` elements lie side by side in one row of the table.
inline Value copies(IndexBuilder &b, Value width) {
  Value lowestBit =
      b.createOrFold<arith::AndIOp>(width, b.sub(b.index(0), width));
  Value divisor = b.min(b.max(lowestBit, b.index(1)), b.index(kRowLanes));
  Value isNarrow =
      b.compare(arith::CmpIPredicate::slt, width, b.index(kCopyThreshold));
  return b.select(isNarrow, b.div(b.index(kRowLanes), divisor), b.index(1));
}

/// The number of chunks, before a bound by the number of runs.
inline Value chunks(IndexBuilder &b, Value total, Value columns) {
  Value byElements = b.div(total, b.index(kChunkElements));
  Value byColumns = b.div(b.index(kChunkColumns), columns);
  Value bound = b.min(b.min(byElements, byColumns), b.index(kMaxChunks));
  return b.max(bound, b.index(1));
}

} // namespace mlir::fakequant::sumorder

#endif // FAKEQUANT_LIB_CODEGEN_CPU_SUMORDER_H
