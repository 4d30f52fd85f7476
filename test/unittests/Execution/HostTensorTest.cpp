//===- HostTensorTest.cpp -------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage and elements of host tensors.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <cmath>

using namespace mlir;
using namespace mlir::fakequant;
using namespace mlir::fakequant::test;

namespace {

TEST(HostTensorTest, EmptyTensorsHaveAnAddress) {
  HostTensor tensor = llvm::cantFail(HostTensor::allocate(DType::F32, {0, 3}));
  EXPECT_EQ(tensor.getNumElements(), 0);
  EXPECT_NE(tensor.getData(), nullptr);
}

TEST(HostTensorTest, ScalarsHaveOneElement) {
  HostTensor tensor = llvm::cantFail(HostTensor::allocate(DType::F64, {}));
  EXPECT_EQ(tensor.getNumElements(), 1);
  EXPECT_EQ(tensor.getNumBytes(), 8);
}

TEST(HostTensorTest, Alignment) {
  auto isAligned = [](const HostTensor &tensor, uintptr_t alignment) {
    return reinterpret_cast<uintptr_t>(tensor.getData()) % alignment == 0;
  };
  EXPECT_TRUE(
      isAligned(llvm::cantFail(HostTensor::allocate(DType::I8, {3})), 64));
  EXPECT_TRUE(isAligned(
      llvm::cantFail(HostTensor::allocate(DType::I8, {5 << 20})), 2 << 20));
}

TEST(HostTensorTest, RefusesSizesThatOverflow) {
  int64_t big = int64_t(1) << 40;
  expectContains(messageOf(HostTensor::allocate(DType::F32, {big, big})),
                 "expected a tensor of less than 2^63 bytes but got "
                 "f32[1099511627776x1099511627776]");
  expectContains(messageOf(HostTensor::allocate(DType::F32, {0, big, big})),
                 "less than 2^63 bytes");
  expectContains(messageOf(HostTensor::allocate(DType::F32, {2, -1})),
                 "expected sizes of at least 0 but got -1 in dimension 1");
  expectContains(messageOf(HostTensor::allocate(DType::F32, {big})),
                 "the machine has too little");
}

TEST(HostTensorTest, Elements) {
  HostTensor half = makeTensor<uint16_t>(
      DType::F16, {7},
      {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00, 0x8000});
  EXPECT_EQ(half.getAsDouble(0), 1.0);
  EXPECT_EQ(half.getAsDouble(1), -2.0);
  EXPECT_EQ(half.getAsDouble(2), std::ldexp(1.0, -24));
  EXPECT_EQ(half.getAsDouble(3), 65504.0);
  EXPECT_EQ(half.getAsDouble(4), HUGE_VAL);
  EXPECT_TRUE(std::isnan(half.getAsDouble(5)));
  EXPECT_TRUE(std::signbit(half.getAsDouble(6)));
  EXPECT_EQ(makeTensor<uint16_t>(DType::BF16, {}, {0xbf80}).getAsDouble(0),
            -1.0);
  EXPECT_EQ(
      makeTensor<uint64_t>(DType::U64, {}, {~uint64_t(0)}).formatElement(0),
      "18446744073709551615");
  EXPECT_EQ(makeTensor<int8_t>(DType::I8, {}, {-3}).formatElement(0), "-3");
  EXPECT_EQ(makeTensor<float>(DType::F32, {}, {0.1f}).formatElement(0),
            "0.100000001");
}

} // namespace
