//===- Passes.h - Passes that enter or leave the dialect --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CONVERSION_PASSES_H
#define FAKEQUANT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::fakequant {

#define GEN_PASS_DECL
#include "fakequant/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fakequant/Conversion/Passes.h.inc"

} // namespace mlir::fakequant

#endif // FAKEQUANT_CONVERSION_PASSES_H
