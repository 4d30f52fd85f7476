//===- RandomData.cpp -----------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomData.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::vector<int64_t> differential::makeShape(Random &random, size_t rank,
                                             int64_t limit) {
  static constexpr int64_t kSizes[] = {1,   2,   3,   5,   7,   15,  16,
                                       17,  31,  33,  48,  64,  100, 127,
                                       128, 129, 257, 333, 1000};
  static constexpr int64_t kNumSizes = std::size(kSizes);
  std::vector<int64_t> shape(rank);
  for (int64_t &size : shape)
    size = random.oneIn(40) ? 0 : kSizes[random.below(kNumSizes)];
  auto count = [&] {
    int64_t product = 1;
    for (int64_t size : shape)
      product *= size;
    return product;
  };
  // Shrink dimensions one after the other, in a random order.
  for (int i = 0; i < 64 && count() > limit; ++i) {
    int64_t &size =
        shape[static_cast<size_t>(random.below(static_cast<int64_t>(rank)))];
    size = kSizes[random.below(std::max<int64_t>(
        1, std::find(kSizes, std::end(kSizes), size) - kSizes))];
  }
  return shape;
}

std::string differential::chooseStreamingStores(Random &random) {
  static constexpr const char *kModes[] = {"auto", "never", "always", "always"};
  return kModes[random.below(4)];
}

std::vector<int64_t> differential::makeLargeShape(Random &random, size_t rank) {
  using Shape = std::vector<int64_t>;
  static const std::vector<std::vector<Shape>> kShapes = {
      {{}},
      {{131072}, {200001}, {65535}, {999983}},
      {{70000, 3},
       {9000, 24},
       {300, 1030},
       {3, 70001},
       {140001, 1},
       {2, 65536},
       {1100, 129},
       {2049, 127},
       {40, 5000}},
      {{2, 3, 40000},
       {3, 40000, 2},
       {40000, 2, 3},
       {70, 33, 100},
       {1000, 17, 16},
       {5000, 7, 15},
       {257, 129, 7},
       {65, 3, 1000}},
      {{5, 7, 64, 100}, {17, 3, 48, 100}, {33, 31, 16, 17}, {129, 5, 100, 3}},
      {{3, 5, 7, 33, 64}, {17, 2, 16, 3, 129}, {100, 3, 33, 2, 16}}};
  return random.pick(kShapes[rank]);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
enum class RangeKind {
  Straddling,
  Positive,
  Negative,
  FromZero,
  ToZero,
  Tiny,
  Denormal,
  Huge,
  Half,
  /// From here on not for the args ops.
  Inverted,
  Zero,
  Equal,
  Special
};

struct Range {
  double min, max;
};
} // namespace

static constexpr int64_t kNumRangeKinds =
    static_cast<int64_t>(RangeKind::Special) + 1;
static constexpr int64_t kNumProperRangeKinds =
    static_cast<int64_t>(RangeKind::Half) + 1;

static double getLevels(const Attributes &attributes) {
  return static_cast<double>((int64_t(1) << attributes.numBits) - 1 -
                             (attributes.narrowRange ? 1 : 0));
}

static Range makeOneRange(Random &random, RangeKind kind,
                          const Attributes &attributes, ElementType type) {
  bool isF64 = type == ElementType::F64;
  double size = std::exp2(random.uniform(-8, 8));
  switch (kind) {
  case RangeKind::Straddling:
    return {-size * random.uniform(0.01, 1), size * random.uniform(0.01, 1)};
  case RangeKind::Positive:
    return {size * random.uniform(0.01, 1), size * random.uniform(1, 3)};
  case RangeKind::Negative:
    return {-size * random.uniform(1, 3), -size * random.uniform(0.01, 1)};
  case RangeKind::FromZero:
    return {random.oneIn(2) ? -0.0 : 0.0, size};
  case RangeKind::ToZero:
    return {-size, random.oneIn(2) ? -0.0 : 0.0};
  case RangeKind::Tiny:
    size *= std::ldexp(1.0, isF64 ? -1000 : -100);
    return {-size * random.uniform(0, 1), size};
  case RangeKind::Denormal:
    size *= std::ldexp(1.0, isF64 ? -1060 : -135);
    return {-size * random.uniform(0, 1), size};
  case RangeKind::Huge: {
    size = std::ldexp(random.uniform(0.3, 1.9), isF64 ? 1023 : 127);
    return {random.oneIn(2) ? -size : -size / 16, size};
  }
  case RangeKind::Half: {
    double scale = std::ldexp(1.0, static_cast<int>(random.below(9)) - 4);
    double levels = getLevels(attributes);
    double steps = std::floor(random.uniform(0, levels)) + 0.5;
    return {-steps * scale, (levels - steps) * scale};
  }
  case RangeKind::Inverted:
    return {size, random.oneIn(2) ? -size : size / 2};
  case RangeKind::Zero:
    return {random.oneIn(3) ? -0.0 : 0.0, random.oneIn(3) ? -0.0 : 0.0};
  case RangeKind::Equal:
    size = random.oneIn(2) ? size : -size;
    return {size, size};
  case RangeKind::Special: {
    static constexpr std::initializer_list<double> kSpecials = {kNaN, kInfinity,
                                                                -kInfinity};
    double min = random.oneIn(2) ? random.pick(kSpecials) : -size;
    double max = random.oneIn(2) ? random.pick(kSpecials) : size;
    return {min, max};
  }
  }
  return {};
}

Attributes differential::makeAttributes(Random &random, Op op,
                                        ElementType type) {
  Attributes attributes;
  attributes.numBits = 2 + random.below(15);
  attributes.narrowRange = random.oneIn(2);
  if (op != Op::Args && op != Op::ArgsGradient)
    return attributes;
  auto round = [&](double value) {
    return type == ElementType::F64
               ? value
               : reference::floatToDouble(reference::doubleToFloat(value));
  };
  Range range;
  do {
    auto kind = static_cast<RangeKind>(random.below(kNumProperRangeKinds));
    range = makeOneRange(random, kind, attributes, type);
  } while (!(round(range.min) < round(range.max)) ||
           !std::isfinite(round(range.min)) ||
           !std::isfinite(round(range.max)));
  attributes.min = range.min;
  attributes.max = range.max;
  return attributes;
}

std::pair<Tensor, Tensor>
differential::makeRange(Random &random, const OpConfig &config,
                        const std::vector<int64_t> &shape) {
  std::vector<int64_t> rangeShape = config.getRangeShape(shape);
  size_t count =
      rangeShape.empty() ? 1 : static_cast<size_t>(rangeShape.front());
  auto makeKind = [&] {
    return static_cast<RangeKind>(random.below(kNumRangeKinds));
  };
  RangeKind common = makeKind();
  bool isMixed = random.oneIn(2);
  std::vector<double> min(count), max(count);
  for (size_t c = 0; c < count; ++c) {
    Range range = makeOneRange(random, isMixed ? makeKind() : common,
                               config.attributes, config.rangeType);
    min[c] = range.min;
    max[c] = range.max;
  }
  return {Tensor::fromValues(config.rangeType, rangeShape, min),
          Tensor::fromValues(config.rangeType, rangeShape, max)};
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

namespace {
/// Where something happens in one channel.
struct Landmarks {
  double min, max;
  double nudgedMin, nudgedMax, scale;
};
} // namespace

/// The contract's formulas, to aim at the edges; what they come to is nobody's
/// expectation.
template <typename T>
static Landmarks findLandmarks(Range range, const Attributes &attributes) {
  T min = static_cast<T>(range.min), max = static_cast<T>(range.max);
  T qmin = attributes.narrowRange ? 1 : 0;
  T qmax = static_cast<T>((int64_t(1) << attributes.numBits) - 1);
  T scale = (max - min) / (qmax - qmin);
  T z = qmin - min / scale;
  T zeroPoint = z < qmin ? qmin : z > qmax ? qmax : std::round(z);
  return {range.min, range.max, double((qmin - zeroPoint) * scale),
          double((qmax - zeroPoint) * scale), double(scale)};
}

static double makeSpecial(Random &random, ElementType type) {
  bool isF64 = type == ElementType::F64;
  double sign = random.oneIn(2) ? 1 : -1;
  switch (random.below(8)) {
  case 0:
    return kNaN;
  case 1:
    return sign * kInfinity;
  case 2:
    return sign * 0.0;
  case 3: // Denormal in f32 and bf16.
    return sign * std::ldexp(random.uniform(1, 2),
                             isF64 ? -1060 : -127 - int(random.below(20)));
  case 4: // Denormal in f16.
    return sign * std::ldexp(random.uniform(1, 2), -15 - int(random.below(9)));
  case 5: // The smallest normal, and just below.
    return sign * std::ldexp(1 - 0x1p-23 * double(random.below(2)),
                             isF64 ? -1022 : -126);
  case 6:
    return sign * std::ldexp(random.uniform(1, 1.99), isF64 ? 1023 : 127);
  default:
    return sign * random.uniform(60000, 66000);
  }
}

/// `value`, or a neighbour a few steps of the type away.
static double step(Random &random, double value, ElementType type) {
  double steps = double(random.below(5) - 2);
  switch (type) {
  case ElementType::F16:
    return value * (1 + steps * 0x1p-11);
  case ElementType::BF16:
    return value * (1 + steps * 0x1p-8);
  case ElementType::F32: {
    auto stepped = static_cast<float>(value);
    for (; steps > 0; --steps)
      stepped = std::nextafter(stepped, HUGE_VALF);
    for (; steps < 0; ++steps)
      stepped = std::nextafter(stepped, -HUGE_VALF);
    return stepped;
  }
  case ElementType::F64:
    for (; steps > 0; --steps)
      value = std::nextafter(value, HUGE_VAL);
    for (; steps < 0; ++steps)
      value = std::nextafter(value, -HUGE_VAL);
    return value;
  }
  return value;
}

namespace {
enum class InputStyle { Uniform, Ties, Edges, Outside, Mixed };
} // namespace

static double makeInput(Random &random, InputStyle style, const Landmarks &at,
                        double levels, ElementType type) {
  double low = std::isfinite(at.nudgedMin) ? at.nudgedMin : -10;
  double high = std::isfinite(at.nudgedMax) ? at.nudgedMax : 10;
  double width = high - low;
  switch (style) {
  case InputStyle::Uniform:
    return random.uniform(low - 0.5 * width, high + 0.5 * width);
  case InputStyle::Ties: {
    double steps = std::floor(random.uniform(-1, levels + 1)) + 0.5;
    return step(random, low + steps * at.scale, type);
  }
  case InputStyle::Edges: {
    const double edges[] = {at.min, at.max, at.nudgedMin, at.nudgedMax};
    return step(random, edges[random.below(4)], type);
  }
  case InputStyle::Outside: {
    double distance = std::fabs(width) * random.uniform(0, 2) + 1e-3;
    return random.oneIn(3) ? low - distance : high + distance;
  }
  case InputStyle::Mixed:
    if (random.oneIn(4))
      return makeSpecial(random, type);
    return makeInput(random, static_cast<InputStyle>(random.below(4)), at,
                     levels, type);
  }
  return 0;
}

static size_t countElements(const std::vector<int64_t> &shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

Tensor differential::makeInputs(Random &random, const OpConfig &config,
                                const std::vector<int64_t> &shape,
                                const std::pair<Tensor, Tensor> *range) {
  std::vector<Landmarks> channels;
  auto add = [&](Range values) {
    channels.push_back(config.type == ElementType::F64
                           ? findLandmarks<double>(values, config.attributes)
                           : findLandmarks<float>(values, config.attributes));
  };
  if (range)
    for (int64_t c = 0; c < range->first.getNumStored(); ++c)
      add({range->first.getValue(c), range->second.getValue(c)});
  else
    add({config.attributes.min, config.attributes.max});

  size_t inner = 1;
  if (config.isPerChannel())
    for (size_t dim = config.getAxis(shape.size()) + 1; dim < shape.size();
         ++dim)
      inner *= static_cast<size_t>(shape[dim]);

  auto style = static_cast<InputStyle>(random.below(5));
  double levels = getLevels(config.attributes);
  std::vector<double> values(countElements(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = makeInput(random, style, channels[i / inner % channels.size()],
                          levels, config.type);
  return Tensor::fromValues(config.type, shape, values);
}

namespace {
enum class GradientStyle {
  Uniform,
  OneSign,
  Magnitudes,
  Denormal,
  Specials,
  FewSpecials
};
} // namespace

Tensor differential::makeGradients(Random &random, ElementType type,
                                   const std::vector<int64_t> &shape) {
  auto style = static_cast<GradientStyle>(random.below(6));
  int denormal = type == ElementType::F64   ? -1040
                 : type == ElementType::F16 ? -18
                                            : -128;
  std::vector<double> values(countElements(shape));
  for (double &value : values) {
    switch (style) {
    case GradientStyle::OneSign:
      value = random.uniform(0, 1);
      break;
    case GradientStyle::Magnitudes:
      value = std::ldexp(random.uniform(-1, 1), int(random.below(28)) - 14);
      break;
    case GradientStyle::Denormal:
      // Around the border, so that sums of denormals leave it.
      value =
          std::ldexp(random.uniform(-1, 1), denormal + int(random.below(6)));
      break;
    case GradientStyle::Specials:
      value =
          random.oneIn(3) ? makeSpecial(random, type) : random.uniform(-1, 1);
      break;
    case GradientStyle::Uniform:
    case GradientStyle::FewSpecials:
      value = random.uniform(-1, 1);
      break;
    }
  }
  if (style == GradientStyle::FewSpecials && !values.empty())
    for (int i = 0; i < 2; ++i)
      values[static_cast<size_t>(random.below(int64_t(values.size())))] =
          makeSpecial(random, type);
  return Tensor::fromValues(type, shape, values);
}

std::vector<Tensor>
differential::makeOperands(Random &random, const OpConfig &config,
                           const std::vector<int64_t> &shape) {
  std::vector<Tensor> operands;
  if (config.isGradient())
    operands.push_back(makeGradients(random, config.type, shape));
  if (!config.hasRangeOperands()) {
    operands.push_back(makeInputs(random, config, shape, nullptr));
    return operands;
  }
  std::pair<Tensor, Tensor> range = makeRange(random, config, shape);
  operands.push_back(makeInputs(random, config, shape, &range));
  operands.push_back(std::move(range.first));
  operands.push_back(std::move(range.second));
  return operands;
}
