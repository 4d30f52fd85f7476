//===- Npy.h ----------------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's .npy files: reading one, and writing those of a run together.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_EXECUTION_NPY_H
#define FAKEQUANT_EXECUTION_NPY_H

#include "fakequant/Execution/HostTensor.h"

namespace mlir::fakequant {

/// Reads a .npy file (format 1.0, 2.0 or 3.0; little endian; C order). NumPy
/// has no bfloat16: the descriptors `V2` (what ml_dtypes saves) and `bfloat16`
/// mean bf16. Every refusal names the file, what was expected and what was
/// found: a file that cannot be read, that is shorter or longer than its header
/// says, big-endian or Fortran-ordered data, element types other than DType's,
/// sizes that are negative or overflow, an i1 other than 0 or 1.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);

/// A tensor and the file it goes to.
struct NpyOutput {
  std::string path;
  const HostTensor *tensor;
};

/// Tells before anything is computed whether writeNpy would be refused: a path
/// that is a folder, whose folder is missing or not writable, or that is given
/// twice.
llvm::Error checkNpyPaths(llvm::ArrayRef<std::string> paths);

/// Writes all files or none. Each goes to a temporary file in its own folder;
/// when all of them are complete they are renamed. On a failure the temporaries
/// are removed and files that were there before keep their contents. A path
/// that is a device or a pipe is written directly.
llvm::Error writeNpy(llvm::ArrayRef<NpyOutput> outputs);

} // namespace mlir::fakequant

#endif // FAKEQUANT_EXECUTION_NPY_H
