//===- CompositionTest.cpp - Ops beside others ----------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise producers and consumers, which fuse, and several ops over the
// same data, which merge: the bits are those of one op after the other.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "RandomData.h"
#include "Settings.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <map>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

//===----------------------------------------------------------------------===//
// The other ops, as expectation and as text
//===----------------------------------------------------------------------===//

template <typename T, typename Function>
static Tensor mapElements(const Tensor &a, const Tensor &b, Function function) {
  Tensor result = a;
  for (int64_t i = 0, e = a.getNumStored(); i < e; ++i) {
    T left, right;
    std::memcpy(&left, a.data.data() + i * int64_t(sizeof(T)), sizeof(T));
    std::memcpy(&right, b.data.data() + i * int64_t(sizeof(T)), sizeof(T));
    T value = function(left, right);
    std::memcpy(result.data.data() + i * int64_t(sizeof(T)), &value, sizeof(T));
  }
  return result;
}

/// One rounding, and the flushing of the mode.
static Tensor multiply(const Tensor &a, const Tensor &b) {
  using namespace reference;
  switch (a.type) {
  case ElementType::F16:
    return mapElements<uint16_t>(a, b, [](uint16_t a, uint16_t b) {
      return floatToF16(f16ToFloat(a) * f16ToFloat(b));
    });
  case ElementType::BF16:
    return mapElements<uint16_t>(a, b, [](uint16_t a, uint16_t b) {
      return floatToBF16(bf16ToFloat(a) * bf16ToFloat(b));
    });
  case ElementType::F32:
    return mapElements<float>(a, b, [](float a, float b) { return a * b; });
  case ElementType::F64:
    return mapElements<double>(a, b, [](double a, double b) { return a * b; });
  }
  return a;
}

/// max(x, +0), NaN where x is NaN.
static Tensor relu(const Tensor &x) {
  std::vector<double> values = x.getValues();
  for (double &value : values)
    value = value > 0 || std::isnan(value) ? value : 0.0;
  return Tensor::fromValues(x.type, x.shape, values);
}

static std::string printRelu(const std::string &result, const std::string &x,
                             ElementType type,
                             const std::vector<int64_t> &shape) {
  std::string tensor = printType(type, shape);
  std::string element = reference::getName(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isStatic = !llvm::is_contained(shape, kDynamic);
  if (isStatic) {
    os << "  %zeros = arith.constant dense<0.0> : " << tensor << "\n  "
       << result << " = arith.maximumf " << x << ", %zeros : " << tensor
       << '\n';
    return text;
  }
  os << "  %zero = arith.constant 0.0 : " << element << '\n';
  std::vector<std::string> sizes, dims, iterators;
  for (auto [i, size] : llvm::enumerate(shape)) {
    dims.push_back("d" + std::to_string(i));
    iterators.emplace_back("\"parallel\"");
    if (size != kDynamic)
      continue;
    sizes.push_back("%size" + std::to_string(i));
    os << "  %index" << i << " = arith.constant " << i << " : index\n  "
       << sizes.back() << " = tensor.dim " << x << ", %index" << i << " : "
       << tensor << '\n';
  }
  std::string list = llvm::join(dims, ", ");
  std::string map = "affine_map<(" + list + ") -> (" + list + ")>";
  os << "  %empty = tensor.empty(" << llvm::join(sizes, ", ")
     << ") : " << tensor << "\n  " << result
     << " = linalg.generic {indexing_maps = [" << map << ", " << map
     << "], iterator_types = [" << llvm::join(iterators, ", ") << "]} ins(" << x
     << " : " << tensor << ") outs(%empty : " << tensor
     << ") {\n  ^body(%in: " << element << ", %out: " << element
     << "):\n    %max = arith.maximumf %in, %zero : " << element
     << "\n    linalg.yield %max : " << element << "\n  } -> " << tensor
     << '\n';
  return text;
}

static std::string printProduct(const std::string &result, const std::string &a,
                                const std::string &b, ElementType type,
                                const std::vector<int64_t> &shape) {
  return "  " + result + " = arith.mulf " + a + ", " + b + " : " +
         printType(type, shape) + "\n";
}

//===----------------------------------------------------------------------===//
// Functions under construction
//===----------------------------------------------------------------------===//

namespace {

constexpr Op kForward[] = {Op::Args, Op::Vars, Op::VarsPerChannel};
constexpr Op kGradients[] = {Op::ArgsGradient, Op::VarsGradient,
                             Op::VarsPerChannelGradient};

/// The gradient of a forward op.
Op getGradient(Op op) {
  return kGradients[std::find(kForward, std::end(kForward), op) - kForward];
}

/// A function, what it expects for its operands, and operands for it. The
/// values of an evaluation have names, as in the text.
class Composition {
public:
  Composition(Random &random, const std::vector<int64_t> &shape)
      : shape(shape), random(random) {
    constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F32,
                                      ElementType::BF16, ElementType::F16,
                                      ElementType::F64};
    type = kTypes[random.below(5)];
  }

  //===--- Building -------------------------------------------------------===//

  void addData(const std::string &name, bool isGradient) {
    arguments.push_back({name, printType(type, shape)});
    kinds.push_back(isGradient ? Kind::Gradient : Kind::Inputs);
    owners.emplace_back();
  }

  /// Chooses the attributes of an op of this function's type.
  OpConfig chooseOp(Op op) {
    OpConfig config;
    config.op = op;
    config.type = config.rangeType = type;
    config.attributes = makeAttributes(random, op, type);
    config.attributes.axis = random.below(static_cast<int64_t>(shape.size()));
    return config;
  }

  /// Arguments for the range of the ops whose name is `name`.
  void addRange(const OpConfig &config, const std::string &name) {
    if (!config.hasRangeOperands())
      return;
    std::string range = printType(type, config.getRangeShape(shape));
    for (const char *limit : {"_min", "_max"}) {
      arguments.push_back({"%" + name + limit, range});
      kinds.push_back(Kind::Range);
      owners.push_back(config);
    }
  }

  /// The op on `data`, which are g and x or x; its results are `result` for
  /// one, else "result#i". `range` names those of addRange.
  void addOp(const OpConfig &config, const std::string &result,
             std::vector<std::string> operands, const std::string &range) {
    if (config.hasRangeOperands()) {
      operands.push_back("%" + range + "_min");
      operands.push_back("%" + range + "_max");
    }
    size_t numResults = config.getNumResults();
    body += printOp(config, numResults == 1 ? result : result + ":3", operands,
                    shape);
    steps.push_back([=](Values &values) {
      std::vector<Tensor> taken;
      for (const std::string &operand : operands)
        taken.push_back(values.at(operand));
      std::vector<Tensor> given = evaluate(config, taken);
      for (size_t i = 0; i < numResults; ++i)
        values[numResults == 1 ? result : result + "#" + std::to_string(i)] =
            given[i];
    });
    summary += describe(config) + "; ";
  }

  void addRelu(const std::string &result, const std::string &x) {
    body += printRelu(result, x, type, shape);
    steps.push_back([=](Values &values) {
      Tensor computed = relu(values.at(x));
      values[result] = std::move(computed);
    });
  }

  void addProduct(const std::string &result, const std::string &a,
                  const std::string &b) {
    body += printProduct(result, a, b, type, shape);
    steps.push_back([=](Values &values) {
      Tensor computed = multiply(values.at(a), values.at(b));
      values[result] = std::move(computed);
    });
  }

  void returnData(const std::string &name) {
    results.push_back({name, printType(type, shape)});
  }
  /// All results of a gradient, or only the data's where it has no sums.
  void returnGradient(const OpConfig &config, const std::string &name) {
    if (config.getNumResults() == 1)
      return returnData(name);
    returnData(name + "#0");
    returnSums(config, name);
  }
  void returnSums(const OpConfig &config, const std::string &name) {
    if (config.getNumResults() == 1)
      return;
    std::string range = printType(type, config.getRangeShape(shape));
    results.push_back({name + "#1", range});
    results.push_back({name + "#2", range});
  }
  /// The name of dx.
  static std::string getData(const OpConfig &config, const std::string &name) {
    return config.getNumResults() == 1 ? name : name + "#0";
  }

  //===--- Using ----------------------------------------------------------===//

  std::string getText() const {
    return printFunction(arguments, body, results);
  }
  const std::string &getSummary() const { return summary; }
  unsigned getNumTensors() const {
    return static_cast<unsigned>(arguments.size() + results.size());
  }

  std::vector<Tensor> makeOperands(Random &random,
                                   const std::vector<int64_t> &sizes) const {
    std::vector<Tensor> operands(arguments.size());
    // The inputs aim at the first range there is.
    OpConfig aim;
    aim.type = type;
    const std::pair<Tensor, Tensor> *range = nullptr;
    std::pair<Tensor, Tensor> first;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (kinds[i] != Kind::Range)
        continue;
      std::tie(operands[i], operands[i + 1]) =
          makeRange(random, owners[i], sizes);
      if (!range) {
        aim = owners[i];
        first = {operands[i], operands[i + 1]};
        range = &first;
      }
      ++i;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (kinds[i] == Kind::Gradient)
        operands[i] = makeGradients(random, type, sizes);
      else if (kinds[i] == Kind::Inputs)
        operands[i] = makeInputs(random, aim, sizes, range);
    }
    return operands;
  }

  std::vector<Tensor> evaluateAll(const std::vector<Tensor> &operands) const {
    Values values;
    for (auto [argument, operand] : llvm::zip_equal(arguments, operands))
      values[argument.name] = operand;
    for (const auto &step : steps)
      step(values);
    std::vector<Tensor> given;
    for (const NamedType &result : results)
      given.push_back(values.at(result.name));
    return given;
  }

private:
  using Values = std::map<std::string, Tensor>;
  enum class Kind { Gradient, Inputs, Range };

  std::vector<int64_t> shape;
  Random &random;
  ElementType type;
  std::vector<NamedType> arguments, results;
  std::vector<Kind> kinds;
  std::vector<OpConfig> owners;
  std::string body, summary;
  std::vector<std::function<void(Values &)>> steps;
};

using Builder = void (*)(Composition &, Random &);

/// Functions as `build` makes them: half of them with dynamic sizes and many
/// shapes, half for one shape with some or all sizes known.
void checkCompositions(const char *name, Builder build) {
  Checker checker(name);
  int64_t numFunctions = std::max<int64_t>(4, getSettings().cases * 20 / 40000);
  for (int64_t i = 0; i < numFunctions; ++i) {
    Random functionRandom = checker.startFunction();
    auto rank = static_cast<size_t>(1 + functionRandom.below(3));
    bool isDynamic = i % 2 == 0;
    std::vector<int64_t> shape = makeShape(functionRandom, rank, 3000);
    std::vector<int64_t> known = shape;
    bool isAllStatic = functionRandom.oneIn(2);
    for (int64_t &size : known)
      if (isDynamic || (!isAllStatic && functionRandom.oneIn(2)))
        size = kDynamic;
    Composition composition(functionRandom, known);
    build(composition, functionRandom);

    CompileOptions options;
    options.targetCPU = getSettings().targetCPU;
    options.streamingStores = chooseStreamingStores(functionRandom);
    options.threads = functionRandom.oneIn(4) ? 3 : 1;
    std::string text = composition.getText();
    auto function = checker.compile(text, composition.getNumTensors(), options);
    int64_t numCases = isDynamic ? 16 : 4;
    for (int64_t j = 0; function && j < numCases; ++j) {
      Random random = checker.startCase();
      if (!checker.isWanted())
        continue;
      std::vector<int64_t> sizes = !isDynamic ? shape
                                   : j == 0   ? makeLargeShape(random, rank)
                                              : makeShape(random, rank, 3000);
      CallOptions call;
      call.flushDenormals =
          reference::ScopedFlushDenormals::isSupported() && random.oneIn(2);
      checker.check(
          *function, composition.makeOperands(random, sizes),
          [&](const std::vector<Tensor> &operands) {
            return composition.evaluateAll(operands);
          },
          call, random,
          [&] {
            return composition.getSummary() + "shape " + printShape(sizes) +
                   " compiled from\n" + text;
          });
      if (checker.isOver())
        return;
    }
    if (checker.isOver())
      return;
  }
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

TEST(Composition, ReluBeforeForward) {
  checkCompositions("relu, forward", [](Composition &f, Random &random) {
    OpConfig config = f.chooseOp(kForward[random.below(3)]);
    f.addData("%x", false);
    f.addRange(config, "r");
    f.addRelu("%relu", "%x");
    f.addOp(config, "%y", {"%relu"}, "r");
    f.returnData("%y");
  });
}

TEST(Composition, ReluBeforeGradient) {
  checkCompositions("relu, gradient", [](Composition &f, Random &random) {
    OpConfig config = f.chooseOp(kGradients[random.below(3)]);
    f.addData("%g", true);
    f.addData("%x", false);
    f.addRange(config, "r");
    f.addRelu("%relu", "%x");
    f.addOp(config, "%d", {"%g", "%relu"}, "r");
    f.returnGradient(config, "%d");
  });
}

TEST(Composition, ProductBeforeGradient) {
  checkCompositions("product, gradient", [](Composition &f, Random &random) {
    OpConfig config = f.chooseOp(kGradients[random.below(3)]);
    f.addData("%g", true);
    f.addData("%h", true);
    f.addData("%x", false);
    f.addRange(config, "r");
    f.addProduct("%product", "%g", "%h");
    f.addOp(config, "%d", {"%product", "%x"}, "r");
    f.returnGradient(config, "%d");
  });
}

TEST(Composition, ProductAfterGradient) {
  checkCompositions("gradient, product", [](Composition &f, Random &random) {
    OpConfig config = f.chooseOp(kGradients[random.below(3)]);
    f.addData("%g", true);
    f.addData("%h", true);
    f.addData("%x", false);
    f.addRange(config, "r");
    f.addOp(config, "%d", {"%g", "%x"}, "r");
    f.addProduct("%product", Composition::getData(config, "%d"), "%h");
    f.returnData("%product");
    f.returnSums(config, "%d");
  });
}

TEST(Composition, SomeResults) {
  checkCompositions("some results", [](Composition &f, Random &random) {
    OpConfig config = f.chooseOp(kGradients[1 + random.below(2)]);
    f.addData("%g", true);
    f.addData("%x", false);
    f.addRange(config, "r");
    f.addOp(config, "%d", {"%g", "%x"}, "r");
    if (random.oneIn(2))
      f.returnData("%d#0");
    else
      f.returnSums(config, "%d");
  });
}

TEST(Composition, ForwardAndGradient) {
  checkCompositions("forward and gradient", [](Composition &f, Random &random) {
    OpConfig forward = f.chooseOp(kForward[random.below(3)]);
    OpConfig gradient = forward;
    gradient.op = getGradient(forward.op);
    f.addData("%g", true);
    f.addData("%x", false);
    f.addRange(forward, "r");
    f.addOp(forward, "%y", {"%x"}, "r");
    f.addOp(gradient, "%d", {"%g", "%x"}, "r");
    f.returnData("%y");
    f.returnGradient(gradient, "%d");
  });
}

TEST(Composition, ForwardOfForward) {
  checkCompositions("forward of forward", [](Composition &f, Random &random) {
    OpConfig first = f.chooseOp(kForward[random.below(3)]);
    OpConfig second = f.chooseOp(kForward[random.below(3)]);
    f.addData("%x", false);
    f.addRange(first, "r");
    f.addRange(second, "s");
    f.addOp(first, "%y", {"%x"}, "r");
    f.addOp(second, "%z", {"%y"}, "s");
    if (random.oneIn(2))
      f.returnData("%y");
    f.returnData("%z");
  });
}

TEST(Composition, TwoGradients) {
  checkCompositions("two gradients", [](Composition &f, Random &random) {
    // Of the same data; by the same channels or by others.
    OpConfig first = f.chooseOp(kGradients[random.below(3)]);
    OpConfig second = f.chooseOp(kGradients[random.below(3)]);
    f.addData("%g", true);
    f.addData("%x", false);
    f.addRange(first, "r");
    f.addRange(second, "s");
    f.addOp(first, "%d", {"%g", "%x"}, "r");
    f.addOp(second, "%e", {"%g", "%x"}, "s");
    f.returnGradient(first, "%d");
    f.returnGradient(second, "%e");
  });
}

TEST(Composition, ForwardsAndTheirGradients) {
  checkCompositions("a step back", [](Composition &f, Random &random) {
    OpConfig first = f.chooseOp(kForward[random.below(3)]);
    OpConfig second = f.chooseOp(kForward[random.below(3)]);
    OpConfig firstGradient = first, secondGradient = second;
    firstGradient.op = getGradient(first.op);
    secondGradient.op = getGradient(second.op);
    f.addData("%g", true);
    f.addData("%x", false);
    f.addRange(first, "r");
    f.addRange(second, "s");
    f.addOp(first, "%y", {"%x"}, "r");
    f.addOp(second, "%z", {"%y"}, "s");
    f.addOp(secondGradient, "%e", {"%g", "%y"}, "s");
    f.addOp(firstGradient, "%d",
            {Composition::getData(secondGradient, "%e"), "%x"}, "r");
    f.returnData("%z");
    f.returnGradient(firstGradient, "%d");
    f.returnSums(secondGradient, "%e");
  });
}

} // namespace
