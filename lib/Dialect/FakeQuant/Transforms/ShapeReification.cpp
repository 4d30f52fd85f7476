//===- ShapeReification.cpp - Result shapes as ops ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Dialect/FakeQuant/Transforms/ShapeReification.h"

#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

template <typename OpTy>
struct ReifyShapes
    : public ReifyRankedShapedTypeOpInterface::ExternalModel<ReifyShapes<OpTy>,
                                                             OpTy> {
  LogicalResult reifyResultShapes(Operation *op, OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &shapes) const {
    auto fakeQuantOp = cast<FakeQuantOpInterface>(op);
    for (ResultDescriptor result : fakeQuantOp.getResultDescriptors()) {
      Value source = result.kind == ResultKind::Elementwise
                         ? fakeQuantOp.getElementOperands().front()
                         : fakeQuantOp.getRangeOperands().front();
      if (!isa<RankedTensorType>(source.getType()))
        return failure();
      shapes.push_back(tensor::getMixedSizes(builder, op->getLoc(), source));
    }
    return success();
  }
};

template <typename... OpTys> void attachReifyShapes(MLIRContext *context) {
  (OpTys::template attachInterface<ReifyShapes<OpTys>>(*context), ...);
}

} // namespace

void fakequant::registerShapeReificationExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, FakeQuantDialect *, tensor::TensorDialect *) {
        attachReifyShapes<
#define GET_OP_LIST
#include "fakequant/Dialect/FakeQuant/IR/FakeQuantOps.cpp.inc"
            >(context);
      });
}
