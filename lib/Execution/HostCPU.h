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

#include "fakequant/Codegen/CPU/CPUTarget.h"

namespace mlir::fakequant {

/// Resolves "host" or a CPU's name. Fails on a name that LLVM does not know for
/// this process' triple, and on a CPU with instructions that the host lacks.
llvm::Expected<CPUTarget> resolveHostCPU(llvm::StringRef name);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_EXECUTION_HOSTCPU_H
