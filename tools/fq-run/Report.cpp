//===- Report.cpp ---------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables, comparisons and times as text.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::fakequant;

static std::string formatNumber(double value, int digits = 6) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
  return text;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

using Row = std::vector<std::string>;

static std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

static Row describeResult(size_t index, const HostTensor &tensor) {
  constexpr int64_t kNumShown = 6;
  double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
  int64_t numNaN = 0, numElements = tensor.getNumElements();
  for (int64_t i = 0; i < numElements; ++i) {
    double value = tensor.getAsDouble(i);
    if (std::isnan(value)) {
      ++numNaN;
      continue;
    }
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }
  Row row = {std::to_string(index), getName(tensor.getDType()).str(),
             formatShape(tensor.getShape())};
  if (int64_t numValues = numElements - numNaN)
    row.insert(row.end(), {formatNumber(least), formatNumber(most),
                           formatNumber(sum / numValues)});
  else
    row.insert(row.end(), {"-", "-", "-"});

  Row first;
  for (int64_t i = 0; i < std::min(numElements, kNumShown); ++i)
    first.push_back(isFloat(tensor.getDType())
                        ? formatNumber(tensor.getAsDouble(i))
                        : tensor.formatElement(i));
  if (numElements > kNumShown)
    first.emplace_back("...");
  row.emplace_back(llvm::join(first, ", "));
  if (numNaN)
    row.back() += " (" + std::to_string(numNaN) + " NaN)";
  return row;
}

void mlir::fakequant::printResults(llvm::raw_ostream &os,
                                   llvm::ArrayRef<HostTensor> results) {
  std::vector<Row> rows = {
      {"result", "type", "shape", "min", "max", "mean", "first values"}};
  for (auto [index, result] : llvm::enumerate(results))
    rows.push_back(describeResult(index, result));

  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const Row &row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i)
      os << llvm::left_justify(row[i], widths[i]) << "  ";
    os << (row.back().empty() ? "-" : row.back()) << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

void mlir::fakequant::printComparison(llvm::raw_ostream &os, size_t index,
                                      llvm::StringRef file,
                                      const HostTensor &got,
                                      const HostTensor &expected,
                                      const Comparison &comparison,
                                      std::optional<double> tolerance) {
  std::string within = tolerance ? formatNumber(*tolerance) + " * " +
                                       formatNumber(comparison.magnitude)
                                 : "";
  os << "result " << index << ": ";
  if (comparison.numDifferent == 0) {
    os << "equals '" << file << "' "
       << (tolerance ? "within " + within : "bit for bit") << " ("
       << got.getNumElements()
       << (got.getNumElements() == 1 ? " element)" : " elements)");
  } else {
    os << comparison.numDifferent << " of " << got.getNumElements()
       << (comparison.numDifferent == 1 ? " differs " : " differ ")
       << (tolerance ? "by more than " + within + " " : "") << "from '" << file
       << "'; first at " << formatPosition(got.getShape(), comparison.first)
       << ": got " << got.formatElement(comparison.first) << ", expected "
       << expected.formatElement(comparison.first);
  }
  if (comparison.numDifferent > 0 || tolerance)
    os << "; largest error " << formatNumber(comparison.largestError);
  if (comparison.largestError > 0)
    os << " at " << formatPosition(got.getShape(), comparison.largestAt);
  if (comparison.numIncomparable > 0)
    os << "; " << comparison.numIncomparable
       << (comparison.numIncomparable == 1 ? " pair" : " pairs")
       << " with a NaN or an infinity";
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static double getGigabytesPerSecond(const TimeReport &report) {
  if (report.times.minMs <= 0)
    return 0;
  return report.bytes / report.times.minMs * 1e-6;
}

void mlir::fakequant::printTimes(llvm::raw_ostream &os,
                                 const TimeReport &report) {
  os << "entry    " << report.entry << '\n'
     << llvm::format("compile  %.1f ms (lowering %.1f, code generation %.1f)\n",
                     report.lowerMs + report.codegenMs, report.lowerMs,
                     report.codegenMs)
     << llvm::format("call     min %.6g ms, median %.6g ms (%u timed)\n",
                     report.times.minMs, report.times.medianMs, report.repeat)
     << "bytes    " << report.bytes
     << llvm::format(", %.4g GB/s\n", getGigabytesPerSecond(report));
}

void mlir::fakequant::printTimesAsJson(llvm::raw_ostream &os,
                                       const TimeReport &report) {
  llvm::json::OStream json(os);
  auto number = [&](llvm::StringRef key, double value) {
    json.attributeBegin(key);
    json.rawValue(formatNumber(value));
    json.attributeEnd();
  };
  json.object([&] {
    json.attribute("entry", llvm::json::fixUTF8(report.entry));
    json.attribute("repeat", report.repeat);
    number("compile_ms", report.lowerMs + report.codegenMs);
    number("min_ms", report.times.minMs);
    number("median_ms", report.times.medianMs);
    json.attribute("bytes", report.bytes);
    number("gb_per_s", getGigabytesPerSecond(report));
  });
  os << '\n';
}
