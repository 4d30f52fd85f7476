//===- FakeQuantOpInterface.cpp - What each op tells a lowering -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface's methods of the six ops. They choose; the arithmetic itself
// stands in NudgedRange.cpp.
//
//===----------------------------------------------------------------------===//

#include "NudgedRange.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fakequant;

//===----------------------------------------------------------------------===//
// Shared answers
//===----------------------------------------------------------------------===//

static FloatType computeTypeOf(Value data) {
  if (getElementTypeOrSelf(data.getType()).isF64())
    return Float64Type::get(data.getContext());
  return Float32Type::get(data.getContext());
}

template <typename OpTy> static Levels levelsOf(OpTy op) {
  return {static_cast<int64_t>(op.getNumBits()), op.getNarrowRange()};
}

static SmallVector<APFloat> constantRange(FloatType type, const APFloat &min,
                                          const APFloat &max) {
  SmallVector<APFloat> range{min, max};
  bool losesInfo;
  for (APFloat &limit : range)
    limit.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return range;
}

static int64_t normalizedAxis(Value data, int64_t axis) {
  int64_t rank = cast<RankedTensorType>(data.getType()).getRank();
  return axis < 0 ? axis + rank : axis;
}

static ResultDescriptor elementwise() {
  return {ResultKind::Elementwise, FloatType()};
}

/// dx and two sums, accumulated in f64 whatever the data.
static SmallVector<ResultDescriptor> gradientResults(MLIRContext *context) {
  ResultDescriptor sum{ResultKind::Sum, Float64Type::get(context)};
  return {elementwise(), sum, sum};
}

//===----------------------------------------------------------------------===//
// Constant range
//===----------------------------------------------------------------------===//

SmallVector<Value> ArgsOp::getElementOperands() { return {getInputs()}; }
std::optional<int64_t> ArgsOp::getChannelAxis() { return std::nullopt; }
SmallVector<Value> ArgsOp::getRangeOperands() { return {}; }
SmallVector<APFloat> ArgsOp::getRangeConstants() {
  return constantRange(getComputeType(), getMin(), getMax());
}
FloatType ArgsOp::getComputeType() { return computeTypeOf(getInputs()); }
SmallVector<ResultDescriptor> ArgsOp::getResultDescriptors() {
  return {elementwise()};
}
unsigned ArgsOp::getNumParameters() {
  return getNumForwardParameters(ZeroRange::Impossible);
}
SmallVector<Value> ArgsOp::emitParameters(OpBuilder &builder, Location loc,
                                          ValueRange range) {
  return emitForwardParameters(builder, loc, range[0], range[1],
                               levelsOf(*this), StepDivision::MultiplyByInverse,
                               ZeroRange::Impossible);
}
SmallVector<Value> ArgsOp::emitElement(OpBuilder &builder, Location loc,
                                       ValueRange operands,
                                       ValueRange parameters) {
  return {emitForwardElement(builder, loc, operands[0], parameters,
                             StepDivision::MultiplyByInverse,
                             ZeroRange::Impossible)};
}

SmallVector<Value> ArgsGradientOp::getElementOperands() {
  return {getGradients(), getInputs()};
}
std::optional<int64_t> ArgsGradientOp::getChannelAxis() { return std::nullopt; }
SmallVector<Value> ArgsGradientOp::getRangeOperands() { return {}; }
SmallVector<APFloat> ArgsGradientOp::getRangeConstants() {
  return constantRange(getComputeType(), getMin(), getMax());
}
FloatType ArgsGradientOp::getComputeType() {
  return computeTypeOf(getInputs());
}
SmallVector<ResultDescriptor> ArgsGradientOp::getResultDescriptors() {
  return {elementwise()};
}
unsigned ArgsGradientOp::getNumParameters() {
  return getNumGradientParameters(ZeroRange::Impossible);
}
SmallVector<Value> ArgsGradientOp::emitParameters(OpBuilder &builder,
                                                  Location loc,
                                                  ValueRange range) {
  return emitGradientParameters(builder, loc, range[0], range[1],
                                levelsOf(*this), ZeroRange::Impossible);
}
SmallVector<Value> ArgsGradientOp::emitElement(OpBuilder &builder, Location loc,
                                               ValueRange operands,
                                               ValueRange parameters) {
  return emitGradientElement(builder, loc, operands[0], operands[1], parameters,
                             ZeroRange::Impossible, /*withSums=*/false);
}

//===----------------------------------------------------------------------===//
// One range for the tensor
//===----------------------------------------------------------------------===//

SmallVector<Value> VarsOp::getElementOperands() { return {getInputs()}; }
std::optional<int64_t> VarsOp::getChannelAxis() { return std::nullopt; }
SmallVector<Value> VarsOp::getRangeOperands() { return {getMin(), getMax()}; }
SmallVector<APFloat> VarsOp::getRangeConstants() { return {}; }
FloatType VarsOp::getComputeType() { return computeTypeOf(getInputs()); }
SmallVector<ResultDescriptor> VarsOp::getResultDescriptors() {
  return {elementwise()};
}
unsigned VarsOp::getNumParameters() {
  return getNumForwardParameters(ZeroRange::PassThrough);
}
SmallVector<Value> VarsOp::emitParameters(OpBuilder &builder, Location loc,
                                          ValueRange range) {
  return emitForwardParameters(builder, loc, range[0], range[1],
                               levelsOf(*this), StepDivision::Divide,
                               ZeroRange::PassThrough);
}
SmallVector<Value> VarsOp::emitElement(OpBuilder &builder, Location loc,
                                       ValueRange operands,
                                       ValueRange parameters) {
  return {emitForwardElement(builder, loc, operands[0], parameters,
                             StepDivision::Divide, ZeroRange::PassThrough)};
}

SmallVector<Value> VarsGradientOp::getElementOperands() {
  return {getGradients(), getInputs()};
}
std::optional<int64_t> VarsGradientOp::getChannelAxis() { return std::nullopt; }
SmallVector<Value> VarsGradientOp::getRangeOperands() {
  return {getMin(), getMax()};
}
SmallVector<APFloat> VarsGradientOp::getRangeConstants() { return {}; }
FloatType VarsGradientOp::getComputeType() {
  return computeTypeOf(getInputs());
}
SmallVector<ResultDescriptor> VarsGradientOp::getResultDescriptors() {
  return gradientResults(getContext());
}
unsigned VarsGradientOp::getNumParameters() {
  return getNumGradientParameters(ZeroRange::PassThrough);
}
SmallVector<Value> VarsGradientOp::emitParameters(OpBuilder &builder,
                                                  Location loc,
                                                  ValueRange range) {
  return emitGradientParameters(builder, loc, range[0], range[1],
                                levelsOf(*this), ZeroRange::PassThrough);
}
SmallVector<Value> VarsGradientOp::emitElement(OpBuilder &builder, Location loc,
                                               ValueRange operands,
                                               ValueRange parameters) {
  return emitGradientElement(builder, loc, operands[0], operands[1], parameters,
                             ZeroRange::PassThrough, /*withSums=*/true);
}

//===----------------------------------------------------------------------===//
// A range for each channel
//===----------------------------------------------------------------------===//

SmallVector<Value> VarsPerChannelOp::getElementOperands() {
  return {getInputs()};
}
std::optional<int64_t> VarsPerChannelOp::getChannelAxis() {
  return normalizedAxis(getInputs(), getAxis());
}
SmallVector<Value> VarsPerChannelOp::getRangeOperands() {
  return {getMin(), getMax()};
}
SmallVector<APFloat> VarsPerChannelOp::getRangeConstants() { return {}; }
FloatType VarsPerChannelOp::getComputeType() {
  return computeTypeOf(getInputs());
}
SmallVector<ResultDescriptor> VarsPerChannelOp::getResultDescriptors() {
  return {elementwise()};
}
unsigned VarsPerChannelOp::getNumParameters() {
  return getNumForwardParameters(ZeroRange::PassThrough);
}
SmallVector<Value> VarsPerChannelOp::emitParameters(OpBuilder &builder,
                                                    Location loc,
                                                    ValueRange range) {
  return emitForwardParameters(builder, loc, range[0], range[1],
                               levelsOf(*this), StepDivision::MultiplyByInverse,
                               ZeroRange::PassThrough);
}
SmallVector<Value> VarsPerChannelOp::emitElement(OpBuilder &builder,
                                                 Location loc,
                                                 ValueRange operands,
                                                 ValueRange parameters) {
  return {emitForwardElement(builder, loc, operands[0], parameters,
                             StepDivision::MultiplyByInverse,
                             ZeroRange::PassThrough)};
}

SmallVector<Value> VarsPerChannelGradientOp::getElementOperands() {
  return {getGradients(), getInputs()};
}
std::optional<int64_t> VarsPerChannelGradientOp::getChannelAxis() {
  return normalizedAxis(getInputs(), getAxis());
}
SmallVector<Value> VarsPerChannelGradientOp::getRangeOperands() {
  return {getMin(), getMax()};
}
SmallVector<APFloat> VarsPerChannelGradientOp::getRangeConstants() {
  return {};
}
FloatType VarsPerChannelGradientOp::getComputeType() {
  return computeTypeOf(getInputs());
}
SmallVector<ResultDescriptor> VarsPerChannelGradientOp::getResultDescriptors() {
  return gradientResults(getContext());
}
unsigned VarsPerChannelGradientOp::getNumParameters() {
  return getNumGradientParameters(ZeroRange::PassThrough);
}
SmallVector<Value> VarsPerChannelGradientOp::emitParameters(OpBuilder &builder,
                                                            Location loc,
                                                            ValueRange range) {
  return emitGradientParameters(builder, loc, range[0], range[1],
                                levelsOf(*this), ZeroRange::PassThrough);
}
SmallVector<Value>
VarsPerChannelGradientOp::emitElement(OpBuilder &builder, Location loc,
                                      ValueRange operands,
                                      ValueRange parameters) {
  return emitGradientElement(builder, loc, operands[0], operands[1], parameters,
                             ZeroRange::PassThrough, /*withSums=*/true);
}
