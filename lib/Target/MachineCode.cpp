//===- MachineCode.cpp - Assembly and objects out of modules --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Target/MachineCode.h"

#include "fakequant/Codegen/CPU/CPUTarget.h"
#include "fakequant/Target/LLVMCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Both architectures' name of their baseline.
static constexpr StringLiteral kBaselineCPU = "generic";

/// The CPU that `function` is lowered for, and its features.
static std::pair<StringRef, std::string>
getFunctionCPU(LLVM::LLVMFuncOp function) {
  StringRef cpu = function.getTargetCpu().value_or("");
  std::string features;
  if (LLVM::TargetFeaturesAttr attr = function.getTargetFeaturesAttr())
    features = attr.getFeaturesString();
  return {cpu.empty() ? StringRef(kBaselineCPU) : cpu, features};
}

/// The one target that all of `module` is lowered for.
static FailureOr<CPUTarget> getTarget(ModuleOp module) {
  auto triple = module->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getTargetTripleAttrName());
  if (!triple || triple.empty())
    return module.emitError("expected a module with '")
           << LLVM::LLVMDialect::getTargetTripleAttrName()
           << "', as fq-set-cpu-target writes it, but got none";

  LLVM::LLVMFuncOp first;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    if (!first)
      first = function;
    else if (getFunctionCPU(function) != getFunctionCPU(first))
      return function.emitError("expected the target-cpu and features of '")
             << first.getSymName() << "', '" << getFunctionCPU(first).first
             << "', but got '" << getFunctionCPU(function).first
             << "' or other features";
  }
  StringRef cpu = kBaselineCPU;
  std::string features;
  if (first)
    std::tie(cpu, features) = getFunctionCPU(first);
  Operation *where = first ? first.getOperation() : module.getOperation();
  // A module that is kept means one CPU, on whatever machine it is read.
  if (cpu == "host")
    return where->emitError("expected a target-cpu by its name but got 'host'");
  llvm::Expected<CPUTarget> target = CPUTarget::get(triple, cpu);
  if (!target)
    return where->emitError() << llvm::toString(target.takeError());
  target->features = features;
  return std::move(*target);
}

static LogicalResult translate(ModuleOp module, raw_ostream &os,
                               llvm::CodeGenFileType fileType) {
  if (failed(verifyLLVMDialect(module)))
    return failure();
  FailureOr<CPUTarget> target = getTarget(module);
  if (failed(target))
    return failure();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      target->createTargetMachine();
  if (!machine)
    return module.emitError() << llvm::toString(machine.takeError());

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context);
  if (!code)
    return module.emitError("expected a module that translates to LLVM IR");
  llvm::DataLayout layout = (*machine)->createDataLayout();
  auto given = module->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getDataLayoutAttrName());
  if (given && !given.empty() && llvm::DataLayout(given.getValue()) != layout)
    return module.emitError("expected the data layout '")
           << layout.getStringRepresentation() << "' of "
           << target->triple.str() << " but got " << given;
  code->setTargetTriple(target->triple);
  code->setDataLayout(layout);
  optimizeLLVM(*code, **machine, /*level=*/3);

  // Into memory first: an object is written back and forth, and a file gets
  // all of it or nothing.
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  // Assembly is for reading: it says where loops are.
  (*machine)->Options.MCOptions.AsmVerbose = true;
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                      fileType))
    return module.emitError("expected a target with an assembler but got '")
           << target->triple.str() << "'";
  passes.run(*code);
  os.write(bytes.data(), bytes.size());
  return success();
}

LogicalResult fakequant::translateToAssembly(ModuleOp module, raw_ostream &os) {
  return translate(module, os, llvm::CodeGenFileType::AssemblyFile);
}

LogicalResult fakequant::translateToObject(ModuleOp module, raw_ostream &os) {
  return translate(module, os, llvm::CodeGenFileType::ObjectFile);
}
