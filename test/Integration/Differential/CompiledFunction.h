//===- CompiledFunction.h - Text to code to calls ---------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_COMPILEDFUNCTION_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_COMPILEDFUNCTION_H

#include "fakequant/Execution/Jit.h"

#include <memory>
#include <optional>

namespace mlir::fakequant::differential {

struct CompileOptions {
  std::string targetCPU = "host";
  /// "always" takes small tensors the way of those that outgrow the caches.
  std::string streamingStores = "auto";
  /// More than one: loops over chunks are OpenMP's.
  unsigned threads = 1;
  /// What calls will run under. Without it the code serves both modes, as an
  /// object file does: it stays apart from code that is compiled for one.
  std::optional<bool> flushDenormals;
};

/// A tensor in the caller's memory.
struct Buffer {
  void *data;
  const std::vector<int64_t> *shape;
};

/// The entry @f of a module, called with buffers at any address. JitCall takes
/// HostTensors, which choose their own addresses, so beside the entry stands a
/// function that takes the addresses of the descriptors as one i64 tensor.
class CompiledFunction {
public:
  /// Lowers and compiles `text`, whose public function @f takes and returns
  /// `numTensors` tensors together. Null, after diagnostics, where it fails.
  static std::unique_ptr<CompiledFunction>
  compile(const std::string &text, unsigned numTensors,
          const CompileOptions &options);

  /// Operands in order, then results.
  void call(const std::vector<Buffer> &buffers);

private:
  CompiledFunction(JitFunction function, HostTensor descriptorAddresses)
      : function(std::move(function)),
        descriptorAddresses(std::move(descriptorAddresses)) {}

  JitFunction function;
  HostTensor descriptorAddresses;
  std::vector<std::vector<uint64_t>> descriptors;
  std::optional<JitCall> bound;
};

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_COMPILEDFUNCTION_H
