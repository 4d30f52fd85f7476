//===- NpyWriter.cpp ------------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writing the .npy files of a run: all of them or none.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"
#include "fakequant/Execution/Npy.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fakequant;

static llvm::Error cannotWrite(llvm::StringRef path,
                               const llvm::Twine &reason) {
  return llvm::createStringError(
      "'" + path + "': expected a path that can be written but got: " + reason);
}

/// Where the data goes: `path`, or what it links to, so that a rename replaces
/// the file and not the link.
static std::string resolveLink(llvm::StringRef path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::real_path(path, real))
    return real.str().str();
  return path.str();
}

/// The folder of a path; "." for a bare name.
static std::string getFolder(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

static bool isDeviceOrPipe(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         llvm::sys::fs::exists(status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

llvm::Error fakequant::checkNpyPaths(llvm::ArrayRef<std::string> paths) {
  llvm::StringSet<> seen;
  for (const std::string &path : paths) {
    if (path.empty())
      return cannotWrite(path, "an empty path");
    if (llvm::sys::fs::is_directory(path))
      return cannotWrite(path, "a folder");
    std::string target = resolveLink(path);
    if (isDeviceOrPipe(target)) {
      if (::access(target.c_str(), W_OK) != 0)
        return cannotWrite(path, llvm::sys::StrError());
      continue;
    }
    std::string folder = getFolder(target);
    if (!llvm::sys::fs::is_directory(folder))
      return cannotWrite(path, "the folder '" + folder + "' does not exist");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
      return cannotWrite(path, llvm::sys::StrError());

    llvm::SmallString<256> realFolder;
    if (llvm::sys::fs::real_path(folder, realFolder))
      realFolder = folder;
    llvm::sys::path::append(realFolder, llvm::sys::path::filename(target));
    if (!seen.insert(realFolder).second)
      return cannotWrite(path, "the same file for two results");
  }
  return llvm::Error::success();
}

namespace {
/// A file that is complete beside its final place, until it is renamed there.
class PendingFile {
public:
  static llvm::Expected<PendingFile> create(const NpyOutput &output);

  PendingFile(PendingFile &&other)
      : path(std::move(other.path)), target(std::move(other.target)),
        temporary(std::exchange(other.temporary, {})),
        backup(std::exchange(other.backup, {})) {}
  ~PendingFile() {
    if (!temporary.empty()) {
      ::unlink(temporary.c_str());
      llvm::sys::DontRemoveFileOnSignal(temporary);
    }
    if (!backup.empty())
      ::unlink(backup.c_str());
  }

  /// Puts the file in its place, keeping what was there under another name.
  llvm::Error commit();

  /// Undoes commit.
  void rollBack();

private:
  PendingFile() = default;

  std::string path, target, temporary, backup;
};
} // namespace

static llvm::Error writeBytes(int fd, llvm::StringRef bytes) {
  constexpr size_t kChunk = size_t(1) << 30;
  while (!bytes.empty()) {
    ssize_t count = llvm::sys::RetryAfterSignal(-1, ::write, fd, bytes.data(),
                                                std::min(bytes.size(), kChunk));
    if (count < 0)
      return llvm::createStringError(llvm::sys::StrError());
    bytes = bytes.drop_front(count);
  }
  return llvm::Error::success();
}

/// Writes header and data, and closes `fd`.
static llvm::Error writeTensor(int fd, const HostTensor &tensor) {
  std::string header = formatNpyHeader(tensor.getDType(), tensor.getShape());
  llvm::Error error = writeBytes(fd, header);
  if (!error)
    error = writeBytes(
        fd, llvm::StringRef(static_cast<const char *>(tensor.getData()),
                            tensor.getNumBytes()));
  // Some file systems tell only now that the space has run out.
  if (::close(fd) != 0 && !error)
    error = llvm::createStringError(llvm::sys::StrError());
  return error;
}

llvm::Expected<PendingFile> PendingFile::create(const NpyOutput &output) {
  PendingFile file;
  file.path = output.path;
  file.target = resolveLink(output.path);
  llvm::SmallString<256> name;
  int fd = -1;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          llvm::Twine(file.target) + ".%%%%%%%%.tmp", fd, name,
          llvm::sys::fs::OF_None,
          llvm::sys::fs::all_read | llvm::sys::fs::all_write))
    return cannotWrite(file.path, error.message());
  file.temporary = name.str().str();
  llvm::sys::RemoveFileOnSignal(name);
  if (llvm::Error error = writeTensor(fd, *output.tensor))
    return cannotWrite(file.path, llvm::toString(std::move(error)));
  return std::move(file);
}

llvm::Error PendingFile::commit() {
  if (llvm::sys::fs::exists(target)) {
    std::string name = temporary + ".old";
    // Without hard links the old contents cannot be kept; go on regardless.
    if (::link(target.c_str(), name.c_str()) == 0)
      backup = std::move(name);
  }
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return cannotWrite(path, llvm::sys::StrError());
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return llvm::Error::success();
}

void PendingFile::rollBack() {
  if (backup.empty()) {
    ::unlink(target.c_str());
  } else if (::rename(backup.c_str(), target.c_str()) == 0) {
    backup.clear();
  }
}

static llvm::Error writeToDevice(const NpyOutput &output) {
  int fd = llvm::sys::RetryAfterSignal(-1, ::open, output.path.c_str(),
                                       O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return cannotWrite(output.path, llvm::sys::StrError());
  if (llvm::Error error = writeTensor(fd, *output.tensor))
    return cannotWrite(output.path, llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error fakequant::writeNpy(llvm::ArrayRef<NpyOutput> outputs) {
  std::vector<PendingFile> files;
  std::vector<const NpyOutput *> devices;
  for (const NpyOutput &output : outputs) {
    if (isDeviceOrPipe(output.path)) {
      devices.push_back(&output);
      continue;
    }
    llvm::Expected<PendingFile> file = PendingFile::create(output);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }

  // What went into a pipe cannot be taken back, so pipes come before renames.
  for (const NpyOutput *output : devices)
    if (llvm::Error error = writeToDevice(*output))
      return error;
  for (size_t i = 0; i < files.size(); ++i) {
    if (llvm::Error error = files[i].commit()) {
      while (i-- > 0)
        files[i].rollBack();
      return error;
    }
  }
  return llvm::Error::success();
}
