//===- AliasingTest.cpp - Results in the buffers of operands --------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an argument is marked `bufferization.writable = true`, the caller may
// pass one buffer for it and for the elementwise result.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "RandomData.h"
#include "Settings.h"

#include "gtest/gtest.h"

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

namespace {

void checkAliasing(Op op, const char *name) {
  Checker checker(std::string(name) + " in place");
  int64_t casesEach = std::max<int64_t>(4, getSettings().cases / 500);
  for (ElementType type : {ElementType::F32, ElementType::BF16,
                           ElementType::F16, ElementType::F64}) {
    Random functionRandom = checker.startFunction();
    OpConfig config;
    config.op = op;
    config.type = config.rangeType = type;
    config.attributes = makeAttributes(functionRandom, op, type);
    size_t rank = static_cast<size_t>(1 + functionRandom.below(3));
    config.attributes.axis = functionRandom.below(int64_t(rank));

    // Static rows have nests of their own: here, rows of a single panel.
    std::vector<int64_t> sizes(rank, kDynamic);
    bool hasStaticRows = rank > 1 && functionRandom.oneIn(2);
    if (hasStaticRows)
      sizes.back() = functionRandom.oneIn(2) ? 256 : 129;
    std::string data = printType(type, sizes);
    std::string range = printType(type, config.getRangeShape(sizes));
    std::vector<NamedType> arguments, results;
    if (config.isGradient())
      arguments.push_back({"%g", data});
    arguments.push_back({"%x", data});
    arguments.front().isWritable = true;
    if (config.hasRangeOperands())
      arguments.insert(arguments.end(), {{"%min", range}, {"%max", range}});
    std::vector<std::string> operandNames;
    for (const NamedType &argument : arguments)
      operandNames.push_back(argument.name);
    bool hasSums = config.getNumResults() == 3;
    results.push_back({hasSums ? "%r#0" : "%r", data});
    if (hasSums)
      results.insert(results.end(), {{"%r#1", range}, {"%r#2", range}});
    std::string text = printFunction(
        arguments,
        printOp(config, hasSums ? "%r:3" : "%r", operandNames, sizes), results);

    CompileOptions options;
    options.targetCPU = getSettings().targetCPU;
    options.streamingStores = chooseStreamingStores(functionRandom);
    options.threads = functionRandom.oneIn(4) ? 3 : 1;
    auto function = checker.compile(
        text, static_cast<unsigned>(arguments.size() + results.size()),
        options);
    for (int64_t i = 0; function && i < casesEach; ++i) {
      Random random = checker.startCase();
      if (!checker.isWanted())
        continue;
      // Some with several blocks of rows in several panels.
      std::vector<int64_t> shape =
          i == 0 ? makeLargeShape(random, rank)
                 : makeShape(random, rank, random.oneIn(3) ? 30000 : 3000);
      if (hasStaticRows)
        shape.back() = sizes.back();
      std::vector<Tensor> operands = makeOperands(random, config, shape);
      CallOptions call;
      call.flushDenormals =
          reference::ScopedFlushDenormals::isSupported() && random.oneIn(2);
      call.writableOperand = 0;
      call.aliasedResult = random.oneIn(4) ? -1 : 0;
      checker.check(
          *function, operands,
          [&](const std::vector<Tensor> &operands) {
            return evaluate(config, operands);
          },
          call, random,
          [&] { return describe(config) + " shape " + printShape(shape); });
      if (checker.isOver())
        return;
    }
  }
}

TEST(Aliasing, Args) { checkAliasing(Op::Args, "Args"); }
TEST(Aliasing, ArgsGradient) {
  checkAliasing(Op::ArgsGradient, "ArgsGradient");
}
TEST(Aliasing, Vars) { checkAliasing(Op::Vars, "Vars"); }
TEST(Aliasing, VarsGradient) {
  checkAliasing(Op::VarsGradient, "VarsGradient");
}
TEST(Aliasing, VarsPerChannel) {
  checkAliasing(Op::VarsPerChannel, "VarsPerChannel");
}
TEST(Aliasing, VarsPerChannelGradient) {
  checkAliasing(Op::VarsPerChannelGradient, "VarsPerChannelGradient");
}

} // namespace
