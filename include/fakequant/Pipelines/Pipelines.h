//===- Pipelines.h - The road of a program ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pipeline starts from any earlier stage, contains the pipelines before
// it, and ends in a pass that verifies what may be left.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_PIPELINES_PIPELINES_H
#define FAKEQUANT_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir {
class OpPassManager;

namespace fakequant {

/// Options of `fakequant-to-linalg`.
struct FakeQuantToLinalgOptions
    : public PassPipelineOptions<FakeQuantToLinalgOptions> {
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Fuse elementwise producers into the ops' generics"),
      llvm::cl::init(true)};
  Option<bool> split{
      *this, "split",
      llvm::cl::desc("Split generics that mix elementwise results and sums"),
      llvm::cl::init(false)};
};

/// Who runs the chunks of large operands. Results do not depend on it.
enum class Threads {
  /// The calling thread.
  None,
  /// A team of OpenMP threads; the code then needs LLVM's libomp.
  OpenMP,
};

/// Options of `fakequant-to-vector`.
struct FakeQuantToVectorOptions
    : public PassPipelineOptions<FakeQuantToVectorOptions> {
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Fuse elementwise producers into the ops' generics"),
      llvm::cl::init(true)};
  Option<std::string> targetTriple{
      *this, "target-triple",
      llvm::cl::desc("Target triple; empty for the host's"),
      llvm::cl::init("")};
  Option<std::string> targetCPU{
      *this, "target-cpu",
      llvm::cl::desc("CPU to generate code for, by LLVM's name, or 'host'"),
      llvm::cl::init("host")};
  Option<std::string> streamingStores{
      *this, "streaming-stores",
      llvm::cl::desc(
          "When elementwise results bypass the caches: 'auto' (where "
          "the operands outgrow the last-level cache), 'always' "
          "(for every size) or 'never'"),
      llvm::cl::init("auto")};
  Option<bool> alignedResults{
      *this, "aligned-results",
      llvm::cl::desc("Rely on results that start at multiples of 64 bytes; "
                     "otherwise code for other addresses stands beside"),
      llvm::cl::init(false)};
  Option<Threads> threads{
      *this, "threads",
      llvm::cl::desc("Who runs the chunks of large operands: 'none' (the "
                     "calling thread) or 'openmp' (a team of OpenMP threads; "
                     "the code needs libomp)"),
      llvm::cl::init(Threads::None),
      llvm::cl::values(
          clEnumValN(Threads::None, "none", "The calling thread"),
          clEnumValN(Threads::OpenMP, "openmp",
                     "A team of OpenMP threads; the code needs libomp"))};
};

/// Options of `fakequant-to-llvm`.
using FakeQuantToLLVMOptions = FakeQuantToVectorOptions;

/// TensorFlow's ops or fakequant ops to linalg on tensors.
void buildFakeQuantToLinalgPipeline(OpPassManager &pm,
                                    const FakeQuantToLinalgOptions &options);

/// Any of those to loops over vectors on buffers, entries in destination-
/// passing style.
void buildFakeQuantToVectorPipeline(OpPassManager &pm,
                                    const FakeQuantToVectorOptions &options);

/// Any of those to the LLVM dialect, for one CPU.
void buildFakeQuantToLLVMPipeline(OpPassManager &pm,
                                  const FakeQuantToLLVMOptions &options);

/// Registers the pipelines by their names.
void registerFakeQuantPipelines();

} // namespace fakequant
} // namespace mlir

#endif // FAKEQUANT_PIPELINES_PIPELINES_H
