//===- Random.h - Reproducible random choices -------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOM_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace mlir::fakequant::differential {

/// SplitMix64: the same sequence from the same seed on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// A sequence of its own for number `index` below `seed`.
  Random(uint64_t seed, uint64_t index)
      : state(mix(seed + 0x9e3779b97f4a7c15 * (index + 1))) {}

  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    return mix(state);
  }
  /// In [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  /// True once in `n` times.
  bool oneIn(int64_t n) { return below(n) == 0; }
  template <typename List> const auto &pick(const List &list) {
    return *(list.begin() + below(static_cast<int64_t>(list.size())));
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state;
};

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOM_H
