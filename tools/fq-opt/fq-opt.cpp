//===- fq-opt.cpp - The optimizer driver ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with this project's dialects, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "fakequant/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::fakequant::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::fakequant::registerAll(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "fakequant optimizer driver\n", registry));
}
