//===- TensorBuilders.h - Short ways to tensors and bits --------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_UNITTESTS_REFERENCE_TENSORBUILDERS_H
#define FAKEQUANT_UNITTESTS_REFERENCE_TENSORBUILDERS_H

#include "fakequant/Reference/Reference.h"

#include "gtest/gtest.h"

#include <cstring>
#include <utility>

namespace mlir::fakequant::reference {

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline Tensor f32(std::vector<int64_t> shape,
                  const std::vector<double> &values) {
  return Tensor::fromValues(ElementType::F32, std::move(shape), values);
}

/// A rank-1 f32 tensor.
inline Tensor f32(const std::vector<double> &values) {
  return f32({static_cast<int64_t>(values.size())}, values);
}

/// A rank-0 f32 tensor.
inline Tensor scalar(double value) { return f32({}, {value}); }

/// The results of an op that must succeed.
inline std::vector<Tensor> run(Op op, const Attributes &attributes,
                               const std::vector<Tensor> &operands) {
  std::vector<Tensor> results;
  std::string error;
  EXPECT_TRUE(evaluate(op, attributes, operands, results, error)) << error;
  return results;
}

/// The error of an op that must be refused.
inline std::string refuse(Op op, const Attributes &attributes,
                          const std::vector<Tensor> &operands) {
  std::vector<Tensor> results;
  std::string error;
  EXPECT_FALSE(evaluate(op, attributes, operands, results, error));
  EXPECT_TRUE(results.empty());
  return error;
}

/// The same bits and shape, signs of zero included.
inline void expectSame(const Tensor &got, const Tensor &expected) {
  EXPECT_EQ(got.type, expected.type);
  EXPECT_EQ(got.shape, expected.shape);
  EXPECT_EQ(got.data, expected.data)
      << "got " << ::testing::PrintToString(got.getValues()) << " expected "
      << ::testing::PrintToString(expected.getValues());
}

/// A generator whose values are the same everywhere (splitmix64).
class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}

  uint64_t next() { return hash(state += 0x9e3779b97f4a7c15); }
  /// In [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }
  /// In [lo, hi), with 24 bits.
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(next() >> 40) * 0x1p-24;
  }

  static uint64_t hash(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_UNITTESTS_REFERENCE_TENSORBUILDERS_H
