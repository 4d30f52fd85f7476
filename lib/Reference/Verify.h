//===- Verify.h - What the ops accept ---------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_REFERENCE_VERIFY_H
#define FAKEQUANT_LIB_REFERENCE_VERIFY_H

#include "fakequant/Reference/Reference.h"

namespace mlir::fakequant::reference {

/// How an op differs from its siblings.
struct OpTraits {
  bool isKnown;
  bool isGradient;
  bool hasRangeOperands;
  bool isPerChannel;
};

OpTraits getTraits(Op op);

/// Whether `evaluate` may go ahead; otherwise `error` says why not. On success
/// `shape` is the inputs' shape around the channel (a per-tensor op: around
/// nothing), with a zero in it where there are no elements.
bool verify(Op op, const Attributes &attributes,
            const std::vector<Tensor> &operands, SumShape &shape,
            std::string &error);

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_LIB_REFERENCE_VERIFY_H
