//===- JitCall.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memref descriptors for the arguments of a compiled function.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/Jit.h"

using namespace mlir;
using namespace mlir::fakequant;

llvm::Expected<JitCall> JitCall::bind(const JitFunction &function,
                                      llvm::ArrayRef<HostTensor *> tensors) {
  if (tensors.size() != function.numTensors)
    return llvm::createStringError(
        "expected " + llvm::Twine(function.numTensors) + " tensors but got " +
        llvm::Twine(tensors.size()));
  JitCall call;
  call.code = function.code;
  call.descriptors.reserve(tensors.size());
  for (HostTensor *tensor : tensors) {
    int64_t rank = tensor->getRank();
    auto address = reinterpret_cast<uintptr_t>(tensor->getData());
    Descriptor descriptor = {address, address, 0};
    descriptor.append(tensor->getShape().begin(), tensor->getShape().end());
    descriptor.append(rank, 1);
    uint64_t stride = 1;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      descriptor[3 + rank + dim] = stride;
      stride *= tensor->getShape()[dim];
    }
    call.descriptors.push_back(std::move(descriptor));
  }
  for (Descriptor &descriptor : call.descriptors)
    call.arguments.push_back(descriptor.data());
  return std::move(call);
}
