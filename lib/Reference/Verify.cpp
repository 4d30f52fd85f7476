//===- Verify.cpp - What the ops accept -----------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include <cmath>
#include <cstring>

using namespace mlir::fakequant::reference;

static std::string print(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// The product of `extents`, none of them negative; false where it leaves
/// int64_t. A zero among them makes the product 0 whatever the others are.
static bool multiply(const std::vector<int64_t> &extents, int64_t &product) {
  product = 1;
  for (int64_t extent : extents)
    if (extent == 0) {
      product = 0;
      return true;
    }
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(product, extent, &product))
      return false;
  return true;
}

static bool verifyStorage(const char *name, const Tensor &tensor,
                          std::string &error) {
  unsigned width = getByteWidth(tensor.type);
  if (width == 0) {
    error = std::string(name) +
            ": expected an element type f16, bf16, f32 or f64 but got none of "
            "them";
    return false;
  }
  for (int64_t extent : tensor.shape)
    if (extent < 0) {
      error = std::string(name) + ": expected non-negative extents but got " +
              print(tensor.shape);
      return false;
    }
  int64_t bytes;
  std::vector<int64_t> extents = tensor.shape;
  extents.push_back(width);
  if (!multiply(extents, bytes) ||
      static_cast<uint64_t>(bytes) != tensor.data.size()) {
    error = std::string(name) + ": expected the elements of " +
            print(tensor.shape) + " in " + getName(tensor.type) + " but got " +
            std::to_string(tensor.data.size()) + " bytes";
    return false;
  }
  return true;
}

static bool verifyRange(const char *name, const Tensor &range,
                        ElementType dataType, const std::vector<int64_t> &shape,
                        std::string &error) {
  bool isHalf = dataType == ElementType::F16 || dataType == ElementType::BF16;
  bool isWider = isHalf && range.type == ElementType::F32;
  if (range.type != dataType && !isWider) {
    error = std::string(name) + ": expected element type " + getName(dataType) +
            (isHalf ? " or f32" : "") + " but got " + getName(range.type);
    return false;
  }
  if (range.shape != shape) {
    error = std::string(name) + ": expected shape " + print(shape) +
            " but got " + print(range.shape);
    return false;
  }
  return true;
}

/// A key that orders finite doubles as their values do, denormals included,
/// whatever the floating point environment.
static int64_t getOrderKey(double value) {
  int64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits < 0 ? -(bits & INT64_MAX) : bits;
}

/// The range of the args ops, as it is in the compute type.
static bool verifyArgs(const Attributes &attributes, ElementType dataType,
                       std::string &error) {
  double min = attributes.min, max = attributes.max;
  if (dataType != ElementType::F64) {
    min = floatToDouble(doubleToFloat(min));
    max = floatToDouble(doubleToFloat(max));
  }
  if (std::isfinite(min) && std::isfinite(max) &&
      getOrderKey(min) < getOrderKey(max))
    return true;
  error = "expected finite min < max in the compute type but got min " +
          std::to_string(attributes.min) + " and max " +
          std::to_string(attributes.max);
  return false;
}

/// The dimensions before and after the channel's, multiplied up.
static bool splitShape(const std::vector<int64_t> &extents, int64_t axis,
                       SumShape &shape, std::string &error) {
  int64_t rank = static_cast<int64_t>(extents.size());
  if (rank == 0) {
    error = "expected inputs of rank 1 or more but got rank 0";
    return false;
  }
  if (axis < -rank || axis >= rank) {
    error = "expected axis in [" + std::to_string(-rank) + ", " +
            std::to_string(rank) + ") but got " + std::to_string(axis);
    return false;
  }
  auto channel = extents.begin() + (axis < 0 ? axis + rank : axis);
  shape.channels = *channel;
  // The whole product fits, so a part of it fits or has a zero beside it, and
  // then there are no elements.
  if (!multiply({extents.begin(), channel}, shape.outer))
    shape.outer = 0;
  if (!multiply({channel + 1, extents.end()}, shape.inner))
    shape.inner = 0;
  return true;
}

namespace mlir::fakequant::reference {

OpTraits getTraits(Op op) {
  switch (op) {
  case Op::Args:
    return {true, false, false, false};
  case Op::ArgsGradient:
    return {true, true, false, false};
  case Op::Vars:
    return {true, false, true, false};
  case Op::VarsGradient:
    return {true, true, true, false};
  case Op::VarsPerChannel:
    return {true, false, true, true};
  case Op::VarsPerChannelGradient:
    return {true, true, true, true};
  }
  return {false, false, false, false};
}

bool verify(Op op, const Attributes &attributes,
            const std::vector<Tensor> &operands, SumShape &shape,
            std::string &error) {
  OpTraits traits = getTraits(op);
  if (!traits.isKnown) {
    error = "expected one of the six ops but got another value";
    return false;
  }
  size_t inputs = traits.isGradient ? 1 : 0;
  size_t expected = inputs + 1 + (traits.hasRangeOperands ? 2 : 0);
  if (operands.size() != expected) {
    error = "expected " + std::to_string(expected) + " operands but got " +
            std::to_string(operands.size());
    return false;
  }
  const char *const names[] = {"gradients", "inputs", "min", "max"};
  for (size_t i = 0; i < operands.size(); ++i)
    if (!verifyStorage(names[i + 1 - inputs], operands[i], error))
      return false;
  if (attributes.numBits < 2 || attributes.numBits > 16) {
    error = "expected num_bits in [2, 16] but got " +
            std::to_string(attributes.numBits);
    return false;
  }

  const Tensor &data = operands[inputs];
  if (traits.isGradient && operands[0].type != data.type) {
    error = std::string("gradients: expected the inputs' element type ") +
            getName(data.type) + " but got " + getName(operands[0].type);
    return false;
  }
  if (traits.isGradient && operands[0].shape != data.shape) {
    error = "gradients: expected the inputs' shape " + print(data.shape) +
            " but got " + print(operands[0].shape);
    return false;
  }

  shape = {data.getNumStored(), 1, 1};
  if (traits.isPerChannel &&
      !splitShape(data.shape, attributes.axis, shape, error))
    return false;
  if (!traits.hasRangeOperands)
    return verifyArgs(attributes, data.type, error);

  std::vector<int64_t> rangeShape;
  if (traits.isPerChannel)
    rangeShape.push_back(shape.channels);
  const Tensor &min = operands[inputs + 1], &max = operands[inputs + 2];
  if (!verifyRange("min", min, data.type, rangeShape, error) ||
      !verifyRange("max", max, data.type, rangeShape, error))
    return false;
  if (min.type != max.type) {
    error = std::string("max: expected min's element type ") +
            getName(min.type) + " but got " + getName(max.type);
    return false;
  }
  return true;
}

} // namespace mlir::fakequant::reference
