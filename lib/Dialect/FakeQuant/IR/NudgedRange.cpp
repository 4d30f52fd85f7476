//===- NudgedRange.cpp - The TensorFlow family's arithmetic ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NudgedRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

/// The values that forward and gradient both start from.
struct Nudged {
  Value scale, inv, min, max;
};

/// A builder that spells the contract's formulas in one float type.
class Arithmetic : public ImplicitLocOpBuilder {
public:
  Arithmetic(OpBuilder &builder, Location loc, Type type)
      : ImplicitLocOpBuilder(loc, builder), type(type) {}

  Value constant(double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(*this, a, b); }
  Value neg(Value a) { return arith::NegFOp::create(*this, a); }
  Value floor(Value a) { return math::FloorOp::create(*this, a); }
  Value roundHalfAway(Value a) { return math::RoundOp::create(*this, a); }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(*this, predicate, a, b);
  }
  Value less(Value a, Value b) {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  Value greater(Value a, Value b) {
    return compare(arith::CmpFPredicate::OGT, a, b);
  }
  Value isNotZero(Value a) {
    return compare(arith::CmpFPredicate::UNE, a, constant(0.0));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }
  Value both(Value a, Value b) { return arith::AndIOp::create(*this, a, b); }
  /// 1 or 0. A conversion, since a product with a select of constants becomes
  /// a move, which neither flushes denormals nor propagates NaN.
  Value indicator(Value condition) {
    return arith::UIToFPOp::create(*this, type, condition);
  }
  /// 1 where the range is zero.
  Value zeroRange(Value min, Value max) {
    Value zero = constant(0.0);
    return indicator(both(compare(arith::CmpFPredicate::OEQ, min, zero),
                          compare(arith::CmpFPredicate::OEQ, max, zero)));
  }

  Nudged nudge(Value min, Value max, Levels levels) {
    double lowest = levels.narrowRange ? 1.0 : 0.0;
    double highest = double((int64_t(1) << levels.numBits) - 1);
    Value qmin = constant(lowest), qmax = constant(highest);
    Value steps = constant(highest - lowest);
    Value width = sub(max, min);
    Value scale = div(width, steps);
    Value inv = div(steps, width);
    Value z = sub(qmin, div(min, scale));
    Value rounded = roundHalfAway(z);
    Value zeroPoint =
        select(less(z, qmin), qmin, select(greater(z, qmax), qmax, rounded));
    return {scale, inv, mul(sub(qmin, zeroPoint), scale),
            mul(sub(qmax, zeroPoint), scale)};
  }

private:
  Type type;
};

} // namespace

unsigned fakequant::getNumForwardParameters(ZeroRange zeroRange) {
  return zeroRange == ZeroRange::PassThrough ? 6 : 5;
}

SmallVector<Value> fakequant::emitForwardParameters(OpBuilder &builder,
                                                    Location loc, Value min,
                                                    Value max, Levels levels,
                                                    StepDivision division,
                                                    ZeroRange zeroRange) {
  Arithmetic b(builder, loc, min.getType());
  Nudged nudged = b.nudge(min, max, levels);
  Value q0 =
      b.floor(b.add(b.mul(b.neg(nudged.min), nudged.inv), b.constant(0.5)));
  Value step = division == StepDivision::Divide ? nudged.scale : nudged.inv;
  SmallVector<Value> parameters{nudged.min, nudged.max, step, q0, nudged.scale};
  if (zeroRange == ZeroRange::PassThrough)
    parameters.push_back(b.zeroRange(min, max));
  return parameters;
}

Value fakequant::emitForwardElement(OpBuilder &builder, Location loc, Value x,
                                    ValueRange parameters,
                                    StepDivision division,
                                    ZeroRange zeroRange) {
  Arithmetic b(builder, loc, x.getType());
  Value min = parameters[0], max = parameters[1], step = parameters[2];
  Value q0 = parameters[3], scale = parameters[4];
  Value notAbove = b.select(b.greater(x, max), max, x);
  Value clamped = b.select(b.less(notAbove, min), min, notAbove);
  Value distance = b.sub(clamped, min);
  Value steps = division == StepDivision::Divide ? b.div(distance, step)
                                                 : b.mul(distance, step);
  Value level = b.floor(b.add(b.sub(steps, q0), b.constant(0.5)));
  Value y = b.mul(level, scale);
  if (zeroRange == ZeroRange::PassThrough)
    y = b.select(b.isNotZero(parameters[5]), b.constant(0.0), y);
  return y;
}

unsigned fakequant::getNumGradientParameters(ZeroRange zeroRange) {
  return zeroRange == ZeroRange::PassThrough ? 3 : 2;
}

SmallVector<Value> fakequant::emitGradientParameters(OpBuilder &builder,
                                                     Location loc, Value min,
                                                     Value max, Levels levels,
                                                     ZeroRange zeroRange) {
  Arithmetic b(builder, loc, min.getType());
  Nudged nudged = b.nudge(min, max, levels);
  SmallVector<Value> parameters{nudged.min, nudged.max};
  if (zeroRange == ZeroRange::PassThrough)
    parameters.push_back(b.zeroRange(min, max));
  return parameters;
}

SmallVector<Value>
fakequant::emitGradientElement(OpBuilder &builder, Location loc, Value g,
                               Value x, ValueRange parameters,
                               ZeroRange zeroRange, bool withSums) {
  Arithmetic b(builder, loc, x.getType());
  Value min = parameters[0], max = parameters[1];
  Value inside = b.both(b.compare(arith::CmpFPredicate::OGE, x, min),
                        b.compare(arith::CmpFPredicate::OLE, x, max));
  SmallVector<Value> contributions{b.mul(g, b.indicator(inside))};
  if (withSums) {
    contributions.push_back(b.mul(g, b.indicator(b.less(x, min))));
    contributions.push_back(b.mul(g, b.indicator(b.greater(x, max))));
  }
  if (zeroRange == ZeroRange::PassThrough) {
    Value passes = b.isNotZero(parameters[2]);
    contributions[0] = b.select(passes, g, contributions[0]);
    for (Value &addend : llvm::drop_begin(contributions))
      addend = b.select(passes, b.constant(0.0), addend);
  }
  return contributions;
}
