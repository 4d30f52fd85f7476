//===- LargeSumTest.cpp - Compiled sums of 10^8 rows ----------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// |sum - exact| <= 2^-22 * sum |g in the sum|, and the bits of Reference.
//
//===----------------------------------------------------------------------===//

#include "CompiledFunction.h"
#include "FunctionText.h"
#include "Random.h"
#include "Settings.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

namespace {

#ifdef __OPTIMIZE__
constexpr int64_t kRows = 100000000;
#else
constexpr int64_t kRows = 3000000;
#endif

/// g is an integer times this, so its exact sum is an integer, below 2^51.
constexpr double kUnit = 0x1p-24;

Tensor makeTensor(const std::vector<int64_t> &shape, size_t count) {
  Tensor tensor;
  tensor.type = ElementType::F32;
  tensor.shape = shape;
  tensor.data.resize(count * sizeof(float));
  return tensor;
}

/// The sum that all rows of `x` go into is result `sum`.
void checkBound(const OpConfig &config, const std::vector<int64_t> &shape,
                float x, size_t sum) {
  std::vector<int64_t> rangeShape = config.getRangeShape(shape);
  std::vector<Tensor> operands = {
      makeTensor(shape, kRows), makeTensor(shape, kRows),
      Tensor::fromValues(ElementType::F32, rangeShape, {-1.0}),
      Tensor::fromValues(ElementType::F32, rangeShape, {1.0})};
  Random random(getTestSeed());
  int64_t exact = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    auto units = static_cast<int64_t>(random.next() >> 40);
    exact += units;
    auto g = static_cast<float>(static_cast<double>(units) * kUnit);
    auto at = row * static_cast<int64_t>(sizeof(float));
    std::memcpy(operands[0].data.data() + at, &g, sizeof(g));
    std::memcpy(operands[1].data.data() + at, &x, sizeof(x));
  }
  std::vector<Tensor> expected;
  std::string error;
  ASSERT_TRUE(reference::evaluate(config.op, config.attributes, operands,
                                  expected, error))
      << error;

  std::vector<int64_t> sizes(shape.size(), kDynamic);
  std::string data = printType(config.type, sizes);
  std::string range = printType(config.type, config.getRangeShape(sizes));
  std::string text = printFunction(
      {{"%g", data}, {"%x", data}, {"%min", range}, {"%max", range}},
      printOp(config, "%r:3", {"%g", "%x", "%min", "%max"}, sizes),
      {{"%r#0", data}, {"%r#1", range}, {"%r#2", range}});
  CompileOptions options;
  options.targetCPU = getSettings().targetCPU;
  auto function = CompiledFunction::compile(text, 7, options);
  ASSERT_TRUE(function) << text;

  std::vector<Tensor> results = {makeTensor(shape, kRows),
                                 makeTensor(rangeShape, 1),
                                 makeTensor(rangeShape, 1)};
  std::vector<Buffer> buffers;
  for (std::vector<Tensor> *tensors : {&operands, &results})
    for (Tensor &tensor : *tensors)
      buffers.push_back({tensor.data.data(), &tensor.shape});
  function->call(buffers);

  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_TRUE(results[i].data == expected[i].data)
        << "result " << i << " has other bits than Reference's; element 0 is "
        << results[i].getValue(0) << " and not " << expected[i].getValue(0);
  long double got = results[sum].getValue(0) / static_cast<long double>(kUnit);
  auto distance = static_cast<double>(std::fabs(got - exact) / exact);
  std::printf("  seed %llu, %lld rows: |sum - exact| / sum|g| = %.3g\n",
              static_cast<unsigned long long>(getSettings().seed),
              static_cast<long long>(kRows), distance);
  EXPECT_LE(distance, 0x1p-22);
}

TEST(LargeSum, PerTensorAbove) {
  OpConfig config;
  config.op = Op::VarsGradient;
  checkBound(config, {kRows}, 2.0f, 2);
}

TEST(LargeSum, PerChannelBelow) {
  OpConfig config;
  config.op = Op::VarsPerChannelGradient;
  checkBound(config, {kRows, 1}, -2.0f, 1);
}

} // namespace
