//===- Options.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares fq-run's options to LLVM's command line library and checks them.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

#include <cmath>
#include <cstdlib>

using namespace mlir::fakequant;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "Compiles a module, calls one of its functions and looks at the results\n"
    "\n"
    "MODULE is at any stage: TensorFlow's generic ops, fakequant, linalg or "
    "the\n"
    "LLVM dialect, as text or bytecode. Tensors are NumPy's .npy files.\n";

/// The number in `text`; ends the process where it is none or less than 1.
static unsigned parseCount(llvm::StringRef option, llvm::StringRef text) {
  unsigned count = 0;
  if (!text.getAsInteger(10, count) && count >= 1)
    return count;
  llvm::WithColor::error(llvm::errs(), "fq-run")
      << "--" << option << ": expected a whole number of at least 1 but got '"
      << text << "'\n";
  std::exit(1);
}

static double parseTolerance(llvm::StringRef text) {
  double tolerance = 0;
  if (!text.getAsDouble(tolerance) && std::isfinite(tolerance) &&
      tolerance >= 0)
    return tolerance;
  llvm::WithColor::error(llvm::errs(), "fq-run")
      << "--tolerance: expected a finite number of at least 0 but got '" << text
      << "'\n";
  std::exit(1);
}

/// LLVM's libraries bring options of their own, among them a `--threads`; a
/// name twice would end the process.
static void removeOptionsNamedAsOurs() {
  auto &registered = cl::getRegisteredOptions();
  for (llvm::StringRef name :
       {"entry", "input", "output", "expect", "tolerance", "target-cpu",
        "threads", "flush-denormals", "repeat", "json"}) {
    auto option = registered.find(name);
    if (option != registered.end())
      option->second->removeArgument();
  }
}

RunOptions mlir::fakequant::parseOptions(int argc, char **argv) {
  removeOptionsNamedAsOurs();
  static cl::OptionCategory category("fq-run options");
  static cl::opt<std::string> module(cl::Positional, cl::Required,
                                     cl::desc("MODULE ('-' is standard input)"),
                                     cl::cat(category));
  static cl::opt<std::string> entry(
      "entry", cl::value_desc("name"),
      cl::desc("Function to call; may be left out where one is public"),
      cl::cat(category));
  static cl::list<std::string> inputs(
      "input", cl::value_desc("file.npy"),
      cl::desc("An argument; give one option an argument, in their order"),
      cl::cat(category));
  static cl::list<std::string> outputs(
      "output", cl::value_desc("file.npy"),
      cl::desc("Where a result goes; one option a result, in their order. "
               "All files are written or none. Without this option a table of "
               "the results is printed"),
      cl::cat(category));
  static cl::list<std::string> expects(
      "expect", cl::value_desc("file.npy"),
      cl::desc("What a result has to equal; one option a result, in their "
               "order. A difference is reported and the exit status is 1"),
      cl::cat(category));
  static cl::opt<std::string> tolerance(
      "tolerance", cl::value_desc("E"),
      cl::desc("Compare within E times the largest finite magnitude of the "
               "--expect file; otherwise bit for bit (NaN equals NaN)"),
      cl::cat(category));
  static cl::opt<std::string> targetCPU(
      "target-cpu", cl::value_desc("CPU"), cl::init("host"),
      cl::desc("CPU to compile for, as LLVM names it (default: host)"),
      cl::cat(category));
  static cl::opt<std::string> threads(
      "threads", cl::value_desc("N"), cl::init("1"),
      cl::desc(
          "Threads of a call (default: 1). Above 1, lowering makes loops "
          "of OpenMP, as --fakequant-to-llvm=threads=openmp does; a module "
          "that is lowered already has them or not. Results are the same "
          "bits for any number"),
      cl::cat(category));
  static cl::opt<bool> flushDenormals(
      "flush-denormals",
      cl::desc("Flush denormals to zero during calls, as TensorFlow does"),
      cl::cat(category));
  static cl::opt<std::string> repeat(
      "repeat", cl::value_desc("N"),
      cl::desc("Time N calls after a first, untimed one, all into the same "
               "results. Calls under 30 us are timed N times in batches of 50 "
               "us. GB/s is the bytes of inputs and results over the minimum"),
      cl::cat(category));
  static cl::opt<bool> json(
      "json",
      cl::desc("Print the times as one line of JSON and nothing else; "
               "means --repeat 1 where --repeat is not given"),
      cl::cat(category));

  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);

  RunOptions options;
  options.module = module;
  options.entry = entry;
  options.inputs = inputs;
  options.outputs = outputs;
  options.expects = expects;
  options.targetCPU = targetCPU;
  options.threads = parseCount("threads", threads);
  // The OpenMP runtime library ends the process where it gets no more threads.
  constexpr unsigned kMaxThreads = 1024;
  if (options.threads > kMaxThreads) {
    llvm::WithColor::error(llvm::errs(), "fq-run")
        << "--threads: expected at most " << kMaxThreads << " but got "
        << options.threads << '\n';
    std::exit(1);
  }
  options.flushDenormals = flushDenormals;
  options.json = json;
  if (tolerance.getNumOccurrences() > 0)
    options.tolerance = parseTolerance(tolerance);
  if (repeat.getNumOccurrences() > 0)
    options.repeat = parseCount("repeat", repeat);
  else if (json)
    options.repeat = 1;
  if (options.tolerance && options.expects.empty()) {
    llvm::WithColor::error(llvm::errs(), "fq-run")
        << "--tolerance: expected --expect beside it but got none\n";
    std::exit(1);
  }
  return options;
}
