//===- fq-run.cpp ---------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers a module at any stage, compiles it in this process, calls one of its
// functions on .npy files, and writes, shows, compares or times the results.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "Options.h"
#include "Report.h"

#include "fakequant/Execution/FlushDenormals.h"
#include "fakequant/Execution/Npy.h"
#include "fakequant/Execution/TensorSignature.h"
#include "fakequant/InitAll.h"
#include "fakequant/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;
using namespace mlir::fakequant;

namespace {
/// One run of the tool; the steps below in their order.
class Run {
public:
  Run(MLIRContext &context, const RunOptions &options)
      : context(context), options(options) {}

  /// Succeeds where all went well and every result is what was expected. What
  /// MLIR refuses has come as diagnostics by then; what else is refused comes
  /// as the error.
  llvm::Expected<bool> execute();

private:
  LogicalResult parseAndLower();
  llvm::Error readFiles();
  llvm::Error compileAndCall();
  llvm::Error writeResults();
  bool compareResults();
  void timeResults();

  MLIRContext &context;
  const RunOptions &options;

  OwningOpRef<ModuleOp> module;
  std::string entry;
  std::vector<HostTensor> inputs, results, expected;
  std::optional<JitFunction> function;
  std::optional<JitCall> call;
  double lowerMs = 0, codegenMs = 0;
};

/// Milliseconds since it was made.
class Stopwatch {
public:
  double getMs() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

LogicalResult Run::parseAndLower() {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.module, &message);
  if (!file) {
    llvm::WithColor::error(llvm::errs(), "fq-run") << message << '\n';
    return failure();
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);

  module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return failure();
  FailureOr<std::string> selected = selectEntry(*module, options.entry);
  if (failed(selected))
    return failure();
  entry = *selected;
  if (isLowered(*module))
    return success();

  Stopwatch stopwatch;
  PassManager passes(&context, ModuleOp::getOperationName());
  FakeQuantToLLVMOptions pipelineOptions;
  pipelineOptions.targetCPU = options.targetCPU;
  // HostTensor aligns them.
  pipelineOptions.alignedResults = true;
  if (options.threads > 1)
    pipelineOptions.threads = Threads::OpenMP;
  buildFakeQuantToLLVMPipeline(passes, pipelineOptions);
  // Once at the end instead of after each pass, which takes a tenth of the time
  // to the first call. fq-opt verifies each.
  passes.enableVerifier(false);
  if (failed(passes.run(*module)) || failed(verify(*module)))
    return failure();
  lowerMs = stopwatch.getMs();
  return success();
}

/// "--output: expected N files" where a list is there and of another length.
static llvm::Error checkCount(StringRef option, size_t count, size_t expected) {
  if (count == 0 || count == expected)
    return llvm::Error::success();
  return llvm::createStringError(
      "--" + option + ": expected " + Twine(expected) +
      " files, one a result, but got " + Twine(count));
}

llvm::Error Run::readFiles() {
  Operation *lowered = module->lookupSymbol(entry);
  if (!lowered)
    return llvm::createStringError("expected lowering to keep the function '" +
                                   entry + "' but it is gone");
  llvm::Expected<TensorSignature> signature = TensorSignature::get(lowered);
  if (!signature)
    return signature.takeError();
  size_t numInputs = signature->getOperands().size();
  size_t numResults = signature->getResults().size();
  if (options.inputs.size() != numInputs)
    return llvm::createStringError("--input: expected " + Twine(numInputs) +
                                   " files, one an argument of '" + entry +
                                   "', but got " +
                                   Twine(options.inputs.size()));
  if (auto error = checkCount("output", options.outputs.size(), numResults))
    return error;
  if (auto error = checkCount("expect", options.expects.size(), numResults))
    return error;

  for (auto [index, path] : llvm::enumerate(options.inputs)) {
    llvm::Expected<HostTensor> tensor = readNpy(path);
    if (!tensor)
      return llvm::createStringError("input " + Twine(index) + ": " +
                                     llvm::toString(tensor.takeError()));
    inputs.push_back(std::move(*tensor));
  }
  if (auto error = signature->checkInputs(inputs, options.inputs))
    return error;

  // Not zeros: a result that the function leaves unwritten shall be seen.
  constexpr unsigned char kUnwritten = 0xff;
  for (auto [result, shape] : llvm::zip_equal(
           signature->getResults(), signature->computeResultShapes(inputs))) {
    llvm::Expected<HostTensor> tensor =
        HostTensor::allocate(result.dtype, shape, kUnwritten);
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }

  for (auto [index, path] : llvm::enumerate(options.expects)) {
    llvm::Expected<HostTensor> tensor = readNpy(path);
    if (!tensor)
      return llvm::createStringError("result " + Twine(index) + ": " +
                                     llvm::toString(tensor.takeError()));
    const HostTensor &result = results[index];
    if (tensor->getDType() != result.getDType() ||
        tensor->getShape() != result.getShape())
      return llvm::createStringError(
          "result " + Twine(index) + " ('" + path + "'): expected " +
          formatTensorType(result.getDType(), result.getShape()) +
          ", as the function gives, but got " +
          formatTensorType(tensor->getDType(), tensor->getShape()));
    expected.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

llvm::Error Run::compileAndCall() {
  JitOptions jitOptions;
  jitOptions.targetCPU = options.targetCPU;
  jitOptions.threads = options.threads;
  jitOptions.flushDenormals = options.flushDenormals;
  Stopwatch stopwatch;
  llvm::Expected<JitFunction> compiled = JitFunction::compile(
      *module, entry, inputs.size() + results.size(), jitOptions);
  if (!compiled)
    return compiled.takeError();
  codegenMs = stopwatch.getMs();
  function.emplace(std::move(*compiled));

  SmallVector<HostTensor *> tensors;
  for (HostTensor &tensor : llvm::concat<HostTensor>(inputs, results))
    tensors.push_back(&tensor);
  llvm::Expected<JitCall> bound = JitCall::bind(*function, tensors);
  if (!bound)
    return bound.takeError();
  call.emplace(std::move(*bound));

  FlushDenormals flush(options.flushDenormals);
  (*call)();
  return llvm::Error::success();
}

llvm::Error Run::writeResults() {
  if (options.outputs.empty()) {
    if (!options.json)
      printResults(llvm::outs(), results);
    return llvm::Error::success();
  }
  std::vector<NpyOutput> files;
  for (auto [path, result] : llvm::zip_equal(options.outputs, results))
    files.push_back({path, &result});
  return writeNpy(files);
}

bool Run::compareResults() {
  bool areEqual = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    Comparison comparison = compare(results[i], expected[i], options.tolerance);
    bool isEqual = comparison.numDifferent == 0;
    areEqual &= isEqual;
    if (isEqual && options.json)
      continue;
    llvm::outs().flush();
    printComparison(isEqual ? llvm::outs() : llvm::errs(), i,
                    options.expects[i], results[i], expected[i], comparison,
                    options.tolerance);
  }
  return areEqual;
}

void Run::timeResults() {
  TimeReport report{entry, options.repeat, lowerMs, codegenMs, {}, 0};
  for (const HostTensor &tensor :
       llvm::concat<const HostTensor>(inputs, results))
    report.bytes += tensor.getNumBytes();
  {
    FlushDenormals flush(options.flushDenormals);
    report.times = timeCalls(*call, options.repeat);
  }
  if (options.json)
    printTimesAsJson(llvm::outs(), report);
  else
    printTimes(llvm::outs(), report);
}

llvm::Expected<bool> Run::execute() {
  // What can be refused without any work comes first.
  if (auto error = checkTargetCPU(options.targetCPU))
    return std::move(error);
  if (options.flushDenormals && !FlushDenormals::isSupported())
    return llvm::createStringError(
        "--flush-denormals: expected x86 or AArch64 but got another CPU");
  if (auto error = checkNpyPaths(options.outputs))
    return std::move(error);

  if (failed(parseAndLower()))
    return false;
  if (auto error = readFiles())
    return std::move(error);
  if (auto error = compileAndCall())
    return std::move(error);
  // The first call is the answer, and the warm-up of those that are timed.
  if (auto error = writeResults())
    return std::move(error);
  if (!compareResults())
    return false;
  if (options.repeat > 0)
    timeResults();
  return true;
}

/// LLVM gives up on some inputs, such as an intrinsic that the CPU has not:
/// that is an error of the module like any other.
static void exitOnFatalError(void *, const char *reason, bool) {
  llvm::WithColor::error(llvm::errs(), "fq-run") << reason << '\n';
  llvm::errs().flush();
  _Exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_fatal_error_handler(exitOnFatalError);
  RunOptions options = parseOptions(argc, argv);

  DialectRegistry registry;
  registerAll(registry);
  registerJitTranslations(registry);
  // One thread: compiling one function gains nothing from more, and a pool
  // would disturb what is timed.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);

  llvm::Expected<bool> succeeded = Run(context, options).execute();
  if (!succeeded) {
    llvm::outs().flush();
    llvm::WithColor::error(llvm::errs(), "fq-run")
        << llvm::toString(succeeded.takeError()) << '\n';
    return 1;
  }
  return *succeeded ? 0 : 1;
}
