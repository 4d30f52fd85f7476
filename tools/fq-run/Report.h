//===- Report.h -------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fq-run prints.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TOOLS_FQRUN_REPORT_H
#define FAKEQUANT_TOOLS_FQRUN_REPORT_H

#include "Comparison.h"
#include "Timing.h"

namespace mlir::fakequant {

/// A line a result: number, type, shape, minimum, maximum and mean of the
/// elements that are not NaN, and the first elements.
void printResults(llvm::raw_ostream &os, llvm::ArrayRef<HostTensor> results);

/// Says how result `index` compares with the file it had to equal.
void printComparison(llvm::raw_ostream &os, size_t index, llvm::StringRef file,
                     const HostTensor &got, const HostTensor &expected,
                     const Comparison &comparison,
                     std::optional<double> tolerance);

struct TimeReport {
  std::string entry;
  unsigned repeat;
  /// Lowering and code generation, in milliseconds.
  double lowerMs;
  double codegenMs;
  CallTimes times;
  /// Bytes of all inputs and all results.
  int64_t bytes;
};

/// The report as text of a few lines.
void printTimes(llvm::raw_ostream &os, const TimeReport &report);

/// The report as one line of JSON with the keys entry, repeat, compile_ms,
/// min_ms, median_ms, bytes and gb_per_s.
void printTimesAsJson(llvm::raw_ostream &os, const TimeReport &report);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TOOLS_FQRUN_REPORT_H
