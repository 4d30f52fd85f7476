//===- SingleOpTest.cpp - Each op by itself -------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "RandomData.h"
#include "Settings.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

namespace {

/// Sizes of a common case, and how many of the cases have more.
constexpr int64_t kCommonLimit = 3000;
constexpr int64_t kSeldomLimit = 40000;

struct NamedOp {
  const char *name;
  Op op;
};

constexpr NamedOp kOps[] = {
    {"Args", Op::Args},
    {"ArgsGradient", Op::ArgsGradient},
    {"Vars", Op::Vars},
    {"VarsGradient", Op::VarsGradient},
    {"VarsPerChannel", Op::VarsPerChannel},
    {"VarsPerChannelGradient", Op::VarsPerChannelGradient}};

/// Element types of data and range.
constexpr std::pair<ElementType, ElementType> kTypes[] = {
    {ElementType::F32, ElementType::F32},
    {ElementType::F16, ElementType::F16},
    {ElementType::F16, ElementType::F32},
    {ElementType::BF16, ElementType::BF16},
    {ElementType::BF16, ElementType::F32},
    {ElementType::F64, ElementType::F64}};

struct Form {
  OpConfig config;
  size_t rank;
};

/// Every rank, axis and combination of types of `op`, once; the other
/// attributes are chosen later.
std::vector<Form> listForms(Op op) {
  std::vector<Form> forms;
  OpConfig config;
  config.op = op;
  for (auto [type, rangeType] : kTypes) {
    config.type = type;
    config.rangeType = rangeType;
    if (!config.hasRangeOperands() && type != rangeType)
      continue;
    for (size_t rank = 0; rank <= 5; ++rank) {
      if (!config.isPerChannel()) {
        forms.push_back({config, rank});
        continue;
      }
      for (size_t axis = 0; axis < rank; ++axis) {
        config.attributes.axis = static_cast<int64_t>(axis);
        forms.push_back({config, rank});
      }
    }
  }
  return forms;
}

/// The attributes that are still open; the axis perhaps from the end.
void chooseAttributes(Random &random, Form &form) {
  int64_t axis = form.config.attributes.axis;
  form.config.attributes =
      makeAttributes(random, form.config.op, form.config.type);
  form.config.attributes.axis = axis;
  if (form.config.isPerChannel() && random.oneIn(2))
    form.config.attributes.axis -= static_cast<int64_t>(form.rank);
}

std::vector<std::string> getOperandNames(const OpConfig &config) {
  std::vector<std::string> names;
  if (config.isGradient())
    names.push_back("%g");
  names.push_back("%x");
  if (config.hasRangeOperands())
    names.insert(names.end(), {"%min", "%max"});
  return names;
}

/// What a static function does beyond taking sizes that are known.
struct Variation {
  /// The range is two constants of the function and no operand.
  bool hasConstantRange = false;
  /// g is x.
  bool hasOneInput = false;
  /// Which results are returned, in order.
  std::vector<size_t> results;
};

std::string printSingleOp(const OpConfig &config,
                          const std::vector<int64_t> &shape,
                          const Variation &variation,
                          const std::vector<Tensor> &operands) {
  std::string data = printType(config.type, shape);
  std::string range = printType(config.rangeType, config.getRangeShape(shape));
  std::vector<std::string> names = getOperandNames(config);
  if (variation.hasOneInput)
    names[0] = "%x";
  std::vector<NamedType> arguments;
  std::string body;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == 0 && variation.hasOneInput)
      continue;
    bool isRange = names[i] == "%min" || names[i] == "%max";
    if (!isRange || !variation.hasConstantRange) {
      arguments.push_back({names[i], isRange ? range : data});
      continue;
    }
    std::string constant = names[i] + "_constant";
    body += printConstant(constant, operands[i]);
    std::string exact = printType(config.rangeType, operands[i].shape);
    if (exact == range)
      names[i] = constant;
    else
      body += "  " + names[i] + " = tensor.cast " + constant + " : " + exact +
              " to " + range + "\n";
  }
  size_t numResults = config.getNumResults();
  body += printOp(config, numResults == 1 ? "%r" : "%r:3", names, shape);
  std::vector<NamedType> results;
  for (size_t i : variation.results)
    results.push_back({numResults == 1 ? "%r" : "%r#" + std::to_string(i),
                       i == 0 ? data : range});
  return printFunction(arguments, body, results);
}

class SingleOp : public testing::TestWithParam<NamedOp> {};

/// One function with dynamic sizes for each form, many shapes through each.
TEST_P(SingleOp, DynamicShapes) {
  Checker checker(std::string(GetParam().name) + " with dynamic shapes");
  std::vector<Form> forms = listForms(GetParam().op);
  int64_t numCases =
      getSettings().cases * (forms.front().config.isGradient() ? 20 : 12) / 100;
  // A small run takes some of them, spread over all.
  Random order(getTestSeed());
  for (size_t i = forms.size(); i > 1; --i)
    std::swap(forms[i - 1],
              forms[static_cast<size_t>(order.below(int64_t(i)))]);
  size_t numFunctions = std::min<size_t>(
      forms.size(), static_cast<size_t>(std::max<int64_t>(4, numCases / 20)));
  int64_t casesEach =
      std::max<int64_t>(1, numCases / static_cast<int64_t>(numFunctions));
  for (Form form : llvm::ArrayRef(forms).take_front(numFunctions)) {
    Random functionRandom = checker.startFunction();
    chooseAttributes(functionRandom, form);
    const OpConfig &config = form.config;
    Variation variation;
    for (size_t i = 0; i < config.getNumResults(); ++i)
      variation.results.push_back(i);
    std::string text = printSingleOp(
        config, std::vector<int64_t>(form.rank, kDynamic), variation, {});
    CompileOptions options;
    options.targetCPU = getSettings().targetCPU;
    options.streamingStores = chooseStreamingStores(functionRandom);
    options.threads = functionRandom.oneIn(4) ? 3 : 1;
    unsigned numTensors = static_cast<unsigned>(getOperandNames(config).size() +
                                                variation.results.size());
    auto function = checker.compile(text, numTensors, options);
    for (int64_t i = 0; function && i < casesEach; ++i) {
      Random random = checker.startCase();
      if (!checker.isWanted())
        continue;
      std::vector<int64_t> shape =
          i == 0 && form.rank > 0
              ? makeLargeShape(random, form.rank)
              : makeShape(random, form.rank,
                          random.oneIn(20) ? kSeldomLimit : kCommonLimit);
      std::vector<Tensor> operands = makeOperands(random, config, shape);
      CallOptions call;
      call.flushDenormals =
          reference::ScopedFlushDenormals::isSupported() && random.oneIn(2);
      checker.check(
          *function, operands,
          [&](const std::vector<Tensor> &operands) {
            return evaluate(config, operands);
          },
          call, random,
          [&] {
            return describe(config) + " shape " + printShape(shape) +
                   " compiled with dynamic sizes";
          });
      if (checker.isOver())
        return;
    }
    if (checker.isOver())
      return;
  }
}

/// CPUs that this machine has, from the plainest; the host's own first.
std::vector<std::string> listTargetCPUs() {
  std::vector<std::string> cpus = {getSettings().targetCPU};
  if (cpus.front() != "host")
    return cpus;
#if defined(__x86_64__)
  for (const char *cpu : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
#elif defined(__aarch64__)
  for (const char *cpu : {"generic"}) {
#else
  for (const char *cpu : std::vector<const char *>()) {
#endif
    if (llvm::Error error = checkTargetCPU(cpu))
      llvm::consumeError(std::move(error));
    else
      cpus.push_back(cpu);
  }
  return cpus;
}

/// Functions for one shape each: some sizes or all are known, which folds loops
/// and branches away; constant ranges; unused results; g and x the same.
TEST_P(SingleOp, StaticShapes) {
  Checker checker(std::string(GetParam().name) + " with static shapes");
  std::vector<Form> forms = listForms(GetParam().op);
  std::vector<std::string> cpus = listTargetCPUs();
  int64_t numFunctions = std::max<int64_t>(
      2, getSettings().cases * (forms.front().config.isGradient() ? 100 : 50) /
             40000);
  for (int64_t i = 0; i < numFunctions; ++i) {
    Random random = checker.startFunction();
    Form form = random.pick(forms);
    chooseAttributes(random, form);
    const OpConfig &config = form.config;

    std::vector<int64_t> shape =
        form.rank > 0 && random.oneIn(8)
            ? makeLargeShape(random, form.rank)
            : makeShape(random, form.rank,
                        random.oneIn(4) ? kSeldomLimit : kCommonLimit);
    std::vector<int64_t> known = shape;
    bool isAllStatic = random.oneIn(2);
    for (int64_t &size : known)
      if (!isAllStatic && random.oneIn(2))
        size = kDynamic;

    std::vector<Tensor> operands = makeOperands(random, config, shape);
    Variation variation;
    variation.hasConstantRange = config.hasRangeOperands() &&
                                 operands.back().getNumStored() <= 1000 &&
                                 random.oneIn(4);
    variation.hasOneInput = config.isGradient() && random.oneIn(8);
    for (size_t r = 0; r < config.getNumResults(); ++r)
      if (!random.oneIn(4))
        variation.results.push_back(r);
    if (variation.results.empty())
      variation.results.push_back(static_cast<size_t>(
          random.below(static_cast<int64_t>(config.getNumResults()))));
    std::string text = printSingleOp(config, known, variation, operands);

    CallOptions call;
    call.flushDenormals =
        reference::ScopedFlushDenormals::isSupported() && random.oneIn(2);
    CompileOptions options;
    options.targetCPU = random.pick(cpus);
    options.streamingStores = chooseStreamingStores(random);
    options.threads = random.oneIn(4) ? 3 : 1;
    // Without instructions that convert f16 that is refused.
    if (options.targetCPU == "x86-64-v2" && config.type == ElementType::F16)
      options.targetCPU = "host";
    options.flushDenormals = call.flushDenormals;

    // What the function takes of the op's operands.
    if (variation.hasOneInput)
      operands[0] = operands[1];
    std::vector<Tensor> taken = operands;
    if (variation.hasOneInput)
      taken.erase(taken.begin());
    if (variation.hasConstantRange)
      taken.resize(taken.size() - 2);
    unsigned numTensors =
        static_cast<unsigned>(taken.size() + variation.results.size());

    (void)checker.startCase();
    if (!checker.isWanted())
      continue;
    auto function = checker.compile(text, numTensors, options);
    if (function)
      checker.check(
          *function, taken,
          [&](const std::vector<Tensor> &) {
            std::vector<Tensor> all = evaluate(config, operands), results;
            for (size_t r : variation.results)
              results.push_back(all[r]);
            return results;
          },
          call, random,
          [&] {
            return describe(config) + " shape " + printShape(shape) + " for " +
                   options.targetCPU +
                   " with streaming-stores=" + options.streamingStores +
                   " compiled from\n" + text;
          });
    if (checker.isOver())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(, SingleOp, testing::ValuesIn(kOps),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
