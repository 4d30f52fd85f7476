//===- TensorSignature.cpp ------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading a function's tensor signature and checking inputs against it.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/TensorSignature.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fakequant;

using Tensor = TensorSignature::Tensor;
using DimRef = TensorSignature::DimRef;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

static llvm::Error readTypes(TypeRange types, llvm::StringRef role,
                             llvm::SmallVectorImpl<Tensor> &tensors) {
  for (auto [index, type] : llvm::enumerate(types)) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    std::optional<DType> dtype =
        ranked ? getDType(ranked.getElementType()) : std::nullopt;
    if (!dtype)
      return llvm::createStringError(
          "expected ranked tensors of floats (f16, bf16, f32, f64) or integers "
          "(i1, i8, i16, i32, i64) but " +
          role + " " + llvm::Twine(index) + " is " + print(type));
    Tensor tensor;
    tensor.dtype = *dtype;
    tensor.shape.assign(ranked.getShape().begin(), ranked.getShape().end());
    tensor.sizeFrom.resize(tensor.shape.size());
    tensors.push_back(std::move(tensor));
  }
  return llvm::Error::success();
}

static bool isDim(DimRef ref, llvm::ArrayRef<Tensor> operands) {
  return ref.operand >= 0 && ref.operand < int64_t(operands.size()) &&
         ref.dim >= 0 && ref.dim < int64_t(operands[ref.operand].shape.size());
}

static llvm::Error noSuchDim(DimRef ref, llvm::StringRef name) {
  return llvm::createStringError(
      "expected a dimension of an operand in '" + name + "' but got (" +
      llvm::Twine(ref.operand) + ", " + llvm::Twine(ref.dim) + ")");
}

static llvm::Error readResultDims(ArrayAttr attr,
                                  llvm::ArrayRef<Tensor> operands,
                                  llvm::MutableArrayRef<Tensor> results) {
  llvm::StringRef name = TensorSignature::kResultDimsAttr;
  if (attr.size() != results.size())
    return llvm::createStringError("expected " + llvm::Twine(results.size()) +
                                   " arrays in '" + name + "' but got " +
                                   llvm::Twine(attr.size()));
  for (auto [index, element, result] : llvm::enumerate(attr, results)) {
    auto pairs = dyn_cast<DenseI64ArrayAttr>(element);
    int64_t wanted = 2 * result.shape.size();
    if (!pairs || pairs.size() != wanted)
      return llvm::createStringError(
          "expected array<i64> with " + llvm::Twine(wanted) +
          " numbers as element " + llvm::Twine(index) + " of '" + name +
          "' but got " +
          (pairs ? std::to_string(pairs.size()) : "another type"));
    for (size_t dim = 0; dim < result.shape.size(); ++dim) {
      DimRef ref{pairs[2 * dim], pairs[2 * dim + 1]};
      if (ref.operand == -1 && ref.dim == -1)
        continue;
      if (ref.operand == -1 && ref.dim >= 0) {
        // The size is static, though the result's type does not say so.
        result.shape[dim] = ref.dim;
        continue;
      }
      if (!isDim(ref, operands))
        return noSuchDim(ref, name);
      result.sizeFrom[dim] = ref;
    }
  }
  return llvm::Error::success();
}

static llvm::Error
readEqualDims(Attribute attr, llvm::ArrayRef<Tensor> operands,
              llvm::SmallVectorImpl<TensorSignature::EqualSize> &equalSizes) {
  llvm::StringRef name = TensorSignature::kEqualDimsAttr;
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr);
  if (!numbers || numbers.size() % 4 != 0)
    return llvm::createStringError(
        "expected array<i64> with four numbers an equality as '" + name +
        "' but got " +
        (numbers ? std::to_string(numbers.size()) : "another type"));
  for (int64_t i = 0; i < numbers.size(); i += 4) {
    TensorSignature::EqualSize equal;
    equal.dim = {numbers[i], numbers[i + 1]};
    if (!isDim(equal.dim, operands))
      return noSuchDim(equal.dim, name);
    equal.size = numbers[i + 3];
    if (numbers[i + 2] != -1) {
      equal.other = DimRef{numbers[i + 2], numbers[i + 3]};
      if (!isDim(*equal.other, operands))
        return noSuchDim(*equal.other, name);
    }
    equalSizes.push_back(equal);
  }
  return llvm::Error::success();
}

static llvm::Error
readAttributes(Operation *function, llvm::SmallVectorImpl<Tensor> &operands,
               llvm::SmallVectorImpl<Tensor> &results,
               llvm::SmallVectorImpl<TensorSignature::EqualSize> &equalSizes) {
  auto signature =
      function->getAttrOfType<TypeAttr>(TensorSignature::kSignatureAttr);
  auto type =
      signature ? dyn_cast<FunctionType>(signature.getValue()) : FunctionType();
  if (!type)
    return llvm::createStringError(
        "expected the attribute '" +
        llvm::Twine(TensorSignature::kSignatureAttr) +
        "' with a function type, which lowering from tensors records, but got "
        "none");
  if (llvm::Error error = readTypes(type.getInputs(), "operand", operands))
    return error;
  if (llvm::Error error = readTypes(type.getResults(), "result", results))
    return error;

  if (auto attr =
          function->getAttrOfType<ArrayAttr>(TensorSignature::kResultDimsAttr))
    if (llvm::Error error = readResultDims(attr, operands, results))
      return error;
  if (Attribute attr = function->getAttr(TensorSignature::kEqualDimsAttr))
    if (llvm::Error error = readEqualDims(attr, operands, equalSizes))
      return error;

  for (auto [index, result] : llvm::enumerate(results))
    for (auto [dim, size] : llvm::enumerate(result.shape))
      if (ShapedType::isDynamic(size) && !result.sizeFrom[dim])
        return llvm::createStringError(
            "expected the attribute '" +
            llvm::Twine(TensorSignature::kResultDimsAttr) +
            "' to tell the size of dimension " + llvm::Twine(dim) +
            " of result " + llvm::Twine(index) +
            " but it is not a size of an operand");
  return llvm::Error::success();
}

llvm::Expected<TensorSignature> TensorSignature::get(Operation *function) {
  TensorSignature signature;
  if (llvm::Error error =
          readAttributes(function, signature.operands, signature.results,
                         signature.equalSizes)) {
    auto name =
        function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return llvm::createStringError(
        "function '" + (name ? name.getValue() : llvm::StringRef("?")) +
        "': " + llvm::toString(std::move(error)));
  }
  return std::move(signature);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static bool matches(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> expected) {
  return shape.size() == expected.size() &&
         llvm::all_of_zip(shape, expected, [](int64_t size, int64_t wanted) {
           return ShapedType::isDynamic(wanted) || size == wanted;
         });
}

llvm::Error
TensorSignature::checkInputs(llvm::ArrayRef<HostTensor> inputs,
                             llvm::ArrayRef<std::string> names) const {
  if (inputs.size() != operands.size())
    return llvm::createStringError("expected " + llvm::Twine(operands.size()) +
                                   " inputs but got " +
                                   llvm::Twine(inputs.size()));
  auto label = [&](size_t index) {
    return "input " + std::to_string(index) + " ('" + names[index] + "')";
  };
  for (auto [index, input, operand] : llvm::enumerate(inputs, operands))
    if (input.getDType() != operand.dtype ||
        !matches(input.getShape(), operand.shape))
      return llvm::createStringError(
          label(index) + ": expected " +
          formatTensorType(operand.dtype, operand.shape) + " but got " +
          formatTensorType(input.getDType(), input.getShape()));

  for (const EqualSize &equal : equalSizes) {
    // What is said of two inputs is an error of the one that comes later.
    DimRef dim = equal.dim;
    std::optional<DimRef> other = equal.other;
    if (other && other->operand > dim.operand)
      std::swap(dim, *other);
    int64_t size = inputs[dim.operand].getShape()[dim.dim];
    int64_t expected =
        other ? inputs[other->operand].getShape()[other->dim] : equal.size;
    if (size == expected)
      continue;
    std::string reason;
    if (other)
      reason = ", as in dimension " + std::to_string(other->dim) + " of " +
               label(other->operand);
    return llvm::createStringError(label(dim.operand) + ": expected size " +
                                   llvm::Twine(expected) + " in dimension " +
                                   llvm::Twine(dim.dim) + reason +
                                   ", but got " + llvm::Twine(size));
  }
  return llvm::Error::success();
}

llvm::SmallVector<llvm::SmallVector<int64_t, 4>>
TensorSignature::computeResultShapes(llvm::ArrayRef<HostTensor> inputs) const {
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>> shapes;
  for (const Tensor &result : results) {
    llvm::SmallVector<int64_t, 4> &shape = shapes.emplace_back(result.shape);
    for (auto [size, ref] : llvm::zip_equal(shape, result.sizeFrom))
      if (ShapedType::isDynamic(size))
        size = inputs[ref->operand].getShape()[ref->dim];
  }
  return shapes;
}
