//===- ShapeReification.h - Result shapes as ops ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_DIALECT_FAKEQUANT_TRANSFORMS_SHAPEREIFICATION_H
#define FAKEQUANT_DIALECT_FAKEQUANT_TRANSFORMS_SHAPEREIFICATION_H

namespace mlir {
class DialectRegistry;

namespace fakequant {

/// Makes the ops implement `ReifyRankedShapedTypeOpInterface`: the sizes of a
/// result are those of the operand that it is shaped after. An external model,
/// since `tensor.dim` is nothing the dialect itself depends on.
void registerShapeReificationExternalModels(DialectRegistry &registry);

} // namespace fakequant
} // namespace mlir

#endif // FAKEQUANT_DIALECT_FAKEQUANT_TRANSFORMS_SHAPEREIFICATION_H
