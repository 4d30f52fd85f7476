//===- NpyHeader.cpp ------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing and printing the dictionary that describes a .npy file's data.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fakequant;

static llvm::StringRef getDescriptor(DType dtype) {
  switch (dtype) {
  case DType::I1:
    return "|b1";
  case DType::I8:
    return "|i1";
  case DType::I16:
    return "<i2";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  case DType::U8:
    return "|u1";
  case DType::U16:
    return "<u2";
  case DType::U32:
    return "<u4";
  case DType::U64:
    return "<u8";
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return "<V2";
  case DType::F32:
    return "<f4";
  case DType::F64:
    return "<f8";
  }
  llvm_unreachable("covered switch");
}

static constexpr DType kAllDTypes[] = {
    DType::I1,   DType::I8,  DType::I16, DType::I32, DType::I64,
    DType::U8,   DType::U16, DType::U32, DType::U64, DType::F16,
    DType::BF16, DType::F32, DType::F64};

static llvm::Expected<DType> parseDescriptor(llvm::StringRef descr) {
  if (descr == "|V2" || descr == "bfloat16")
    return DType::BF16;
  for (DType dtype : kAllDTypes)
    if (descr == getDescriptor(dtype))
      return dtype;
  if (descr.starts_with(">"))
    return llvm::createStringError(
        "expected little-endian data but got the big-endian type '" + descr +
        "'");
  return llvm::createStringError(
      "expected an element type out of <f2, <f4, <f8, <V2 (bfloat16), |b1, "
      "|i1, <i2, <i4, <i8, |u1, <u2, <u4, <u8 but got '" +
      descr + "'");
}

namespace {
/// Parses the subset of Python literals that headers are made of.
class HeaderParser {
public:
  explicit HeaderParser(llvm::StringRef text) : rest(text) {}

  llvm::Expected<NpyHeader> parse();

private:
  void skipSpace() { rest = rest.ltrim(" \t\n\r"); }
  bool consume(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  llvm::Error expected(const llvm::Twine &what) {
    skipSpace();
    std::string found;
    llvm::raw_string_ostream os(found);
    os.write_escaped(rest.take_front(24));
    return llvm::createStringError("expected " + what +
                                   " in the header but got '" + found + "'");
  }
  llvm::Error parseString(llvm::StringRef &value);
  llvm::Error parseDescr(std::optional<DType> &dtype);
  llvm::Error parseOrder(std::optional<bool> &isFortran);
  llvm::Error parseShape(std::optional<llvm::SmallVector<int64_t, 4>> &shape);

  llvm::StringRef rest;
};
} // namespace

llvm::Error HeaderParser::parseString(llvm::StringRef &value) {
  skipSpace();
  if (!rest.starts_with("'") && !rest.starts_with("\""))
    return expected("a quoted string");
  size_t end = rest.find(rest.front(), 1);
  if (end == llvm::StringRef::npos)
    return expected("a closed string");
  value = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseDescr(std::optional<DType> &dtype) {
  skipSpace();
  if (rest.starts_with("["))
    return expected("one element type, not a structured one,");
  llvm::StringRef descr;
  if (llvm::Error error = parseString(descr))
    return error;
  llvm::Expected<DType> parsed = parseDescriptor(descr);
  if (!parsed)
    return parsed.takeError();
  dtype = *parsed;
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseOrder(std::optional<bool> &isFortran) {
  if (consume("False"))
    isFortran = false;
  else if (consume("True"))
    isFortran = true;
  else
    return expected("True or False");
  return llvm::Error::success();
}

llvm::Error
HeaderParser::parseShape(std::optional<llvm::SmallVector<int64_t, 4>> &shape) {
  if (!consume("("))
    return expected("a tuple of sizes");
  shape.emplace();
  bool hasComma = true;
  while (!consume(")")) {
    if (!hasComma)
      return expected("',' or ')' after a size");
    skipSpace();
    size_t length =
        rest.find_if_not([](char c) { return llvm::isDigit(c) || c == '-'; });
    llvm::StringRef digits = rest.take_front(length);
    if (digits.empty())
      return expected("a size");
    int64_t size;
    if (digits.getAsInteger(10, size))
      return expected("a size of less than 2^63");
    if (size < 0)
      return llvm::createStringError("expected sizes of at least 0 but got " +
                                     digits + " in dimension " +
                                     llvm::Twine(shape->size()));
    rest = rest.drop_front(digits.size());
    (void)rest.consume_front("L"); // Python 2 wrote long integers so.
    shape->push_back(size);
    hasComma = consume(",");
  }
  if (shape->size() == 1 && !hasComma)
    return llvm::createStringError(
        "expected a tuple of sizes in the header but got a parenthesized size");
  return llvm::Error::success();
}

llvm::Expected<NpyHeader> HeaderParser::parse() {
  std::optional<DType> dtype;
  std::optional<bool> isFortran;
  std::optional<llvm::SmallVector<int64_t, 4>> shape;

  if (!consume("{"))
    return expected("'{'");
  bool hasComma = true;
  while (!consume("}")) {
    if (!hasComma)
      return expected("',' or '}'");
    llvm::StringRef key;
    if (llvm::Error error = parseString(key))
      return std::move(error);
    if (!consume(":"))
      return expected("':'");
    llvm::Error error = llvm::Error::success();
    if (key == "descr" && !dtype)
      error = parseDescr(dtype);
    else if (key == "fortran_order" && !isFortran)
      error = parseOrder(isFortran);
    else if (key == "shape" && !shape)
      error = parseShape(shape);
    else
      error = llvm::createStringError(
          "expected the keys 'descr', 'fortran_order' and 'shape' once in the "
          "header but got another '" +
          key + "'");
    if (error)
      return std::move(error);
    hasComma = consume(",");
  }
  skipSpace();
  if (!rest.empty())
    return expected("nothing after '}'");
  if (!dtype || !isFortran || !shape)
    return llvm::createStringError(
        llvm::Twine("expected the keys 'descr', 'fortran_order' and 'shape' in "
                    "the header but '") +
        (!dtype       ? "descr"
         : !isFortran ? "fortran_order"
                      : "shape") +
        "' is missing");
  if (*isFortran)
    return llvm::createStringError(
        "expected row-major data (C order) but got Fortran order");
  llvm::Expected<int64_t> bytes = computeByteCount(*dtype, *shape);
  if (!bytes)
    return bytes.takeError();
  return NpyHeader{*dtype, std::move(*shape)};
}

llvm::Expected<NpyHeader>
fakequant::parseNpyHeader(llvm::StringRef dictionary) {
  return HeaderParser(dictionary).parse();
}

std::string fakequant::formatNpyHeader(DType dtype,
                                       llvm::ArrayRef<int64_t> shape) {
  std::string dictionary;
  llvm::raw_string_ostream os(dictionary);
  os << "{'descr': '" << getDescriptor(dtype)
     << "', 'fortran_order': False, 'shape': (";
  llvm::interleaveComma(shape, os);
  os << (shape.size() == 1 ? ",)" : ")") << ", }";

  // Version 1.0 counts the dictionary in two bytes, 2.0 in four.
  bool isLong = dictionary.size() + 64 > 0xffff;
  size_t lengthSize = isLong ? 4 : 2;
  size_t used = kNpyPreambleSize + lengthSize + dictionary.size() + 1;
  dictionary.append(llvm::alignTo(used, 64) - used, ' ');
  dictionary.push_back('\n');

  std::string header = kNpyMagic.str();
  header.push_back(isLong ? 2 : 1);
  header.push_back(0);
  for (size_t i = 0; i < lengthSize; ++i)
    header.push_back(static_cast<char>(dictionary.size() >> (8 * i)));
  return header + dictionary;
}
