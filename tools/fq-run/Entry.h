//===- Entry.h --------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which function of a module is called.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TOOLS_FQRUN_ENTRY_H
#define FAKEQUANT_TOOLS_FQRUN_ENTRY_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fakequant {

/// The name of the function to call: `requested`, or the one public function
/// with a body where that is empty. Emits a diagnostic and fails where there is
/// no such function, several could be meant, or the function has no body.
FailureOr<std::string> selectEntry(ModuleOp module, StringRef requested);

/// Whether every op of the module is of the LLVM dialect, or OpenMP's beside
/// it, so that no lowering is left to do.
bool isLowered(ModuleOp module);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TOOLS_FQRUN_ENTRY_H
