//===- Jit.h ----------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a module in the LLVM dialect in this process and calls a function of
// it through the destination-passing calling convention.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_EXECUTION_JIT_H
#define FAKEQUANT_EXECUTION_JIT_H

#include "fakequant/Execution/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::fakequant {

struct JitOptions {
  /// The CPU to compile for: "host", or a name LLVM knows for the host's
  /// architecture and whose instructions the host has.
  std::string targetCPU = "host";
  /// The threads of a team where the module has OpenMP's loops; the thread that
  /// compiles has to be the one that calls. LLVM's OpenMP runtime library is
  /// loaded then.
  unsigned threads = 1;
  /// Optimization level, 0 to 3. No level contracts or reassociates.
  unsigned optLevel = 3;
  /// Calls run under FlushDenormals, so constants are folded with flushing too
  /// (in functions that do not say themselves what they expect).
  bool flushDenormals = false;
};

/// Registers the translations to LLVM IR that compiling needs. The dialects
/// have to come from a context made with this registry.
void registerJitTranslations(DialectRegistry &registry);

/// Whether `targetCPU` is "host" or can be compiled for and run here. Cheap, so
/// that a tool can refuse a name before it lowers anything.
llvm::Error checkTargetCPU(llvm::StringRef targetCPU);

/// A compiled function. It owns its code.
class JitFunction {
public:
  /// Compiles `entry` of `module`, whose functions are all llvm.func. Lowering
  /// marked the entry with `llvm.emit_c_interface`, so beside it stands
  /// `_mlir_ciface_<entry>`, which takes a pointer to a memref descriptor for
  /// every operand and then every result, `numTensors` in all, and returns
  /// nothing. Fails on a module that is not that, on an unusable CPU, without
  /// an OpenMP runtime library where one is needed, and on symbols that are
  /// nowhere; what MLIR finds wrong comes as diagnostics too.
  static llvm::Expected<JitFunction> compile(ModuleOp module,
                                             llvm::StringRef entry,
                                             unsigned numTensors,
                                             const JitOptions &options);

  JitFunction(JitFunction &&);
  JitFunction &operator=(JitFunction &&);
  ~JitFunction();

private:
  friend class JitCall;
  JitFunction(std::unique_ptr<llvm::orc::LLJIT> jit, void (*code)(void **),
              unsigned numTensors);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*code)(void **);
  unsigned numTensors;
};

/// A compiled function bound to its tensors, operands first and then results,
/// so that calls cost nothing beside the function itself. It refers to both and
/// must not outlive them.
class JitCall {
public:
  /// `tensors` are as many as the function takes and of the types and ranks of
  /// its signature: see TensorSignature::checkInputs.
  static llvm::Expected<JitCall> bind(const JitFunction &function,
                                      llvm::ArrayRef<HostTensor *> tensors);

  // A copy's arguments would point to the descriptors of the original.
  JitCall(JitCall &&) = default;
  JitCall &operator=(JitCall &&) = default;

  void operator()() { code(arguments.data()); }

private:
  JitCall() = default;

  /// The words of a strided memref descriptor: allocated pointer, aligned
  /// pointer, offset, a size a dimension, a stride a dimension.
  using Descriptor = llvm::SmallVector<uint64_t, 11>;

  void (*code)(void **) = nullptr;
  std::vector<Descriptor> descriptors;
  std::vector<void *> arguments;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_EXECUTION_JIT_H
