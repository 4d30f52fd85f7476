//===- Entry.cpp ----------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finding the function to call, before lowering changes its shape.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// Lowering puts `_mlir_ciface_f` beside every entry `f`.
static bool isInterfaceWrapper(StringRef name) {
  return name.starts_with("_mlir_ciface_");
}

static bool isPublic(FunctionOpInterface function) {
  if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation()))
    if (llvmFunction.getLinkage() == LLVM::Linkage::Private ||
        llvmFunction.getLinkage() == LLVM::Linkage::Internal)
      return false;
  return SymbolTable::getSymbolVisibility(function) ==
         SymbolTable::Visibility::Public;
}

/// "'f', 'g'", or "none".
static std::string printNames(ArrayRef<FunctionOpInterface> functions) {
  if (functions.empty())
    return "none";
  return llvm::join(
      llvm::map_range(functions,
                      [](FunctionOpInterface function) {
                        return ("'" + function.getName() + "'").str();
                      }),
      ", ");
}

FailureOr<std::string> fakequant::selectEntry(ModuleOp module,
                                              StringRef requested) {
  SmallVector<FunctionOpInterface> entries;
  FunctionOpInterface named;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!requested.empty() && function.getName() == requested)
      named = function;
    if (!function.isExternal() && isPublic(function) &&
        !isInterfaceWrapper(function.getName()))
      entries.push_back(function);
  }

  if (requested.empty()) {
    if (entries.size() == 1)
      return entries.front().getName().str();
    emitError(module.getLoc())
        << "expected one public function with a body, or --entry, but got "
        << entries.size() << (entries.empty() ? "" : ": ")
        << (entries.empty() ? "" : printNames(entries));
    return failure();
  }
  if (!named) {
    emitError(module.getLoc())
        << "expected --entry to name a public function but got '" << requested
        << "'; public functions: " << printNames(entries);
    return failure();
  }
  if (named.isExternal()) {
    emitError(named.getLoc())
        << "expected a function with a body as the entry but '" << requested
        << "' is a declaration; public functions: " << printNames(entries);
    return failure();
  }
  if (!isPublic(named)) {
    emitError(named.getLoc())
        << "expected a public function as the entry but '" << requested
        << "' is private; public functions: " << printNames(entries);
    return failure();
  }
  return requested.str();
}

bool fakequant::isLowered(ModuleOp module) {
  return !module.getBody()
              ->walk([](Operation *op) {
                return isa_and_nonnull<LLVM::LLVMDialect, omp::OpenMPDialect>(
                           op->getDialect())
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}
