//===- Passes.h - Code generation for CPUs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_CPU_PASSES_H
#define FAKEQUANT_CODEGEN_CPU_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fakequant {

#define GEN_PASS_DECL
#include "fakequant/Codegen/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fakequant/Codegen/CPU/Passes.h.inc"

} // namespace mlir::fakequant

#endif // FAKEQUANT_CODEGEN_CPU_PASSES_H
