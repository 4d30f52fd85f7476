//===- InitAll.cpp - Everything a tool registers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/InitAll.h"

#include "fakequant/Codegen/CPU/Passes.h"
#include "fakequant/Codegen/Passes.h"
#include "fakequant/Conversion/Passes.h"
#include "fakequant/Conversion/TFToFakeQuant/TFToFakeQuant.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"
#include "fakequant/Dialect/FakeQuant/Transforms/ShapeReification.h"
#include "fakequant/Pipelines/Passes.h"
#include "fakequant/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;

void fakequant::registerAll(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<FakeQuantDialect>();
  registerTensorFlowDialects(registry);
  registerShapeReificationExternalModels(registry);
}

void fakequant::registerAllPasses() {
  registerFakeQuantConversionPasses();
  registerFakeQuantCodegenPasses();
  registerFakeQuantCodegenCPUPasses();
  registerFakeQuantPipelinesPasses();
  registerFakeQuantPipelines();
}
