//===- TFCall.cpp - A TensorFlow op, read and understood ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorFlow's ops are unregistered here, so nothing about them is certain:
// each step says what it expected.
//
//===----------------------------------------------------------------------===//

#include "TFCall.h"

#include "ValueOrigins.h"
#include "fakequant/Dialect/FakeQuant/IR/FakeQuant.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::fakequant;

//===----------------------------------------------------------------------===//
// The six ops
//===----------------------------------------------------------------------===//

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

ArrayRef<Counterpart> fakequant::getCounterparts() { return kCounterparts; }

const Counterpart *fakequant::findCounterpart(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (const Counterpart &counterpart : kCounterparts)
    if (counterpart.tfName == name)
      return &counterpart;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute fakequant::lookUp(Operation *op, StringRef name) {
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
// Signature and types
//===----------------------------------------------------------------------===//

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

FailureOr<Call> fakequant::readCall(Operation *op, std::string &why) {
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

LogicalResult fakequant::checkResultTypes(Operation *op, const Call &call,
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
