//===- TensorSignature.h ----------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the operands and results of a lowered function were as tensors: the
// attributes that lowering leaves on it, and the checks they allow.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_EXECUTION_TENSORSIGNATURE_H
#define FAKEQUANT_EXECUTION_TENSORSIGNATURE_H

#include "fakequant/Execution/HostTensor.h"

#include "mlir/IR/Operation.h"

namespace mlir::fakequant {

/// The tensor signature of a function, read from discardable attributes:
///
///   tensor_signature = (tensor<?x3xf32>, tensor<?xf32>) -> tensor<?x3xf32>
///   result_dims      = [array<i64: 0, 0, -1, -1>]
///   equal_dims       = array<i64: 1, 0, -1, 3>
///
/// `result_dims` has an array a result with two numbers a dimension: the
/// operand and its dimension whose size this one equals at run time, or -1, -1
/// where the size is static. `equal_dims`, which may be absent, has the sizes
/// that a caller must make equal, four numbers each: an operand and its
/// dimension, and another operand and its dimension, or -1 and a number.
class TensorSignature {
public:
  static constexpr llvm::StringLiteral kSignatureAttr = "tensor_signature";
  static constexpr llvm::StringLiteral kResultDimsAttr = "result_dims";
  static constexpr llvm::StringLiteral kEqualDimsAttr = "equal_dims";

  /// A dimension of an operand.
  struct DimRef {
    int64_t operand;
    int64_t dim;
  };

  /// An operand or a result. Of a result, `sizeFrom` has an entry a dimension.
  struct Tensor {
    DType dtype;
    llvm::SmallVector<int64_t, 4> shape;
    llvm::SmallVector<std::optional<DimRef>, 4> sizeFrom;
  };

  /// The size of `dim` has to equal that of `other`, or `size` without it.
  struct EqualSize {
    DimRef dim;
    std::optional<DimRef> other;
    int64_t size;
  };

  /// Reads the attributes of `function`. Fails where they are absent or make no
  /// sense, naming the function.
  static llvm::Expected<TensorSignature> get(Operation *function);

  llvm::ArrayRef<Tensor> getOperands() const { return operands; }
  llvm::ArrayRef<Tensor> getResults() const { return results; }

  /// Checks inputs against the operands: their number, and of each the element
  /// type, the rank, the static sizes and the sizes that equal another
  /// operand's. `names` are what messages call the inputs (file names), one an
  /// input.
  llvm::Error checkInputs(llvm::ArrayRef<HostTensor> inputs,
                          llvm::ArrayRef<std::string> names) const;

  /// The shapes of the results for inputs that passed checkInputs.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>>
  computeResultShapes(llvm::ArrayRef<HostTensor> inputs) const;

private:
  llvm::SmallVector<Tensor> operands;
  llvm::SmallVector<Tensor> results;
  llvm::SmallVector<EqualSize> equalSizes;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_EXECUTION_TENSORSIGNATURE_H
