//===- fq-translate.cpp - The translation driver --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-translate with machine code of lowered modules as further targets.
//
//===----------------------------------------------------------------------===//

#include "fakequant/InitAll.h"
#include "fakequant/Target/MachineCode.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::fakequant;

/// Every dialect, so that a module of an earlier stage is refused for the op
/// that is not lowered, and not for its syntax.
static void registerDialects(DialectRegistry &registry) {
  registerAll(registry);
  registerAllToLLVMIRTranslations(registry);
}

static void registerMachineCodeTranslations() {
  static TranslateFromMLIRRegistration assembly(
      "mlir-to-asm",
      "translate the LLVM dialect to assembly for the module's target-cpu",
      translateToAssembly, registerDialects);
  static TranslateFromMLIRRegistration object(
      "mlir-to-object",
      "translate the LLVM dialect to an object for the module's target-cpu",
      [](ModuleOp module, raw_ostream &os) -> LogicalResult {
        if (os.is_displayed())
          return module.emitError("expected a file or a pipe for an object "
                                  "(-o) but got a terminal");
        return translateToObject(module, os);
      },
      registerDialects);
}

/// LLVM gives up on some inputs, such as an intrinsic that the CPU has not:
/// that is an error of the module like any other. The interrupt handlers remove
/// the output file.
static void exitOnFatalError(void *, const char *reason, bool) {
  llvm::WithColor::error(llvm::errs(), "fq-translate") << reason << '\n';
  llvm::errs().flush();
  llvm::sys::RunInterruptHandlers();
  _Exit(1);
}

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(exitOnFatalError);
  registerAllTranslations();
  registerMachineCodeTranslations();
  return failed(mlirTranslateMain(argc, argv, "fakequant translation driver"));
}
