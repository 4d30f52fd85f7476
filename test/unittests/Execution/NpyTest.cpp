//===- NpyTest.cpp --------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing .npy files: round trips, and each refusal.
//
//===----------------------------------------------------------------------===//

#include "fakequant/Execution/Npy.h"
#include "TestSupport.h"

#include <unistd.h>

using namespace mlir;
using namespace mlir::fakequant;
using namespace mlir::fakequant::test;

namespace {

/// A file of the given version with this dictionary, unpadded.
std::string makeFile(unsigned version, llvm::StringRef dictionary,
                     llvm::StringRef data) {
  std::string file = "\x93NUMPY";
  file.push_back(version);
  file.push_back(0);
  for (size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    file.push_back(static_cast<char>(dictionary.size() >> (8 * i)));
  return file + dictionary.str() + data.str();
}

class NpyTest : public ::testing::Test {
protected:
  /// The message with which a file of these contents is refused.
  std::string refusal(llvm::StringRef contents) {
    std::string path = folder.file("bad.npy");
    writeFile(path, contents);
    std::string message = messageOf(readNpy(path));
    expectContains(message, "'" + path + "': ");
    return message;
  }

  std::string refuseHeader(llvm::StringRef dictionary) {
    return refusal(makeFile(1, dictionary, ""));
  }

  template <typename T>
  void roundTrip(DType dtype, llvm::ArrayRef<int64_t> shape,
                 const std::vector<T> &values) {
    std::string path = folder.file("round.npy");
    HostTensor tensor = makeTensor<T>(dtype, shape, values);
    EXPECT_EQ(messageOf(writeNpy({{path, &tensor}})), "");
    llvm::Expected<HostTensor> read = readNpy(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->getDType(), dtype);
    EXPECT_EQ(read->getShape(), shape);
    EXPECT_EQ(
        std::memcmp(read->getData(), tensor.getData(), tensor.getNumBytes()),
        0);
  }

  TemporaryFolder folder;
};

TEST_F(NpyTest, RoundTripsEveryType) {
  roundTrip<uint8_t>(DType::I1, {3}, {0, 1, 1});
  roundTrip<int8_t>(DType::I8, {2}, {-128, 127});
  roundTrip<int16_t>(DType::I16, {2}, {-300, 300});
  roundTrip<int32_t>(DType::I32, {2}, {-70000, 70000});
  roundTrip<int64_t>(DType::I64, {2}, {INT64_MIN, INT64_MAX});
  roundTrip<uint8_t>(DType::U8, {2}, {0, 255});
  roundTrip<uint16_t>(DType::U16, {2}, {0, 65535});
  roundTrip<uint32_t>(DType::U32, {2}, {0, UINT32_MAX});
  roundTrip<uint64_t>(DType::U64, {2}, {0, UINT64_MAX});
  roundTrip<uint16_t>(DType::F16, {2}, {0x3c00, 0x7e01});
  roundTrip<uint16_t>(DType::BF16, {2}, {0x3f80, 0x7fc1});
  roundTrip<float>(DType::F32, {2, 3}, {1, -2, 3, 0, -0.0f, 1e-40f});
  roundTrip<double>(DType::F64, {1, 2, 1}, {0.1, -1e300});
}

TEST_F(NpyTest, RoundTripsEveryRank) {
  roundTrip<float>(DType::F32, {}, {7});
  roundTrip<float>(DType::F32, {0}, {});
  roundTrip<float>(DType::F32, {4, 0, 2}, {});
  roundTrip<float>(DType::F32, {1, 1, 1, 1, 1, 1, 1, 2}, {1, 2});
}

TEST_F(NpyTest, WritesWhatNumPyWrites) {
  std::string path = folder.file("x.npy");
  HostTensor tensor = makeTensor<float>(DType::F32, {3}, {1, 2, 3});
  EXPECT_EQ(messageOf(writeNpy({{path, &tensor}})), "");
  std::string file = readFile(path);
  EXPECT_EQ(file.size(), 128u + 12u);
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  expectContains(file,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
  EXPECT_EQ(file[127], '\n');
}

TEST_F(NpyTest, ReadsEveryVersionAndSpelling) {
  std::string data(8, '\0');
  const char *dictionaries[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }  \n",
      R"({"shape":(2,1),"descr":"<f4","fortran_order":False})",
      "{ 'fortran_order' : False , 'shape' : (2L, 1L) , 'descr' : '<f4' }"};
  std::string path = folder.file("x.npy");
  for (unsigned version : {1, 2, 3})
    for (const char *dictionary : dictionaries) {
      writeFile(path, makeFile(version, dictionary, data));
      llvm::Expected<HostTensor> tensor = readNpy(path);
      ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
      EXPECT_EQ(formatTensorType(tensor->getDType(), tensor->getShape()),
                "f32[2x1]");
    }
  for (const char *descr : {"|V2", "<V2", "bfloat16"}) {
    writeFile(path, makeFile(1,
                             std::string("{'descr': '") + descr +
                                 "', 'fortran_order': False, 'shape': (4,)}",
                             data));
    llvm::Expected<HostTensor> tensor = readNpy(path);
    ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    EXPECT_EQ(tensor->getDType(), DType::BF16);
  }
}

TEST_F(NpyTest, RefusesWhatIsNoFile) {
  std::string missing = folder.file("missing.npy");
  expectContains(messageOf(readNpy(missing)),
                 "'" + missing +
                     "': expected a file that can be read but got: "
                     "No such file");
  expectContains(messageOf(readNpy(folder.file("."))),
                 "expected a .npy file but got a folder");
}

TEST_F(NpyTest, RefusesWhatIsNotNpy) {
  std::string magic = "without NumPy's magic string";
  expectContains(refusal(""), magic);
  expectContains(refusal("\x93NUM"), magic);
  expectContains(refusal("PK\x03\x04 a zip file"), magic);
  expectContains(refusal(std::string("\x93NUMPY\x04\x00\x00\x00", 10)),
                 "expected .npy format 1.0, 2.0 or 3.0 but got 4.0");
}

TEST_F(NpyTest, RefusesTruncatedHeaders) {
  expectContains(refusal(std::string("\x93NUMPY\x01\x00\x76", 9)),
                 "expected 2 bytes of header length but got 1");
  expectContains(refusal(std::string("\x93NUMPY\x02\x00\x76\x00", 10)),
                 "expected 4 bytes of header length but got 2");
  expectContains(refusal(std::string("\x93NUMPY\x01\x00\x76\x00{'", 12)),
                 "expected 118 bytes of header but got 2");
  expectContains(
      refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)),
      "expected a header of at most 1048576 bytes but got a length of "
      "4294967295");
}

TEST_F(NpyTest, RefusesDataOfAnotherSize) {
  std::string dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  expectContains(refusal(makeFile(1, dictionary, std::string(23, 'x'))),
                 "expected 24 bytes of data for f32[2x3] but got 23");
  expectContains(refusal(makeFile(1, dictionary, std::string(25, 'x'))),
                 "expected 24 bytes of data for f32[2x3] but got 25");
  expectContains(refusal(makeFile(1, dictionary, "")), "but got 0");
}

TEST_F(NpyTest, RefusesOtherLayoutsAndTypes) {
  expectContains(
      refuseHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}"),
      "expected row-major data (C order) but got Fortran order");
  expectContains(
      refuseHeader("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
      "expected little-endian data but got the big-endian type '>f4'");
  expectContains(
      refuseHeader("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}"),
      "but got '<c8'");
  expectContains(refuseHeader("{'descr': [('a', '<f4')], 'fortran_order': "
                              "False, 'shape': (2,)}"),
                 "expected one element type, not a structured one");
  expectContains(
      refusal(
          makeFile(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}",
                   "\x01\x02")),
      "expected booleans of 0 or 1 but got 2 in element 1");
}

TEST_F(NpyTest, RefusesBadShapes) {
  auto refuseShape = [&](const std::string &shape) {
    return refuseHeader(
        "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}");
  };
  expectContains(refuseShape("(3, -1)"),
                 "expected sizes of at least 0 but got -1 in dimension 1");
  expectContains(refuseShape("(4294967296, 4294967296)"),
                 "expected a tensor of less than 2^63 bytes");
  expectContains(refuseShape("(0, 4294967296, 4294967296)"),
                 "expected a tensor of less than 2^63 bytes");
  expectContains(refuseShape("(99999999999999999999,)"),
                 "expected a size of less than 2^63");
  expectContains(refuseShape("(3)"), "a parenthesized size");
  expectContains(refuseShape("3"), "expected a tuple of sizes");
  expectContains(refuseShape("(,)"), "expected a size");
  expectContains(refuseShape("(1 2)"), "expected ',' or ')' after a size");
  expectContains(refuseShape("(1.5,)"), "expected ',' or ')' after a size");
  expectContains(refuseShape("(1, 2"), "expected ',' or ')'");
  // More than the machine has, from a header of a few bytes.
  expectContains(refuseShape("(1099511627776,)"), "but got 0");
}

TEST_F(NpyTest, RefusesBadDictionaries) {
  expectContains(refuseHeader(""), "expected '{'");
  expectContains(refuseHeader("{"), "expected a quoted string");
  expectContains(refuseHeader("{'descr"), "expected a closed string");
  expectContains(refuseHeader("{'descr' '<f4'}"), "expected ':'");
  expectContains(refuseHeader("{'descr': '<f4'}"),
                 "'fortran_order' is missing");
  expectContains(refuseHeader("{'descr': '<f4', 'descr': '<f4'}"),
                 "but got another 'descr'");
  expectContains(refuseHeader("{'colour': 'red'}"), "but got another 'colour'");
  expectContains(refuseHeader("{'fortran_order': 0}"),
                 "expected True or False");
  expectContains(refuseHeader("{'fortran_order': False 'shape': ()}"),
                 "expected ',' or '}'");
  expectContains(refuseHeader("{'descr': '<f4', 'fortran_order': False, "
                              "'shape': ()} + 1"),
                 "expected nothing after '}'");
}

TEST_F(NpyTest, WritesAllFilesOrNone) {
  HostTensor tensor = makeTensor<float>(DType::F32, {1}, {1});
  std::string kept = folder.file("kept.npy");
  writeFile(kept, "before");
  std::string message =
      messageOf(writeNpy({{kept, &tensor},
                          {folder.file("new.npy"), &tensor},
                          {folder.file("missing/x.npy"), &tensor}}));
  expectContains(message,
                 "missing/x.npy': expected a path that can be written");
  EXPECT_EQ(folder.list(), "kept.npy");
  EXPECT_EQ(readFile(kept), "before");

  // The last rename fails: the ones before it are undone.
  std::string blocked = folder.file("blocked");
  ASSERT_FALSE(llvm::sys::fs::create_directory(blocked));
  message = messageOf(writeNpy({{kept, &tensor},
                                {folder.file("new.npy"), &tensor},
                                {blocked, &tensor}}));
  expectContains(message, "blocked': expected a path that can be written");
  EXPECT_EQ(folder.list(), "blocked kept.npy");
  EXPECT_EQ(readFile(kept), "before");

  EXPECT_EQ(messageOf(writeNpy({{kept, &tensor}})), "");
  EXPECT_EQ(folder.list(), "blocked kept.npy");
  EXPECT_NE(readFile(kept), "before");
}

TEST_F(NpyTest, WritesThroughLinksAndToDevices) {
  HostTensor tensor = makeTensor<float>(DType::F32, {1}, {1});
  writeFile(folder.file("file.npy"), "before");
  ASSERT_EQ(symlink("file.npy", folder.file("link.npy").c_str()), 0);
  EXPECT_EQ(messageOf(writeNpy(
                {{folder.file("link.npy"), &tensor}, {"/dev/null", &tensor}})),
            "");
  EXPECT_EQ(readFile(folder.file("file.npy")).substr(1, 5), "NUMPY");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(folder.file("link.npy")));
  EXPECT_FALSE(llvm::sys::fs::is_regular_file("/dev/null"));
}

TEST_F(NpyTest, ChecksPathsBeforehand) {
  EXPECT_EQ(messageOf(checkNpyPaths({folder.file("a"), folder.file("b")})), "");
  expectContains(messageOf(checkNpyPaths({folder.file(".")})),
                 "but got: a folder");
  expectContains(messageOf(checkNpyPaths({""})), "but got: an empty path");
  expectContains(messageOf(checkNpyPaths({folder.file("missing/a")})),
                 "does not exist");
  writeFile(folder.file("file"), "");
  expectContains(messageOf(checkNpyPaths({folder.file("file/a")})),
                 "does not exist");
  expectContains(
      messageOf(checkNpyPaths({folder.file("a"), folder.file("./a")})),
      "the same file for two results");
}

} // namespace
