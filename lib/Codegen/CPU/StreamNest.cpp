//===- StreamNest.cpp - What the nests of a stream share ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamNest.h"

#include "SumOrder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::fakequant;

/// A cache line, in bytes: what `aligned-results` promises.
static constexpr int64_t kResultAlignment = 64;

static int64_t elementBytes(Value buffer) {
  return llvm::divideCeil(
      getElementTypeOrSelf(buffer.getType()).getIntOrFloatBitWidth(), 8);
}

Value fakequant::productOfLoops(IndexBuilder &b, StreamPlan &plan,
                                unsigned begin, unsigned end) {
  Value size = b.index(1);
  for (unsigned dim = begin; dim < end; ++dim)
    size = b.mul(size, b.createOrFold<memref::DimOp>(plan.shape, dim));
  return size;
}

StreamNest::StreamNest(IndexBuilder &builder, StreamPlan &plan)
    : plan(plan), b(builder), scratch(b), sums(b, plan, scratch),
      tiles(plan, flat), lanes(static_cast<int64_t>(plan.lanes)) {
  for (auto [access, value] :
       llvm::zip_equal(plan.accesses, plan.op->getOperands())) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (access == Access::Scalar || !type || type.getRank() == 1) {
      flat.push_back(access == Access::Scalar ? Value() : value);
      continue;
    }
    auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
    flat.push_back(memref::CollapseShapeOp::create(
        b, value, ArrayRef<ReassociationIndices>(all)));
  }

  unit = lanes;
  for (Value result : results())
    unit = std::max(unit, kResultAlignment / elementBytes(result));

  outer = productOfLoops(b, plan, 0, plan.channelBegin);
  channels = productOfLoops(b, plan, plan.channelBegin, plan.channelEnd);
  inner = productOfLoops(b, plan, plan.channelEnd, plan.getNumLoops());
  total = b.mul(b.mul(outer, channels), inner);
  if (plan.channelBegin == plan.channelEnd) {
    outer = total;
    inner = b.index(1);
  }
  isLarge =
      b.compare(arith::CmpIPredicate::sge, total, b.index(plan.largeElements));

  for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i)
    if (plan.accesses[i] == Access::Scalar) {
      Value scalar = loadScalar(i);
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, vectorType(scalar.getType()), scalar));
    }
}

void StreamNest::forEachChannelInput(llvm::function_ref<void(unsigned)> body) {
  for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i)
    if (plan.accesses[i] == Access::Channel)
      body(i);
}

Value StreamNest::loadScalar(unsigned number) {
  Value scalar = plan.op->getOperand(number);
  if (isa<MemRefType>(scalar.getType()))
    return memref::LoadOp::create(b, scalar, ValueRange());
  return scalar;
}

SmallVector<Value> StreamNest::results() const {
  SmallVector<Value> buffers;
  unsigned numInputs = plan.op.getNumDpsInputs();
  for (unsigned i = numInputs, e = plan.accesses.size(); i < e; ++i)
    if (plan.accesses[i] == Access::Full)
      buffers.push_back(flat[i]);
  return buffers;
}

/// Whether `argument` is a result of a public function: with the signature of
/// destination passing, one behind the operands, which may be written to as
/// well, but of which nothing is promised.
static bool isPublicResult(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !function.isPublic() || !argument.getOwner()->isEntryBlock())
    return false;
  auto signature = function->getAttrOfType<TypeAttr>("tensor_signature");
  auto type =
      signature ? dyn_cast<FunctionType>(signature.getValue()) : FunctionType();
  return !type || argument.getArgNumber() >= type.getNumInputs();
}

/// Whether `buffer` is known to start at an aligned address, given whether the
/// results of public functions do.
static bool isKnownAligned(Value buffer, bool alignedResults) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            view))
      return false;
    buffer = view.getViewSource();
  }
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return alignedResults && isPublicResult(argument);
  IntegerAttr alignment;
  if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
    alignment = alloc.getAlignmentAttr();
  else if (auto alloca = buffer.getDefiningOp<memref::AllocaOp>())
    alignment = alloca.getAlignmentAttr();
  return alignment && alignment.getInt() % kResultAlignment == 0;
}

Value StreamNest::misalignment(Value buffer) {
  int64_t bytes = elementBytes(buffer);
  if (unit * bytes == kResultAlignment &&
      isKnownAligned(buffer, plan.alignedResults))
    return b.index(0);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  return b.div(b.rem(address, b.index(unit * bytes)), b.index(bytes));
}

Value StreamNest::startAlike() {
  Value alike = arith::ConstantIntOp::create(b, 1, 1);
  SmallVector<Value> buffers = results();
  for (Value buffer : llvm::drop_begin(buffers))
    alike = b.both(
        alike, b.equal(misalignment(buffer), misalignment(buffers.front())));
  return alike;
}

void StreamNest::forEachStores(const TileSchedule &schedule, Value rowLength,
                               llvm::function_ref<void(Stores, Value)> body) {
  auto emit = [&](Stores stores, Value behind) {
    scratch.scope([&] { body(stores, behind); });
  };
  SmallVector<Value> buffers = results();
  if (!schedule.streams || buffers.empty())
    return emit(Stores::Plain, Value());
  b.branch(startAlike(), [&](bool alike) {
    if (!alike)
      return emit(Stores::Plain, Value());
    Value behind = misalignment(buffers.front());
    Value areTilesAligned =
        b.both(b.equal(b.rem(rowLength, b.index(lanes)), b.index(0)),
               b.equal(behind, b.index(0)));
    b.branch(areTilesAligned, [&](bool aligned) {
      emit(aligned ? Stores::Streamed : Stores::Behind, behind);
    });
  });
}

void StreamNest::emitFence() {
  LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst);
}

/// Into the second-level cache: in the first, lines would be gone before their
/// turn.
static constexpr unsigned kPrefetchLocality = 2;
static constexpr unsigned kWritePrefetchLocality = 3;

void StreamNest::prefetchOperands(Value position) {
  Block *body = plan.op.getBody();
  for (auto [index, access] : llvm::enumerate(plan.accesses))
    if (access == Access::Full && !body->getArgument(index).use_empty())
      memref::PrefetchOp::create(b, flat[index], ValueRange{position},
                                 /*isWrite=*/false, kPrefetchLocality,
                                 /*isDataCache=*/true);
}

void StreamNest::prefetchResults(Value position) {
  for (Value buffer : results())
    memref::PrefetchOp::create(b, buffer, ValueRange{position},
                               /*isWrite=*/true, kWritePrefetchLocality,
                               /*isDataCache=*/true);
}

Value StreamNest::pieces() {
  Value bound = b.min(b.div(total, b.index(sumorder::kChunkElements)),
                      b.index(sumorder::kMaxChunks));
  return b.max(bound, b.index(1));
}

Value StreamNest::shares(Value numChunks, Value limit, int64_t wanted) {
  if (!plan.parallel)
    return b.index(1);
  Value most = b.min(b.min(pieces(), b.index(wanted)), b.mul(numChunks, limit));
  return b.max(b.div(most, numChunks), b.index(1));
}
