//===- LLVMCode.h - From the LLVM dialect to optimized LLVM IR --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What everything that makes machine code shares, in memory or in a file.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TARGET_LLVMCODE_H
#define FAKEQUANT_TARGET_LLVMCODE_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::fakequant {

/// Whether every op inside `module` belongs to the LLVM dialect. Reports the
/// first that does not, at its location.
LogicalResult verifyLLVMDialect(ModuleOp module);

/// Runs LLVM's pipeline of an optimization level, 0 to 3, for `machine`. No
/// level contracts or reassociates floating point.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine,
                  unsigned level);

} // namespace mlir::fakequant

#endif // FAKEQUANT_TARGET_LLVMCODE_H
