//===- HostCPU.h ------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which CPU to compile for, when the code runs in this process.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_EXECUTION_HOSTCPU_H
#define FAKEQUANT_LIB_EXECUTION_HOSTCPU_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace llvm {
class Target;
} // namespace llvm

namespace mlir::fakequant {

struct HostCPU {
  const llvm::Target *target;
  llvm::Triple triple;
  std::string name;
  /// Comma-separated "+feature" and "-feature"; empty where `name` says it all.
  std::string features;
};

/// Resolves "host" or a CPU's name. Fails on a name that LLVM does not know for
/// this process' triple, and on a CPU with instructions that the host lacks.
llvm::Expected<HostCPU> resolveHostCPU(llvm::StringRef name);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_EXECUTION_HOSTCPU_H
