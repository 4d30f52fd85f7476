//===- ValueOrigins.cpp - Where values come from and go to ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueOrigins.h"

#include "TFCall.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::fakequant;

bool fakequant::isCastable(Type from, Type to) {
  auto rankedFrom = dyn_cast<RankedTensorType>(from);
  auto rankedTo = dyn_cast<RankedTensorType>(to);
  if (rankedFrom && rankedTo &&
      rankedFrom.getEncoding() != rankedTo.getEncoding())
    return false;
  return tensor::CastOp::areCastCompatible(from, to);
}

bool fakequant::isBare(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0;
}

bool fakequant::isPlainIdentity(Operation *op) {
  return op->getName().getStringRef() == kIdentityName && isBare(op) &&
         op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         op->getOperand(0) != op->getResult(0) &&
         isCastable(op->getOperand(0).getType(), op->getResult(0).getType());
}

/// Casts count like identities, since one may become the other.
static bool passesThrough(Operation *op) {
  return isPlainIdentity(op) || isa<tensor::CastOp>(op);
}

static bool isFakeQuant(Operation *op) {
  return findCounterpart(op) || isa<FakeQuantOpInterface>(op);
}

bool fakequant::followsFakeQuant(Value value) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  Operation *op = value.getDefiningOp();
  while (op && passesThrough(op) && seen.insert(op).second)
    op = op->getOperand(0).getDefiningOp();
  return op && isFakeQuant(op);
}

bool fakequant::feedsFakeQuant(Value value) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isFakeQuant(user))
        return true;
      if (passesThrough(user) && seen.insert(user).second)
        worklist.push_back(user->getResult(0));
    }
  return false;
}

TypedAttr fakequant::getConstValue(Operation *op) {
  if (op->getName().getStringRef() != kConstName || !isBare(op) ||
      op->getNumOperands() != 0 || op->getNumResults() != 1)
    return {};
  Attribute value = lookUp(op, "value");
  if (!isa_and_nonnull<DenseFPElementsAttr, DenseResourceElementsAttr>(value))
    return {};
  auto elements = cast<ElementsAttr>(value);
  if (!isa<FloatType>(elements.getElementType()) ||
      !isa<RankedTensorType>(elements.getType()) ||
      !isCastable(elements.getType(), op->getResult(0).getType()))
    return {};
  return elements;
}

TensorType fakequant::merge(TensorType a, TensorType b) {
  if (!a || !b || a.getElementType() != b.getElementType())
    return {};
  auto rankedA = dyn_cast<RankedTensorType>(a);
  auto rankedB = dyn_cast<RankedTensorType>(b);
  if (!rankedA || !rankedB)
    return rankedA ? a : b;
  if (rankedA.getRank() != rankedB.getRank() ||
      rankedA.getEncoding() != rankedB.getEncoding())
    return {};
  SmallVector<int64_t> shape(rankedA.getShape());
  for (auto [size, other] : llvm::zip_equal(shape, rankedB.getShape())) {
    if (ShapedType::isDynamic(size))
      size = other;
    else if (ShapedType::isStatic(other) && other != size)
      return {};
  }
  return rankedA.clone(shape);
}

/// The values that are sure to have the shape of an op's result, among its
/// operands.
static SmallVector<Value> getOperandsOfShape(OpResult result) {
  Operation *op = result.getOwner();
  if (passesThrough(op))
    return {op->getOperand(0)};
  if (const Counterpart *counterpart = findCounterpart(op))
    if (result.getResultNumber() == 0 &&
        op->getNumOperands() == counterpart->getNumOperands())
      return op->getOperands().take_front(counterpart->getNumData());
  if (auto fakeQuantOp = dyn_cast<FakeQuantOpInterface>(op))
    if (fakeQuantOp.getResultDescriptors()[result.getResultNumber()].kind ==
        ResultKind::Elementwise)
      return fakeQuantOp.getElementOperands();
  return {};
}

TensorType fakequant::getKnownType(Value value) {
  auto known = cast<TensorType>(value.getType());
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    auto merged = merge(known, dyn_cast<TensorType>(next.getType()));
    if (!merged)
      continue;
    known = merged;
    auto result = dyn_cast<OpResult>(next);
    if (!result || !seen.insert(result.getOwner()).second)
      continue;
    if (TypedAttr constant = getConstValue(result.getOwner()))
      if (auto merged = merge(known, cast<TensorType>(constant.getType())))
        known = merged;
    llvm::append_range(worklist, getOperandsOfShape(result));
  }
  return known;
}
