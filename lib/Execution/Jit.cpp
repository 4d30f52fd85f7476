//===- Jit.cpp ------------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a module in the LLVM dialect to code in memory.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/Jit.h"
#include "HostCPU.h"
#include "fakequant/Target/LLVMCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mlir::fakequant;

/// The one symbol that is looked up: the entry with its arguments in an array.
static constexpr llvm::StringLiteral kPackedName = "__fakequant_packed_entry";

void fakequant::registerJitTranslations(DialectRegistry &registry) {
  registerAllToLLVMIRTranslations(registry);
}

/// Checks that `module` is what `compile` says it takes.
static llvm::Error checkModule(ModuleOp module, llvm::StringRef entry,
                               unsigned numTensors) {
  if (failed(verifyLLVMDialect(module)))
    return llvm::createStringError(
        "expected a module in the LLVM dialect but it holds other ops");

  std::string name = ("_mlir_ciface_" + entry).str();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function || function.isExternal())
    return llvm::createStringError(
        "expected a function '" + name +
        "' with a body, which lowering makes for an entry with "
        "'llvm.emit_c_interface', but the module has none");
  LLVM::LLVMFunctionType type = function.getFunctionType();
  bool isPacked =
      !type.isVarArg() && type.getNumParams() == numTensors &&
      llvm::all_of(type.getParams(), llvm::IsaPred<LLVM::LLVMPointerType>) &&
      isa<LLVM::LLVMVoidType>(type.getReturnType());
  if (!isPacked) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError(
        "expected '" + name + "' to take " + llvm::Twine(numTensors) +
        " pointers, one a tensor, and to return nothing but its type is " +
        text);
  }
  return llvm::Error::success();
}

/// Adds `void packed(ptr *arguments)`, which calls the entry, and hides all
/// else, so that one copy of the entry is compiled and not three.
static void addPackedEntry(llvm::Module &module, llvm::StringRef name) {
  llvm::Function *entry = module.getFunction(name);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);

  llvm::IRBuilder<> builder(module.getContext());
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *packed = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, kPackedName, module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", packed));
  llvm::SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0; i < entry->arg_size(); ++i) {
    llvm::Value *slot = builder.CreateConstInBoundsGEP1_64(
        builder.getPtrTy(), packed->getArg(0), i);
    arguments.push_back(builder.CreateLoad(builder.getPtrTy(), slot));
  }
  builder.CreateCall(entry, arguments)->setCallingConv(entry->getCallingConv());
  builder.CreateRetVoid();
}

/// Compiles every function for `machine`, whatever CPU it was lowered for.
static void setTarget(llvm::Module &module, llvm::TargetMachine &machine,
                      bool flushDenormals) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (flushDenormals && !function.hasFnAttribute("denormal-fp-math"))
      function.addFnAttr("denormal-fp-math", "preserve-sign,preserve-sign");
  }
}

/// Whether `module` calls LLVM's OpenMP runtime library.
static bool callsOpenMP(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() &&
           function.getName().starts_with("__kmpc_");
  });
}

/// Loads LLVM's OpenMP runtime library into the process and has the calling
/// thread ask for teams of `threads`.
static llvm::Error loadOpenMP(unsigned threads) {
  using llvm::sys::DynamicLibrary;
  std::string message;
  bool isLoaded = llvm::any_of(
      llvm::ArrayRef<const char *>{FAKEQUANT_LIBOMP, "libomp.so.5", "libomp.so",
                                   "libomp.dylib"},
      [&](const char *name) {
        return !DynamicLibrary::LoadLibraryPermanently(name, &message);
      });
  if (!isLoaded)
    return llvm::createStringError(
        "expected LLVM's OpenMP runtime library, which code for several "
        "threads calls, but got: " +
        message);
  auto *setThreads = reinterpret_cast<void (*)(int)>(
      DynamicLibrary::SearchForAddressOfSymbol("omp_set_num_threads"));
  if (!setThreads)
    return llvm::createStringError(
        "expected 'omp_set_num_threads' in the OpenMP runtime library");
  setThreads(static_cast<int>(threads));
  return llvm::Error::success();
}

/// A JIT that compiles with `machine`. What goes wrong inside it, such as the
/// names of symbols that are nowhere, is added to `messages`.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJit(std::unique_ptr<llvm::TargetMachine> machine,
          const std::shared_ptr<std::string> &messages) {
  llvm::orc::LLJITBuilder builder;
  builder.setDataLayout(machine->createDataLayout());
  builder.setJITTargetMachineBuilder(
      llvm::orc::JITTargetMachineBuilder(machine->getTargetTriple()));
  builder.setCompileFunctionCreator(
      [&](const llvm::orc::JITTargetMachineBuilder &)
          -> llvm::Expected<
              std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
        return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(
            std::move(machine));
      });
  auto jit = builder.create();
  if (!jit)
    return jit.takeError();
  (*jit)->getExecutionSession().setErrorReporter([messages](llvm::Error error) {
    messages->append("; " + llvm::toString(std::move(error)));
  });
  return std::move(*jit);
}

llvm::Expected<JitFunction> JitFunction::compile(ModuleOp module,
                                                 llvm::StringRef entry,
                                                 unsigned numTensors,
                                                 const JitOptions &options) {
  if (options.optLevel > 3)
    return llvm::createStringError(
        "expected an optimization level of 0 to 3 but got " +
        llvm::Twine(options.optLevel));
  llvm::Expected<CPUTarget> target = resolveHostCPU(options.targetCPU);
  if (!target)
    return target.takeError();
  if (llvm::Error error = checkModule(module, entry, numTensors))
    return std::move(error);

  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, *context);
  if (!llvmModule)
    return llvm::createStringError(
        "expected a module that translates to LLVM IR but it does not");
  const llvm::Triple &triple = llvmModule->getTargetTriple();
  if (triple.getArch() != llvm::Triple::UnknownArch &&
      triple.getArch() != target->triple.getArch())
    return llvm::createStringError(
        "expected a module for " + target->triple.getArchName() +
        " but it was lowered for " + triple.getArchName());

  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      target->createTargetMachine(
          *llvm::CodeGenOpt::getLevel(static_cast<int>(options.optLevel)));
  if (!machine)
    return machine.takeError();
  addPackedEntry(*llvmModule, ("_mlir_ciface_" + entry).str());
  setTarget(*llvmModule, **machine, options.flushDenormals);
  if (callsOpenMP(*llvmModule))
    if (llvm::Error error = loadOpenMP(options.threads))
      return std::move(error);
  optimizeLLVM(*llvmModule, **machine, options.optLevel);

  auto messages = std::make_shared<std::string>();
  auto describe = [&](llvm::Error error) {
    return llvm::createStringError("expected code that links but got: " +
                                   llvm::toString(std::move(error)) +
                                   *messages);
  };
  auto jit = createJit(std::move(*machine), messages);
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return describe(std::move(error));
  if (llvm::Error error = (*jit)->initialize((*jit)->getMainJITDylib()))
    return describe(std::move(error));
  auto address = (*jit)->lookup(kPackedName);
  if (!address)
    return describe(address.takeError());
  return JitFunction(std::move(*jit), address->toPtr<void (*)(void **)>(),
                     numTensors);
}

JitFunction::JitFunction(std::unique_ptr<llvm::orc::LLJIT> jit,
                         void (*code)(void **), unsigned numTensors)
    : jit(std::move(jit)), code(code), numTensors(numTensors) {}

JitFunction::JitFunction(JitFunction &&) = default;
JitFunction &JitFunction::operator=(JitFunction &&) = default;
JitFunction::~JitFunction() = default;
