//===- Comparison.cpp -----------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element by element comparison of tensors.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace mlir::fakequant;

static double findMagnitude(const HostTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    double magnitude = std::fabs(tensor.getAsDouble(i));
    if (std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  }
  return largest;
}

/// |got - expected|; NaN where it cannot be told.
static double getDistance(const HostTensor &got, const HostTensor &expected,
                          int64_t i) {
  if (!isFloat(got.getDType())) {
    __int128 difference = got.getAsInteger(i) - expected.getAsInteger(i);
    return static_cast<double>(difference < 0 ? -difference : difference);
  }
  double a = got.getAsDouble(i), b = expected.getAsDouble(i);
  return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) : std::nan("");
}

Comparison mlir::fakequant::compare(const HostTensor &got,
                                    const HostTensor &expected,
                                    std::optional<double> tolerance) {
  Comparison comparison;
  double allowed = 0;
  if (tolerance) {
    comparison.magnitude = findMagnitude(expected);
    allowed = *tolerance * comparison.magnitude;
  }
  size_t size = getByteSize(got.getDType());
  auto *gotBytes = static_cast<const char *>(got.getData());
  auto *expectedBytes = static_cast<const char *>(expected.getData());
  for (int64_t i = 0, e = got.getNumElements(); i < e; ++i) {
    if (std::memcmp(gotBytes + i * size, expectedBytes + i * size, size) == 0)
      continue;
    if (std::isnan(got.getAsDouble(i)) && std::isnan(expected.getAsDouble(i)))
      continue;
    double distance = getDistance(got, expected, i);
    if (std::isnan(distance)) {
      ++comparison.numIncomparable;
    } else if (distance > comparison.largestError) {
      comparison.largestError = distance;
      comparison.largestAt = i;
    }
    if (tolerance && distance <= allowed)
      continue;
    if (comparison.numDifferent++ == 0)
      comparison.first = i;
  }
  return comparison;
}

std::string mlir::fakequant::formatPosition(llvm::ArrayRef<int64_t> shape,
                                            int64_t position) {
  llvm::SmallVector<int64_t> indices(shape.size());
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    indices[dim] = position % shape[dim];
    position /= shape[dim];
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(indices, os);
  os << ']';
  return text;
}
