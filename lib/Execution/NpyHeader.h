//===- NpyHeader.h ----------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header of a .npy file: a Python dictionary literal behind a magic string.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_EXECUTION_NPYHEADER_H
#define FAKEQUANT_LIB_EXECUTION_NPYHEADER_H

#include "fakequant/Execution/HostTensor.h"

namespace mlir::fakequant {

struct NpyHeader {
  DType dtype;
  llvm::SmallVector<int64_t, 4> shape;
};

/// The eight bytes every file starts with: magic string and version.
constexpr llvm::StringLiteral kNpyMagic = "\x93NUMPY";
constexpr size_t kNpyPreambleSize = 8;

/// The longest dictionary that is read. NumPy itself refuses more than 10,000
/// bytes, so a longer one is damage.
constexpr uint64_t kNpyMaxHeaderSize = uint64_t(1) << 20;

/// Parses the dictionary {'descr': …, 'fortran_order': …, 'shape': …}.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef dictionary);

/// Magic string, version 1.0 (2.0 where the dictionary is long), length and
/// dictionary, padded so that the data starts at a multiple of 64.
std::string formatNpyHeader(DType dtype, llvm::ArrayRef<int64_t> shape);

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_EXECUTION_NPYHEADER_H
