//===- StreamPlan.cpp - Which ops are one pass over memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamPlan.h"

#include "SumOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Whether `map` is (…) -> (d_begin, …, d_end-1), a run of adjacent loops.
static bool isRunOfLoops(AffineMap map, unsigned &begin, unsigned &end) {
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return false;
    if (position == 0)
      begin = end = dim.getPosition();
    if (dim.getPosition() != end)
      return false;
    ++end;
  }
  return map.getNumResults() > 0;
}

/// Whether the elements of `type` lie in memory as those of a vector do: i1 and
/// odd widths are packed in a vector, and not in a buffer.
static bool isLaidOutLikeVector(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8 &&
         llvm::isPowerOf2_32(element.getIntOrFloatBitWidth());
}

static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

/// Finds `addend` where `yielded` is a sum into `accumulator`.
static bool matchSum(Value yielded, BlockArgument accumulator, StreamPlan &plan,
                     StreamSum &sum) {
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  if (!add || !accumulator.hasOneUse() || !add->hasOneUse())
    return false;
  Value addend;
  if (add.getLhs() == accumulator)
    addend = add.getRhs();
  else if (add.getRhs() == accumulator)
    addend = add.getLhs();
  else
    return false;
  plan.accumulation.insert(add);
  // Narrower addends than f32 would be added in too few bits.
  if (auto widen = addend.getDefiningOp<arith::ExtFOp>();
      widen && widen->hasOneUse() && widen.getIn().getType().isF32() &&
      widen.getType().isF64()) {
    addend = widen.getIn();
    plan.accumulation.insert(widen);
  }
  sum.addend = addend;
  return true;
}

/// The width of the widest type that the body computes with, in bits. Zero if
/// it holds a type that vectors cannot hold.
static unsigned widestType(StreamPlan &plan) {
  unsigned widest = 8;
  auto see = [&](Type type) {
    if (!type.isIntOrFloat())
      return false;
    if (!type.isInteger(1))
      widest = std::max(widest, type.getIntOrFloatBitWidth());
    return true;
  };
  Block *body = plan.op.getBody();
  unsigned numInputs = plan.op.getNumDpsInputs();
  for (BlockArgument argument : body->getArguments()) {
    bool isSum = argument.getArgNumber() >= numInputs &&
                 llvm::any_of(plan.sums, [&](const StreamSum &sum) {
                   return sum.out == argument.getArgNumber() - numInputs;
                 });
    if (!isSum && !see(argument.getType()))
      return 0;
  }
  for (Operation &op : body->without_terminator()) {
    if (plan.accumulation.contains(&op))
      continue;
    for (Type type : op.getResultTypes())
      if (!see(type))
        return 0;
  }
  return widest;
}

/// The size of the elements that `value` has, rounded up to bytes.
static int64_t elementBytes(Value value) {
  return llvm::divideCeil(
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth(), 8);
}

/// Chooses the schedules of a plan that is complete otherwise.
static void schedule(StreamPlan &plan, const StreamStrategy &strategy) {
  // What stays in the first-level cache for a column: the values of its
  // channel, its sums, and for two rows a tile two levels of waiting addends.
  int64_t bytesPerColumn = 0;
  for (auto [access, operand] :
       llvm::zip_equal(plan.accesses, plan.op->getOperands())) {
    if (access == Access::Full)
      plan.bytesPerElement += elementBytes(operand);
    else if (access == Access::Channel)
      bytesPerColumn += elementBytes(operand);
  }
  for (const StreamSum &sum : plan.sums)
    bytesPerColumn += 2 * elementBytes(sum.addend);

  // Where data is in a cache already, only the work counts, and eight rows
  // share what they need of a channel.
  plan.resident.rows = sumorder::kBlockRows;

  // Where it comes from memory, the streams must advance in order, and the
  // processor must ask for lines early enough. Measured on a Zen 4 core with
  // the gradient at 77 MB and more, as multiples of the time of a streaming
  // triad:
  // - two rows a tile took 1.0 with 64 and 256 columns, one 0.9 to 1.9, four
  //   1.1 to 1.4, eight 1.2 to 2.1;
  // - without prefetching, 256 columns took 3.2, and 12 KiB ahead 1.0 (4 KiB
  //   1.2); rows of 80 columns and less took 1.05 without and 0.9 to 1.4 with;
  // - rows of 1024 and 4096 columns, which outgrow the first-level cache
  //   together with what belongs to their channels, took 2.0 and 1.5 as they
  //   are, and 1.2 in panels of 96 to 128 columns.
  plan.large.rows = 2;
  plan.large.prefetchDistance = (12 << 10) / elementBytes(plan.shape);
  plan.large.maxUnprefetchedColumns = 80;
  plan.large.maxPanelVectors = 8;
  plan.large.maxWholeColumns =
      std::max<int64_t>(strategy.firstLevelCacheBytes / 8 * 3 /
                            std::max<int64_t>(bytesPerColumn, 1),
                        plan.large.maxPanelVectors * plan.lanes);
  plan.large.streams = strategy.streamingStores != StreamingStores::Never;
  if (strategy.streamingStores != StreamingStores::Always)
    plan.largeElements = strategy.lastLevelCacheBytes /
                             std::max<int64_t>(1, plan.bytesPerElement) +
                         1;
}

/// Halves the vectors of a plan for large operands where rows are an odd number
/// of halves: then rows start at whole vectors, as streaming stores need.
static void narrowLanes(StreamPlan &plan) {
  constexpr unsigned kMinLanes = 8;
  ArrayRef<int64_t> shape = cast<MemRefType>(plan.shape.getType()).getShape();
  ArrayRef<int64_t> rows = shape.drop_front(plan.channelBegin);
  if (plan.form != StreamForm::Channels || !plan.large.streams ||
      ShapedType::isDynamicShape(rows))
    return;
  int64_t inner = ShapedType::getNumElements(shape.drop_front(plan.channelEnd));
  int64_t width = ShapedType::getNumElements(rows);
  bool isColumns =
      inner < sumorder::kRunThreshold && width >= sumorder::kCopyThreshold;
  bool isKnownSmall = !ShapedType::isDynamicShape(shape) &&
                      ShapedType::getNumElements(shape) < plan.largeElements;
  if (isColumns && !isKnownSmall && plan.lanes / 2 >= kMinLanes &&
      width % plan.lanes == plan.lanes / 2)
    plan.lanes /= 2;
}

/// Finds `channelCondition`.
static Value findChannelCondition(StreamPlan &plan) {
  Block *body = plan.op.getBody();
  // What differs within a channel.
  llvm::SmallPtrSet<Value, 16> varying;
  for (auto [access, argument] :
       llvm::zip_equal(plan.accesses, body->getArguments()))
    if (access == Access::Full ||
        argument.getArgNumber() >= plan.op.getNumDpsInputs())
      varying.insert(argument);
  Value found;
  for (Operation &op : body->without_terminator()) {
    bool varies = llvm::any_of(
        op.getOperands(), [&](Value value) { return varying.contains(value); });
    if (varies)
      varying.insert(op.result_begin(), op.result_end());
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!select || varying.contains(select.getCondition()) ||
        select.getCondition().getParentBlock() != body)
      continue;
    if (found && found != select.getCondition())
      return Value();
    found = select.getCondition();
  }
  return found;
}

FailureOr<StreamPlan> fakequant::planStream(linalg::GenericOp op,
                                            const StreamStrategy &strategy,
                                            std::string &why) {
  auto decline = [&](const Twine &reason) -> FailureOr<StreamPlan> {
    why = reason.str();
    return failure();
  };
  if (!op.hasPureBufferSemantics())
    return decline("it is not on buffers");
  if (op.getNumLoops() == 0)
    return decline("it is one scalar");
  if (op.hasIndexSemantics())
    return decline("its body uses loop indices");

  StreamPlan plan;
  plan.op = op;
  plan.parallel = strategy.parallel;
  plan.alignedResults = strategy.alignedResults;
  unsigned numInputs = op.getNumDpsInputs();
  Block *body = op.getBody();
  bool hasChannels = false;

  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Type type = operand.get().getType();
    if (!isa<MemRefType>(type) || map.getNumResults() == 0) {
      plan.accesses.push_back(Access::Scalar);
      continue;
    }
    if (!isContiguous(type))
      return decline("operand #" + Twine(operand.getOperandNumber()) +
                     " is not contiguous");
    if (!isLaidOutLikeVector(type))
      return decline("operand #" + Twine(operand.getOperandNumber()) +
                     " has elements that vectors pack");
    if (map.isIdentity()) {
      plan.accesses.push_back(Access::Full);
      if (!plan.shape)
        plan.shape = operand.get();
      continue;
    }
    unsigned begin, end;
    if (!isRunOfLoops(map, begin, end))
      return decline("operand #" + Twine(operand.getOperandNumber()) +
                     " is read in another order");
    if (hasChannels && (begin != plan.channelBegin || end != plan.channelEnd))
      return decline("its operands have different channel dimensions");
    hasChannels = true;
    plan.channelBegin = begin;
    plan.channelEnd = end;
    plan.accesses.push_back(Access::Channel);
  }
  if (!plan.shape)
    return decline("no operand has all its loops");

  Operation *yield = body->getTerminator();
  for (auto [index, yielded] : llvm::enumerate(yield->getOperands())) {
    Access access = plan.accesses[numInputs + index];
    if (access == Access::Full)
      continue;
    StreamSum sum{static_cast<unsigned>(index), Value()};
    if (!matchSum(yielded, body->getArgument(numInputs + index), plan, sum))
      return decline("result #" + Twine(index) +
                     " is neither elementwise nor a sum");
    plan.sums.push_back(sum);
  }

  // A sum over no loop at all (the channels are all there is) has every
  // iteration as a channel of its own, and a Full out; those are elementwise.
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isChannel = loop >= plan.channelBegin && loop < plan.channelEnd;
    bool isReduction = iterator == utils::IteratorType::reduction;
    if (isReduction != (!isChannel && !plan.sums.empty()))
      return decline("loop " + Twine(loop) + " is unexpectedly " +
                     utils::stringifyIteratorType(iterator));
  }

  for (Operation &bodyOp : body->without_terminator()) {
    if (plan.accumulation.contains(&bodyOp) || isa<arith::ConstantOp>(bodyOp))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&bodyOp) ||
        bodyOp.getNumRegions() != 0)
      return decline("'" + bodyOp.getName().getStringRef() +
                     "' does not map over vectors");
    // Missing lanes of a masked vector compute too, from zeros.
    if (!isSpeculatable(&bodyOp))
      return decline("'" + bodyOp.getName().getStringRef() +
                     "' may not run for elements that do not exist");
  }

  unsigned widest = widestType(plan);
  if (widest == 0 || widest > 64)
    return decline("its body has a type that vectors do not hold");
  // A power of two, for vectors to divide the rows of runs.
  plan.lanes = std::max(
      1u, llvm::bit_floor(strategy.vectorBits / llvm::bit_ceil(widest)));
  if (!plan.sums.empty() || hasChannels) {
    plan.form = StreamForm::Channels;
    // A vector must not cross from one row of a run into the next.
    plan.lanes = std::min<unsigned>(plan.lanes, sumorder::kRowLanes);
  }
  schedule(plan, strategy);
  narrowLanes(plan);
  if (hasChannels)
    plan.channelCondition = findChannelCondition(plan);
  return plan;
}
