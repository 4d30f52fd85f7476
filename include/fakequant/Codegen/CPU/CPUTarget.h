//===- CPUTarget.h - What code generation knows of a CPU --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_CODEGEN_CPU_CPUTARGET_H
#define FAKEQUANT_CODEGEN_CPU_CPUTARGET_H

#include "mlir/Support/LLVM.h"

#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>

namespace mlir::fakequant {

/// A CPU to generate code for.
struct CPUTarget {
  llvm::Triple triple;
  /// LLVM's name of the CPU, never "host".
  std::string cpu;
  /// LLVM's feature string; empty unless the CPU is the host's own, whose
  /// features a name does not tell.
  std::string features;
  /// Width of the vector registers that code is generated for, in bits.
  unsigned vectorBits = 128;
  /// Size of a core's first-level data cache: the host's own, or 32 KiB.
  int64_t firstLevelCacheBytes = 32 << 10;
  /// Size of the last-level cache: the host's own, or 32 MiB.
  int64_t lastLevelCacheBytes = 32 << 20;
  /// Whether vectors are rounded to integral values by an instruction.
  bool roundsVectors = true;
  /// Whether vectors are converted between f16 and f32 by an instruction.
  bool convertsHalf = true;

  /// Resolves a triple (empty for the host's) and a CPU ("host" or empty for
  /// the host's, or a name LLVM knows). Fails with a message that says what was
  /// expected.
  static llvm::Expected<CPUTarget> get(llvm::StringRef triple,
                                       llvm::StringRef cpu);

  /// A generator of position-independent code for this target, without
  /// contraction of products and sums.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(
      llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive) const;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_CODEGEN_CPU_CPUTARGET_H
