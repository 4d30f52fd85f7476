//===- VerifyTest.cpp - What the evaluator refuses ------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilders.h"

#include <limits>

using namespace mlir::fakequant::reference;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Tensor typed(ElementType type, std::vector<int64_t> shape,
             const std::vector<double> &values) {
  return Tensor::fromValues(type, std::move(shape), values);
}

TEST(Verify, UnknownOp) {
  EXPECT_EQ(refuse(static_cast<Op>(17), {}, {}),
            "expected one of the six ops but got another value");
}

TEST(Verify, OperandCount) {
  EXPECT_EQ(refuse(Op::Vars, {}, {f32({1})}), "expected 3 operands but got 1");
  EXPECT_EQ(refuse(Op::Args, {}, {}), "expected 1 operands but got 0");
}

TEST(Verify, Storage) {
  Tensor x = f32({1, 2});
  x.data.pop_back();
  EXPECT_EQ(refuse(Op::Args, {}, {x}),
            "inputs: expected the elements of [2] in f32 but got 7 bytes");
  x.shape = {-2};
  EXPECT_EQ(refuse(Op::Args, {}, {x}),
            "inputs: expected non-negative extents but got [-2]");
  x.shape = {int64_t(1) << 62, 4};
  EXPECT_EQ(refuse(Op::Args, {}, {x}),
            "inputs: expected the elements of [4611686018427387904, 4] in f32 "
            "but got 7 bytes");
  x.type = static_cast<ElementType>(9);
  EXPECT_EQ(refuse(Op::ArgsGradient, {}, {f32({1}), x}),
            "inputs: expected an element type f16, bf16, f32 or f64 but got "
            "none of them");
}

TEST(Verify, NumBits) {
  for (int64_t numBits :
       {int64_t(0), int64_t(1), int64_t(17), int64_t(-1), int64_t(1) << 40}) {
    Attributes attributes;
    attributes.numBits = numBits;
    EXPECT_EQ(refuse(Op::Args, attributes, {f32({1})}),
              "expected num_bits in [2, 16] but got " +
                  std::to_string(numBits));
  }
}

TEST(Verify, Gradients) {
  EXPECT_EQ(refuse(Op::ArgsGradient, {}, {f32({1, 2}), f32({1})}),
            "gradients: expected the inputs' shape [1] but got [2]");
  EXPECT_EQ(refuse(Op::ArgsGradient, {},
                   {typed(ElementType::F64, {1}, {1}), f32({1})}),
            "gradients: expected the inputs' element type f32 but got f64");
}

TEST(Verify, Axis) {
  Tensor x = f32({2, 2}, {1, 2, 3, 4});
  for (int64_t axis : {int64_t(2), int64_t(-3), INT64_MIN, INT64_MAX}) {
    Attributes attributes;
    attributes.axis = axis;
    EXPECT_EQ(
        refuse(Op::VarsPerChannel, attributes, {x, f32({0, 0}), f32({1, 1})}),
        "expected axis in [-2, 2) but got " + std::to_string(axis));
  }
  EXPECT_EQ(refuse(Op::VarsPerChannel, {}, {scalar(1), f32({0}), f32({1})}),
            "expected inputs of rank 1 or more but got rank 0");
}

TEST(Verify, RangeShape) {
  EXPECT_EQ(refuse(Op::Vars, {}, {f32({1}), f32({0}), scalar(1)}),
            "min: expected shape [] but got [1]");
  Tensor x = f32({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(refuse(Op::VarsPerChannel, {}, {x, f32({0, 0, 0}), f32({1, 1, 1})}),
            "min: expected shape [2] but got [3]");
  EXPECT_EQ(refuse(Op::VarsPerChannel, {}, {x, f32({0, 0}), scalar(1)}),
            "max: expected shape [2] but got []");
}

TEST(Verify, RangeType) {
  Tensor half = typed(ElementType::F16, {1}, {1});
  Tensor brain = typed(ElementType::BF16, {}, {1});
  EXPECT_EQ(refuse(Op::Vars, {}, {half, brain, brain}),
            "min: expected element type f16 or f32 but got bf16");
  EXPECT_EQ(refuse(Op::Vars, {}, {f32({1}), scalar(0), brain}),
            "max: expected element type f32 but got bf16");
  EXPECT_EQ(
      refuse(Op::Vars, {}, {half, scalar(0), typed(ElementType::F16, {}, {1})}),
      "max: expected min's element type f32 but got f16");
}

TEST(Verify, ArgsRange) {
  struct Range {
    double min, max;
  };
  for (Range range : {Range{1, -1}, Range{1, 1}, Range{kNaN, 1}, Range{0, kNaN},
                      Range{-kInf, 1}, Range{0, kInf}, Range{0, 1e300},
                      Range{1, 1 + 1e-12}}) {
    Attributes attributes;
    attributes.min = range.min;
    attributes.max = range.max;
    std::string error = refuse(Op::Args, attributes, {f32({1})});
    EXPECT_EQ(error.find("expected finite min < max in the compute type"), 0u)
        << error;
  }
  // In f64 these two differ.
  Attributes attributes;
  attributes.min = 1;
  attributes.max = 1 + 1e-12;
  run(Op::Args, attributes, {typed(ElementType::F64, {1}, {1})});
  // The limits are compared, not what the environment makes of them.
  ScopedFlushDenormals flush;
  attributes.min = -0x1p-140;
  attributes.max = 0x1p-140;
  run(Op::Args, attributes, {f32({1})});
}

} // namespace
