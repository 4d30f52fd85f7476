//===- MergeGenerics.cpp - One pass over operands for two generics --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two generics over the same loops become one, where the earlier one is.
//
//===----------------------------------------------------------------------===//

#include "GenericRewrite.h"

#include "fakequant/Codegen/Passes.h"
#include "fakequant/Codegen/Transforms.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_MERGEGENERICS
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// The values that `op` reads element by element in the order of its loops,
/// through inputs or through block arguments of `outs`.
static llvm::SmallSetVector<Value, 8> getStreamedValues(linalg::GenericOp op) {
  llvm::SmallSetVector<Value, 8> values;
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isIdentity() &&
        op.payloadUsesValueFromOperand(&operand))
      values.insert(operand.get());
  return values;
}

namespace {

/// The operands of a merged generic. Equal inputs of the two become one; an
/// input whose value is also overwritten element by element is read through
/// that `outs` operand, so that it can be overwritten in place.
class MergedOperands {
public:
  MergedOperands(linalg::GenericOp first, linalg::GenericOp second)
      : ops{first, second} {
    for (linalg::GenericOp op : ops)
      for (OpOperand &init : op.getDpsInitsMutable()) {
        AffineMap map = op.getMatchingIndexingMap(&init);
        if (isReachedOnce(map) && op.payloadUsesValueFromOperand(&init))
          outPositions.try_emplace({init.get(), map}, outs.size());
        outs.push_back(init.get());
        outMaps.push_back(map);
      }
    for (linalg::GenericOp op : ops)
      for (OpOperand *input : op.getDpsInputOperands()) {
        std::pair<Value, AffineMap> key = {input->get(),
                                           op.getMatchingIndexingMap(input)};
        if (outPositions.contains(key) ||
            !inPositions.try_emplace(key, ins.size()).second)
          continue;
        ins.push_back(key.first);
        inMaps.push_back(key.second);
      }
  }

  SmallVector<AffineMap> getMaps() const {
    return llvm::to_vector(llvm::concat<const AffineMap>(inMaps, outMaps));
  }

  /// Maps the block arguments of both ops to those of the merged one.
  IRMapping mapArguments(ValueRange arguments) const {
    IRMapping mapping;
    ValueRange outArguments = arguments.drop_front(ins.size());
    unsigned nextOut = 0;
    for (linalg::GenericOp op : ops) {
      for (OpOperand *input : op.getDpsInputOperands()) {
        std::pair<Value, AffineMap> key = {input->get(),
                                           op.getMatchingIndexingMap(input)};
        auto out = outPositions.find(key);
        mapping.map(op.getMatchingBlockArgument(input),
                    out != outPositions.end()
                        ? outArguments[out->second]
                        : arguments[inPositions.lookup(key)]);
      }
      for (BlockArgument argument : op.getRegionOutputArgs())
        mapping.map(argument, outArguments[nextOut++]);
    }
    return mapping;
  }

  SmallVector<Value> ins, outs;

private:
  linalg::GenericOp ops[2];
  SmallVector<AffineMap> inMaps, outMaps;
  llvm::SmallDenseMap<std::pair<Value, AffineMap>, unsigned> inPositions;
  llvm::SmallDenseMap<std::pair<Value, AffineMap>, unsigned> outPositions;
};

struct MergeGenericsPass
    : public fakequant::impl::MergeGenericsBase<MergeGenericsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    mergeAllGenerics(rewriter, getOperation());
  }
};

} // namespace

static LogicalResult checkMergeable(RewriterBase &rewriter,
                                    linalg::GenericOp first,
                                    linalg::GenericOp second) {
  for (linalg::GenericOp op : {first, second}) {
    if (failed(checkRebuildable(rewriter, op)))
      return failure();
    if (!isMemoryEffectFree(op))
      return rewriter.notifyMatchFailure(op, "has other effects than results");
  }
  if (first->getDiscardableAttrDictionary() !=
      second->getDiscardableAttrDictionary())
    return rewriter.notifyMatchFailure(second, "differs in attributes");
  if (first.getNumLoops() != second.getNumLoops())
    return rewriter.notifyMatchFailure(second, "differs in the loops");
  llvm::SmallSetVector<Value, 8> streamed = getStreamedValues(first);
  if (llvm::none_of(getStreamedValues(second),
                    [&](Value value) { return streamed.contains(value); }))
    return rewriter.notifyMatchFailure(
        second, "the two read no operand alike, in the loops' order");
  if (first == second || first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second))
    return rewriter.notifyMatchFailure(second,
                                       "expected two ops of a block, in order");
  return success();
}

FailureOr<linalg::GenericOp>
fakequant::mergeGenerics(RewriterBase &rewriter, linalg::GenericOp first,
                         linalg::GenericOp second) {
  if (failed(checkMergeable(rewriter, first, second)))
    return failure();
  llvm::SetVector<Value> used(second->operand_begin(), second->operand_end());
  getUsedValuesDefinedAbove(second->getRegions(), used);
  if (failed(moveValueDefinitions(rewriter, used.getArrayRef(), first)))
    return rewriter.notifyMatchFailure(
        second, "depends on the other or on what cannot move before it");

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(first);
  MergedOperands operands(first, second);
  SmallVector<utils::IteratorType> iterators = first.getIteratorTypesArray();
  for (auto [iterator, other] :
       llvm::zip_equal(iterators, second.getIteratorTypesArray()))
    if (other == utils::IteratorType::reduction)
      iterator = other;

  auto merged = linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
      TypeRange(ValueRange(operands.outs)), operands.ins, operands.outs,
      operands.getMaps(), iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping = operands.mapArguments(arguments);
        SmallVector<Value> yielded;
        for (linalg::GenericOp op : {first, second}) {
          for (Operation &nested : op.getBody()->without_terminator())
            builder.clone(nested, mapping);
          for (Value value : op.getBody()->getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(builder, loc, yielded);
      });
  merged->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  rewriter.replaceOp(second,
                     merged.getResults().take_back(second.getNumResults()));
  rewriter.replaceOp(first,
                     merged.getResults().take_front(first.getNumResults()));
  return merged;
}

/// The generics after `first` in its block that read an operand as `first`
/// does, the nearest first.
static SmallVector<linalg::GenericOp>
getCandidatesAfter(linalg::GenericOp first) {
  llvm::SmallSetVector<linalg::GenericOp, 8> candidates;
  for (Value value : getStreamedValues(first))
    for (Operation *user : value.getUsers())
      if (auto generic = dyn_cast<linalg::GenericOp>(user))
        if (generic->getBlock() == first->getBlock() &&
            first->isBeforeInBlock(generic))
          candidates.insert(generic);
  SmallVector<linalg::GenericOp> sorted = candidates.takeVector();
  llvm::sort(sorted, [](linalg::GenericOp a, linalg::GenericOp b) {
    return a->isBeforeInBlock(b);
  });
  return sorted;
}

int64_t fakequant::mergeAllGenerics(RewriterBase &rewriter, Operation *root) {
  int64_t numMerges = 0;
  root->walk([&](Block *block) {
    for (Operation *next = block->empty() ? nullptr : &block->front(); next;) {
      auto generic = dyn_cast<linalg::GenericOp>(next);
      FailureOr<linalg::GenericOp> merged = failure();
      if (generic)
        for (linalg::GenericOp candidate : getCandidatesAfter(generic)) {
          merged = mergeGenerics(rewriter, generic, candidate);
          if (succeeded(merged))
            break;
        }
      if (succeeded(merged)) {
        ++numMerges;
        next = *merged;
      } else {
        next = next->getNextNode();
      }
    }
  });
  return numMerges;
}
