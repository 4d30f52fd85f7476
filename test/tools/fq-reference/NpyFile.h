//===- NpyFile.h - Tensors in .npy files ------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_TOOLS_FQREFERENCE_NPYFILE_H
#define FAKEQUANT_TEST_TOOLS_FQREFERENCE_NPYFILE_H

#include "fakequant/Reference/Reference.h"

namespace fq_reference {

/// Reads a little-endian, C-order .npy file of <f2, <f4, <f8, or of two-byte
/// voids (|V2 or <V2), which are taken to be bf16. On failure returns false and
/// sets `error`.
bool readNpy(const std::string &path,
             mlir::fakequant::reference::Tensor &tensor, std::string &error);

/// Writes `tensor` the same way, bf16 as |V2.
bool writeNpy(const std::string &path,
              const mlir::fakequant::reference::Tensor &tensor,
              std::string &error);

} // namespace fq_reference

#endif // FAKEQUANT_TEST_TOOLS_FQREFERENCE_NPYFILE_H
