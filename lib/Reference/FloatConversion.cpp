//===- FloatConversion.cpp - Between float types, on the bits -------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between floating point types in integer arithmetic, so that
// denormals survive flush-to-zero and no conversion rounds twice.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Reference/Reference.h"

#include <cstring>

using namespace mlir::fakequant::reference;

namespace {
/// An IEEE-like binary format of 1 + exponent + fraction bits.
struct Format {
  int exponentBits;
  int fractionBits;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint64_t maxExponent() const {
    return (uint64_t(1) << exponentBits) - 1;
  }
  constexpr uint64_t infinity() const { return maxExponent() << fractionBits; }
  constexpr uint64_t hidden() const { return uint64_t(1) << fractionBits; }
  constexpr int signBit() const { return exponentBits + fractionBits; }
};

constexpr Format kF16{5, 10};
constexpr Format kBF16{8, 7};
constexpr Format kF32{8, 23};
constexpr Format kF64{11, 52};
} // namespace

/// A NaN keeps the top of its payload and becomes quiet.
static uint64_t convertNaN(uint64_t fraction, Format from, Format to) {
  uint64_t payload = from.fractionBits > to.fractionBits
                         ? fraction >> (from.fractionBits - to.fractionBits)
                         : fraction << (to.fractionBits - from.fractionBits);
  return to.infinity() | (to.hidden() >> 1) | payload;
}

/// The magnitude `significand * 2^(exponent - 63)`, whose top bit is set,
/// rounded to the nearest value of `to`, ties to the even one.
static uint64_t roundMagnitude(uint64_t significand, int exponent, Format to) {
  if (exponent > to.bias())
    return to.infinity();
  int smallest = 1 - to.bias();
  bool isNormal = exponent >= smallest;
  // The significant bits that `to` has room for at this magnitude.
  int kept = to.fractionBits + 1 - (isNormal ? 0 : smallest - exponent);
  if (kept < 0)
    return 0;
  uint64_t quotient = kept == 0 ? 0 : significand >> (64 - kept);
  uint64_t rest = significand << kept;
  uint64_t half = uint64_t(1) << 63;
  if (rest > half || (rest == half && (quotient & 1)))
    ++quotient;
  // A carry out of the fraction moves on into the exponent as it should, up to
  // infinity.
  if (!isNormal)
    return quotient;
  auto biased = static_cast<unsigned>(exponent + to.bias());
  return (uint64_t(biased) << to.fractionBits) + (quotient - to.hidden());
}

/// The bits of `bits`, a value of `from`, as a value of `to`.
static inline uint64_t convert(uint64_t bits, Format from, Format to) {
  uint64_t sign = (bits >> from.signBit()) << to.signBit();
  uint64_t biased = (bits >> from.fractionBits) & from.maxExponent();
  uint64_t fraction = bits & (from.hidden() - 1);
  if (biased == from.maxExponent())
    return sign | (fraction ? convertNaN(fraction, from, to) : to.infinity());
  if (biased == 0 && fraction == 0)
    return sign;
  uint64_t significand = biased == 0 ? fraction : fraction | from.hidden();
  int exponent = (biased == 0 ? 1 : static_cast<int>(biased)) - from.bias();
  // Move the top bit to bit 63.
  exponent += 63 - from.fractionBits;
  int shift = __builtin_clzll(significand);
  return sign | roundMagnitude(significand << shift, exponent - shift, to);
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float floatOf(uint64_t bits) {
  uint32_t narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof(value));
  return value;
}

static double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

namespace mlir::fakequant::reference {

uint16_t floatToF16(float value) {
  return static_cast<uint16_t>(convert(bitsOf(value), kF32, kF16));
}

uint16_t floatToBF16(float value) {
  return static_cast<uint16_t>(convert(bitsOf(value), kF32, kBF16));
}

uint16_t doubleToF16(double value) {
  return static_cast<uint16_t>(convert(bitsOf(value), kF64, kF16));
}

uint16_t doubleToBF16(double value) {
  return static_cast<uint16_t>(convert(bitsOf(value), kF64, kBF16));
}

float doubleToFloat(double value) {
  return floatOf(convert(bitsOf(value), kF64, kF32));
}

float f16ToFloat(uint16_t bits) { return floatOf(convert(bits, kF16, kF32)); }

float bf16ToFloat(uint16_t bits) { return floatOf(convert(bits, kBF16, kF32)); }

double floatToDouble(float value) {
  return doubleOf(convert(bitsOf(value), kF32, kF64));
}

} // namespace mlir::fakequant::reference
