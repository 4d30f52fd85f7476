//===- LLVMCode.cpp - From the LLVM dialect to optimized LLVM IR ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Target/LLVMCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace mlir;
using namespace mlir::fakequant;

LogicalResult fakequant::verifyLLVMDialect(ModuleOp module) {
  // By name: an op of a dialect that is not loaded has no other.
  auto check = [](Operation *op) -> WalkResult {
    // OpenMP's ops, which the LLVM dialect's stand in, are LLVM IR's too.
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == LLVM::LLVMDialect::getDialectNamespace() ||
        dialect == omp::OpenMPDialect::getDialectNamespace())
      return WalkResult::advance();
    return op->emitError("expected an op of the LLVM dialect but got '")
           << op->getName() << "'";
  };
  WalkResult walk = WalkResult::advance();
  for (Operation &op : *module.getBody())
    if (walk = op.walk<WalkOrder::PreOrder>(check); walk.wasInterrupted())
      break;
  return failure(walk.wasInterrupted());
}

void fakequant::optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine,
                             unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  // Lowering has unrolled kernels as far as it pays. More of it takes a quarter
  // of LLVM's time, and made none of the measured kernels faster.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  static const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::ModulePassManager passes;
  // Nothing is spent on what cannot be called.
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(level == 0
                     ? builder.buildO0DefaultPipeline(levels[0])
                     : builder.buildPerModuleDefaultPipeline(levels[level]));
  passes.run(module, modules);
}
