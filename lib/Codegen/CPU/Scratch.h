//===- Scratch.h - Buffers an op needs for itself ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_SCRATCH_H
#define FAKEQUANT_LIB_CODEGEN_CPU_SCRATCH_H

#include "IndexBuilder.h"

namespace mlir::fakequant {

/// Allocates buffers: small ones of static size on the stack, of the function
/// or of the parallel loop that the builder is in, others on the heap. They are
/// there until the end of a scope; those on the stack serve the next scope
/// again.
class Scratch {
public:
  explicit Scratch(IndexBuilder &b) : b(b) {}

  /// A buffer of `size` elements, aligned to a cache line.
  Value allocate(Value size, Type elementType);

  /// Runs `body`, and frees behind its code what it allocated.
  void scope(llvm::function_ref<void()> body);

private:
  Value allocateOnStack(Block &frame, MemRefType type);

  IndexBuilder &b;
  /// The buffers of the innermost scope.
  SmallVector<Value> heapBuffers, stackBuffers;
  /// Stack buffers of scopes that ended.
  SmallVector<Value> freeStackBuffers;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_SCRATCH_H
