//===- Case.cpp - What is measured ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

using namespace fqbench;

static constexpr int64_t kHugePage = int64_t(1) << 21;

Buffer::Buffer(int64_t bytes, int64_t shift) : shift(shift) {
  // Kernels may prefetch behind the end.
  size_t size = (bytes + shift + 2 * kHugePage - 1) / kHugePage * kHugePage;
  base = std::aligned_alloc(kHugePage, size);
  if (!base)
    std::abort();
  madvise(base, size, MADV_HUGEPAGE);
  std::memset(base, 0, size);
}

Buffer::~Buffer() { std::free(base); }

static int64_t getWidth(int64_t channels, int64_t inner, int64_t size) {
  int64_t width = std::lcm(channels * inner, int64_t(16));
  while (width < 64 && size % (2 * width) == 0)
    width *= 2;
  return width;
}

Case::Case(Op op, int64_t outer, int64_t channels, int64_t inner)
    : op(op), outer(outer), channels(channels), inner(inner),
      width(getWidth(channels, inner, outer * channels * inner)),
      g(4 * size(), 0), x(4 * size(), 1088), result(4 * size(), 2176) {
  const float s = 2.0f / 255, i = 255 / 2.0f;
  const float low = (0.0f - 127) * s, high = (255.0f - 127) * s;
  const float z = std::floor(-low * i + 0.5f);
  lo.assign(width, low);
  hi.assign(width, high);
  inverse.assign(width, i);
  zero.assign(width, z);
  scale.assign(width, s);
  min.assign(channels, -1);
  max.assign(channels, 1);
  dmin.assign(channels, 0);
  dmax.assign(channels, 0);
  expected.resize(size());
  expectedMin.assign(channels, 0);
  expectedMax.assign(channels, 0);

  uint64_t state = 12345;
  auto random = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<float>(state >> 40) * 0x1p-24f;
  };
  for (int64_t k = 0; k < size(); ++k) {
    float gradient = g.get()[k] = random() * 2 - 1;
    float input = x.get()[k] = random() * 2.5f - 1.25f;
    if (op == Op::Gradient) {
      int64_t channel = k / inner % channels;
      expected[k] = input >= low && input <= high ? gradient : 0;
      expectedMin[channel] += input < low ? gradient : 0;
      expectedMax[channel] += input > high ? gradient : 0;
      continue;
    }
    float clamped = std::fmax(std::fmin(input, high), low);
    float level = (clamped - low) * i;
    level = level - z;
    expected[k] = std::floor(level + 0.5f) * s;
  }
}

std::string Case::check() const {
  char message[100];
  for (int64_t k = 0; k < size(); ++k)
    if (result.get()[k] != expected[k]) {
      std::snprintf(message, sizeof(message), "%g at %lld, not %g",
                    result.get()[k], static_cast<long long>(k), expected[k]);
      return message;
    }
  // Sums in f32, as some peers have them, are off by about this.
  double tolerance = 2e-5 * outer * inner;
  for (int64_t c = 0; op == Op::Gradient && c < channels; ++c)
    if (!(std::abs(dmin[c] - expectedMin[c]) < tolerance &&
          std::abs(dmax[c] - expectedMax[c]) < tolerance)) {
      std::snprintf(message, sizeof(message), "sums of channel %lld",
                    static_cast<long long>(c));
      return message;
    }
  return "";
}
