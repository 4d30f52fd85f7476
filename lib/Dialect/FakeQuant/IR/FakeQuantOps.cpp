//===- FakeQuantOps.cpp - Verifiers, inference, folds, emitters -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The six ops differ in where the range comes from and in whether they are
// gradients. What they share is written once here, as functions that the ops'
// methods (at the end) forward to.
//
//===----------------------------------------------------------------------===//

#include "NudgedRange.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fakequant;

#include "fakequant/Dialect/FakeQuant/IR/FakeQuantInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "fakequant/Dialect/FakeQuant/IR/FakeQuantOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// (C1)
static LogicalResult verifyNumBits(Operation *op, int64_t numBits) {
  if (numBits < 2 || numBits > 16)
    return op->emitOpError("expected num_bits between 2 and 16 but got ")
           << numBits;
  return success();
}

/// (C2) of the ops with a constant range.
template <typename OpTy> static LogicalResult verifyConstantRange(OpTy op) {
  SmallVector<APFloat> range = op.getRangeConstants();
  StringRef expected = "min < max";
  if (!range[0].isFinite() || !range[1].isFinite())
    expected = "finite min and max";
  else if (range[0] < range[1])
    return success();
  return op.emitOpError("expected ")
         << expected << " in " << op.getComputeType()
         << " but got min = " << op.getMin().convertToDouble()
         << " and max = " << op.getMax().convertToDouble();
}

/// (C2) of the ops with range operands: a rank, and (C3): an element type.
static LogicalResult verifyRangeOperand(Operation *op, StringRef name,
                                        Value operand, Value data,
                                        int64_t rank) {
  if (auto type = dyn_cast<RankedTensorType>(operand.getType());
      type && type.getRank() != rank)
    return op->emitOpError("expected ")
           << name << " of rank " << rank << " but got " << type;
  Type element = getElementTypeOrSelf(operand.getType());
  Type dataElement = getElementTypeOrSelf(data.getType());
  bool isWider = dataElement.getIntOrFloatBitWidth() == 16 && element.isF32();
  if (element == dataElement || isWider)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected ")
                                  << name << " of " << dataElement;
  if (dataElement.getIntOrFloatBitWidth() == 16)
    diagnostic << " or f32";
  return diagnostic << " values but got " << operand.getType();
}

static LogicalResult verifyRangeOperands(Operation *op, Value min, Value max,
                                         Value data, int64_t rank) {
  if (failed(verifyRangeOperand(op, "min", min, data, rank)) ||
      failed(verifyRangeOperand(op, "max", max, data, rank)))
    return failure();
  if (getElementTypeOrSelf(min.getType()) !=
      getElementTypeOrSelf(max.getType()))
    return op->emitOpError("expected min and max of one element type but got ")
           << min.getType() << " and " << max.getType();
  return success();
}

/// (C2) and (C4) of the ops with channels: the axis, and a length for each
/// range operand.
static LogicalResult verifyChannels(Operation *op, Value min, Value max,
                                    Value data, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(data.getType());
  if (!type)
    return success();
  int64_t rank = type.getRank();
  if (rank == 0)
    return op->emitOpError("expected inputs of rank 1 or more but got ")
           << type;
  if (axis < -rank || axis >= rank)
    return op->emitOpError("expected axis between ")
           << -rank << " and " << rank - 1 << " for inputs " << type
           << " but got " << axis;
  int64_t channels = type.getDimSize(axis < 0 ? axis + rank : axis);
  int64_t known = channels;
  for (auto [name, operand] :
       {std::pair<StringRef, Value>("min", min), {"max", max}}) {
    auto rangeType = dyn_cast<RankedTensorType>(operand.getType());
    if (!rangeType || rangeType.isDynamicDim(0))
      continue;
    int64_t length = rangeType.getDimSize(0);
    if (ShapedType::isStatic(channels) && length != channels)
      return op->emitOpError("expected ")
             << name << " of length " << channels
             << ", the size of the channel dimension of " << type
             << ", but got " << length;
    if (ShapedType::isStatic(known) && length != known)
      return op->emitOpError("expected min and max of one length but got ")
             << known << " and " << length;
    known = length;
  }
  return success();
}

/// (C5)
static LogicalResult verifyGradients(Operation *op, Value gradients,
                                     Value inputs) {
  if (getElementTypeOrSelf(gradients.getType()) !=
          getElementTypeOrSelf(inputs.getType()) ||
      failed(verifyCompatibleShape(gradients.getType(), inputs.getType())))
    return op->emitOpError("expected gradients of the shape and element type "
                           "of inputs, ")
           << inputs.getType() << ", but got " << gradients.getType();
  return success();
}

LogicalResult ArgsOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())))
    return failure();
  return verifyConstantRange(*this);
}

LogicalResult ArgsGradientOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())) ||
      failed(verifyGradients(*this, getGradients(), getInputs())))
    return failure();
  return verifyConstantRange(*this);
}

LogicalResult VarsOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())))
    return failure();
  return verifyRangeOperands(*this, getMin(), getMax(), getInputs(),
                             /*rank=*/0);
}

LogicalResult VarsGradientOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())) ||
      failed(verifyGradients(*this, getGradients(), getInputs())))
    return failure();
  return verifyRangeOperands(*this, getMin(), getMax(), getInputs(),
                             /*rank=*/0);
}

LogicalResult VarsPerChannelOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())) ||
      failed(verifyRangeOperands(*this, getMin(), getMax(), getInputs(),
                                 /*rank=*/1)))
    return failure();
  return verifyChannels(*this, getMin(), getMax(), getInputs(), getAxis());
}

LogicalResult VarsPerChannelGradientOp::verify() {
  if (failed(verifyNumBits(*this, getNumBits())) ||
      failed(verifyGradients(*this, getGradients(), getInputs())) ||
      failed(verifyRangeOperands(*this, getMin(), getMax(), getInputs(),
                                 /*rank=*/1)))
    return failure();
  // The gradients may know sizes that the inputs do not.
  if (failed(
          verifyChannels(*this, getMin(), getMax(), getGradients(), getAxis())))
    return failure();
  return verifyChannels(*this, getMin(), getMax(), getInputs(), getAxis());
}

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

LogicalResult ArgsOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInputs().getType());
  return success();
}

LogicalResult ArgsGradientOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location>,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getGradients().getType());
  return success();
}

LogicalResult VarsOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInputs().getType());
  return success();
}

LogicalResult VarsGradientOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location>,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  types.append({adaptor.getGradients().getType(), adaptor.getMin().getType(),
                adaptor.getMin().getType()});
  return success();
}

LogicalResult VarsPerChannelOp::inferReturnTypes(MLIRContext *,
                                                 std::optional<Location>,
                                                 Adaptor adaptor,
                                                 SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInputs().getType());
  return success();
}

LogicalResult VarsPerChannelGradientOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  types.append({adaptor.getGradients().getType(), adaptor.getMin().getType(),
                adaptor.getMin().getType()});
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//
//
// Each is right in every bit, with and without flushing of denormals:
// - An empty tensor has nothing to round, so it stands for itself, and sums
//   over nothing are +0 (the start of the contract's sum).
// - A range that is constant and +0 or -0 everywhere is the contract's zero
//   range: y is +0 for every x, dx is g itself and the sums are +0.
// No other constant is folded: the answer would have to know whether the
// program runs with denormals flushed.

static bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

/// Whether a range operand is a constant whose every value is +0 or -0.
static bool isZero(Attribute operand) {
  auto values = dyn_cast_or_null<DenseFPElementsAttr>(operand);
  return values &&
         llvm::all_of(values, [](const APFloat &v) { return v.isZero(); });
}

/// A constant +0 of `type`, or null where its shape is not known.
static Attribute getZero(Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType || !tensorType.hasStaticShape())
    return {};
  return DenseElementsAttr::get(
      tensorType, FloatAttr::get(tensorType.getElementType(), 0.0));
}

static OpFoldResult foldForward(Value inputs, Attribute min, Attribute max) {
  if (isEmpty(inputs))
    return inputs;
  if (isZero(min) && isZero(max))
    return getZero(inputs.getType());
  return {};
}

static LogicalResult foldGradient(Value gradients, Value inputs, Type sumType,
                                  Attribute min, Attribute max,
                                  SmallVectorImpl<OpFoldResult> &results) {
  // Dead sums could make do without a constant, but folding is all or nothing.
  Attribute zero = getZero(sumType);
  if (!zero)
    return failure();
  if (!isEmpty(gradients) && !isEmpty(inputs) && !(isZero(min) && isZero(max)))
    return failure();
  results.append({gradients, zero, zero});
  return success();
}

OpFoldResult ArgsOp::fold(FoldAdaptor) {
  return foldForward(getInputs(), /*min=*/{}, /*max=*/{});
}

OpFoldResult ArgsGradientOp::fold(FoldAdaptor) {
  return isEmpty(getGradients()) ? getGradients() : OpFoldResult();
}

OpFoldResult VarsOp::fold(FoldAdaptor adaptor) {
  return foldForward(getInputs(), adaptor.getMin(), adaptor.getMax());
}

LogicalResult VarsGradientOp::fold(FoldAdaptor adaptor,
                                   SmallVectorImpl<OpFoldResult> &results) {
  return foldGradient(getGradients(), getInputs(), getMin().getType(),
                      adaptor.getMin(), adaptor.getMax(), results);
}

OpFoldResult VarsPerChannelOp::fold(FoldAdaptor adaptor) {
  return foldForward(getInputs(), adaptor.getMin(), adaptor.getMax());
}

LogicalResult
VarsPerChannelGradientOp::fold(FoldAdaptor adaptor,
                               SmallVectorImpl<OpFoldResult> &results) {
  return foldGradient(getGradients(), getInputs(), getMin().getType(),
                      adaptor.getMin(), adaptor.getMax(), results);
}
