//===- ValueOrigins.h - Where values come from and go to -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_VALUEORIGINS_H
#define FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_VALUEORIGINS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::fakequant {

inline constexpr StringLiteral kIdentityName = "tf.Identity";
inline constexpr StringLiteral kConstName = "tf.Const";

/// Whether `tensor.cast` may stand between the types.
bool isCastable(Type from, Type to);

/// Whether an op has no regions and no successors.
bool isBare(Operation *op);

/// Whether an op is a `tf.Identity` that a `tensor.cast` can stand for.
bool isPlainIdentity(Operation *op);

/// The floats that a `tf.Const` holds, or null.
TypedAttr getConstValue(Operation *op);

/// Whether a value comes from a fake-quantization op, of TensorFlow or of the
/// dialect, through identities and casts only.
bool followsFakeQuant(Value value);

/// Whether a value goes to one, through identities and casts only.
bool feedsFakeQuant(Value value);

/// What two types know together, or null where they contradict each other.
TensorType merge(TensorType a, TensorType b);

/// What is known of a tensor: its type, and what the ops that it comes from
/// knew before identities, casts and result types forgot a part of it.
TensorType getKnownType(Value value);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_VALUEORIGINS_H
