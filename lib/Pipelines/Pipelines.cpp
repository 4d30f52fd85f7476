//===- Pipelines.cpp - The road of a program ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Pipelines/Pipelines.h"

#include "fakequant/Codegen/CPU/Passes.h"
#include "fakequant/Codegen/Passes.h"
#include "fakequant/Conversion/Passes.h"
#include "fakequant/Pipelines/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Buffers of a call up to this size live on the stack: parameters and sums of
/// up to two thousand channels.
static constexpr unsigned kMaxStackBytes = 64 * 1024;

void fakequant::buildFakeQuantToLinalgPipeline(
    OpPassManager &pm, const FakeQuantToLinalgOptions &options) {
  pm.addPass(createConvertTFToFakeQuant());
  // Folds what needs no code, and turns what importers leave behind into one
  // form.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createConvertFakeQuantToLinalg());
  if (options.fuse)
    pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  // After fusion, which leaves the results of producers behind.
  pm.addNestedPass<func::FuncOp>(createDropUnusedResults());
  if (options.split)
    pm.addNestedPass<func::FuncOp>(createSplitMixedGenerics());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createVerifyLinalgContract());
}

/// Tensors to buffers, without a copy or an allocation that is not needed.
static void addBufferization(OpPassManager &pm) {
  // What is left of elementwise ops on tensors has no buffer form.
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createDestinationPassing());
  // After the destinations are known, so that a result that has one keeps it.
  // No CSE from here to bufferization: it would merge the inits again.
  pm.addNestedPass<func::FuncOp>(createReuseDeadOperands());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // Ops that are not our business stay, on tensors.
  bufferize.allowUnknownOps = true;
  // A loop may carry a tensor that each iteration makes anew.
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(bufferization::createDropEquivalentBufferResultsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = kMaxStackBytes;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(stack));
  pm.addNestedPass<func::FuncOp>(createHoistStackBuffers());
  pm.addPass(createDeallocateBuffers());
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void fakequant::buildFakeQuantToVectorPipeline(
    OpPassManager &pm, const FakeQuantToVectorOptions &options) {
  FakeQuantToLinalgOptions linalgOptions;
  linalgOptions.fuse = options.fuse;
  buildFakeQuantToLinalgPipeline(pm, linalgOptions);
  addBufferization(pm);
  VectorizeLinalgOptions vectorize;
  vectorize.targetTriple = options.targetTriple;
  vectorize.targetCPU = options.targetCPU;
  vectorize.streamingStores = options.streamingStores;
  vectorize.alignedResults = options.alignedResults;
  vectorize.parallel = options.threads == Threads::OpenMP;
  pm.addNestedPass<func::FuncOp>(createVectorizeLinalg(vectorize));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createVerifyVectorContract());
}

/// Parallel loops to OpenMP's.
static void addOpenMP(OpPassManager &pm) {
  pm.addPass(createOutlineParallelLoops());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createConvertSCFToOpenMPPass());
  // Inlines the allocation scopes around the calls, which allocate nothing.
  pm.addPass(createCanonicalizerPass());
}

void fakequant::buildFakeQuantToLLVMPipeline(
    OpPassManager &pm, const FakeQuantToLLVMOptions &options) {
  buildFakeQuantToVectorPipeline(pm, options);

  if (options.threads == Threads::OpenMP)
    addOpenMP(pm);
  pm.addPass(createExpandNarrowFloats());
  // Vectors of other ops in the module; ours are one-dimensional already.
  pm.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  pm.addPass(createLowerAffinePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  // Expanding the metadata leaves affine maps behind.
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // Again, now that parallel loops that start no threads are plain ones.
  pm.addNestedPass<func::FuncOp>(createHoistStackBuffers());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  if (options.threads == Threads::OpenMP)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createMoveBF16AsIntegers());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createSelectMaskedProducts());
  pm.addPass(createCSEPass());
  SetCPUTargetOptions target;
  target.targetTriple = options.targetTriple;
  target.targetCPU = options.targetCPU;
  pm.addPass(createSetCPUTarget(target));
  pm.addPass(createVerifyLLVMContract());
}

void fakequant::registerFakeQuantPipelines() {
  PassPipelineRegistration<FakeQuantToLinalgOptions>(
      "fakequant-to-linalg",
      "Lower fake-quantization ops, TensorFlow's included, to fused "
      "linalg.generic ops on tensors.",
      buildFakeQuantToLinalgPipeline);
  PassPipelineRegistration<FakeQuantToVectorOptions>(
      "fakequant-to-vector",
      "Lower fake-quantization and linalg ops to one pass of vector code over "
      "buffers each, with entries in destination-passing style.",
      buildFakeQuantToVectorPipeline);
  PassPipelineRegistration<FakeQuantToLLVMOptions>(
      "fakequant-to-llvm",
      "Lower a module with fake-quantization ops, from any stage, to the LLVM "
      "dialect for one CPU.",
      buildFakeQuantToLLVMPipeline);
}
