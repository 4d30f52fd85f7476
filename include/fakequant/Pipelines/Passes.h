//===- Passes.h - Verifiers of the pipelines' contracts ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_PIPELINES_PASSES_H
#define FAKEQUANT_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::fakequant {

#define GEN_PASS_DECL
#include "fakequant/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fakequant/Pipelines/Passes.h.inc"

} // namespace mlir::fakequant

#endif // FAKEQUANT_PIPELINES_PASSES_H
