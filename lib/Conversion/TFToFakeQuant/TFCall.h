//===- TFCall.h - A TensorFlow op, read and understood ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_TFCALL_H
#define FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_TFCALL_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace mlir::fakequant {

enum class RangeKind { Attributes, Scalars, Channels };

/// An op of TensorFlow and the op that stands for it.
struct Counterpart {
  StringLiteral tfName;
  bool isGradient;
  RangeKind range;
  Operation *(*create)(OpBuilder &, Location, ValueRange,
                       ArrayRef<NamedAttribute>);

  unsigned getNumData() const { return isGradient ? 2 : 1; }
  unsigned getNumRange() const {
    return range == RangeKind::Attributes ? 0 : 2;
  }
  unsigned getNumOperands() const { return getNumData() + getNumRange(); }
  unsigned getNumResults() const { return isGradient ? 1 + getNumRange() : 1; }
};

/// The six ops.
ArrayRef<Counterpart> getCounterparts();

/// What stands for an op, or null where it is none of the six.
const Counterpart *findCounterpart(Operation *op);

/// An attribute by name, among the properties of an op or in its dictionary:
/// exporters write either.
Attribute lookUp(Operation *op, StringRef name);

/// A TensorFlow op, understood.
struct Call {
  const Counterpart *counterpart;
  /// The type that each operand is cast to.
  SmallVector<Type> operandTypes;
  NamedAttrList attributes;

  /// The type that the new op's result has before it is cast.
  Type getResultType(unsigned index) const {
    return operandTypes[index == 0 ? 0 : counterpart->getNumData()];
  }
};

/// Reads an op that has a counterpart, or says why that is not possible, as
/// "expected … but got …". Types are left to the new op's verifier.
FailureOr<Call> readCall(Operation *op, std::string &why);

/// Says which of an op's result types is not what it computes, if one is.
LogicalResult checkResultTypes(Operation *op, const Call &call,
                               std::string &why);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CONVERSION_TFTOFAKEQUANT_TFCALL_H
