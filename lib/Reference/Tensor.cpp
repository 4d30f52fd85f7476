//===- Tensor.cpp - Host arrays -------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Reference/Reference.h"

#include "Storage.h"

#include <limits>
#include <utility>

namespace mlir::fakequant::reference {

unsigned getByteWidth(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::F32:
    return 4;
  case ElementType::F64:
    return 8;
  }
  return 0;
}

const char *getName(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  return "unknown";
}

Tensor Tensor::fromValues(ElementType type, std::vector<int64_t> shape,
                          const std::vector<double> &values) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  tensor.data.resize(values.size() * getByteWidth(type));
  std::byte *data = tensor.data.data();
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t index = static_cast<int64_t>(i);
    switch (type) {
    case ElementType::F16:
      PlainStorage<uint16_t>::store(data, index, doubleToF16(values[i]));
      break;
    case ElementType::BF16:
      PlainStorage<uint16_t>::store(data, index, doubleToBF16(values[i]));
      break;
    case ElementType::F32:
      F32Storage::store(data, index, doubleToFloat(values[i]));
      break;
    case ElementType::F64:
      F64Storage::store(data, index, values[i]);
      break;
    }
  }
  return tensor;
}

int64_t Tensor::getNumStored() const {
  unsigned width = getByteWidth(type);
  return width ? static_cast<int64_t>(data.size() / width) : 0;
}

double Tensor::getValue(int64_t index) const {
  if (index >= 0 && index < getNumStored()) {
    switch (type) {
    case ElementType::F16:
      return floatToDouble(F16Storage::load(data.data(), index));
    case ElementType::BF16:
      return floatToDouble(BF16Storage::load(data.data(), index));
    case ElementType::F32:
      return floatToDouble(F32Storage::load(data.data(), index));
    case ElementType::F64:
      return F64Storage::load(data.data(), index);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Tensor::getValues() const {
  std::vector<double> values(static_cast<size_t>(getNumStored()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = getValue(static_cast<int64_t>(i));
  return values;
}

} // namespace mlir::fakequant::reference
