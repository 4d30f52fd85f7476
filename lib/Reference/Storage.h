//===- Storage.h - How each element type lies in memory ---------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_REFERENCE_STORAGE_H
#define FAKEQUANT_LIB_REFERENCE_STORAGE_H

#include "fakequant/Reference/Reference.h"

#include <cstring>

namespace mlir::fakequant::reference {

/// A type's `Compute` is what its arithmetic is done in; `load` widens to it
/// and `store` rounds to the type once.
template <typename T> struct PlainStorage {
  using Compute = T;

  static T load(const std::byte *data, int64_t index) {
    T value;
    std::memcpy(&value, data + index * int64_t(sizeof(T)), sizeof(T));
    return value;
  }
  static void store(std::byte *data, int64_t index, T value) {
    std::memcpy(data + index * int64_t(sizeof(T)), &value, sizeof(T));
  }
};

template <float (*Widen)(uint16_t), uint16_t (*Round)(float)>
struct HalfStorage {
  using Compute = float;

  static float load(const std::byte *data, int64_t index) {
    return Widen(PlainStorage<uint16_t>::load(data, index));
  }
  static void store(std::byte *data, int64_t index, float value) {
    PlainStorage<uint16_t>::store(data, index, Round(value));
  }
};

using F32Storage = PlainStorage<float>;
using F64Storage = PlainStorage<double>;
using F16Storage = HalfStorage<f16ToFloat, floatToF16>;
using BF16Storage = HalfStorage<bf16ToFloat, floatToBF16>;

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_LIB_REFERENCE_STORAGE_H
