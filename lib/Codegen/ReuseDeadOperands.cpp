//===- ReuseDeadOperands.cpp - Results in the buffers of dead operands ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization alone never writes an elementwise result into an input where
// the op has reduction loops; read through the block argument of an `outs`
// operand it does. On tensors nothing changes: a wrong guess costs a copy.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "fakequant/Codegen/Passes.h"
#include "fakequant/Codegen/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_REUSEDEADOPERANDS
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

//===----------------------------------------------------------------------===//
// Shared destinations
//===----------------------------------------------------------------------===//

/// Whether `value` has a use that is neither `operand` nor asks for a size.
static bool hasUseBesides(OpOperand &operand) {
  return llvm::any_of(operand.get().getUses(), [&](OpOperand &use) {
    return &use != &operand && !isa<tensor::DimOp>(use.getOwner());
  });
}

/// Gives `outs` operands that are results of an `OpTy` with other uses a copy
/// of it.
template <typename OpTy>
static void unshare(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  OpBuilder::InsertionGuard guard(rewriter);
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureTensorSemantics())
      continue;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto source = init.get().getDefiningOp<OpTy>();
      if (!source || !hasUseBesides(init))
        continue;
      rewriter.setInsertionPoint(op);
      Operation *own = rewriter.clone(*source);
      rewriter.modifyOpInPlace(op, [&] { init.set(own->getResult(0)); });
    }
  }
}

void fakequant::unshareDestinations(RewriterBase &rewriter, Operation *root) {
  // Fills first: the copies share their own destinations.
  unshare<linalg::FillOp>(rewriter, root);
  unshare<tensor::EmptyOp>(rewriter, root);
}

//===----------------------------------------------------------------------===//
// Dead operands
//===----------------------------------------------------------------------===//

/// Whether a caller allows to write `argument`.
static bool isWritableArgument(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return false;
  auto writable = function.getArgAttrOfType<BoolAttr>(
      argument.getArgNumber(),
      bufferization::BufferizationDialect::kWritableAttrName);
  return writable && writable.getValue();
}

/// Whether `value` is in a buffer that may be written: found along the
/// destinations of the ops that computed it.
static bool isWritable(Value value) {
  while (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
    if (!op.hasPureTensorSemantics())
      return false;
    value =
        op.getDpsInitOperand(cast<OpResult>(value).getResultNumber())->get();
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isWritableArgument(argument);
  return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// Whether `use` neither writes the value nor makes an alias of it.
static bool onlyReads(OpOperand &use) {
  if (isa<tensor::DimOp>(use.getOwner()))
    return true;
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && op.hasPureTensorSemantics() && op.isDpsInput(&use);
}

/// Whether `value` reaches a `bufferization.materialize_in_destination` in its
/// own buffer.
static bool hasDestination(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<bufferization::MaterializeInDestinationOp>(user))
      return true;
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            user))
      return hasDestination(user->getResult(0));
    if (auto op = dyn_cast<linalg::LinalgOp>(user))
      if (op.hasPureTensorSemantics() && op.isDpsInit(&use))
        return hasDestination(op.getTiedOpResult(&use));
    return false;
  });
}

/// Whether nothing but inputs of `op` that it reads by the identity map uses
/// the value of `operand` at `op` or later.
static LogicalResult checkDead(RewriterBase &rewriter, linalg::GenericOp op,
                               OpOperand *operand) {
  Value value = operand->get();
  if (value.getParentBlock() != op->getBlock())
    return rewriter.notifyMatchFailure(op, "the operand is of another block");
  for (OpOperand &use : value.getUses()) {
    if (use.getOwner() == op) {
      if (!op.isDpsInput(&use) || !op.getMatchingIndexingMap(&use).isIdentity())
        return rewriter.notifyMatchFailure(
            op, "the operand is also read in another order, or overwritten");
      continue;
    }
    Operation *ancestor =
        op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    if (!ancestor || ancestor == op || !ancestor->isBeforeInBlock(op))
      return rewriter.notifyMatchFailure(op, "the operand is used later");
    if (!onlyReads(use))
      return rewriter.notifyMatchFailure(
          op, "the operand was overwritten or may have an alias");
  }
  return success();
}

/// Whether result `number` wants a buffer and may be computed in any.
static LogicalResult checkWantsBuffer(RewriterBase &rewriter,
                                      linalg::GenericOp op, unsigned number) {
  OpOperand *init = op.getDpsInitOperand(number);
  if (!op.getMatchingIndexingMap(init).isIdentity())
    return rewriter.notifyMatchFailure(op, "the result is not elementwise");
  if (op.payloadUsesValueFromOperand(init) ||
      !init->get().getDefiningOp<tensor::EmptyOp>())
    return rewriter.notifyMatchFailure(op, "the result has a buffer");
  if (hasDestination(op.getResult(number)))
    return rewriter.notifyMatchFailure(
        op, "the result leaves the function in a destination");
  return success();
}

/// Rebuilds `op` with `reused[i]` as the destination of result i, where that is
/// not null, and not as an input.
static linalg::GenericOp moveInputsToOuts(RewriterBase &rewriter,
                                          linalg::GenericOp op,
                                          ArrayRef<Value> reused) {
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (llvm::is_contained(reused, input->get()))
      continue;
    ins.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), reused)) {
    outs.push_back(value ? value : init.get());
    maps.push_back(op.getMatchingIndexingMap(&init));
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto rebuilt = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), ins, outs,
      rewriter.getAffineMapArrayAttr(maps), op.getIteratorTypesAttr(),
      op.getDocAttr(), op.getLibraryCallAttr(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping;
        ValueRange outArguments = arguments.drop_front(ins.size());
        unsigned next = 0;
        for (OpOperand *input : op.getDpsInputOperands()) {
          const Value *out = llvm::find(reused, input->get());
          mapping.map(op.getMatchingBlockArgument(input),
                      out == reused.end() ? arguments[next++]
                                          : outArguments[out - reused.begin()]);
        }
        for (auto [old, argument] :
             llvm::zip_equal(op.getRegionOutputArgs(), outArguments))
          mapping.map(old, argument);
        for (Operation &nested : *op.getBody())
          builder.clone(nested, mapping);
      });
  rebuilt->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, rebuilt);
  return rebuilt;
}

FailureOr<linalg::GenericOp>
fakequant::reuseDeadOperands(RewriterBase &rewriter, linalg::GenericOp op) {
  if (failed(checkRebuildable(rewriter, op)))
    return failure();

  SmallVector<Value> reused(op.getNumResults());
  for (OpResult result : op.getResults()) {
    unsigned number = result.getResultNumber();
    if (failed(checkWantsBuffer(rewriter, op, number)))
      continue;
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value value = input->get();
      if (value.getType() != result.getType() ||
          !op.getMatchingIndexingMap(input).isIdentity() ||
          llvm::is_contained(reused, value))
        continue;
      if (!isWritable(value)) {
        (void)rewriter.notifyMatchFailure(op, "the operand is not writable");
        continue;
      }
      if (failed(checkDead(rewriter, op, input)))
        continue;
      reused[number] = value;
      break;
    }
  }
  if (llvm::none_of(reused, [](Value value) { return bool(value); }))
    return rewriter.notifyMatchFailure(op, "no result can reuse an operand");

  llvm::SmallSetVector<Operation *, 2> replaced;
  for (auto [init, value] : llvm::zip_equal(op.getDpsInits(), reused))
    if (value)
      replaced.insert(init.getDefiningOp());
  linalg::GenericOp rebuilt = moveInputsToOuts(rewriter, op, reused);
  for (Operation *empty : replaced)
    if (empty->use_empty())
      rewriter.eraseOp(empty);
  return rebuilt;
}

namespace {

struct ReuseDeadOperandsPass
    : public fakequant::impl::ReuseDeadOperandsBase<ReuseDeadOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    unshareDestinations(rewriter, getOperation());
    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (linalg::GenericOp op : generics)
      (void)reuseDeadOperands(rewriter, op);
  }
};

} // namespace
