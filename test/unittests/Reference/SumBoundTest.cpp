//===- SumBoundTest.cpp - The error of sums of 10^8 rows ------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// |sum - exact| <= 2^-22 * sum |g in the sum|, at 10^8 rows.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilders.h"

#include <cmath>
#include <cstdio>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAKEQUANT_SLOW_BUILD
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define FAKEQUANT_SLOW_BUILD
#endif

using namespace mlir::fakequant::reference;

namespace {

#ifdef FAKEQUANT_SLOW_BUILD
constexpr int64_t kRows = 5000003;
#else
constexpr int64_t kRows = 100000007;
#endif

/// Terms are k * 2^-34 with |k| <= 2^34, so the exact sum is an integer that
/// fits in 64 bits up to 2^29 rows.
constexpr double kUnit = 0x1p-34;

template <typename Term> void checkBound(const SumShape &shape, Term term) {
  int64_t count = shape.outer * shape.channels * shape.inner;
  std::vector<int64_t> exact(static_cast<size_t>(shape.channels));
  std::vector<int64_t> magnitude(exact.size());
  for (int64_t f = 0; f < count; ++f) {
    int64_t k = static_cast<int64_t>(double(term(f)) / kUnit);
    size_t channel = static_cast<size_t>(f / shape.inner % shape.channels);
    exact[channel] += k;
    magnitude[channel] += k < 0 ? -k : k;
  }
  std::vector<double> sums = sumChannels(shape, term);
  double worst = 0;
  for (size_t c = 0; c < exact.size(); ++c) {
    // The difference to the exact sum in units; long double holds 64 bits.
    long double got = static_cast<float>(sums[c]) / (long double)kUnit;
    double error = static_cast<double>(std::fabs(got - exact[c])) /
                   static_cast<double>(magnitude[c]);
    worst = std::max(worst, error);
  }
  std::printf("  [%lld, %lld, %lld]: |sum - exact| / sum|g| = %.3g\n",
              (long long)shape.outer, (long long)shape.channels,
              (long long)shape.inner, worst);
  EXPECT_LE(worst, 0x1p-22);
}

/// 24 random bits in [0, 1).
float getRandom(int64_t f) {
  return static_cast<float>(Generator::hash(static_cast<uint64_t>(f)) >> 40) *
         0x1p-24f;
}

TEST(SumBound, Constant) {
  checkBound({kRows, 1, 1}, [](int64_t) { return 0.1f; });
}

TEST(SumBound, OneSign) {
  checkBound({kRows, 1, 1}, [](int64_t f) { return getRandom(f); });
}

TEST(SumBound, OneSignManyChannels) {
  checkBound({kRows / 64, 64, 1}, [](int64_t f) { return getRandom(f); });
}

TEST(SumBound, OneSignRuns) {
  checkBound({3, 2, kRows / 6}, [](int64_t f) { return getRandom(f); });
}

TEST(SumBound, AlternatingLargeAndSmall) {
  checkBound({kRows, 1, 1}, [](int64_t f) {
    // Rows alternate (16 elements each), and so do the signs of the large.
    int64_t row = f / 16;
    if (row % 2)
      return getRandom(f) * 0x1p-10f;
    return row % 4 ? -0.9999999f : 0.9999998f;
  });
}

TEST(SumBound, SmallBesideOne) {
  // Each block is 1 and seven halves of its last place: the first addition of
  // each pair loses one.
  checkBound({kRows, 1, 1},
             [](int64_t f) { return f / 16 % 8 ? 0x1p-24f : 1.0f; });
  // And just more than a half, where each addition rounds up.
  checkBound({kRows, 1, 1},
             [](int64_t f) { return f / 16 % 8 ? 0x1.02p-24f : 1.0f; });
}

} // namespace
