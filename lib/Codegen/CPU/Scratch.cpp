//===- Scratch.cpp - Buffers an op needs for itself -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Buffers of static size up to this live on the stack, as long as the
/// function's buffers there stay within the second number together.
static constexpr int64_t kMaxStackBytes = int64_t{64} * 1024;
static constexpr int64_t kMaxFunctionStackBytes = int64_t{256} * 1024;
/// A cache line, which no vector register exceeds.
static constexpr int64_t kAlignment = 64;

static int64_t stackBytes(Block &entry) {
  int64_t bytes = 0;
  for (auto alloca : entry.getOps<memref::AllocaOp>())
    if (alloca.getType().hasStaticShape())
      bytes += alloca.getType().getNumElements() *
               alloca.getType().getElementTypeBitWidth() / 8;
  return bytes;
}

/// The first block of what `block` shares a frame of the stack with.
static Block &stackFrame(Block &block) {
  Operation *parent = block.getParentOp();
  while (!isa<FunctionOpInterface, scf::ParallelOp>(parent))
    parent = parent->getParentOp();
  return parent->getRegion(0).front();
}

/// Null if the stack is no place for it.
Value Scratch::allocateOnStack(Block &frame, MemRefType type) {
  auto *reused = llvm::find_if(freeStackBuffers, [&](Value buffer) {
    return buffer.getParentBlock() == &frame && buffer.getType() == type;
  });
  if (reused != freeStackBuffers.end()) {
    Value buffer = *reused;
    freeStackBuffers.erase(reused);
    stackBuffers.push_back(buffer);
    return buffer;
  }
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  if (bytes > kMaxStackBytes ||
      bytes + stackBytes(frame) > kMaxFunctionStackBytes)
    return Value();
  // At the start, so that a loop around the op does not grow the stack.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&frame);
  stackBuffers.push_back(
      memref::AllocaOp::create(b, type, b.getI64IntegerAttr(kAlignment)));
  return stackBuffers.back();
}

Value Scratch::allocate(Value size, Type elementType) {
  std::optional<int64_t> known = IndexBuilder::constant(size);
  auto type =
      MemRefType::get({known.value_or(ShapedType::kDynamic)}, elementType);
  if (known)
    if (Value buffer =
            allocateOnStack(stackFrame(*b.getInsertionBlock()), type))
      return buffer;
  SmallVector<Value> sizes;
  if (!known)
    sizes.push_back(size);
  heapBuffers.push_back(
      memref::AllocOp::create(b, type, sizes, b.getI64IntegerAttr(kAlignment)));
  return heapBuffers.back();
}

void Scratch::scope(llvm::function_ref<void()> body) {
  SmallVector<Value> outerHeapBuffers, outerStackBuffers;
  std::swap(outerHeapBuffers, heapBuffers);
  std::swap(outerStackBuffers, stackBuffers);
  body();
  for (Value buffer : llvm::reverse(heapBuffers))
    memref::DeallocOp::create(b, buffer);
  freeStackBuffers.append(stackBuffers);
  std::swap(outerHeapBuffers, heapBuffers);
  std::swap(outerStackBuffers, stackBuffers);
}
