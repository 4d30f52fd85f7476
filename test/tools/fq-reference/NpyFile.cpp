//===- NpyFile.cpp - Tensors in .npy files --------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyFile.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

using namespace mlir::fakequant::reference;

static const char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = 6;

/// What follows `'key':` in a header, without leading spaces; empty if nothing
/// does.
static std::string getField(const std::string &header, const std::string &key) {
  size_t at = header.find("'" + key + "':");
  if (at == std::string::npos)
    return "";
  at = header.find_first_not_of(' ', at + key.size() + 3);
  return at == std::string::npos ? "" : header.substr(at);
}

static bool startsWith(const std::string &text, const char *prefix) {
  return text.rfind(prefix, 0) == 0;
}

static bool parseType(const std::string &field, ElementType &type) {
  static const std::pair<const char *, ElementType> kTypes[] = {
      {"'<f2'", ElementType::F16},  {"'<f4'", ElementType::F32},
      {"'<f8'", ElementType::F64},  {"'|V2'", ElementType::BF16},
      {"'<V2'", ElementType::BF16},
  };
  for (const auto &[text, known] : kTypes)
    if (startsWith(field, text)) {
      type = known;
      return true;
    }
  return false;
}

/// Reads "(2, 3)", "(2,)" or "()".
static bool parseShape(const std::string &field, std::vector<int64_t> &shape) {
  size_t end = field.find(')');
  if (!startsWith(field, "(") || end == std::string::npos)
    return false;
  const char *at = field.data() + 1, *last = field.data() + end;
  while (at != last) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    int64_t extent;
    auto [next, failure] = std::from_chars(at, last, extent);
    if (failure != std::errc() || extent < 0)
      return false;
    shape.push_back(extent);
    at = next;
  }
  return true;
}

/// The bytes that `tensor` must have, or -1 where their number is out of range.
static int64_t getByteCount(const Tensor &tensor) {
  int64_t bytes = getByteWidth(tensor.type);
  for (int64_t extent : tensor.shape)
    if (extent == 0)
      return 0;
  for (int64_t extent : tensor.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return -1;
  return bytes;
}

namespace fq_reference {

bool readNpy(const std::string &path, Tensor &tensor, std::string &error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = path + ": cannot be read";
    return false;
  }
  std::string bytes((std::istreambuf_iterator<char>(file)),
                    std::istreambuf_iterator<char>());
  auto byteAt = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 10 || bytes.compare(0, kMagicSize, kMagic) != 0) {
    error = path + ": expected an .npy file";
    return false;
  }
  // Version 1 has a two-byte header length, versions 2 and 3 four bytes.
  size_t lengthBytes = byteAt(6) == 1 ? 2 : 4;
  size_t begin = kMagicSize + 2 + lengthBytes;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes && 8 + i < bytes.size(); ++i)
    length |= size_t(byteAt(8 + i)) << (8 * i);
  if (bytes.size() < begin || bytes.size() - begin < length) {
    error = path + ": the header is truncated";
    return false;
  }

  std::string header = bytes.substr(begin, length);
  if (!startsWith(getField(header, "fortran_order"), "False")) {
    error = path + ": expected C order";
    return false;
  }
  Tensor read;
  if (!parseType(getField(header, "descr"), read.type)) {
    error = path + ": expected <f2, <f4, <f8 or |V2 elements";
    return false;
  }
  if (!parseShape(getField(header, "shape"), read.shape)) {
    error = path + ": expected a shape";
    return false;
  }
  size_t stored = bytes.size() - begin - length;
  int64_t expected = getByteCount(read);
  if (expected < 0 || static_cast<uint64_t>(expected) != stored) {
    error = path + ": expected " + std::to_string(expected) +
            " bytes of data but got " + std::to_string(stored);
    return false;
  }
  const auto *data =
      reinterpret_cast<const std::byte *>(bytes.data() + begin + length);
  read.data.assign(data, data + stored);
  tensor = std::move(read);
  return true;
}

bool writeNpy(const std::string &path, const Tensor &tensor,
              std::string &error) {
  const char *type = tensor.type == ElementType::F16    ? "<f2"
                     : tensor.type == ElementType::BF16 ? "|V2"
                     : tensor.type == ElementType::F32  ? "<f4"
                                                        : "<f8";
  std::string header = std::string("{'descr': '") + type +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // The data begins at a multiple of 64 bytes.
  size_t prefix = kMagicSize + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  std::ofstream file(path, std::ios::binary);
  file.write(kMagic, kMagicSize);
  const char version[] = {1, 0, static_cast<char>(header.size() & 0xff),
                          static_cast<char>(header.size() >> 8)};
  file.write(version, sizeof(version));
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char *>(tensor.data.data()),
             static_cast<std::streamsize>(tensor.data.size()));
  file.close();
  if (!file) {
    error = path + ": cannot be written";
    return false;
  }
  return true;
}

} // namespace fq_reference
