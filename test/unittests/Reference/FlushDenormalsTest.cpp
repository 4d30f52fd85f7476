//===- FlushDenormalsTest.cpp - Denormals with the switch on and off ------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilders.h"

using namespace mlir::fakequant::reference;

namespace {

constexpr double kDenormal = 0x1p-140;

/// Products of values that the compiler cannot know.
bool isFlushing() {
  volatile float tiny = 0x1p-140f, one = 1.0f;
  return tiny * one == 0.0f;
}

class FlushDenormals : public ::testing::Test {
protected:
  void SetUp() override {
    if (!ScopedFlushDenormals::isSupported())
      GTEST_SKIP() << "this target has no switch";
  }
};

TEST_F(FlushDenormals, IsScoped) {
  EXPECT_FALSE(isFlushing());
  {
    ScopedFlushDenormals outer;
    EXPECT_TRUE(isFlushing());
    {
      ScopedFlushDenormals inner;
      EXPECT_TRUE(isFlushing());
    }
    EXPECT_TRUE(isFlushing());
    ScopedFlushDenormals nothing(false);
    EXPECT_TRUE(isFlushing());
  }
  EXPECT_FALSE(isFlushing());
}

TEST_F(FlushDenormals, ProductWithTheMask) {
  std::vector<Tensor> operands = {f32({kDenormal, -kDenormal, kDenormal}),
                                  f32({0, 0, -9}), scalar(-1), scalar(1)};
  std::vector<Tensor> kept = run(Op::VarsGradient, {}, operands);
  expectSame(kept[0], f32({kDenormal, -kDenormal, 0}));
  expectSame(kept[1], scalar(kDenormal));
  ScopedFlushDenormals flush;
  std::vector<Tensor> flushed = run(Op::VarsGradient, {}, operands);
  expectSame(flushed[0], f32({0.0, -0.0, 0.0}));
  expectSame(flushed[1], scalar(0));
}

/// x is below 0 by a denormal: only with the switch off.
TEST_F(FlushDenormals, Comparisons) {
  std::vector<Tensor> operands = {f32({1}), f32({-kDenormal}), scalar(0),
                                  scalar(255)};
  expectSame(run(Op::VarsGradient, {}, operands)[1], scalar(1));
  ScopedFlushDenormals flush;
  std::vector<Tensor> flushed = run(Op::VarsGradient, {}, operands);
  expectSame(flushed[0], f32({1}));
  expectSame(flushed[1], scalar(0));
}

/// A denormal range is the zero range with the switch on; dx is then a copy.
TEST_F(FlushDenormals, ZeroRange) {
  std::vector<Tensor> operands = {f32({kDenormal, 2}), f32({1, -1}),
                                  scalar(-kDenormal), scalar(kDenormal)};
  expectSame(run(Op::VarsGradient, {}, operands)[2], scalar(kDenormal));
  ScopedFlushDenormals flush;
  std::vector<Tensor> flushed = run(Op::VarsGradient, {}, operands);
  expectSame(flushed[0], f32({kDenormal, 2}));
  expectSame(flushed[1], scalar(0));
  expectSame(flushed[2], scalar(0));
}

TEST_F(FlushDenormals, Doubles) {
  auto f64 = [](std::vector<int64_t> shape, const std::vector<double> &values) {
    return Tensor::fromValues(ElementType::F64, std::move(shape), values);
  };
  std::vector<Tensor> operands = {f64({1}, {0x1p-1060}), f64({1}, {0}),
                                  f64({}, {-1}), f64({}, {1})};
  expectSame(run(Op::VarsGradient, {}, operands)[0], f64({1}, {0x1p-1060}));
  ScopedFlushDenormals flush;
  expectSame(run(Op::VarsGradient, {}, operands)[0], f64({1}, {0}));
}

/// f16's denormals are normal numbers in f32, where the arithmetic is.
TEST_F(FlushDenormals, HalfDenormalsStay) {
  Tensor g = Tensor::fromValues(ElementType::F16, {2}, {0x1p-24, -0x1p-24});
  Tensor x = Tensor::fromValues(ElementType::F16, {2}, {0, -9});
  ScopedFlushDenormals flush;
  std::vector<Tensor> d =
      run(Op::VarsGradient, {},
          {g, x, Tensor::fromValues(ElementType::F16, {}, {-1}),
           Tensor::fromValues(ElementType::F16, {}, {1})});
  expectSame(d[0], Tensor::fromValues(ElementType::F16, {2}, {0x1p-24, -0.0}));
  expectSame(d[1], Tensor::fromValues(ElementType::F16, {}, {-0x1p-24}));
}

TEST_F(FlushDenormals, ConversionsDoNotFlush) {
  ScopedFlushDenormals flush;
  EXPECT_EQ(floatToBF16(floatOf(0x00010000)), 0x0001);
  EXPECT_EQ(bitsOf(bf16ToFloat(0x0001)), 0x00010000u);
  EXPECT_EQ(bitsOf(doubleToFloat(kDenormal)), 0x00000200u);
  EXPECT_EQ(bitsOf(floatToDouble(floatOf(0x00000200))), bitsOf(kDenormal));
}

} // namespace
