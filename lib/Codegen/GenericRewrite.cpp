//===- GenericRewrite.cpp - Taking linalg.generic apart -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices of a generic's body, and generics built from them.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fakequant;
using llvm::SmallBitVector;

LogicalResult fakequant::checkRebuildable(RewriterBase &rewriter,
                                          linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "expected operands to be tensors");
  if (op.getLibraryCall())
    return rewriter.notifyMatchFailure(op, "stands for a library call");
  return success();
}

bool fakequant::isReachedOnce(AffineMap map) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  return llvm::all_of(llvm::seq(map.getNumDims()),
                      [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

SmallBitVector fakequant::getElementwiseResults(linalg::GenericOp op) {
  SmallBitVector elementwise(op.getNumDpsInits());
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isReachedOnce(op.getMatchingIndexingMap(&init)))
      elementwise.set(init.getOperandNumber() - op.getNumDpsInputs());
  return elementwise;
}

namespace {

/// The part of a generic's body that some of its results need.
struct BodySlice {
  BodySlice(linalg::GenericOp op, const SmallBitVector &results)
      : body(op.getBody()), arguments(body->getNumArguments()) {
    for (unsigned result : results.set_bits())
      worklist.push_back(body->getTerminator()->getOperand(result));
    for (Operation &nested : body->without_terminator())
      if (!isMemoryEffectFree(&nested))
        add(&nested);
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (value.getParentBlock() == body && isa<BlockArgument>(value))
        arguments.set(cast<BlockArgument>(value).getArgNumber());
      else if (Operation *definition = value.getDefiningOp())
        if (Operation *ancestor = body->findAncestorOpInBlock(*definition))
          add(ancestor);
    }
  }

  Block *body;
  SmallBitVector arguments;
  llvm::SmallDenseSet<Operation *> ops;

private:
  void add(Operation *op) {
    if (!ops.insert(op).second)
      return;
    op->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }

  SmallVector<Value> worklist;
};

} // namespace

SmallBitVector fakequant::addAccumulatorsReadBy(linalg::GenericOp op,
                                                SmallBitVector results) {
  SmallBitVector elementwise = getElementwiseResults(op);
  unsigned numInputs = op.getNumDpsInputs();
  SmallBitVector before;
  do {
    before = results;
    BodySlice slice(op, results);
    for (unsigned argument : slice.arguments.set_bits())
      if (argument >= numInputs && !elementwise.test(argument - numInputs))
        results.set(argument - numInputs);
  } while (results != before);
  return results;
}

/// Whether the sizes of operands with these maps give the range of each loop.
static bool determineLoopRanges(linalg::GenericOp op,
                                ArrayRef<AffineMap> maps) {
  if (op.getNumLoops() == 0)
    return true;
  return !maps.empty() &&
         inversePermutation(concatAffineMaps(maps, op.getContext()));
}

linalg::GenericOp fakequant::cloneWithResults(RewriterBase &rewriter,
                                              linalg::GenericOp op,
                                              const SmallBitVector &results) {
  BodySlice slice(op, results);
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<OpOperand *> inputs, outputs, others;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (number >= numInputs && results.test(number - numInputs))
      outputs.push_back(&operand);
    else if (slice.arguments.test(number))
      inputs.push_back(&operand);
    else
      others.push_back(&operand);
  }

  auto getMap = [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand);
  };
  SmallVector<AffineMap> known = llvm::map_to_vector(inputs, getMap);
  known.append(llvm::map_to_vector(outputs, getMap));
  for (OpOperand *other : others) {
    if (determineLoopRanges(op, known))
      break;
    inputs.push_back(other);
    known.push_back(getMap(other));
  }

  llvm::SmallDenseMap<std::pair<Value, AffineMap>, unsigned> positions;
  SmallVector<unsigned> argumentOfInput;
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : inputs) {
    auto [it, isNew] =
        positions.try_emplace({input->get(), getMap(input)}, ins.size());
    argumentOfInput.push_back(it->second);
    if (!isNew)
      continue;
    ins.push_back(input->get());
    maps.push_back(getMap(input));
  }
  for (OpOperand *output : outputs) {
    outs.push_back(output->get());
    maps.push_back(getMap(output));
  }

  auto clone = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(outs)), ins, outs,
      rewriter.getAffineMapArrayAttr(maps), op.getIteratorTypesAttr(),
      op.getDocAttr(), op.getLibraryCallAttr(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [input, argument] : llvm::zip_equal(inputs, argumentOfInput))
          mapping.map(op.getMatchingBlockArgument(input), arguments[argument]);
        for (auto [output, argument] :
             llvm::zip_equal(outputs, arguments.drop_front(ins.size())))
          mapping.map(op.getMatchingBlockArgument(output), argument);
        for (Operation &nested : slice.body->without_terminator())
          if (slice.ops.contains(&nested))
            builder.clone(nested, mapping);
        SmallVector<Value> yielded;
        for (unsigned result : results.set_bits())
          yielded.push_back(mapping.lookupOrDefault(
              slice.body->getTerminator()->getOperand(result)));
        linalg::YieldOp::create(builder, slice.body->getTerminator()->getLoc(),
                                yielded);
      });
  clone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return clone;
}

LogicalResult fakequant::relaxReductionLoops(RewriterBase &rewriter,
                                             linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "has no reduction loop");
  if (op.getNumDpsInits() == 0 || !isMemoryEffectFree(op))
    return rewriter.notifyMatchFailure(op, "has other effects than results");

  // Iterations that differ in a loop that every result's map mentions write
  // different elements, and none reads what another wrote.
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool changed = false;
  for (unsigned loop : llvm::seq(op.getNumLoops())) {
    bool isReducedOver =
        llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
          AffineMap map = op.getMatchingIndexingMap(&init);
          return !map.isProjectedPermutation(/*allowZeroInResults=*/true) ||
                 !map.isFunctionOfDim(loop);
        });
    if (iterators[loop] != utils::IteratorType::reduction || isReducedOver)
      continue;
    iterators[loop] = utils::IteratorType::parallel;
    changed = true;
  }
  if (!changed)
    return rewriter.notifyMatchFailure(
        op, "each reduction loop is reduced over by a result");

  SmallVector<Attribute> attributes =
      llvm::map_to_vector(iterators, [&](utils::IteratorType iterator) {
        return Attribute(
            linalg::IteratorTypeAttr::get(op.getContext(), iterator));
      });
  rewriter.modifyOpInPlace(
      op, [&] { op.setIteratorTypesAttr(rewriter.getArrayAttr(attributes)); });
  return success();
}
