//===- NpyReader.cpp ------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading .npy files.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"
#include "fakequant/Execution/Npy.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fakequant;

/// Reads up to `size` bytes; fewer only at the end of the file.
static llvm::Expected<size_t> readBytes(int fd, void *buffer, size_t size) {
  // One read() moves at most 2^31 - 4096 bytes.
  constexpr size_t kChunk = size_t(1) << 30;
  size_t done = 0;
  while (done < size) {
    ssize_t count = llvm::sys::RetryAfterSignal(
        -1, ::read, fd, static_cast<char *>(buffer) + done,
        std::min(size - done, kChunk));
    if (count < 0)
      return llvm::errorCodeToError(
          std::error_code(errno, std::generic_category()));
    if (count == 0)
      break;
    done += count;
  }
  return done;
}

/// Reads exactly `size` bytes of the `part` of the file.
static llvm::Error readExactly(int fd, void *buffer, size_t size,
                               llvm::StringRef part) {
  llvm::Expected<size_t> count = readBytes(fd, buffer, size);
  if (!count)
    return count.takeError();
  if (*count == size)
    return llvm::Error::success();
  return llvm::createStringError("expected " + llvm::Twine(size) +
                                 " bytes of " + part + " but got " +
                                 llvm::Twine(*count));
}

static llvm::Expected<NpyHeader> readHeader(int fd, size_t &headerSize) {
  unsigned char preamble[kNpyPreambleSize];
  llvm::Expected<size_t> count = readBytes(fd, preamble, sizeof(preamble));
  if (!count)
    return count.takeError();
  llvm::StringRef start(reinterpret_cast<char *>(preamble), *count);
  if (*count < sizeof(preamble) || !start.starts_with(kNpyMagic))
    return llvm::createStringError(
        "expected a .npy file but got one without NumPy's magic string");
  unsigned version = preamble[6];
  if (version < 1 || version > 3 || preamble[7] != 0)
    return llvm::createStringError(
        "expected .npy format 1.0, 2.0 or 3.0 but got " + llvm::Twine(version) +
        "." + llvm::Twine(unsigned(preamble[7])));

  unsigned char lengthBytes[4] = {0, 0, 0, 0};
  size_t lengthSize = version == 1 ? 2 : 4;
  if (llvm::Error error =
          readExactly(fd, lengthBytes, lengthSize, "header length"))
    return std::move(error);
  uint64_t length = 0;
  for (size_t i = 0; i < lengthSize; ++i)
    length |= uint64_t(lengthBytes[i]) << (8 * i);
  if (length > kNpyMaxHeaderSize)
    return llvm::createStringError(
        "expected a header of at most " + llvm::Twine(kNpyMaxHeaderSize) +
        " bytes but got a length of " + llvm::Twine(length));

  std::string dictionary(length, '\0');
  if (llvm::Error error = readExactly(fd, dictionary.data(), length, "header"))
    return std::move(error);
  headerSize = sizeof(preamble) + lengthSize + length;
  return parseNpyHeader(dictionary);
}

/// The i1 of compiled code is a byte that is 0 or 1.
static llvm::Error checkBooleans(const HostTensor &tensor) {
  auto *bytes = static_cast<const uint8_t *>(tensor.getData());
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (bytes[i] > 1)
      return llvm::createStringError("expected booleans of 0 or 1 but got " +
                                     llvm::Twine(unsigned(bytes[i])) +
                                     " in element " + llvm::Twine(i));
  return llvm::Error::success();
}

static llvm::Expected<HostTensor> readTensor(int fd) {
  size_t headerSize = 0;
  llvm::Expected<NpyHeader> header = readHeader(fd, headerSize);
  if (!header)
    return header.takeError();
  llvm::Expected<int64_t> dataSize =
      computeByteCount(header->dtype, header->shape);
  if (!dataSize)
    return dataSize.takeError();
  std::string type = formatTensorType(header->dtype, header->shape);

  // Where the size is known, compare before any memory is asked for.
  auto wrongSize = [&](uint64_t actual) {
    return llvm::createStringError("expected " + llvm::Twine(*dataSize) +
                                   " bytes of data for " + type + " but got " +
                                   llvm::Twine(actual));
  };
  struct stat status;
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    uint64_t fileSize = status.st_size;
    uint64_t actual = fileSize < headerSize ? 0 : fileSize - headerSize;
    if (actual != uint64_t(*dataSize))
      return wrongSize(actual);
  }

  llvm::Expected<HostTensor> tensor =
      HostTensor::allocate(header->dtype, header->shape);
  if (!tensor)
    return tensor.takeError();
  llvm::Expected<size_t> count = readBytes(fd, tensor->getData(), *dataSize);
  if (!count)
    return count.takeError();
  if (*count != size_t(*dataSize))
    return wrongSize(*count);
  char extra;
  llvm::Expected<size_t> trailing = readBytes(fd, &extra, 1);
  if (!trailing)
    return trailing.takeError();
  if (*trailing != 0)
    return llvm::createStringError("expected " + llvm::Twine(*dataSize) +
                                   " bytes of data for " + type +
                                   " but got more");
  if (header->dtype == DType::I1)
    if (llvm::Error error = checkBooleans(*tensor))
      return std::move(error);
  return tensor;
}

llvm::Expected<HostTensor> fakequant::readNpy(llvm::StringRef path) {
  auto describe = [&](llvm::Error error) {
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(std::move(error)));
  };
  if (llvm::sys::fs::is_directory(path))
    return describe(
        llvm::createStringError("expected a .npy file but got a folder"));
  int fd = llvm::sys::RetryAfterSignal(-1, ::open, path.str().c_str(),
                                       O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return describe(
        llvm::createStringError("expected a file that can be read but got: " +
                                llvm::StringRef(llvm::sys::StrError())));
  llvm::scope_exit close([&] { ::close(fd); });
  llvm::Expected<HostTensor> tensor = readTensor(fd);
  if (!tensor)
    return describe(tensor.takeError());
  return tensor;
}
