//===- Main.cpp -----------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reference against compiled code: random ops, shapes, types, ranges and data,
// no difference in any bit. See Settings.h for the arguments.
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"
#include "Settings.h"

#include "gtest/gtest.h"

using namespace mlir::fakequant::differential;

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!parseSettings(argc, argv))
    return 2;
  reportFaults();
  return RUN_ALL_TESTS();
}
