//===- TestSupport.h --------------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporary folders, files and messages for the tests of Execution.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_UNITTESTS_EXECUTION_TESTSUPPORT_H
#define FAKEQUANT_UNITTESTS_EXECUTION_TESTSUPPORT_H

#include "fakequant/Execution/HostTensor.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cstring>
#include <fstream>
#include <sstream>

namespace mlir::fakequant::test {

/// A folder that goes away with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fq-execution", path));
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<256> full(path);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }

  /// The names in the folder, sorted and with a space between.
  std::string list() const {
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(path, error), end;
         it != end && !error; it.increment(error))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : " ") + name;
    return text;
  }

private:
  llvm::SmallString<256> path;
};

inline void writeFile(const std::string &path, llvm::StringRef contents) {
  std::ofstream(path, std::ios::binary).write(contents.data(), contents.size());
}

inline std::string readFile(const std::string &path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

/// A tensor of the values, whose size fits the type.
template <typename T>
HostTensor makeTensor(DType dtype, llvm::ArrayRef<int64_t> shape,
                      const std::vector<T> &values) {
  HostTensor tensor = llvm::cantFail(HostTensor::allocate(dtype, shape));
  EXPECT_EQ(getByteSize(dtype), sizeof(T));
  EXPECT_EQ(tensor.getNumElements(), int64_t(values.size()));
  if (!values.empty())
    std::memcpy(tensor.getData(), values.data(), values.size() * sizeof(T));
  return tensor;
}

/// The message of a failure; empty on success.
template <typename T> std::string messageOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}
inline std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

inline void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected '" << part << "' in '" << text << "'";
}

} // namespace mlir::fakequant::test

#endif // FAKEQUANT_UNITTESTS_EXECUTION_TESTSUPPORT_H
