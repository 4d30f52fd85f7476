//===- SumEmitter.cpp - The sums of a stream ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

Type SumEmitter::accumulatorType(const StreamSum &sum) {
  return getElementTypeOrSelf(
      plan.op.getDpsInitOperand(sum.out)->get().getType());
}

Value SumEmitter::zero(Type type) {
  return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
}

Value SumEmitter::load(Value buffer, Value column, Type elementType) {
  return vector::LoadOp::create(b, vectorType(elementType), buffer, column);
}

SmallVector<Value> SumEmitter::allocate(Value columns) {
  SmallVector<Value> buffers;
  Value size = padded(columns);
  for (const StreamSum &sum : plan.sums)
    buffers.push_back(scratch.allocate(size, accumulatorType(sum)));
  return buffers;
}

void SumEmitter::clear(ArrayRef<Value> buffers, Value columns) {
  if (buffers.empty())
    return;
  b.loop(b.index(0), padded(columns), lanes, [&](Value column) {
    for (auto [sum, buffer] : llvm::zip_equal(plan.sums, buffers))
      vector::StoreOp::create(b, zero(vectorType(accumulatorType(sum))), buffer,
                              column);
  });
}

void SumEmitter::emitChunks(const Cut &cut, Value columns,
                            ArrayRef<Value> totals,
                            llvm::function_ref<void(const Chunk &)> body) {
  Value units = cut.units, numChunks = cut.numChunks, zero = b.index(0);
  bool isOneShare = IndexBuilder::is(cut.numShares, 1);
  assert((isOneShare || plan.parallel) && "shares that nobody takes");
  auto forEachShare = [&](Value first, Value last, ArrayRef<Value> buffers) {
    if (isOneShare)
      return body({first, last, buffers, zero});
    b.parallelLoop(cut.numShares,
                   [&](Value share) { body({first, last, buffers, share}); });
  };
  clear(totals, columns);
  if (IndexBuilder::is(numChunks, 1) || (isNone() && !plan.parallel))
    // +0 plus the only chunk is the chunk.
    return forEachShare(zero, units, totals);

  Value chunkUnits = b.ceilDiv(units, numChunks);
  auto emitChunk = [&](Value k, ArrayRef<Value> buffers, Value share) {
    Value first = b.min(b.mul(k, chunkUnits), units);
    body({first, b.min(b.add(first, chunkUnits), units), buffers, share});
  };
  if (!plan.parallel) {
    SmallVector<Value> buffers = allocate(columns);
    b.loop(zero, numChunks, 1, [&](Value k) {
      clear(buffers, columns);
      emitChunk(k, buffers, zero);
      addChunk(buffers, zero, totals, columns);
    });
    return;
  }
  // A buffer for each chunk, added in order when all are there.
  Value size = padded(columns);
  SmallVector<Value> all;
  for (const StreamSum &sum : plan.sums)
    all.push_back(
        scratch.allocate(b.mul(numChunks, size), accumulatorType(sum)));
  if (!isOneShare)
    clear(all, b.mul(numChunks, size));
  b.parallelLoop(b.mul(numChunks, cut.numShares), [&](Value i) {
    Value k = b.div(i, cut.numShares);
    SmallVector<Value> buffers;
    for (Value buffer : all)
      buffers.push_back(memref::SubViewOp::create(
          b, buffer, getAsOpFoldResult(b.mul(k, size)), getAsOpFoldResult(size),
          OpFoldResult(b.getIndexAttr(1))));
    if (isOneShare)
      clear(buffers, columns);
    emitChunk(k, buffers, b.rem(i, cut.numShares));
  });
  if (!isNone())
    b.loop(zero, numChunks, 1,
           [&](Value k) { addChunk(all, b.mul(k, size), totals, columns); });
}

/// Adds the sums of a chunk, from `offset` of `buffers` on, to `totals`.
void SumEmitter::addChunk(ArrayRef<Value> buffers, Value offset,
                          ArrayRef<Value> totals, Value columns) {
  b.loop(b.index(0), padded(columns), lanes, [&](Value column) {
    for (auto [sum, buffer, total] :
         llvm::zip_equal(plan.sums, buffers, totals)) {
      Type type = accumulatorType(sum);
      Value before = load(total, column, type);
      Value added = load(buffer, b.add(offset, column), type);
      vector::StoreOp::create(b, arith::AddFOp::create(b, before, added), total,
                              column);
    }
  });
}

void SumEmitter::accumulate(ArrayRef<Value> blockSums, ArrayRef<Value> buffers,
                            Value column) {
  for (auto [sum, blockSum, buffer] :
       llvm::zip_equal(plan.sums, blockSums, buffers)) {
    VectorType type = vectorType(accumulatorType(sum));
    Value widened = blockSum;
    if (widened.getType() != type)
      widened = arith::ExtFOp::create(b, type, widened);
    Value before = load(buffer, column, type.getElementType());
    vector::StoreOp::create(b, arith::AddFOp::create(b, before, widened),
                            buffer, column);
  }
}

SumEmitter::Pending SumEmitter::allocatePending(Value columns,
                                                int64_t numGroups) {
  Pending pending;
  Value size = padded(columns);
  for (; numGroups > 1; numGroups /= 2) {
    SmallVector<Value> &level = pending.emplace_back();
    for (const StreamSum &sum : plan.sums)
      level.push_back(scratch.allocate(size, sum.addend.getType()));
  }
  return pending;
}

void SumEmitter::mergeGroup(ArrayRef<Value> groupSums, int64_t group,
                            int64_t numGroups, const Pending &pending,
                            Value pendingColumn, ArrayRef<Value> buffers,
                            Value column) {
  SmallVector<Value> sums(groupSums);
  int64_t level = 0;
  for (; (group >> level) & 1; ++level)
    for (auto [sum, buffer] : llvm::zip_equal(sums, pending[level]))
      sum = arith::AddFOp::create(
          b, load(buffer, pendingColumn, getElementTypeOrSelf(sum)), sum);
  if (group == numGroups - 1)
    return accumulate(sums, buffers, column);
  for (auto [sum, buffer] : llvm::zip_equal(sums, pending[level]))
    vector::StoreOp::create(b, sum, buffer, pendingColumn);
}

void SumEmitter::emitResults(ArrayRef<Value> totals, const ColumnLayout &layout,
                             ArrayRef<Value> flatOuts) {
  if (totals.empty())
    return;
  b.loop(b.index(0), layout.channels, 1, [&](Value channel) {
    for (auto [sum, total] : llvm::zip_equal(plan.sums, totals))
      emitResult(sum, total, channel, layout, flatOuts);
  });
}

void SumEmitter::emitResult(const StreamSum &sum, Value total, Value channel,
                            const ColumnLayout &layout,
                            ArrayRef<Value> flatOuts) {
  // The out operand is the accumulator: its value is added last.
  Value out = flatOuts[sum.out];
  SmallVector<Value> where;
  if (out)
    where.push_back(channel);
  else
    out = plan.op.getDpsInitOperand(sum.out)->get();

  Value base = b.mul(channel, layout.innerColumns);
  Value start = zero(accumulatorType(sum));
  auto copyLoop = scf::ForOp::create(b, b.index(0), layout.copies, b.index(1),
                                     ValueRange(start));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copyLoop.getBody());
    Value position =
        b.add(b.mul(copyLoop.getInductionVar(), layout.copyStride), base);
    auto innerLoop =
        scf::ForOp::create(b, b.index(0), layout.innerColumns, b.index(1),
                           copyLoop.getRegionIterArgs());
    {
      OpBuilder::InsertionGuard innerGuard(b);
      b.setInsertionPointToStart(innerLoop.getBody());
      Value column = memref::LoadOp::create(
          b, total, ValueRange{b.add(position, innerLoop.getInductionVar())});
      scf::YieldOp::create(
          b, ValueRange{arith::AddFOp::create(
                 b, innerLoop.getRegionIterArgs().front(), column)});
    }
    scf::YieldOp::create(b, innerLoop.getResults());
  }
  Value before = memref::LoadOp::create(b, out, where);
  memref::StoreOp::create(
      b, arith::AddFOp::create(b, before, copyLoop.getResult(0)), out, where);
}
