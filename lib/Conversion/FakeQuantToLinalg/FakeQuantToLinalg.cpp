//===- FakeQuantToLinalg.cpp - fakequant to linalg.generic ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern, written against the op interface.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Conversion/FakeQuantToLinalg/FakeQuantToLinalg.h"

#include "fakequant/Conversion/Passes.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_CONVERTFAKEQUANTTOLINALG
#include "fakequant/Conversion/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

/// Converts a float to `type`: widened exactly, or rounded once.
static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                          Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

namespace {

/// Lowers one op. A class, so that the steps share what they know of it.
class Lowering {
public:
  Lowering(FakeQuantOpInterface op, OpBuilder &builder)
      : op(op), builder(builder), loc(op->getLoc()),
        computeType(op.getComputeType()) {
    elements = op.getElementOperands();
    rank = cast<RankedTensorType>(elements.front().getType()).getRank();
    axis = op.getChannelAxis();
  }

  SmallVector<Value> run() {
    SmallVector<Value> range = getRange();
    SmallVector<Value> parameters = emitParameters(range);
    SmallVector<Value> results = emitElements(parameters, range.front());
    for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
      result = emitRounding(result, getElementTypeOrSelf(type));
      if (result.getType() != type)
        result = tensor::CastOp::create(builder, loc, type, result);
    }
    return results;
  }

private:
  /// The range operands, or constants that stand for them. Constants are
  /// tensors too, so that the parameters of a constant range are computed when
  /// the program runs: a folder could not know whether denormals are flushed.
  SmallVector<Value> getRange() {
    SmallVector<Value> range = op.getRangeOperands();
    auto type = RankedTensorType::get({}, computeType);
    for (const APFloat &constant : op.getRangeConstants())
      range.push_back(arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(type, constant)));
    return range;
  }

  Value emitEmpty(Value shapedLike, Type elementType) {
    return tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, shapedLike),
        elementType);
  }

  SmallVector<Value> emitParameters(ArrayRef<Value> range) {
    int64_t rangeRank =
        cast<RankedTensorType>(range.front().getType()).getRank();
    unsigned numParameters = op.getNumParameters();
    SmallVector<Value> outs;
    for (unsigned i = 0; i < numParameters; ++i)
      outs.push_back(emitEmpty(range.front(), computeType));
    SmallVector<AffineMap> maps(range.size() + numParameters,
                                builder.getMultiDimIdentityMap(rangeRank));
    SmallVector<utils::IteratorType> iterators(rangeRank,
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(outs), range, outs, maps, iterators,
        [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
          SmallVector<Value> widened;
          for (Value limit : args.take_front(range.size()))
            widened.push_back(convertFloat(b, bodyLoc, limit, computeType));
          linalg::YieldOp::create(b, bodyLoc,
                                  op.emitParameters(b, bodyLoc, widened));
        });
    return SmallVector<Value>(generic.getResults());
  }

  SmallVector<Value> emitElements(ArrayRef<Value> parameters,
                                  Value channelShape) {
    SmallVector<ResultDescriptor> descriptors = op.getResultDescriptors();
    AffineMap identity = builder.getMultiDimIdentityMap(rank);
    AffineMap perChannel =
        axis ? AffineMap::get(rank, 0, builder.getAffineDimExpr(*axis))
             : AffineMap::get(rank, 0, builder.getContext());
    SmallVector<Value> ins(elements);
    ins.append(parameters.begin(), parameters.end());
    SmallVector<AffineMap> maps(elements.size(), identity);
    maps.append(parameters.size(), perChannel);

    SmallVector<Value> outs;
    bool hasSums = false;
    for (auto [descriptor, type] :
         llvm::zip_equal(descriptors, op->getResultTypes())) {
      if (descriptor.kind == ResultKind::Elementwise) {
        outs.push_back(emitEmpty(elements.front(), getElementTypeOrSelf(type)));
        maps.push_back(identity);
        continue;
      }
      hasSums = true;
      Value empty = emitEmpty(channelShape, descriptor.accumulatorType);
      Value zero = arith::ConstantOp::create(
          builder, loc, FloatAttr::get(descriptor.accumulatorType, 0.0));
      outs.push_back(
          linalg::FillOp::create(builder, loc, zero, empty).getResult(0));
      maps.push_back(perChannel);
    }

    SmallVector<utils::IteratorType> iterators(
        rank, hasSums ? utils::IteratorType::reduction
                      : utils::IteratorType::parallel);
    if (axis)
      iterators[*axis] = utils::IteratorType::parallel;

    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(outs), ins, outs, maps, iterators,
        [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
          emitBody(b, bodyLoc, args, descriptors);
        });
    return SmallVector<Value>(generic.getResults());
  }

  void emitBody(OpBuilder &b, Location bodyLoc, ValueRange args,
                ArrayRef<ResultDescriptor> descriptors) {
    SmallVector<Value> widened;
    for (Value operand : args.take_front(elements.size()))
      widened.push_back(convertFloat(b, bodyLoc, operand, computeType));
    SmallVector<Value> yielded = op.emitElement(
        b, bodyLoc, widened,
        args.slice(elements.size(),
                   args.size() - elements.size() - descriptors.size()));
    for (auto [value, descriptor, out] : llvm::zip_equal(
             yielded, descriptors, args.take_back(descriptors.size()))) {
      value = convertFloat(b, bodyLoc, value, out.getType());
      if (descriptor.kind == ResultKind::Sum)
        value = arith::AddFOp::create(b, bodyLoc, out, value);
    }
    linalg::YieldOp::create(b, bodyLoc, yielded);
  }

  /// Rounds a result to the element type it shall have, if it has another.
  Value emitRounding(Value value, Type elementType) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == elementType)
      return value;
    Value out = emitEmpty(value, elementType);
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, loc, out.getType(), value, out, {identity, identity},
        iterators, [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
          linalg::YieldOp::create(
              b, bodyLoc, convertFloat(b, bodyLoc, args[0], elementType));
        });
    return generic.getResult(0);
  }

  FakeQuantOpInterface op;
  OpBuilder &builder;
  Location loc;
  FloatType computeType;
  SmallVector<Value> elements;
  int64_t rank;
  std::optional<int64_t> axis;
};

/// An operand without a rank, or null.
Value findUnrankedOperand(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<UnrankedTensorType>(operand.getType()))
      return operand;
  return {};
}

struct ConvertToGeneric
    : public OpInterfaceConversionPattern<FakeQuantOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(FakeQuantOpInterface op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    if (findUnrankedOperand(op))
      return rewriter.notifyMatchFailure(op, "expected ranked operands");
    rewriter.replaceOp(op, Lowering(op, rewriter).run());
    return success();
  }
};

struct ConvertFakeQuantToLinalgPass
    : public fakequant::impl::ConvertFakeQuantToLinalgBase<
          ConvertFakeQuantToLinalgPass> {
  void runOnOperation() override {
    // A message of its own instead of "failed to legalize".
    WalkResult ranked =
        getOperation()->walk([](FakeQuantOpInterface op) -> WalkResult {
          Value operand = findUnrankedOperand(op);
          if (!operand)
            return WalkResult::advance();
          return op->emitOpError("expected ranked operands but got ")
                 << operand.getType()
                 << "; infer shapes or insert a tensor.cast first";
        });
    if (ranked.wasInterrupted())
      return signalPassFailure();

    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !isa<FakeQuantOpInterface>(op); });
    RewritePatternSet patterns(&getContext());
    populateFakeQuantToLinalgPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void fakequant::populateFakeQuantToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertToGeneric>(patterns.getContext());
}
