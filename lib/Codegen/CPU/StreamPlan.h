//===- StreamPlan.h - Which ops are one pass over memory --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether a generic on buffers is a stream: one pass over operands that
// are all read in the loops' order, or by channel, or are scalars, with
// elementwise results and sums per channel.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_STREAMPLAN_H
#define FAKEQUANT_LIB_CODEGEN_CPU_STREAMPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fakequant {

/// How the loops address an operand.
enum class Access {
  /// One value for all iterations.
  Scalar,
  /// A value for each channel.
  Channel,
  /// A value for each iteration, in the loops' order.
  Full,
};

/// A result that is summed: `acc + addend` or `acc + extf(addend)`.
struct StreamSum {
  /// The position among the `outs`.
  unsigned out;
  /// The addend in the body, in the narrower type where it is widened.
  Value addend;
};

/// The nests that a stream can become; see the pass description.
enum class StreamForm { Flat, Channels };

/// When results bypass the caches.
enum class StreamingStores {
  /// Where the operands together outgrow the last-level cache.
  Auto,
  /// Wherever addresses are aligned.
  Always,
  Never,
};

/// What a plan is made from besides the op.
struct StreamStrategy {
  /// Width of a vector register.
  unsigned vectorBits = 128;
  StreamingStores streamingStores = StreamingStores::Never;
  /// Whether results are known to start at aligned addresses.
  bool alignedResults = false;
  /// Whether chunks may be taken by several threads.
  bool parallel = false;
  int64_t firstLevelCacheBytes = 32 << 10;
  int64_t lastLevelCacheBytes = 32 << 20;
};

/// The order in which the whole tiles of a table of rows are taken. The order
/// of sums does not depend on it.
struct TileSchedule {
  /// Rows of a tile, a divisor of the rows of a block. Memory wants few, so
  /// that streams advance in order; sums want many, since those of fewer wait
  /// in a buffer for their partner.
  int64_t rows;
  /// Rows wider than this are taken panel by panel; zero for never.
  int64_t maxWholeColumns = 0;
  /// The widest panel, in vectors.
  int64_t maxPanelVectors = 0;
  /// How many elements of each operand lie between a tile and the one that is
  /// prefetched meanwhile, in the order of the schedule. Zero for none.
  int64_t prefetchDistance = 0;
  /// Rows up to this wide are not prefetched.
  int64_t maxUnprefetchedColumns = 0;
  /// Whether results may bypass the caches.
  bool streams = false;
};

/// A generic that is one pass over memory.
struct StreamPlan {
  linalg::GenericOp op;
  StreamForm form = StreamForm::Flat;
  /// An entry for each `ins` operand, then for each `outs` operand. A sum's out
  /// operand has `Channel` or `Scalar` access.
  SmallVector<Access> accesses;
  SmallVector<StreamSum> sums;
  /// The loops [channelBegin, channelEnd) count the channels; those before
  /// are outer, those after inner. Empty where there are no channels.
  unsigned channelBegin = 0, channelEnd = 0;
  /// An operand with `Full` access.
  Value shape;
  /// The elements of a vector, so that the widest type computed with fills
  /// one register.
  unsigned lanes = 1;
  /// For operands that the last-level cache holds, and for larger ones.
  TileSchedule resident, large;
  /// The number of elements from which on `large` holds; zero for always.
  int64_t largeElements = 0;
  /// Whether chunks may be taken by several threads.
  bool parallel = false;
  /// Whether results are known to start at aligned addresses.
  bool alignedResults = false;
  /// The bytes that each iteration moves between memory and the op.
  int64_t bytesPerElement = 0;
  /// The i1 of the body that selects choose by and that depends on the channel
  /// alone; null where there is none, or several.
  Value channelCondition;
  /// Ops of the body that only serve accumulation.
  llvm::SmallPtrSet<Operation *, 8> accumulation;

  unsigned getNumLoops() { return op.getNumLoops(); }
};

/// Plans `op`, whose operands are memrefs or scalars. Fails with the reason in
/// `why`.
FailureOr<StreamPlan> planStream(linalg::GenericOp op,
                                 const StreamStrategy &strategy,
                                 std::string &why);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_STREAMPLAN_H
