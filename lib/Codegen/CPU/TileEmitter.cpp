//===- TileEmitter.cpp - Straight vector code for a tile ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

SmallVector<Value> TileEmitter::emit(IndexBuilder &b, const Tile &tile) {
  return emitRows(b, tile, 0, tile.rows);
}

/// Pairs are emitted depth first, so that few sums are alive at a time.
SmallVector<Value> TileEmitter::emitRows(IndexBuilder &b, const Tile &tile,
                                         int64_t first, int64_t count) {
  if (count == 1)
    return emitRow(b, tile, first);
  SmallVector<Value> sums = emitRows(b, tile, first, count / 2);
  SmallVector<Value> others =
      emitRows(b, tile, first + count / 2, count - count / 2);
  for (auto [sum, other] : llvm::zip_equal(sums, others))
    sum = arith::AddFOp::create(b, sum, other);
  return sums;
}

void TileEmitter::emitStore(IndexBuilder &b, Value vector, Value buffer,
                            Value position, bool streams) {
  auto store = vector::StoreOp::create(b, vector, buffer, position);
  if (!streams)
    return;
  auto type = cast<VectorType>(vector.getType());
  store.setNontemporal(true);
  store.setAlignment(type.getNumElements() * type.getElementTypeBitWidth() / 8);
}

SmallVector<Value> TileEmitter::emitRow(IndexBuilder &b, const Tile &tile,
                                        int64_t row) {
  Value position = b.add(tile.start, b.mul(tile.rowStride, b.index(row)));
  Value mask;
  if (tile.isMasked()) {
    // Not below zero: masks are made in 32 bits, where far below is above.
    Value lanes =
        b.max(b.min(tile.columnLimit, b.sub(tile.end, position)), b.index(0));
    mask = vector::CreateMaskOp::create(b, vectorOf(b.getI1Type()), lanes);
  }

  Block *body = plan.op.getBody();
  IRMapping mapping;
  for (auto [index, argument] : llvm::enumerate(body->getArguments())) {
    if (plan.accesses[index] != Access::Full) {
      if (Value vector = vectors.lookup(index))
        mapping.map(argument, vector);
      continue;
    }
    if (argument.use_empty())
      continue;
    VectorType type = vectorOf(argument.getType());
    Value loaded;
    if (mask) {
      Value nothing = arith::ConstantOp::create(b, b.getZeroAttr(type));
      loaded = vector::MaskedLoadOp::create(b, type, flatOperands[index],
                                            position, mask, nothing);
    } else {
      loaded = vector::LoadOp::create(b, type, flatOperands[index], position);
    }
    mapping.map(argument, loaded);
  }

  emitBody(b, mapping);

  unsigned numInputs = plan.op.getNumDpsInputs();
  Operation *yield = body->getTerminator();
  for (auto [index, yielded] : llvm::enumerate(yield->getOperands())) {
    unsigned operand = numInputs + index;
    if (plan.accesses[operand] != Access::Full || tile.dropsResults)
      continue;
    Value result = lookup(b, mapping, yielded);
    if (tile.takeResult)
      tile.takeResult(row, operand, result);
    else if (mask)
      vector::MaskedStoreOp::create(b, flatOperands[operand], position, mask,
                                    result);
    else
      emitStore(b, result, flatOperands[operand], position, tile.streams);
  }

  SmallVector<Value> sums;
  for (const StreamSum &sum : plan.sums) {
    Value addend = lookup(b, mapping, sum.addend);
    if (mask) {
      // What a missing lane computes from zeros may be anything.
      Value nothing = arith::ConstantOp::create(
          b, b.getZeroAttr(cast<VectorType>(addend.getType())));
      addend = arith::SelectOp::create(b, mask, addend, nothing);
    }
    sums.push_back(addend);
  }
  return sums;
}

/// The vector that stands for a scalar of the body.
Value TileEmitter::lookup(IndexBuilder &b, IRMapping &mapping, Value scalar) {
  if (Value vector = mapping.lookupOrNull(scalar))
    return vector;
  // A value from outside the body, a constant mostly.
  Value vector =
      vector::BroadcastOp::create(b, vectorOf(scalar.getType()), scalar);
  mapping.map(scalar, vector);
  return vector;
}

void TileEmitter::emitBody(IndexBuilder &b, IRMapping &mapping) {
  for (Operation &op : plan.op.getBody()->without_terminator()) {
    if (plan.accumulation.contains(&op))
      continue;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      VectorType type = vectorOf(constant.getType());
      mapping.map(constant.getResult(),
                  arith::ConstantOp::create(
                      b, DenseElementsAttr::get(type, constant.getValue())));
      continue;
    }
    auto select = dyn_cast<arith::SelectOp>(op);
    if (select && falseCondition && select.getCondition() == falseCondition) {
      mapping.map(select.getResult(),
                  lookup(b, mapping, select.getFalseValue()));
      continue;
    }
    for (Value operand : op.getOperands())
      lookup(b, mapping, operand);
    Operation *vectorized = b.clone(op, mapping);
    for (Value result : vectorized->getResults())
      result.setType(vectorOf(result.getType()));
  }
}
