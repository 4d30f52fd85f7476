//===- FloatConversionTest.cpp - Conversions against exact search ---------===//
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

/// The value of a 16-bit pattern from its definition.
double getDefinition(uint16_t bits, int fractionBits) {
  int exponentBits = 15 - fractionBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  int biased = (bits & 0x7fff) >> fractionBits;
  double fraction = bits & ((1 << fractionBits) - 1);
  double sign = bits >> 15 ? -1.0 : 1.0;
  if (biased == (1 << exponentBits) - 1)
    return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (biased == 0)
    return sign * std::ldexp(fraction, 1 - bias - fractionBits);
  return sign * std::ldexp(fraction + (1 << fractionBits),
                           biased - bias - fractionBits);
}

/// Whether `bits` is the nearest 16-bit value to `exact`, or the even one of
/// two nearest. Infinity stands for the first value past the largest.
bool isNearest(double exact, uint16_t bits, int fractionBits) {
  if (std::isnan(exact))
    return std::isnan(getDefinition(bits, fractionBits));
  if (std::signbit(exact) != bool(bits >> 15))
    return false;
  double magnitude = std::fabs(exact);
  uint16_t infinity = static_cast<uint16_t>(0x7fff & ~0u << fractionBits);
  auto valueOf = [&](uint16_t pattern) {
    if (pattern != infinity)
      return getDefinition(pattern, fractionBits);
    double largest = getDefinition(infinity - 1, fractionBits);
    return 2 * largest - getDefinition(infinity - 2, fractionBits);
  };
  uint16_t got = bits & 0x7fff;
  if (std::isinf(exact))
    return got == infinity;
  if (got > infinity)
    return false;
  auto distanceTo = [&](uint16_t pattern) {
    return std::fabs(valueOf(pattern) - magnitude);
  };
  if (got == infinity && magnitude >= valueOf(infinity))
    return true;
  // The neighbour does not lie nearer, nor as near where `got` is odd.
  auto isNoBetter = [&](int neighbour) {
    if (neighbour < 0 || neighbour > infinity)
      return true;
    double other = distanceTo(static_cast<uint16_t>(neighbour));
    double distance = distanceTo(got);
    return distance < other || (distance == other && got % 2 == 0);
  };
  return isNoBetter(got - 1) && isNoBetter(got + 1);
}

TEST(FloatConversion, WidensEveryPattern) {
  for (uint32_t i = 0; i < 0x10000; ++i) {
    uint16_t bits = static_cast<uint16_t>(i);
    double f16 = floatToDouble(f16ToFloat(bits));
    double bf16 = floatToDouble(bf16ToFloat(bits));
    if (std::isnan(f16)) {
      EXPECT_TRUE(std::isnan(getDefinition(bits, 10)));
    } else {
      EXPECT_EQ(bitsOf(f16), bitsOf(getDefinition(bits, 10)));
    }
    if (std::isnan(bf16)) {
      EXPECT_TRUE(std::isnan(getDefinition(bits, 7)));
    } else {
      EXPECT_EQ(bitsOf(bf16), bitsOf(getDefinition(bits, 7)));
    }
  }
}

TEST(FloatConversion, RoundTripsEveryPattern) {
  for (uint32_t i = 0; i < 0x10000; ++i) {
    uint16_t bits = static_cast<uint16_t>(i);
    if (!std::isnan(f16ToFloat(bits))) {
      EXPECT_EQ(floatToF16(f16ToFloat(bits)), bits);
      EXPECT_EQ(doubleToF16(f16ToFloat(bits)), bits);
    }
    if (!std::isnan(bf16ToFloat(bits))) {
      EXPECT_EQ(floatToBF16(bf16ToFloat(bits)), bits);
      EXPECT_EQ(doubleToBF16(bf16ToFloat(bits)), bits);
    }
  }
}

TEST(FloatConversion, RoundsToNearestEven) {
  Generator random(1);
  for (int n = 0; n < 300000; ++n) {
    // Any f32; and doubles at and beside the midpoints of 16-bit values.
    float single = floatOf(static_cast<uint32_t>(random.next()));
    ASSERT_TRUE(isNearest(single, floatToF16(single), 10)) << single;
    ASSERT_TRUE(isNearest(single, floatToBF16(single), 7)) << single;
    uint16_t pattern = static_cast<uint16_t>(random.next());
    uint16_t next = static_cast<uint16_t>(pattern + 1);
    int64_t nudge = random.below(3) - 1;
    for (int fractionBits : {10, 7}) {
      double middle = 0.5 * (getDefinition(pattern, fractionBits) +
                             getDefinition(next, fractionBits));
      double exact = doubleOf(bitsOf(middle) + static_cast<uint64_t>(nudge));
      if (std::isnan(exact) || exact == 0)
        continue;
      uint16_t got =
          fractionBits == 10 ? doubleToF16(exact) : doubleToBF16(exact);
      ASSERT_TRUE(isNearest(exact, got, fractionBits)) << exact;
    }
  }
}

TEST(FloatConversion, RoundsADoubleOnce) {
  // Just above the middle of 1 and the next value; by way of f32 it would
  // become the middle and then 1.
  EXPECT_EQ(doubleToF16(1 + 0x1p-11 + 0x1p-40), floatToF16(1 + 0x1p-10f));
  EXPECT_EQ(doubleToBF16(1 + 0x1p-8 + 0x1p-40), floatToBF16(1 + 0x1p-7f));
}

TEST(FloatConversion, DoubleToFloatIsTheHosts) {
  Generator random(2);
  for (int n = 0; n < 300000; ++n) {
    // Exponents around the whole range of f32.
    uint64_t exponent = 1023 - 160 + random.next() % 320;
    double value =
        doubleOf((random.next() & 0x800fffffffffffff) | exponent << 52);
    ASSERT_EQ(bitsOf(doubleToFloat(value)), bitsOf(static_cast<float>(value)));
    float single = floatOf(static_cast<uint32_t>(random.next()));
    if (!std::isnan(single)) {
      ASSERT_EQ(bitsOf(floatToDouble(single)),
                bitsOf(static_cast<double>(single)));
    }
  }
}

TEST(FloatConversion, Edges) {
  EXPECT_EQ(floatToF16(65504.0f), 0x7bff);
  EXPECT_EQ(floatToF16(65519.0f), 0x7bff);
  EXPECT_EQ(floatToF16(65520.0f), 0x7c00);
  EXPECT_EQ(floatToF16(0x1p-24f), 0x0001);
  EXPECT_EQ(floatToF16(0x1p-25f), 0x0000);
  EXPECT_EQ(floatToF16(0x1.000002p-25f), 0x0001);
  EXPECT_EQ(floatToF16(-0x1p-149f), 0x8000);
  EXPECT_EQ(floatToBF16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(floatToBF16(floatOf(0x00018000)), 0x0002);
  EXPECT_EQ(floatToBF16(floatOf(0x00010000)), 0x0001);
  EXPECT_EQ(doubleToBF16(1e300), 0x7f80);
  EXPECT_EQ(doubleToF16(-1e-300), 0x8000);
  EXPECT_TRUE(std::isnan(f16ToFloat(floatToF16(floatOf(0x7f800001)))));
  EXPECT_TRUE(std::isnan(bf16ToFloat(doubleToBF16(std::nan("")))));
}

} // namespace
