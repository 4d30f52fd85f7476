//===- Settings.h - What the command line says ------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_SETTINGS_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_SETTINGS_H

#include <cstdint>
#include <string>

namespace mlir::fakequant::differential {

struct Settings {
#ifdef __OPTIMIZE__
  int64_t cases = 40000;
#else
  int64_t cases = 4000;
#endif
  uint64_t seed = 20260715;
  /// The only case to run of each test, or -1 for all.
  int64_t onlyCase = -1;
  /// The CPU to compile for where a test does not choose several.
  std::string targetCPU = "host";
};

const Settings &getSettings();

/// Reads --cases=N, --seed=S, --case=K and --target-cpu=CPU, with
/// FAKEQUANT_DIFFERENTIAL_CASES in the environment as another way to give N.
/// False, after a message, where an argument is none of these.
bool parseSettings(int argc, char **argv);

/// The seed of a test: that of the run and the test's name.
uint64_t getTestSeed();

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_SETTINGS_H
