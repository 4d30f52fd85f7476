//===- FunctionText.h - Functions to compile, as text -----------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_FUNCTIONTEXT_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_FUNCTIONTEXT_H

#include "fakequant/Reference/Reference.h"

#include <string>
#include <vector>

namespace mlir::fakequant::differential {

using reference::Attributes;
using reference::ElementType;
using reference::Op;
using reference::Tensor;

/// A size that is known at run time only.
inline constexpr int64_t kDynamic = -1;

/// One op with all that its text holds but the sizes.
struct OpConfig {
  Op op = Op::Args;
  Attributes attributes;
  ElementType type = ElementType::F32;
  ElementType rangeType = ElementType::F32;

  bool isGradient() const {
    return op == Op::ArgsGradient || op == Op::VarsGradient ||
           op == Op::VarsPerChannelGradient;
  }
  bool hasRangeOperands() const {
    return op != Op::Args && op != Op::ArgsGradient;
  }
  bool isPerChannel() const {
    return op == Op::VarsPerChannel || op == Op::VarsPerChannelGradient;
  }
  size_t getNumResults() const {
    return isGradient() && hasRangeOperands() ? 3 : 1;
  }
  /// The channel's dimension in a tensor of rank `rank`, from the front.
  size_t getAxis(size_t rank) const {
    int64_t axis = attributes.axis;
    return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank)
                                        : axis);
  }
  /// The shape of min and max for data of `shape`.
  std::vector<int64_t> getRangeShape(const std::vector<int64_t> &shape) const {
    if (!isPerChannel())
      return {};
    return {shape[getAxis(shape.size())]};
  }
};

/// "tensor<2x?xf32>".
std::string printType(ElementType type, const std::vector<int64_t> &shape);

/// "%y:3 = fakequant.vars_gradient %g, %x, …" with `results` for "%y:3".
/// `operands` are names in the order of the op; data has the sizes `shape`.
std::string printOp(const OpConfig &config, const std::string &results,
                    const std::vector<std::string> &operands,
                    const std::vector<int64_t> &shape);

/// An argument or a result: a name with its %, and a type.
struct NamedType {
  std::string name;
  std::string type;
  /// Whether the caller allows to overwrite it.
  bool isWritable = false;
};

/// The function @f. `body` has no return.
std::string printFunction(const std::vector<NamedType> &arguments,
                          const std::string &body,
                          const std::vector<NamedType> &results);

/// "%name = arith.constant dense<…> : …", bit for bit.
std::string printConstant(const std::string &name, const Tensor &value);

/// A short line that names the op with its attributes and types.
std::string describe(const OpConfig &config);

/// "[2, 3]".
std::string printShape(const std::vector<int64_t> &shape);

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_FUNCTIONTEXT_H
