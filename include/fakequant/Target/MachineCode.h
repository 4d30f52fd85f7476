//===- MachineCode.h - Assembly and objects out of modules ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module says what it is for: `llvm.target_triple` and the `target_cpu` and
// `target_features` of its functions, as fq-set-cpu-target (the end of the
// pipeline fakequant-to-llvm) writes them. Code is optimized at -O3, without
// contraction.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TARGET_MACHINECODE_H
#define FAKEQUANT_TARGET_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fakequant {

/// Writes the assembly of a module in the LLVM dialect, whose context can
/// translate it to LLVM IR.
///
/// Fails, with a located diagnostic and without writing anything, on an op of
/// another dialect, on a module that names no triple or one that is neither
/// x86-64 nor AArch64, on an unknown CPU, and on functions for different CPUs.
/// A function without a CPU is for the architecture's baseline.
LogicalResult translateToAssembly(ModuleOp module, raw_ostream &os);

/// Likewise, the position-independent relocatable object.
LogicalResult translateToObject(ModuleOp module, raw_ostream &os);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TARGET_MACHINECODE_H
