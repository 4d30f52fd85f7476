//===- Check.cpp ----------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Settings.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstring>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;
using reference::getByteWidth;
using reference::ScopedFlushDenormals;

static uint64_t getBits(const std::byte *data, ElementType type,
                        int64_t index) {
  uint64_t bits = 0;
  unsigned width = getByteWidth(type);
  for (unsigned byte = 0; byte < width; ++byte)
    bits |= static_cast<uint64_t>(data[index * width + byte]) << (8 * byte);
  return bits;
}

static bool isNaN(uint64_t bits, ElementType type) {
  switch (type) {
  case ElementType::F16:
    return (bits & 0x7fff) > 0x7c00;
  case ElementType::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case ElementType::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  case ElementType::F64:
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  }
  return false;
}

static std::string describeTensor(const Tensor &tensor) {
  std::string text = printType(tensor.type, tensor.shape);
  llvm::raw_string_ostream os(text);
  constexpr int64_t kMaxShown = 8;
  unsigned digits = 2 * getByteWidth(tensor.type);
  for (int64_t i = 0; i < tensor.getNumStored() && i < kMaxShown; ++i)
    os << ' ' << tensor.getValue(i) << " ("
       << llvm::format_hex(getBits(tensor.data.data(), tensor.type, i),
                           digits + 2)
       << ')';
  return text;
}

/// Where the result differs, and how much; empty where it does not.
static std::string compare(const std::byte *got, const Tensor &expected) {
  if (expected.data.empty() ||
      std::memcmp(got, expected.data.data(), expected.data.size()) == 0)
    return "";
  int64_t first = -1, count = 0;
  uint64_t firstGot = 0, firstExpected = 0;
  for (int64_t i = 0, e = expected.getNumStored(); i < e; ++i) {
    uint64_t a = getBits(got, expected.type, i);
    uint64_t b = getBits(expected.data.data(), expected.type, i);
    if (a == b || (isNaN(a, expected.type) && isNaN(b, expected.type)))
      continue;
    if (count++ == 0) {
      first = i;
      firstGot = a;
      firstExpected = b;
    }
  }
  if (count == 0)
    return "";
  std::string text;
  Tensor one;
  one.type = expected.type;
  unsigned width = getByteWidth(expected.type);
  one.data.assign(got + first * width, got + (first + 1) * width);
  llvm::raw_string_ostream(text)
      << count << " of " << expected.getNumStored()
      << " differ, the first at index " << first << ": expected "
      << expected.getValue(first) << " ("
      << llvm::format_hex(firstExpected, 2 * width + 2) << ") but got "
      << one.getValue(0) << " (" << llvm::format_hex(firstGot, 2 * width + 2)
      << ')';
  return text;
}

//===----------------------------------------------------------------------===//
// Checker
//===----------------------------------------------------------------------===//

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
static double startTime = 0;

Checker::Checker(std::string test)
    : test(std::move(test)), seed(getTestSeed()) {
  startTime = now();
}

Checker::~Checker() {
  llvm::outs() << "  " << test << ": seed " << getSettings().seed << ", "
               << functions << " functions, " << calls << " calls, " << failures
               << " failures, " << llvm::format("%.1f", now() - startTime)
               << " s\n";
  llvm::outs().flush();
}

Random Checker::startFunction() {
  // Far from the cases' numbers.
  return Random(seed ^ 0x46756e6374696f6e, static_cast<uint64_t>(functions++));
}

Random Checker::startCase() {
  return Random(seed, static_cast<uint64_t>(++cases));
}

bool Checker::isWanted() const {
  int64_t only = getSettings().onlyCase;
  return only < 0 || only == cases;
}

void Checker::fail(const std::string &message) {
  ++failures;
  ADD_FAILURE() << message;
}

std::unique_ptr<CompiledFunction>
Checker::compile(const std::string &text, unsigned numTensors,
                 const CompileOptions &options) {
  context = "while compiling for " + options.targetCPU +
            " with streaming-stores=" + options.streamingStores + ", " +
            std::to_string(options.threads) + " threads:\n" + text;
  setFaultContext(&context);
  auto function = CompiledFunction::compile(text, numTensors, options);
  setFaultContext(nullptr);
  if (!function)
    fail("expected code but got diagnostics " + context);
  return function;
}

static Placement choosePlacement(Random &random) {
  constexpr Placement kPlacements[] = {Placement::AtEnd, Placement::AtEnd,
                                       Placement::AtBegin, Placement::Between,
                                       Placement::Shifted};
  return kPlacements[random.below(5)];
}

void Checker::check(CompiledFunction &function,
                    const std::vector<Tensor> &operands,
                    const Expectation &expect, const CallOptions &options,
                    Random &random,
                    const std::function<std::string()> &describe) {
  std::vector<Tensor> expected;
  {
    ScopedFlushDenormals flush(options.flushDenormals);
    expected = expect(operands);
  }

  size_t numTensors = operands.size() + expected.size();
  if (memory.size() < numTensors)
    memory.resize(numTensors);
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < numTensors; ++i) {
    bool isOperand = i < operands.size();
    size_t result = i - operands.size();
    const Tensor &tensor = isOperand ? operands[i] : expected[result];
    std::byte *data;
    if (!isOperand && static_cast<int>(result) == options.aliasedResult) {
      data = memory[static_cast<size_t>(options.writableOperand)].getData();
    } else {
      data = memory[i].place(tensor.data.size(), choosePlacement(random));
      if (isOperand)
        std::copy(tensor.data.begin(), tensor.data.end(), data);
      else // Not zeros: what is left unwritten shall be seen.
        std::fill_n(data, tensor.data.size(), std::byte(0x5a));
    }
    buffers.push_back({data, &tensor.shape});
  }

  auto describeCase = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "test " << test << ", seed " << getSettings().seed << ", case "
       << cases << (options.flushDenormals ? ", flushing denormals" : "")
       << (options.aliasedResult >= 0 ? ", result in its operand's buffer" : "")
       << '\n'
       << describe() << '\n';
    for (size_t i = 0; i < operands.size(); ++i)
      os << "operand " << i << " at " << buffers[i].data << ": "
         << describeTensor(operands[i]) << '\n';
    return text;
  };
  context = describeCase();
  setFaultContext(&context);
  {
    ScopedFlushDenormals flush(options.flushDenormals);
    function.call(buffers);
  }
  setFaultContext(nullptr);
  ++calls;

  std::string problems;
  llvm::raw_string_ostream os(problems);
  for (size_t i = 0; i < expected.size(); ++i) {
    auto *got =
        static_cast<const std::byte *>(buffers[operands.size() + i].data);
    if (std::string difference = compare(got, expected[i]); !difference.empty())
      os << "result " << i << ": " << difference << '\n';
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (static_cast<int>(i) == options.writableOperand)
      continue;
    const std::vector<std::byte> &before = operands[i].data;
    if (!std::equal(before.begin(), before.end(), memory[i].getData()))
      os << "operand " << i << " was changed\n";
  }
  for (size_t i = 0; i < numTensors; ++i) {
    ptrdiff_t changed;
    if (static_cast<int>(i - operands.size()) != options.aliasedResult &&
        !memory[i].areMarginsIntact(changed))
      os << (i < operands.size() ? "operand " : "result ")
         << (i < operands.size() ? i : i - operands.size())
         << ": the byte at distance " << changed
         << " from its start was changed\n";
  }
  if (!problems.empty())
    fail(context + problems);
}

std::vector<Tensor>
differential::evaluate(const OpConfig &config,
                       const std::vector<Tensor> &operands) {
  std::vector<Tensor> results;
  std::string error;
  if (!reference::evaluate(config.op, config.attributes, operands, results,
                           error))
    llvm::report_fatal_error(llvm::Twine("Reference refuses ") +
                             describe(config) + ": " + error);
  return results;
}
