//===- SumOrderTest.cpp - The written order, as definitions ---------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/numerics.md a second time, as definitions instead of loops: each
// column's contributions are laid out whole, then added as the text says.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilders.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace mlir::fakequant::reference;

namespace {

int64_t ceildiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// One column: its runs, each with its rows. The column form has one run.
template <typename T> using Column = std::map<int64_t, std::map<int64_t, T>>;

template <typename T> T addBlock(const std::map<int64_t, T> &rows, int64_t b) {
  T a[8];
  for (int64_t r = 0; r < 8; ++r) {
    auto row = rows.find(8 * b + r);
    a[r] = row == rows.end() ? T(0) : row->second;
  }
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

template <typename T>
std::vector<double> sumByDefinition(const SumShape &s,
                                    const std::vector<T> &a) {
  int64_t total = s.outer * s.channels * s.inner;
  if (total == 0)
    return std::vector<double>(static_cast<size_t>(s.channels), 0.0);
  bool isRunForm = s.inner >= 16;
  int64_t n = s.channels * s.inner;
  int64_t l = n < 128 ? 16 / std::gcd(n, int64_t(16)) : 1;
  int64_t w = isRunForm ? 16 * s.channels : l * n;

  std::map<int64_t, Column<T>> columns;
  for (int64_t o = 0; o < s.outer; ++o)
    for (int64_t c = 0; c < s.channels; ++c)
      for (int64_t i = 0; i < s.inner; ++i) {
        int64_t f = (o * s.channels + c) * s.inner + i;
        T value = a[static_cast<size_t>(f)];
        if (isRunForm)
          columns[c * 16 + i % 16][o][i / 16] = value;
        else
          columns[f % w][0][f / w] = value;
      }

  int64_t k = std::min(std::min<int64_t>(64, total / 65536), 65536 / w);
  if (isRunForm)
    k = std::min(k, s.outer);
  k = std::max<int64_t>(1, k);

  std::vector<double> sums(static_cast<size_t>(s.channels), 0.0);
  for (int64_t j = 0; j < w; ++j) {
    std::vector<double> chunks(static_cast<size_t>(k), 0.0);
    for (const auto &[run, rows] : columns[j]) {
      int64_t rowCount = isRunForm ? ceildiv(s.inner, 16) : ceildiv(total, w);
      int64_t blocks = ceildiv(rowCount, 8);
      for (int64_t b = 0; b < blocks; ++b) {
        int64_t chunk =
            isRunForm ? run / ceildiv(s.outer, k) : b / ceildiv(blocks, k);
        chunks[static_cast<size_t>(chunk)] += addBlock(rows, b);
      }
    }
    double column = 0.0;
    for (double chunk : chunks)
      column += chunk;
    int64_t channel = isRunForm ? j / 16 : (j % n) / s.inner;
    sums[static_cast<size_t>(channel)] += column;
  }
  return sums;
}

std::vector<float> makeValues(int64_t count, uint64_t seed) {
  Generator random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float &value : values)
    value = static_cast<float>(random.uniform(-1, 1) *
                               (random.below(8) ? 1.0 : 1000.0));
  return values;
}

void checkShape(const SumShape &s, uint64_t seed) {
  SCOPED_TRACE(::testing::Message() << "[" << s.outer << ", " << s.channels
                                    << ", " << s.inner << "]");
  std::vector<float> values = makeValues(s.outer * s.channels * s.inner, seed);
  std::vector<double> got =
      sumChannels(s, [&](int64_t f) { return values[static_cast<size_t>(f)]; });
  std::vector<double> expected = sumByDefinition(s, values);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t c = 0; c < got.size(); ++c)
    ASSERT_EQ(bitsOf(got[c]), bitsOf(expected[c])) << "channel " << c;
}

TEST(SumOrder, SmallShapes) {
  const int64_t extents[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 33, 129};
  uint64_t seed = 0;
  for (int64_t outer : extents)
    for (int64_t channels : extents)
      for (int64_t inner : extents)
        if (outer * channels * inner <= 20000)
          checkShape({outer, channels, inner}, ++seed);
}

TEST(SumOrder, ShapesWithChunks) {
  checkShape({131072, 1, 1}, 1); // K = 2, L = 16
  checkShape({196613, 1, 1}, 2); // K = 3, a ragged tail
  checkShape({70001, 3, 1}, 3);
  checkShape({4099, 64, 1}, 4);
  checkShape({700, 300, 1}, 5);   // L = 1
  checkShape({40, 4096, 1}, 6);   // K bounded by 65536 / W
  checkShape({3, 70000, 1}, 7);   // W > 65536
  checkShape({9001, 3, 15}, 8);   // inner just short of the run form
  checkShape({9001, 3, 16}, 9);   // the run form
  checkShape({7, 3, 20000}, 10);  // K bounded by outer
  checkShape({70, 5, 1000}, 11);  // K = 5
  checkShape({1, 2, 150000}, 12); // one run
  checkShape({2, 5000, 17}, 13);  // 16 * channels > 65536
}

TEST(SumOrder, NoElements) {
  EXPECT_EQ(sumChannels({0, 2, 5}, [](int64_t) { return 1.0f; }),
            std::vector<double>({0.0, 0.0}));
  EXPECT_EQ(sumChannels({5, 0, 5}, [](int64_t) { return 1.0f; }),
            std::vector<double>());
  EXPECT_EQ(sumChannels({5, -1, 5}, [](int64_t) { return 1.0f; }),
            std::vector<double>());
}

TEST(SumOrder, NegativeZerosAddUpToZero) {
  std::vector<double> sums =
      sumChannels({128, 1, 1}, [](int64_t) { return -0.0f; });
  EXPECT_EQ(bitsOf(sums[0]), bitsOf(0.0));
}

/// The op adds the same way, over any axis, in f32 and f64.
template <typename T>
void checkGradient(ElementType type, const std::vector<int64_t> &shape,
                   int64_t axis, SumShape split) {
  int64_t count = split.outer * split.channels * split.inner;
  Generator random(static_cast<uint64_t>(count));
  std::vector<double> g, x;
  std::vector<T> below, above;
  for (int64_t i = 0; i < count; ++i) {
    g.push_back(static_cast<float>(random.uniform(-1, 1)));
    x.push_back(static_cast<float>(random.uniform(-3, 5)));
    // The range [-1, 2] at 8 bits has its zero point at 85: nudging moves the
    // limits by a rounding at most, and no x is that near.
    below.push_back(static_cast<T>(g.back()) * T(x.back() < -1));
    above.push_back(static_cast<T>(g.back()) * T(x.back() > 2));
  }
  std::vector<double> twos(static_cast<size_t>(split.channels), 2.0);
  std::vector<double> minusOnes(twos.size(), -1.0);
  Attributes attributes;
  attributes.axis = axis;
  std::vector<Tensor> results = run(
      Op::VarsPerChannelGradient, attributes,
      {Tensor::fromValues(type, shape, g), Tensor::fromValues(type, shape, x),
       Tensor::fromValues(type, {split.channels}, minusOnes),
       Tensor::fromValues(type, {split.channels}, twos)});
  expectSame(results[1], Tensor::fromValues(type, {split.channels},
                                            sumByDefinition(split, below)));
  expectSame(results[2], Tensor::fromValues(type, {split.channels},
                                            sumByDefinition(split, above)));
}

TEST(SumOrder, OfTheGradient) {
  checkGradient<float>(ElementType::F32, {30, 7, 11}, -1, {210, 11, 1});
  checkGradient<float>(ElementType::F32, {30, 7, 11}, 1, {30, 7, 11});
  checkGradient<float>(ElementType::F32, {30, 7, 11}, 0, {1, 30, 77});
  checkGradient<float>(ElementType::F32, {5, 6, 7, 8}, -3, {5, 6, 56});
  checkGradient<double>(ElementType::F64, {30, 7, 11}, -2, {30, 7, 11});
  checkGradient<double>(ElementType::F64, {999}, 0, {1, 999, 1});
}

} // namespace
