//===- FunctionText.cpp ---------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

static const char *getName(Op op) {
  switch (op) {
  case Op::Args:
    return "args";
  case Op::ArgsGradient:
    return "args_gradient";
  case Op::Vars:
    return "vars";
  case Op::VarsGradient:
    return "vars_gradient";
  case Op::VarsPerChannel:
    return "vars_per_channel";
  case Op::VarsPerChannelGradient:
    return "vars_per_channel_gradient";
  }
  return "";
}

std::string differential::printType(ElementType type,
                                    const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += (size == kDynamic ? "?" : std::to_string(size)) + "x";
  return text + reference::getName(type) + ">";
}

/// A value as the bits of an f64, which the parser takes as they are.
static std::string printF64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/false, /*Width=*/16) +
         " : f64";
}

static std::string printAttributes(const OpConfig &config) {
  const Attributes &attributes = config.attributes;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{num_bits = " << attributes.numBits
     << ", narrow_range = " << (attributes.narrowRange ? "true" : "false");
  if (config.isPerChannel())
    os << ", axis = " << attributes.axis;
  if (!config.hasRangeOperands())
    os << ", min = " << printF64(attributes.min)
       << ", max = " << printF64(attributes.max);
  os << '}';
  return text;
}

std::string differential::printOp(const OpConfig &config,
                                  const std::string &results,
                                  const std::vector<std::string> &operands,
                                  const std::vector<int64_t> &shape) {
  std::vector<std::string> types(config.isGradient() ? 2 : 1,
                                 printType(config.type, shape));
  if (config.hasRangeOperands())
    types.insert(types.end(), 2,
                 printType(config.rangeType, config.getRangeShape(shape)));
  std::string text;
  llvm::raw_string_ostream(text)
      << "  " << results << " = fakequant." << ::getName(config.op) << ' '
      << llvm::join(operands, ", ") << ' ' << printAttributes(config) << " : "
      << llvm::join(types, ", ") << '\n';
  return text;
}

std::string differential::printFunction(const std::vector<NamedType> &arguments,
                                        const std::string &body,
                                        const std::vector<NamedType> &results) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @f(";
  llvm::interleaveComma(arguments, os, [&](const NamedType &argument) {
    os << argument.name << ": " << argument.type;
    if (argument.isWritable)
      os << " {bufferization.writable = true}";
  });
  os << ") -> (";
  llvm::interleaveComma(results, os, [&](const NamedType &r) { os << r.type; });
  os << ") {\n" << body << "  return ";
  llvm::interleaveComma(results, os, [&](const NamedType &r) { os << r.name; });
  os << " : ";
  llvm::interleaveComma(results, os, [&](const NamedType &r) { os << r.type; });
  os << "\n}\n";
  return text;
}

std::string differential::printConstant(const std::string &name,
                                        const Tensor &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "  " << name << " = arith.constant dense<";
  if (!value.data.empty())
    os << "\"0x"
       << llvm::toHex(
              llvm::StringRef(reinterpret_cast<const char *>(value.data.data()),
                              value.data.size()))
       << '"';
  os << "> : " << printType(value.type, value.shape) << '\n';
  return text;
}

std::string differential::describe(const OpConfig &config) {
  std::string text = std::string(::getName(config.op)) + " " +
                     printAttributes(config) + " " +
                     reference::getName(config.type);
  if (config.hasRangeOperands())
    text += std::string(" range ") + reference::getName(config.rangeType);
  return text;
}

std::string differential::printShape(const std::vector<int64_t> &shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}
