//===- TFToFakeQuant.cpp - TensorFlow's ops to fakequant ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorFlow's ops are unregistered here, so nothing about them is certain: a
// call is read first, and each step says what it expected. The pass reads all
// of them, and lets the dialect's verifier see what they would become, before
// it changes the module.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Conversion/TFToFakeQuant/TFToFakeQuant.h"

#include "fakequant/Conversion/Passes.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_CONVERTTFTOFAKEQUANT
#include "fakequant/Conversion/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

//===----------------------------------------------------------------------===//
// The six ops
//===----------------------------------------------------------------------===//

namespace {

enum class RangeKind { Attributes, Scalars, Channels };

/// An op of TensorFlow and the op that stands for it.
struct Counterpart {
  StringLiteral tfName;
  bool isGradient;
  RangeKind range;
  Operation *(*create)(OpBuilder &, Location, ValueRange,
                       ArrayRef<NamedAttribute>);

  unsigned getNumData() const { return isGradient ? 2 : 1; }
  unsigned getNumRange() const {
    return range == RangeKind::Attributes ? 0 : 2;
  }
  unsigned getNumOperands() const { return getNumData() + getNumRange(); }
  unsigned getNumResults() const { return isGradient ? 1 + getNumRange() : 1; }
};

} // namespace

template <typename OpTy>
static Operation *create(OpBuilder &builder, Location loc, ValueRange operands,
                         ArrayRef<NamedAttribute> attributes) {
  return OpTy::create(builder, loc, operands, attributes);
}

static constexpr Counterpart kCounterparts[] = {
    {"tf.FakeQuantWithMinMaxArgs", false, RangeKind::Attributes,
     create<ArgsOp>},
    {"tf.FakeQuantWithMinMaxArgsGradient", true, RangeKind::Attributes,
     create<ArgsGradientOp>},
    {"tf.FakeQuantWithMinMaxVars", false, RangeKind::Scalars, create<VarsOp>},
    {"tf.FakeQuantWithMinMaxVarsGradient", true, RangeKind::Scalars,
     create<VarsGradientOp>},
    {"tf.FakeQuantWithMinMaxVarsPerChannel", false, RangeKind::Channels,
     create<VarsPerChannelOp>},
    {"tf.FakeQuantWithMinMaxVarsPerChannelGradient", true, RangeKind::Channels,
     create<VarsPerChannelGradientOp>},
};
static constexpr StringLiteral kIdentityName = "tf.Identity";
static constexpr StringLiteral kConstName = "tf.Const";
static constexpr StringLiteral kTFLiteName = "tfl.fake_quant";

static const Counterpart *findCounterpart(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (const Counterpart &counterpart : kCounterparts)
    if (counterpart.tfName == name)
      return &counterpart;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// An attribute by name, among the properties of an op or in its dictionary:
/// exporters write either.
static Attribute lookUp(Operation *op, StringRef name) {
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute attribute = properties.get(name))
      return attribute;
  return op->getDiscardableAttr(name);
}

/// Says what is wrong with an op, as "expected … but got …".
template <typename GotTy>
static LogicalResult explain(std::string &why, const Twine &expected,
                             const GotTy &got) {
  llvm::raw_string_ostream os(why);
  os << "expected " << expected << " but got ";
  // Types stand in quotes, as in every diagnostic of MLIR.
  if constexpr (std::is_convertible_v<GotTy, Type>)
    os << '\'' << Type(got) << '\'';
  else
    os << got;
  return failure();
}

static LogicalResult readNumBits(Operation *op, NamedAttrList &attributes,
                                 std::string &why) {
  Attribute attribute = lookUp(op, "num_bits");
  int64_t numBits = 8;
  if (attribute) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    if (!integer || isa<BoolAttr>(attribute))
      return explain(why, "num_bits to be an integer", attribute);
    std::optional<int64_t> value = integer.getType().isUnsignedInteger()
                                       ? integer.getAPSInt().tryExtValue()
                                       : integer.getValue().trySExtValue();
    if (!value)
      return explain(why, "num_bits between 2 and 16", attribute);
    numBits = *value;
  }
  Builder builder(op->getContext());
  attributes.append("num_bits", builder.getI64IntegerAttr(numBits));
  return success();
}

static LogicalResult readNarrowRange(Operation *op, NamedAttrList &attributes,
                                     std::string &why) {
  Attribute attribute = lookUp(op, "narrow_range");
  if (!attribute)
    attribute = BoolAttr::get(op->getContext(), false);
  if (!isa<BoolAttr>(attribute))
    return explain(why, "narrow_range to be true or false", attribute);
  attributes.append("narrow_range", attribute);
  return success();
}

static LogicalResult readLimit(Operation *op, StringRef name, double byDefault,
                               NamedAttrList &attributes, std::string &why) {
  Attribute attribute = lookUp(op, name);
  double limit = byDefault;
  if (attribute) {
    auto number = dyn_cast<FloatAttr>(attribute);
    // Wider types would be rounded twice on their way to the compute type.
    if (!number || number.getType().getIntOrFloatBitWidth() > 64)
      return explain(why, name + " to be a float of at most 64 bits",
                     attribute);
    limit = number.getValueAsDouble();
  }
  Builder builder(op->getContext());
  attributes.append(name, builder.getF64FloatAttr(limit));
  return success();
}

//===----------------------------------------------------------------------===//
// Identities, constants and what is known of a value
//===----------------------------------------------------------------------===//

/// Whether `tensor.cast` may stand between the types.
static bool isCastable(Type from, Type to) {
  auto rankedFrom = dyn_cast<RankedTensorType>(from);
  auto rankedTo = dyn_cast<RankedTensorType>(to);
  if (rankedFrom && rankedTo &&
      rankedFrom.getEncoding() != rankedTo.getEncoding())
    return false;
  return tensor::CastOp::areCastCompatible(from, to);
}

static bool isBare(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0;
}

/// Whether an op is a `tf.Identity` that a `tensor.cast` can stand for.
static bool isPlainIdentity(Operation *op) {
  return op->getName().getStringRef() == kIdentityName && isBare(op) &&
         op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         op->getOperand(0) != op->getResult(0) &&
         isCastable(op->getOperand(0).getType(), op->getResult(0).getType());
}

/// Casts count like identities, since one may become the other.
static bool passesThrough(Operation *op) {
  return isPlainIdentity(op) || isa<tensor::CastOp>(op);
}

static bool isFakeQuant(Operation *op) {
  return findCounterpart(op) || isa<FakeQuantOpInterface>(op);
}

static bool followsFakeQuant(Value value) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  Operation *op = value.getDefiningOp();
  while (op && passesThrough(op) && seen.insert(op).second)
    op = op->getOperand(0).getDefiningOp();
  return op && isFakeQuant(op);
}

static bool feedsFakeQuant(Value value) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isFakeQuant(user))
        return true;
      if (passesThrough(user) && seen.insert(user).second)
        worklist.push_back(user->getResult(0));
    }
  return false;
}

/// The floats that a `tf.Const` holds, or null.
static TypedAttr getConstValue(Operation *op) {
  if (op->getName().getStringRef() != kConstName || !isBare(op) ||
      op->getNumOperands() != 0 || op->getNumResults() != 1)
    return {};
  Attribute value = lookUp(op, "value");
  if (!isa_and_nonnull<DenseFPElementsAttr, DenseResourceElementsAttr>(value))
    return {};
  auto elements = cast<ElementsAttr>(value);
  if (!isa<FloatType>(elements.getElementType()) ||
      !isa<RankedTensorType>(elements.getType()) ||
      !isCastable(elements.getType(), op->getResult(0).getType()))
    return {};
  return elements;
}

/// What two types know together, or null where they contradict each other.
static TensorType merge(TensorType a, TensorType b) {
  if (!a || !b || a.getElementType() != b.getElementType())
    return {};
  auto rankedA = dyn_cast<RankedTensorType>(a);
  auto rankedB = dyn_cast<RankedTensorType>(b);
  if (!rankedA || !rankedB)
    return rankedA ? a : b;
  if (rankedA.getRank() != rankedB.getRank() ||
      rankedA.getEncoding() != rankedB.getEncoding())
    return {};
  SmallVector<int64_t> shape(rankedA.getShape());
  for (auto [size, other] : llvm::zip_equal(shape, rankedB.getShape())) {
    if (ShapedType::isDynamic(size))
      size = other;
    else if (ShapedType::isStatic(other) && other != size)
      return {};
  }
  return rankedA.clone(shape);
}

/// The values that are sure to have the shape of an op's result, among its
/// operands.
static SmallVector<Value> getOperandsOfShape(OpResult result) {
  Operation *op = result.getOwner();
  if (passesThrough(op))
    return {op->getOperand(0)};
  if (const Counterpart *counterpart = findCounterpart(op))
    if (result.getResultNumber() == 0 &&
        op->getNumOperands() == counterpart->getNumOperands())
      return op->getOperands().take_front(counterpart->getNumData());
  if (auto fakeQuantOp = dyn_cast<FakeQuantOpInterface>(op))
    if (fakeQuantOp.getResultDescriptors()[result.getResultNumber()].kind ==
        ResultKind::Elementwise)
      return fakeQuantOp.getElementOperands();
  return {};
}

/// What is known of a value: its type, and what the ops that it comes from
/// knew before identities, casts and result types forgot a part of it.
static TensorType getKnownType(Value value) {
  auto known = cast<TensorType>(value.getType());
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    auto merged = merge(known, dyn_cast<TensorType>(next.getType()));
    if (!merged)
      continue;
    known = merged;
    auto result = dyn_cast<OpResult>(next);
    if (!result || !seen.insert(result.getOwner()).second)
      continue;
    if (TypedAttr constant = getConstValue(result.getOwner()))
      if (auto merged = merge(known, cast<TensorType>(constant.getType())))
        known = merged;
    llvm::append_range(worklist, getOperandsOfShape(result));
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Reading a call
//===----------------------------------------------------------------------===//

namespace {

/// A TensorFlow op, understood.
struct Call {
  const Counterpart *counterpart;
  /// The type that each operand is cast to.
  SmallVector<Type> operandTypes;
  NamedAttrList attributes;

  /// The type that the new op's result has before it is cast.
  Type getResultType(unsigned index) const {
    return operandTypes[index == 0 ? 0 : counterpart->getNumData()];
  }
};

} // namespace

static LogicalResult
readSignature(Operation *op, const Counterpart &counterpart, std::string &why) {
  if (op->getNumOperands() != counterpart.getNumOperands())
    return explain(why, Twine(counterpart.getNumOperands()) + " operands",
                   op->getNumOperands());
  if (op->getNumResults() != counterpart.getNumResults())
    return explain(why, Twine(counterpart.getNumResults()) + " results",
                   op->getNumResults());
  if (!isBare(op))
    return explain(why, "no regions and no successors",
                   Twine(op->getNumRegions()) + " and " +
                       Twine(op->getNumSuccessors()));
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (!isa<TensorType>(type))
      return explain(why, "operand #" + Twine(index) + " to be a tensor", type);
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (!isa<TensorType>(type))
      return explain(why, "result #" + Twine(index) + " to be a tensor", type);
  return success();
}

static LogicalResult readAttributes(Operation *op,
                                    const Counterpart &counterpart,
                                    NamedAttrList &attributes,
                                    std::string &why) {
  if (Attribute properties = op->getPropertiesAsAttribute();
      properties && !isa<DictionaryAttr>(properties))
    return explain(why, "properties to be a dictionary", properties);
  if (failed(readNumBits(op, attributes, why)) ||
      failed(readNarrowRange(op, attributes, why)))
    return failure();
  if (counterpart.range != RangeKind::Attributes)
    return success();
  // TensorFlow's defaults.
  if (failed(readLimit(op, "min", -6.0, attributes, why)))
    return failure();
  return readLimit(op, "max", 6.0, attributes, why);
}

/// Gives operands that shall have one type all that is known of any of them,
/// and of the results that shall have it too. Where operands contradict each
/// other they stay as they are, and the new op's verifier says so.
static void refine(MutableArrayRef<Type> operands, ArrayRef<Type> results,
                   TensorType known) {
  for (Type operand : operands)
    known = merge(known, cast<TensorType>(operand));
  if (!known)
    return;
  for (Type result : results)
    if (TensorType merged = merge(known, cast<TensorType>(result)))
      known = merged;
  llvm::fill(operands, known);
}

/// The type of a range operand of which nothing but its elements is known.
static TensorType getRangeType(RangeKind kind, Type like) {
  Type element = cast<TensorType>(like).getElementType();
  if (kind == RangeKind::Scalars)
    return RankedTensorType::get({}, element);
  return RankedTensorType::get({ShapedType::kDynamic}, element);
}

/// Reads an op of TensorFlow, or says why that is not possible.
static FailureOr<Call> readCall(Operation *op, std::string &why) {
  Call call;
  call.counterpart = findCounterpart(op);
  if (failed(readSignature(op, *call.counterpart, why)) ||
      failed(readAttributes(op, *call.counterpart, call.attributes, why)))
    return failure();

  for (Value operand : op->getOperands())
    call.operandTypes.push_back(getKnownType(operand));
  SmallVector<Type> results(op->getResultTypes());
  unsigned numData = call.counterpart->getNumData();
  auto data = MutableArrayRef(call.operandTypes).take_front(numData);
  refine(data, ArrayRef(results).take_front(), cast<TensorType>(data.front()));
  if (call.counterpart->getNumRange() == 0)
    return call;
  auto range = MutableArrayRef(call.operandTypes).drop_front(numData);
  refine(range, ArrayRef(results).drop_front(),
         getRangeType(call.counterpart->range, range.front()));
  return call;
}

/// Says which of an op's result types is not what it computes, if one is.
static LogicalResult checkResultTypes(Operation *op, const Call &call,
                                      std::string &why) {
  for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    Type computed = call.getResultType(index);
    if (isCastable(computed, type))
      continue;
    std::string expected;
    llvm::raw_string_ostream(expected)
        << "result #" << index << " to be compatible with '" << computed << "'";
    return explain(why, expected, type);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

/// Builds what stands for an op, with operands cast to the types they need.
static Operation *build(OpBuilder &builder, Operation *op, const Call &call) {
  SmallVector<Value> operands;
  for (auto [operand, type] :
       llvm::zip_equal(op->getOperands(), call.operandTypes))
    operands.push_back(castTo(builder, op->getLoc(), type, operand));
  return call.counterpart->create(builder, op->getLoc(), operands,
                                  call.attributes);
}

namespace {

struct ConvertFakeQuant : public RewritePattern {
  ConvertFakeQuant(MLIRContext *context, const Counterpart &counterpart)
      : RewritePattern(counterpart.tfName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    std::string why;
    FailureOr<Call> call = readCall(op, why);
    if (failed(call) || failed(checkResultTypes(op, *call, why)))
      return rewriter.notifyMatchFailure(op, why);
    SmallVector<Value> results;
    for (auto [result, type] : llvm::zip_equal(
             build(rewriter, op, *call)->getResults(), op->getResultTypes()))
      results.push_back(castTo(rewriter, op->getLoc(), type, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct RemoveIdentity : public RewritePattern {
  RemoveIdentity(MLIRContext *context)
      : RewritePattern(kIdentityName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isPlainIdentity(op))
      return rewriter.notifyMatchFailure(
          op, "expected one tensor and one of a compatible type");
    if (!followsFakeQuant(op->getOperand(0)) &&
        !feedsFakeQuant(op->getResult(0)))
      return rewriter.notifyMatchFailure(
          op, "expected to feed or to follow a fake-quantization op");
    rewriter.replaceOp(op,
                       castTo(rewriter, op->getLoc(),
                              op->getResult(0).getType(), op->getOperand(0)));
    return success();
  }
};

struct ConvertConst : public RewritePattern {
  ConvertConst(MLIRContext *context)
      : RewritePattern(kConstName, /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    TypedAttr value = getConstValue(op);
    if (!value)
      return rewriter.notifyMatchFailure(
          op, "expected dense floats of a type compatible with the result's");
    if (!feedsFakeQuant(op->getResult(0)))
      return rewriter.notifyMatchFailure(
          op, "expected to feed a fake-quantization op");
    Value constant = arith::ConstantOp::create(rewriter, op->getLoc(), value);
    rewriter.replaceOp(op, castTo(rewriter, op->getLoc(),
                                  op->getResult(0).getType(), constant));
    return success();
  }
};

} // namespace

void fakequant::populateTFToFakeQuantPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (const Counterpart &counterpart : kCounterparts)
    patterns.add<ConvertFakeQuant>(context, counterpart);
  patterns.add<RemoveIdentity, ConvertConst>(context);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Reports an op that cannot be converted. What it would become is built for
/// the dialect's verifier and removed again.
static LogicalResult checkCall(Operation *op) {
  std::string why;
  FailureOr<Call> call = readCall(op, why);
  if (failed(call))
    return op->emitOpError(why);

  OpBuilder builder(op);
  Operation *before = op->getPrevNode();
  LogicalResult verified = verify(build(builder, op, *call));
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
  if (failed(verified))
    return failure();
  if (failed(checkResultTypes(op, *call, why)))
    return op->emitOpError(why);
  return success();
}

static LogicalResult refuseTFLite(Operation *op) {
  return op->emitOpError(
      "expected an op with TensorFlow's arithmetic but got one with TFLite's, "
      "which fakequant does not have: c = min(nudged_max, max(nudged_min, x)), "
      "y = round_half_away((c - nudged_min) * (1 / scale)) * scale + "
      "nudged_min");
}

namespace {

struct ConvertTFToFakeQuantPass
    : public fakequant::impl::ConvertTFToFakeQuantBase<
          ConvertTFToFakeQuantPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    bool isValid = true;
    getOperation()->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name == kTFLiteName) {
        isValid &= succeeded(refuseTFLite(op));
      } else if (findCounterpart(op)) {
        isValid &= succeeded(checkCall(op));
        ops.push_back(op);
      } else if (name == kIdentityName || name == kConstName) {
        ops.push_back(op);
      }
    });
    if (!isValid)
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    populateTFToFakeQuantPatterns(patterns);
    // Nothing but these ops is visited, folded or erased.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
