//===- Options.h ------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of fq-run.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TOOLS_FQRUN_OPTIONS_H
#define FAKEQUANT_TOOLS_FQRUN_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace mlir::fakequant {

struct RunOptions {
  /// A file, or "-" for standard input.
  std::string module;
  /// Empty where the one public function is meant.
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> expects;
  /// Without it results are compared bit for bit.
  std::optional<double> tolerance;
  std::string targetCPU = "host";
  unsigned threads = 1;
  bool flushDenormals = false;
  /// Timed calls; 0 for none.
  unsigned repeat = 0;
  /// Standard output is one line of JSON and nothing else.
  bool json = false;
};

/// Reads the command line. On a mistake it prints what was expected and what
/// was found, and ends the process with status 1.
RunOptions parseOptions(int argc, char **argv);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TOOLS_FQRUN_OPTIONS_H
