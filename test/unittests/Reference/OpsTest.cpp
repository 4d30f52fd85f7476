//===- OpsTest.cpp - The six ops on known answers -------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilders.h"

#include <cmath>
#include <limits>

using namespace mlir::fakequant::reference;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Attributes withBits(int64_t numBits) {
  Attributes attributes;
  attributes.numBits = numBits;
  return attributes;
}

/// XLA answers one step off here: the zero point is 2.5.
TEST(Ops, HalfZeroPoint) {
  std::vector<Tensor> y =
      run(Op::Vars, withBits(4),
          {f32({2.579, -0.6, 2.6}), scalar(-0.5), scalar(2.5)});
  expectSame(y[0], f32({2.4f, -0.6f, 2.4f}));
  std::vector<Tensor> d =
      run(Op::VarsGradient, withBits(4),
          {f32({1, 2, 4}), f32({2.579, -0.6, 2.6}), scalar(-0.5), scalar(2.5)});
  expectSame(d[0], f32({0, 2, 0}));
  expectSame(d[1], scalar(0));
  expectSame(d[2], scalar(5));
}

TEST(Ops, ZeroIsExact) {
  Attributes attributes;
  attributes.min = -25;
  attributes.max = 20;
  expectSame(run(Op::Args, attributes, {f32({0.0})})[0], f32({0.0}));
  expectSame(run(Op::Vars, {}, {f32({0.0}), scalar(-25), scalar(20)})[0],
             f32({0.0}));
  expectSame(
      run(Op::VarsPerChannel, {}, {f32({0.0}), f32({-25}), f32({20})})[0],
      f32({0.0}));
}

TEST(Ops, DefaultRangeOfArgs) {
  // [-6, 6] at 8 bits has steps of 12 / 255 and the zero point 127 or 128.
  std::vector<double> y =
      run(Op::Args, {}, {f32({-100, 0, 100})})[0].getValues();
  EXPECT_NEAR(y[0], -6, 12.0 / 255);
  EXPECT_EQ(y[1], 0);
  EXPECT_NEAR(y[2], 6, 12.0 / 255);
}

TEST(Ops, NarrowRange) {
  Attributes attributes;
  attributes.narrowRange = true;
  attributes.min = -127;
  attributes.max = 127;
  expectSame(run(Op::Args, attributes, {f32({-200, -0.5, 0.49, 0.5, 200})})[0],
             f32({-127, 0, 0, 1, 127}));
}

TEST(Ops, SpecialInputs) {
  std::vector<double> y =
      run(Op::Vars, {},
          {f32({kNaN, kInf, -kInf, -0.0}), scalar(0), scalar(255)})[0]
          .getValues();
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 255);
  EXPECT_EQ(y[2], 0);
  EXPECT_EQ(bitsOf(y[3]), bitsOf(0.0));
}

/// A mask is a factor: NaN and infinite g times 0 are NaN, zeros keep a sign.
TEST(Ops, SpecialGradients) {
  Tensor g = f32({4, 1}, {kNaN, kInf, 1, kInf});
  Tensor x = f32({4, 1}, {-5, 0, 0.5, 5});
  std::vector<Tensor> d =
      run(Op::VarsPerChannelGradient, {}, {g, x, f32({-1}), f32({1})});
  EXPECT_TRUE(std::isnan(d[0].getValue(0)));
  EXPECT_EQ(d[0].getValue(1), kInf);
  EXPECT_EQ(d[0].getValue(2), 1);
  EXPECT_TRUE(std::isnan(d[0].getValue(3)));
  EXPECT_TRUE(std::isnan(d[1].getValue(0)));
  EXPECT_TRUE(std::isnan(d[2].getValue(0)));
  expectSame(run(Op::ArgsGradient, {}, {f32({-1}), f32({7})})[0], f32({-0.0}));
  // A NaN input is in no part of the range.
  expectSame(run(Op::VarsGradient, {},
                 {f32({3}), f32({kNaN}), scalar(-1), scalar(1)})[0],
             f32({0.0}));
}

/// In the zero range dx is g, bit for bit, signalling NaNs and denormals too.
TEST(Ops, ZeroRange) {
  Tensor g = f32({3, 2}, {1, 2, kNaN, 8, -0.0, 4});
  uint32_t signalling = 0x7f800001;
  std::memcpy(g.data.data() + 2 * sizeof(float), &signalling, sizeof(float));
  Tensor x = f32({3, 2}, {1, -2, kNaN, 4, kInf, 6});
  std::vector<Tensor> d =
      run(Op::VarsGradient, {}, {g, x, scalar(0), scalar(-0.0)});
  expectSame(d[0], g);
  expectSame(d[1], scalar(0));
  expectSame(d[2], scalar(0));
  expectSame(run(Op::Vars, {}, {x, scalar(0), scalar(0)})[0],
             f32({3, 2}, {0, 0, 0, 0, 0, 0}));

  // One channel of two.
  d = run(Op::VarsPerChannelGradient, {}, {g, x, f32({0, 0}), f32({0, 5})});
  for (int64_t i : {0, 2, 4})
    EXPECT_EQ(std::memcmp(d[0].data.data() + 4 * i, g.data.data() + 4 * i, 4),
              0);
  EXPECT_EQ(d[0].getValue(1), 0);
  EXPECT_EQ(d[1].getValue(0), 0);
  EXPECT_EQ(d[1].getValue(1), 2);
  EXPECT_EQ(d[2].getValue(0), 0);
  expectSame(run(Op::VarsPerChannel, {}, {x, f32({0, 0}), f32({0, 255})})[0],
             f32({3, 2}, {0, 0, 0, 4, 0, 6}));
}

/// min == max elsewhere is no zero range.
TEST(Ops, EmptyRange) {
  Tensor y = run(Op::Vars, {}, {f32({0.3, 1}), scalar(0.5), scalar(0.5)})[0];
  EXPECT_TRUE(std::isnan(y.getValue(0)));
  EXPECT_TRUE(std::isnan(y.getValue(1)));
}

/// An element may be below the one limit and above the other.
TEST(Ops, InvertedRange) {
  std::vector<Tensor> d =
      run(Op::VarsGradient, {},
          {f32({1, 2, 3}), f32({0.3, -0.2, 1}), scalar(1), scalar(-1)});
  expectSame(d[0], f32({0, 0, 0}));
  expectSame(d[1], scalar(3));
  expectSame(d[2], scalar(6));
}

TEST(Ops, AxisInTheMiddle) {
  // Channel 0 is [0, 3] in steps of 1, channel 1 [0, 6] in steps of 2.
  Tensor x = f32({1, 2, 3}, {-1, 1.4, 9, -1, 1.4, 9});
  Tensor g = f32({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  for (int64_t axis : {1, -2}) {
    Attributes attributes = withBits(2);
    attributes.axis = axis;
    expectSame(
        run(Op::VarsPerChannel, attributes, {x, f32({0, 0}), f32({3, 6})})[0],
        f32({1, 2, 3}, {0, 1, 3, 0, 2, 6}));
    std::vector<Tensor> d = run(Op::VarsPerChannelGradient, attributes,
                                {g, x, f32({0, 0}), f32({3, 6})});
    expectSame(d[0], f32({1, 2, 3}, {0, 2, 0, 0, 5, 0}));
    expectSame(d[1], f32({1, 4}));
    expectSame(d[2], f32({3, 6}));
  }
}

TEST(Ops, EmptyTensors) {
  std::vector<Tensor> d =
      run(Op::VarsGradient, {},
          {f32({0}, {}), f32({0}, {}), scalar(-1), scalar(1)});
  expectSame(d[0], f32({0}, {}));
  expectSame(d[1], scalar(0));
  expectSame(d[2], scalar(0));

  Tensor none = f32({0, 2}, {});
  d = run(Op::VarsPerChannelGradient, {},
          {none, none, f32({-1, -1}), f32({1, 1})});
  expectSame(d[0], none);
  expectSame(d[1], f32({0, 0}));

  none = f32({2, 0}, {});
  d = run(Op::VarsPerChannelGradient, {}, {none, none, f32({}), f32({})});
  expectSame(d[0], none);
  expectSame(d[1], f32({}));

  // Extents whose product without the zero would not fit.
  none = f32({int64_t(1) << 62, 1, int64_t(1) << 62, 0}, {});
  Attributes attributes;
  attributes.axis = 1;
  d = run(Op::VarsPerChannelGradient, attributes,
          {none, none, f32({-1}), f32({1})});
  expectSame(d[0], none);
  expectSame(d[2], f32({0}));
}

TEST(Ops, RankZero) {
  expectSame(run(Op::Vars, {}, {scalar(3.4), scalar(0), scalar(255)})[0],
             scalar(3));
  Attributes attributes;
  attributes.min = 0;
  attributes.max = 255;
  expectSame(run(Op::Args, attributes, {scalar(254.5)})[0], scalar(255));
}

/// 16-bit data is the f32 answer rounded once, with either kind of range.
TEST(Ops, HalfTypes) {
  Generator random(7);
  std::vector<double> values, gradients;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(random.uniform(-3, 3));
    gradients.push_back(random.uniform(-1, 1));
  }
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    Tensor x = Tensor::fromValues(type, {500, 2}, values);
    Tensor g = Tensor::fromValues(type, {500, 2}, gradients);
    Tensor min = Tensor::fromValues(type, {2}, {-1.1, 0.1});
    Tensor max = Tensor::fromValues(type, {2}, {2.3, 0.9});
    std::vector<Tensor> wide = {
        f32({500, 2}, g.getValues()), f32({500, 2}, x.getValues()),
        f32({2}, min.getValues()), f32({2}, max.getValues())};
    std::vector<Tensor> expected = run(Op::VarsPerChannelGradient, {}, wide);
    auto check = [&](const Tensor &got, const Tensor &wanted) {
      expectSame(
          got, Tensor::fromValues(got.type, wanted.shape, wanted.getValues()));
    };
    std::vector<Tensor> d =
        run(Op::VarsPerChannelGradient, {}, {g, x, min, max});
    check(d[0], expected[0]);
    EXPECT_EQ(d[1].type, type);
    d = run(Op::VarsPerChannelGradient, {}, {g, x, wide[2], wide[3]});
    check(d[0], expected[0]);
    expectSame(d[1], expected[1]);
    expectSame(d[2], expected[2]);
    wide.erase(wide.begin());
    check(run(Op::VarsPerChannel, {}, {x, min, max})[0],
          run(Op::VarsPerChannel, {}, wide)[0]);
  }
}

/// The f64 sum is rounded to 16 bits once: by way of f32 the last term here
/// would be lost, and the tie would go to even.
TEST(Ops, HalfSumsRoundOnce) {
  std::vector<double> g(16, 0.0), x(16, -5.0);
  g[0] = 1;
  g[1] = 0x1p-8;
  g[2] = 0x1p-40;
  Tensor min = Tensor::fromValues(ElementType::BF16, {}, {-1.0});
  Tensor max = Tensor::fromValues(ElementType::BF16, {}, {1.0});
  std::vector<Tensor> d =
      run(Op::VarsGradient, {},
          {Tensor::fromValues(ElementType::BF16, {16}, g),
           Tensor::fromValues(ElementType::BF16, {16}, x), min, max});
  expectSame(d[1], Tensor::fromValues(ElementType::BF16, {}, {1 + 0x1p-7}));
}

/// f64 computes in f64: 2^-40 is a step, and sums keep what f32 drops.
TEST(Ops, Double) {
  auto f64 = [](std::vector<int64_t> shape, const std::vector<double> &values) {
    return Tensor::fromValues(ElementType::F64, std::move(shape), values);
  };
  double step = 0x1p-40;
  Tensor x = f64({2}, {1.6 * step, 9});
  expectSame(
      run(Op::Vars, withBits(2), {x, f64({}, {0}), f64({}, {3 * step})})[0],
      f64({2}, {2 * step, 3 * step}));
  std::vector<Tensor> d = run(Op::VarsGradient, {},
                              {f64({3}, {1, step, 5}), f64({3}, {-9, -9, 0}),
                               f64({}, {-1}), f64({}, {1})});
  expectSame(d[0], f64({3}, {0, 0, 5}));
  expectSame(d[1], f64({}, {1 + step}));
}

TEST(Ops, ResultsMayReplaceOperands) {
  std::vector<Tensor> tensors = {f32({0.4, 7}), scalar(0), scalar(3)};
  std::string error;
  ASSERT_TRUE(evaluate(Op::Vars, withBits(2), tensors, tensors, error));
  ASSERT_EQ(tensors.size(), 1u);
  expectSame(tensors[0], f32({0, 3}));
}

} // namespace
