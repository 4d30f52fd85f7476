//===- Arithmetic.h - Parameters and elements -------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of the contract (DESIGN §2), one rounding an operation, in the
// order they are written there. This file must be compiled without contraction
// and without fast-math.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_REFERENCE_ARITHMETIC_H
#define FAKEQUANT_LIB_REFERENCE_ARITHMETIC_H

#include "fakequant/Reference/Reference.h"

#include <cmath>

namespace mlir::fakequant::reference {

/// What one channel's range comes to.
template <typename T> struct Parameters {
  T scale;
  T inv;
  T nudgedMin;
  T nudgedMax;
  T q0;
  /// min == max == 0 in an op that treats that range by itself.
  bool isZeroRange;
};

template <typename T>
Parameters<T> computeParameters(T min, T max, const Attributes &attributes,
                                bool hasZeroRange) {
  T qmin = attributes.narrowRange ? T(1) : T(0);
  T qmax = static_cast<T>((int64_t(1) << attributes.numBits) - 1);

  Parameters<T> p;
  p.scale = (max - min) / (qmax - qmin);
  p.inv = (qmax - qmin) / (max - min);
  T z = qmin - min / p.scale;
  // std::round takes halves away from zero.
  T zeroPoint = z < qmin ? qmin : z > qmax ? qmax : std::round(z);
  p.nudgedMin = (qmin - zeroPoint) * p.scale;
  p.nudgedMax = (qmax - zeroPoint) * p.scale;
  p.q0 = std::floor(-p.nudgedMin * p.inv + T(0.5));
  p.isZeroRange = hasZeroRange && min == T(0) && max == T(0);
  return p;
}

/// The forward op. The vars op divides by the scale where the others multiply
/// by its inverse.
template <typename T>
T fakeQuantize(T x, const Parameters<T> &p, bool dividesByScale) {
  if (p.isZeroRange)
    return T(0);
  // NaN fails both comparisons and stays; with inverted limits the lower one
  // wins.
  T t = x > p.nudgedMax ? p.nudgedMax : x;
  T c = t < p.nudgedMin ? p.nudgedMin : t;
  T offset = c - p.nudgedMin;
  T steps = dividesByScale ? offset / p.scale : offset * p.inv;
  return std::floor((steps - p.q0) + T(0.5)) * p.scale;
}

/// The gradient's masks are factors of 1 or 0, never a choice between values:
/// a NaN or infinite g times 0 is NaN, and a product flushes denormals where a
/// choice would not.
template <typename T> T multiplyByMask(T g, bool mask) {
  return g * static_cast<T>(mask);
}

/// dx outside the zero range, where it is a copy of g.
template <typename T> T passGradient(T g, T x, const Parameters<T> &p) {
  return multiplyByMask(g, x >= p.nudgedMin && x <= p.nudgedMax);
}

/// What one element adds to dmin.
template <typename T> T gradientBelow(T g, T x, const Parameters<T> &p) {
  return p.isZeroRange ? T(0) : multiplyByMask(g, x < p.nudgedMin);
}

/// What one element adds to dmax.
template <typename T> T gradientAbove(T g, T x, const Parameters<T> &p) {
  return p.isZeroRange ? T(0) : multiplyByMask(g, x > p.nudgedMax);
}

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_LIB_REFERENCE_ARITHMETIC_H
