//===- StreamEmitter.h - Loops over vectors for a stream --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_STREAMEMITTER_H
#define FAKEQUANT_LIB_CODEGEN_CPU_STREAMEMITTER_H

#include "StreamPlan.h"

namespace mlir::fakequant {

/// Emits the loops and vectors of `plan` before its op, which it leaves.
void emitStream(OpBuilder &builder, StreamPlan &plan);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_STREAMEMITTER_H
