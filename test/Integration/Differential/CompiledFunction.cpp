//===- CompiledFunction.cpp -----------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledFunction.h"

#include "fakequant/InitAll.h"
#include "fakequant/Pipelines/Pipelines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

static constexpr llvm::StringLiteral kCaller = "call_with_descriptors";

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAll(registry);
    registerJitTranslations(registry);
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

/// Adds the function that takes the descriptors' addresses in a tensor to a
/// lowered module.
static LogicalResult addCaller(ModuleOp module, unsigned numTensors,
                               bool isApart) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::vector<std::string> pointers(numTensors, "!llvm.ptr"), values;
  os << "llvm.func @_mlir_ciface_f(" << llvm::join(pointers, ", ") << ")\n"
     << "llvm.func @_mlir_ciface_" << kCaller
     << "(%descriptor: !llvm.ptr) attributes {denormal_fp_math = "
        "\"dynamic,dynamic\"";
  if (isApart)
    os << ", passthrough = [\"noinline\"]";
  os << "} {\n"
     << "  %field = llvm.getelementptr %descriptor[1] : (!llvm.ptr) -> "
        "!llvm.ptr, !llvm.ptr\n"
     << "  %array = llvm.load %field : !llvm.ptr -> !llvm.ptr\n";
  for (unsigned i = 0; i < numTensors; ++i) {
    os << "  %slot" << i << " = llvm.getelementptr %array[" << i
       << "] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n"
       << "  %value" << i << " = llvm.load %slot" << i
       << " : !llvm.ptr -> !llvm.ptr\n";
    values.push_back("%value" + std::to_string(i));
  }
  os << "  llvm.call @_mlir_ciface_f(" << llvm::join(values, ", ") << ") : ("
     << llvm::join(pointers, ", ") << ") -> ()\n  llvm.return\n}\n";
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, module.getContext());
  if (!parsed)
    return failure();
  Operation *caller = parsed->lookupSymbol(("_mlir_ciface_" + kCaller).str());
  caller->remove();
  module.push_back(caller);
  return success();
}

static void printError(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
}

std::unique_ptr<CompiledFunction>
CompiledFunction::compile(const std::string &text, unsigned numTensors,
                          const CompileOptions &options) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &getContext());
  if (!module)
    return nullptr;
  PassManager passes(&getContext(), ModuleOp::getOperationName());
  FakeQuantToLLVMOptions lowering;
  lowering.targetCPU = options.targetCPU;
  lowering.streamingStores = options.streamingStores;
  if (options.threads > 1)
    lowering.threads = Threads::OpenMP;
  buildFakeQuantToLLVMPipeline(passes, lowering);
  if (failed(passes.run(*module)))
    return nullptr;
  if (failed(addCaller(*module, numTensors,
                       /*isApart=*/!options.flushDenormals.has_value())))
    return nullptr;

  JitOptions jit;
  jit.targetCPU = options.targetCPU;
  jit.threads = options.threads;
  jit.flushDenormals = options.flushDenormals.value_or(false);
  llvm::Expected<JitFunction> function =
      JitFunction::compile(*module, kCaller, /*numTensors=*/1, jit);
  if (!function)
    return printError(function.takeError()), nullptr;
  llvm::Expected<HostTensor> addresses =
      HostTensor::allocate(DType::I64, {int64_t(numTensors)});
  if (!addresses)
    return printError(addresses.takeError()), nullptr;
  std::unique_ptr<CompiledFunction> compiled(
      new CompiledFunction(std::move(*function), std::move(*addresses)));
  llvm::Expected<JitCall> bound =
      JitCall::bind(compiled->function, {&compiled->descriptorAddresses});
  if (!bound)
    return printError(bound.takeError()), nullptr;
  compiled->bound.emplace(std::move(*bound));
  return compiled;
}

void CompiledFunction::call(const std::vector<Buffer> &buffers) {
  descriptors.clear();
  for (const Buffer &buffer : buffers) {
    auto address = reinterpret_cast<uintptr_t>(buffer.data);
    std::vector<uint64_t> words = {address, address, 0};
    words.insert(words.end(), buffer.shape->begin(), buffer.shape->end());
    size_t rank = buffer.shape->size();
    words.resize(words.size() + rank);
    uint64_t stride = 1;
    for (size_t dim = rank; dim-- > 0;) {
      words[3 + rank + dim] = stride;
      stride *= static_cast<uint64_t>((*buffer.shape)[dim]);
    }
    descriptors.push_back(std::move(words));
  }
  auto *addresses = static_cast<uint64_t *>(descriptorAddresses.getData());
  for (auto [i, words] : llvm::enumerate(descriptors))
    addresses[i] = reinterpret_cast<uintptr_t>(words.data());
  (*bound)();
}
