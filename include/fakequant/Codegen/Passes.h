//===- Passes.h - Passes on linalg for every target -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_PASSES_H
#define FAKEQUANT_CODEGEN_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fakequant {

#define GEN_PASS_DECL
#include "fakequant/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fakequant/Codegen/Passes.h.inc"

} // namespace mlir::fakequant

#endif // FAKEQUANT_CODEGEN_PASSES_H
