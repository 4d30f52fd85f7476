//===- Settings.cpp -------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

static Settings settings;

const Settings &differential::getSettings() { return settings; }

bool differential::parseSettings(int argc, char **argv) {
  if (const char *cases = std::getenv("FAKEQUANT_DIFFERENTIAL_CASES"))
    if (llvm::StringRef(cases).getAsInteger(10, settings.cases)) {
      llvm::errs() << "FAKEQUANT_DIFFERENTIAL_CASES: expected a number but got "
                   << cases << '\n';
      return false;
    }
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    bool failed = false;
    if (argument.consume_front("--cases="))
      failed = argument.getAsInteger(10, settings.cases);
    else if (argument.consume_front("--seed="))
      failed = argument.getAsInteger(0, settings.seed);
    else if (argument.consume_front("--case="))
      failed = argument.getAsInteger(10, settings.onlyCase);
    else if (argument.consume_front("--target-cpu="))
      settings.targetCPU = argument.str();
    else
      failed = true;
    if (failed) {
      llvm::errs() << "expected --cases=N, --seed=S, --case=K or "
                      "--target-cpu=CPU but got '"
                   << argv[i] << "'\n";
      return false;
    }
  }
  return true;
}

uint64_t differential::getTestSeed() {
  const auto *info = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(info->test_suite_name()) + "." + info->name();
  // FNV-1a.
  uint64_t hash = 0xcbf29ce484222325 ^ settings.seed;
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}
