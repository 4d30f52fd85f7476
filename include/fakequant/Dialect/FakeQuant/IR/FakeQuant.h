//===- FakeQuant.h - The fakequant dialect ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one include for users of the dialect: ops, interface, dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_DIALECT_FAKEQUANT_IR_FAKEQUANT_H
#define FAKEQUANT_DIALECT_FAKEQUANT_IR_FAKEQUANT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::fakequant {

/// The version of the dialect that bytecode records, `major.minor`. A change
/// that an older reader cannot understand raises `kVersionMajor`.
inline constexpr uint64_t kVersionMajor = 1;
inline constexpr uint64_t kVersionMinor = 0;

/// What a result of an op is made of.
enum class ResultKind {
  /// One value for each element.
  Elementwise,
  /// One sum for each channel (or one for the tensor) over all its elements.
  Sum,
};

/// Describes one result of an op to a lowering.
struct ResultDescriptor {
  ResultKind kind;
  /// The type a `Sum` is accumulated in before its only rounding; null for
  /// `Elementwise`.
  FloatType accumulatorType;
};

} // namespace mlir::fakequant

#include "fakequant/Dialect/FakeQuant/IR/FakeQuantDialect.h.inc"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuantInterfaces.h.inc"

#define GET_OP_CLASSES
#include "fakequant/Dialect/FakeQuant/IR/FakeQuantOps.h.inc"

#endif // FAKEQUANT_DIALECT_FAKEQUANT_IR_FAKEQUANT_H
