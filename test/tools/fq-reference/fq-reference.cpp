//===- fq-reference.cpp - The reference evaluator on .npy files -----------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: one op of the reference evaluator a command, so that scripts can
// hold it against recorded answers.
//
//===----------------------------------------------------------------------===//

#include "NpyFile.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

using namespace mlir::fakequant::reference;

static const char kUsage[] =
    "usage: fq-reference --op OP [--num-bits N] [--narrow-range] [--axis A]\n"
    "                    [--min M] [--max M] [--flush-denormals]\n"
    "                    [--input FILE.npy...] [--output FILE.npy...]\n"
    "       fq-reference --batch < LINES\n"
    "\n"
    "Evaluates one fake quantization op by the numerical contract. OP is "
    "args,\n"
    "args_gradient, vars, vars_gradient, vars_per_channel or\n"
    "vars_per_channel_gradient. Inputs are [gradients] inputs [min max], in\n"
    "that order; as many outputs as the op has results, or none at all. Files\n"
    "are little-endian, C-order .npy of <f2, <f4, <f8, or |V2 for bf16.\n"
    "\n"
    "With --batch each line of the standard input holds the arguments of one\n"
    "such command, separated by tabs, and is answered by one line: 'ok', or\n"
    "'error: ' and why.\n";

namespace {
struct Command {
  Op op = Op::Args;
  Attributes attributes;
  bool flushDenormals = false;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};
} // namespace

static bool parseOp(const std::string &name, Op &op) {
  static const std::pair<const char *, Op> kOps[] = {
      {"args", Op::Args},
      {"args_gradient", Op::ArgsGradient},
      {"vars", Op::Vars},
      {"vars_gradient", Op::VarsGradient},
      {"vars_per_channel", Op::VarsPerChannel},
      {"vars_per_channel_gradient", Op::VarsPerChannelGradient},
  };
  for (const auto &[text, known] : kOps)
    if (name == text) {
      op = known;
      return true;
    }
  return false;
}

static bool parseInteger(const std::string &text, int64_t &value) {
  char *end = nullptr;
  value = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0';
}

static bool parseNumber(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// Reads one value of the option `name`.
static bool parseValue(const std::string &name, const std::string &value,
                       Command &command) {
  if (name == "--op")
    return parseOp(value, command.op);
  if (name == "--num-bits")
    return parseInteger(value, command.attributes.numBits);
  if (name == "--axis")
    return parseInteger(value, command.attributes.axis);
  if (name == "--min")
    return parseNumber(value, command.attributes.min);
  if (name == "--max")
    return parseNumber(value, command.attributes.max);
  return false;
}

static bool parseCommand(const std::vector<std::string> &arguments,
                         Command &command, std::string &error) {
  bool hasOp = false;
  // Where file names go: after --input or --output, until the next option.
  std::vector<std::string> *files = nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.rfind("--", 0) != 0 && files) {
      files->push_back(argument);
      continue;
    }
    files = nullptr;
    if (argument == "--input") {
      files = &command.inputs;
    } else if (argument == "--output") {
      files = &command.outputs;
    } else if (argument == "--narrow-range") {
      command.attributes.narrowRange = true;
    } else if (argument == "--flush-denormals") {
      command.flushDenormals = true;
    } else if (i + 1 < arguments.size() &&
               parseValue(argument, arguments[i + 1], command)) {
      hasOp |= argument == "--op";
      ++i;
    } else {
      error = "expected an option and its value but got '" + argument +
              (i + 1 < arguments.size() ? " " + arguments[i + 1] : "") + "'";
      return false;
    }
  }
  if (!hasOp)
    error = "expected --op";
  return hasOp;
}

static bool runCommand(const std::vector<std::string> &arguments,
                       std::string &error) {
  Command command;
  if (!parseCommand(arguments, command, error))
    return false;
  if (command.flushDenormals && !ScopedFlushDenormals::isSupported()) {
    error = "--flush-denormals: this target has no such switch";
    return false;
  }
  std::vector<Tensor> operands(command.inputs.size());
  for (size_t i = 0; i < operands.size(); ++i)
    if (!fq_reference::readNpy(command.inputs[i], operands[i], error))
      return false;

  std::vector<Tensor> results;
  {
    ScopedFlushDenormals flush(command.flushDenormals);
    if (!evaluate(command.op, command.attributes, operands, results, error))
      return false;
  }
  if (!command.outputs.empty() && command.outputs.size() != results.size()) {
    error = "expected " + std::to_string(results.size()) + " outputs but got " +
            std::to_string(command.outputs.size());
    return false;
  }
  for (size_t i = 0; i < command.outputs.size(); ++i)
    if (!fq_reference::writeNpy(command.outputs[i], results[i], error))
      return false;
  return true;
}

static std::vector<std::string> splitAtTabs(const std::string &line) {
  std::vector<std::string> fields;
  size_t begin = 0;
  while (true) {
    size_t end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string::npos)
      return fields;
    begin = end + 1;
  }
}

/// Whether every command succeeded.
static bool runBatch() {
  bool succeeded = true;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string error;
    bool isFine = runCommand(splitAtTabs(line), error);
    std::cout << (isFine ? "ok" : "error: " + error) << std::endl;
    succeeded &= isFine;
  }
  return succeeded;
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (arguments.empty() || arguments[0] == "--help") {
    std::fputs(kUsage, arguments.empty() ? stderr : stdout);
    return arguments.empty();
  }
  if (arguments.size() == 1 && arguments[0] == "--batch")
    return !runBatch();
  std::string error;
  if (runCommand(arguments, error))
    return 0;
  std::fprintf(stderr, "fq-reference: error: %s\n", error.c_str());
  return 1;
}
