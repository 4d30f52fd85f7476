//===- NudgedRange.h - The TensorFlow family's arithmetic -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the arithmetic that the ops with a `min` and a `max` share, exactly as
// the dialect's description states it. Everything is emitted on scalars of one
// float type, without fast-math flags.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_DIALECT_FAKEQUANT_IR_NUDGEDRANGE_H
#define FAKEQUANT_LIB_DIALECT_FAKEQUANT_IR_NUDGEDRANGE_H

#include "mlir/IR/Builders.h"

namespace mlir::fakequant {

/// The levels of an op: `[narrowRange ? 1 : 0, 2^numBits - 1]`.
struct Levels {
  int64_t numBits;
  bool narrowRange;
};

/// How a forward op divides by the step.
enum class StepDivision {
  /// `(c - nudged_min) * inv`
  MultiplyByInverse,
  /// `(c - nudged_min) / scale`
  Divide,
};

/// Whether `min == max == 0` means "quantize nothing". It does where the range
/// is trained, and cannot occur where it is constant.
enum class ZeroRange { Impossible, PassThrough };

/// The number of values that `emitForwardParameters` returns.
unsigned getNumForwardParameters(ZeroRange zeroRange);

/// The parameters of a forward op: nudged_min, nudged_max, the step or its
/// inverse (as `division` says), q0, scale, and 1 or 0 for a zero range.
SmallVector<Value> emitForwardParameters(OpBuilder &builder, Location loc,
                                         Value min, Value max, Levels levels,
                                         StepDivision division,
                                         ZeroRange zeroRange);

/// The quantized value of `x`.
Value emitForwardElement(OpBuilder &builder, Location loc, Value x,
                         ValueRange parameters, StepDivision division,
                         ZeroRange zeroRange);

/// The number of values that `emitGradientParameters` returns.
unsigned getNumGradientParameters(ZeroRange zeroRange);

/// The parameters of a gradient op: nudged_min, nudged_max, and 1 or 0 for a
/// zero range.
SmallVector<Value> emitGradientParameters(OpBuilder &builder, Location loc,
                                          Value min, Value max, Levels levels,
                                          ZeroRange zeroRange);

/// What an element with gradient `g` and value `x` gives: dx alone, or dx and
/// the addends of dmin and dmax.
SmallVector<Value> emitGradientElement(OpBuilder &builder, Location loc,
                                       Value g, Value x, ValueRange parameters,
                                       ZeroRange zeroRange, bool withSums);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_DIALECT_FAKEQUANT_IR_NUDGEDRANGE_H
