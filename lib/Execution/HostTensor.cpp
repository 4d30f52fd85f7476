//===- HostTensor.cpp -----------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types and aligned storage of tensors in host memory.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fakequant;

unsigned fakequant::getByteSize(DType dtype) {
  switch (dtype) {
  case DType::I1:
  case DType::I8:
  case DType::U8:
    return 1;
  case DType::I16:
  case DType::U16:
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::I32:
  case DType::U32:
  case DType::F32:
    return 4;
  case DType::I64:
  case DType::U64:
  case DType::F64:
    return 8;
  }
  llvm_unreachable("covered switch");
}

llvm::StringRef fakequant::getName(DType dtype) {
  switch (dtype) {
  case DType::I1:
    return "i1";
  case DType::I8:
    return "i8";
  case DType::I16:
    return "i16";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  case DType::U8:
    return "ui8";
  case DType::U16:
    return "ui16";
  case DType::U32:
    return "ui32";
  case DType::U64:
    return "ui64";
  case DType::F16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::F64:
    return "f64";
  }
  llvm_unreachable("covered switch");
}

bool fakequant::isFloat(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F32 ||
         dtype == DType::F64;
}

std::optional<DType> fakequant::getDType(Type type) {
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (type.isIndex())
    return DType::I64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return integer.isSignless() ? std::optional(DType::I1) : std::nullopt;
  case 8:
    return isUnsigned ? DType::U8 : DType::I8;
  case 16:
    return isUnsigned ? DType::U16 : DType::I16;
  case 32:
    return isUnsigned ? DType::U32 : DType::I32;
  case 64:
    return isUnsigned ? DType::U64 : DType::I64;
  default:
    return std::nullopt;
  }
}

std::string fakequant::formatTensorType(DType dtype,
                                        llvm::ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getName(dtype) << '[';
  llvm::interleave(
      shape, os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << '?';
        else
          os << size;
      },
      "x");
  os << ']';
  return text;
}

llvm::Expected<int64_t>
fakequant::computeByteCount(DType dtype, llvm::ArrayRef<int64_t> shape) {
  int64_t bytes = getByteSize(dtype);
  bool isEmpty = false;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size < 0)
      return llvm::createStringError(
          llvm::Twine("expected sizes of at least 0 but got ") +
          llvm::Twine(size) + " in dimension " + llvm::Twine(dim));
    isEmpty |= size == 0;
    if (size != 0 && llvm::MulOverflow(bytes, size, bytes))
      return llvm::createStringError(
          llvm::Twine("expected a tensor of less than 2^63 bytes but got ") +
          formatTensorType(dtype, shape));
  }
  return isEmpty ? 0 : bytes;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

llvm::Expected<HostTensor> HostTensor::allocate(DType dtype,
                                                llvm::ArrayRef<int64_t> shape,
                                                unsigned char fill) {
  constexpr uint64_t kCacheLine = 64;
  constexpr uint64_t kHugePage = uint64_t(2) << 20;

  llvm::Expected<int64_t> bytes = computeByteCount(dtype, shape);
  if (!bytes)
    return bytes.takeError();
  auto refuse = [&]() {
    return llvm::createStringError(
        llvm::Twine("expected memory for ") + formatTensorType(dtype, shape) +
        " (" + llvm::Twine(*bytes) + " bytes) but the machine has too little");
  };

  // Memory that is merely promised would end the process when it is touched.
  uint64_t physical = uint64_t(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                      uint64_t(std::max(0L, sysconf(_SC_PAGESIZE)));
  if (physical != 0 && uint64_t(*bytes) > physical)
    return refuse();

  bool isBig = uint64_t(*bytes) >= 2 * kHugePage;
  uint64_t alignment = isBig ? kHugePage : kCacheLine;
  uint64_t size =
      std::max(llvm::alignTo(uint64_t(*bytes), alignment), alignment);
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, size) != 0)
    return refuse();
#ifdef MADV_HUGEPAGE
  if (isBig)
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
  std::memset(memory, fill, size);
  return HostTensor(dtype, shape, *bytes / getByteSize(dtype), memory);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename T> static T load(const void *data, int64_t position) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + position * sizeof(T),
              sizeof(T));
  return value;
}

static double widenHalf(uint16_t bits) {
  double sign = (bits & 0x8000) ? -1.0 : 1.0;
  int exponent = (bits >> 10) & 0x1f;
  int fraction = bits & 0x3ff;
  if (exponent == 0x1f)
    return fraction ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0)
    return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 0x400, exponent - 25);
}

double HostTensor::getAsDouble(int64_t position) const {
  switch (dtype) {
  case DType::F16:
    return widenHalf(load<uint16_t>(getData(), position));
  case DType::BF16:
    return llvm::bit_cast<float>(uint32_t(load<uint16_t>(getData(), position))
                                 << 16);
  case DType::F32:
    return load<float>(getData(), position);
  case DType::F64:
    return load<double>(getData(), position);
  default:
    return static_cast<double>(getAsInteger(position));
  }
}

__int128 HostTensor::getAsInteger(int64_t position) const {
  switch (dtype) {
  case DType::I1:
  case DType::U8:
    return load<uint8_t>(getData(), position);
  case DType::I8:
    return load<int8_t>(getData(), position);
  case DType::I16:
    return load<int16_t>(getData(), position);
  case DType::U16:
    return load<uint16_t>(getData(), position);
  case DType::I32:
    return load<int32_t>(getData(), position);
  case DType::U32:
    return load<uint32_t>(getData(), position);
  case DType::I64:
    return load<int64_t>(getData(), position);
  case DType::U64:
    return load<uint64_t>(getData(), position);
  default:
    return 0;
  }
}

std::string HostTensor::formatElement(int64_t position) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (dtype == DType::U64) {
    os << static_cast<uint64_t>(getAsInteger(position));
  } else if (!isFloat(dtype)) {
    os << static_cast<int64_t>(getAsInteger(position));
  } else {
    int digits = dtype == DType::F64 ? 17 : dtype == DType::F32 ? 9 : 5;
    os << llvm::format("%.*g", digits, getAsDouble(position));
  }
  return text;
}
