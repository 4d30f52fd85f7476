//===- HostTensor.h ---------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors in host memory: element types, and owned, aligned storage for the
// arguments of compiled functions.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_EXECUTION_HOSTTENSOR_H
#define FAKEQUANT_EXECUTION_HOSTTENSOR_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace mlir::fakequant {

/// The element types a host tensor may have. An i1 takes one byte, 0 or 1.
enum class DType {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64
};

/// Bytes an element takes in memory and in a .npy file.
unsigned getByteSize(DType dtype);

/// The spelling of the type in MLIR: "f32", "bf16", "i1", "i8", "ui8".
llvm::StringRef getName(DType dtype);

/// True for f16, bf16, f32 and f64.
bool isFloat(DType dtype);

/// The host type that holds elements of `type`; none for a type that has none.
/// Signless and signed integers map to I*, unsigned ones to U*, index to I64.
std::optional<DType> getDType(Type type);

/// "f32[2x3]", "f32[]" for a scalar; a dynamic size is printed as "?".
std::string formatTensorType(DType dtype, llvm::ArrayRef<int64_t> shape);

/// Bytes of a dense tensor. Fails where a size is negative or the number of
/// elements or bytes is over 2^63 - 1 (also if another size is zero, so that no
/// stride of the tensor overflows).
llvm::Expected<int64_t> computeByteCount(DType dtype,
                                         llvm::ArrayRef<int64_t> shape);

/// A dense row-major tensor that owns its memory. The memory is aligned to 64
/// bytes; from 4 MiB on it is aligned to 2 MiB and huge pages are asked for.
/// An empty tensor has a non-null, aligned address too.
class HostTensor {
public:
  /// Allocates a tensor and sets every byte to `fill`, so that every page is
  /// present before the first call is timed. Fails where the sizes overflow or
  /// the memory is not there.
  static llvm::Expected<HostTensor>
  allocate(DType dtype, llvm::ArrayRef<int64_t> shape, unsigned char fill = 0);

  DType getDType() const { return dtype; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  int64_t getNumBytes() const { return numElements * getByteSize(dtype); }

  void *getData() { return storage.get(); }
  const void *getData() const { return storage.get(); }

  /// The value of the element at a row-major position, as a double (exact but
  /// for integers beyond 2^53).
  double getAsDouble(int64_t position) const;

  /// The value of an integer element. Only for integer types.
  __int128 getAsInteger(int64_t position) const;

  /// The element as text that reads back to the same value.
  std::string formatElement(int64_t position) const;

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };

  HostTensor(DType dtype, llvm::ArrayRef<int64_t> shape, int64_t numElements,
             void *memory)
      : dtype(dtype), shape(shape.begin(), shape.end()),
        numElements(numElements), storage(memory) {}

  DType dtype;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t numElements;
  std::unique_ptr<void, Free> storage;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_EXECUTION_HOSTTENSOR_H
