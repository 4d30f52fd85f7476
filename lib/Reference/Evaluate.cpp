//===- Evaluate.cpp - The six ops over host arrays ------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Reference/Reference.h"

#include "Arithmetic.h"
#include "Storage.h"
#include "SumOrder.h"
#include "Verify.h"

#include <cmath>

using namespace mlir::fakequant::reference;

static Tensor makeEmpty(ElementType type, const std::vector<int64_t> &shape,
                        size_t bytes) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape = shape;
  tensor.data.resize(bytes);
  return tensor;
}

/// One element of a range operand, widened to the compute type: of the data's
/// type (Storage), or f32 beside 16-bit data.
template <typename Storage>
static typename Storage::Compute loadRange(const Tensor &range, int64_t index,
                                           ElementType dataType) {
  using T = typename Storage::Compute;
  if (range.type == dataType)
    return Storage::load(range.data.data(), index);
  return static_cast<T>(F32Storage::load(range.data.data(), index));
}

/// Rounds each sum once to the type of `like` and shapes them like it.
static Tensor roundSums(const std::vector<double> &sums, const Tensor &like) {
  Tensor result = makeEmpty(like.type, like.shape, like.data.size());
  std::byte *data = result.data.data();
  for (size_t i = 0; i < sums.size(); ++i) {
    int64_t index = static_cast<int64_t>(i);
    switch (like.type) {
    case ElementType::F16:
      PlainStorage<uint16_t>::store(data, index, doubleToF16(sums[i]));
      break;
    case ElementType::BF16:
      // Where denormals are flushed, those of bf16, which are f32's, are too.
      PlainStorage<uint16_t>::store(
          data, index,
          static_cast<float>(sums[i]) == 0.0F
              ? doubleToBF16(std::copysign(0.0, sums[i]))
              : doubleToBF16(sums[i]));
      break;
    case ElementType::F32:
      F32Storage::store(data, index, static_cast<float>(sums[i]));
      break;
    case ElementType::F64:
      F64Storage::store(data, index, sums[i]);
      break;
    }
  }
  return result;
}

namespace {
/// One op on verified operands whose data has the type of `Storage`.
template <typename Storage> class Evaluator {
public:
  using T = typename Storage::Compute;

  Evaluator(Op op, const Attributes &attributes,
            const std::vector<Tensor> &operands, const SumShape &shape)
      : op(op), traits(getTraits(op)), operands(operands), shape(shape),
        inputs(operands[traits.isGradient ? 1 : 0]) {
    computeAllParameters(attributes);
  }

  std::vector<Tensor> run() const {
    std::vector<Tensor> results;
    if (!traits.isGradient) {
      results.push_back(forward());
      return results;
    }
    results.push_back(inputGradient());
    if (!traits.hasRangeOperands)
      return results;
    results.push_back(sumOverChannels([](T g, T x, const Parameters<T> &p) {
      return gradientBelow(g, x, p);
    }));
    results.push_back(sumOverChannels([](T g, T x, const Parameters<T> &p) {
      return gradientAbove(g, x, p);
    }));
    return results;
  }

private:
  const Tensor &getMin() const { return operands[operands.size() - 2]; }
  const Tensor &getMax() const { return operands[operands.size() - 1]; }

  void computeAllParameters(const Attributes &attributes) {
    if (!traits.hasRangeOperands) {
      parameters.push_back(computeParameters(static_cast<T>(attributes.min),
                                             static_cast<T>(attributes.max),
                                             attributes,
                                             /*hasZeroRange=*/false));
      return;
    }
    parameters.reserve(static_cast<size_t>(shape.channels));
    for (int64_t c = 0; c < shape.channels; ++c)
      parameters.push_back(
          computeParameters(loadRange<Storage>(getMin(), c, inputs.type),
                            loadRange<Storage>(getMax(), c, inputs.type),
                            attributes, /*hasZeroRange=*/true));
  }

  const Parameters<T> &getParameters(int64_t channel) const {
    return parameters[static_cast<size_t>(channel)];
  }

  /// Calls `body(position, channel's parameters)` for every element.
  template <typename Body> void forEachElement(Body body) const {
    if (inputs.data.empty())
      return;
    int64_t position = 0;
    for (int64_t o = 0; o < shape.outer; ++o)
      for (int64_t c = 0; c < shape.channels; ++c)
        for (int64_t i = 0; i < shape.inner; ++i)
          body(position++, getParameters(c));
  }

  Tensor forward() const {
    Tensor y = makeEmpty(inputs.type, inputs.shape, inputs.data.size());
    const std::byte *x = inputs.data.data();
    std::byte *out = y.data.data();
    bool dividesByScale = op == Op::Vars;
    forEachElement([=](int64_t i, const Parameters<T> &p) {
      Storage::store(out, i,
                     fakeQuantize(Storage::load(x, i), p, dividesByScale));
    });
    return y;
  }

  Tensor inputGradient() const {
    // The copy is the answer for a zero range.
    Tensor dx = operands[0];
    const std::byte *g = operands[0].data.data();
    const std::byte *x = inputs.data.data();
    std::byte *out = dx.data.data();
    forEachElement([=](int64_t i, const Parameters<T> &p) {
      if (!p.isZeroRange)
        Storage::store(
            out, i, passGradient(Storage::load(g, i), Storage::load(x, i), p));
    });
    return dx;
  }

  template <typename Contribution>
  Tensor sumOverChannels(Contribution contribution) const {
    const std::byte *g = operands[0].data.data();
    const std::byte *x = inputs.data.data();
    std::vector<double> sums = sumByChannel<T>(shape, [&](int64_t position,
                                                          int64_t channel) {
      return contribution(Storage::load(g, position),
                          Storage::load(x, position), getParameters(channel));
    });
    return roundSums(sums, getMin());
  }

  Op op;
  OpTraits traits;
  const std::vector<Tensor> &operands;
  const SumShape &shape;
  const Tensor &inputs;
  std::vector<Parameters<T>> parameters;
};
} // namespace

namespace mlir::fakequant::reference {

bool evaluate(Op op, const Attributes &attributes,
              const std::vector<Tensor> &operands, std::vector<Tensor> &results,
              std::string &error) {
  SumShape shape;
  if (!verify(op, attributes, operands, shape, error))
    return false;
  switch (operands[getTraits(op).isGradient ? 1 : 0].type) {
  case ElementType::F16:
    results = Evaluator<F16Storage>(op, attributes, operands, shape).run();
    break;
  case ElementType::BF16:
    results = Evaluator<BF16Storage>(op, attributes, operands, shape).run();
    break;
  case ElementType::F32:
    results = Evaluator<F32Storage>(op, attributes, operands, shape).run();
    break;
  case ElementType::F64:
    results = Evaluator<F64Storage>(op, attributes, operands, shape).run();
    break;
  }
  return true;
}

} // namespace mlir::fakequant::reference
