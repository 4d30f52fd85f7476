//===- GuardedMemory.cpp --------------------------------------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace mlir::fakequant;
using namespace mlir::fakequant::differential;

static constexpr size_t kMargin = 512;
static constexpr unsigned char kMarginByte = 0xa5;

static size_t getPageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

GuardedMemory::GuardedMemory(GuardedMemory &&other)
    : mapping(std::exchange(other.mapping, nullptr)),
      mappedBytes(std::exchange(other.mappedBytes, 0)), begin(other.begin),
      end(other.end), data(other.data), size(other.size) {}

GuardedMemory::~GuardedMemory() { unmap(); }

void GuardedMemory::unmap() {
  if (mapping)
    munmap(mapping, mappedBytes);
  mapping = nullptr;
}

void GuardedMemory::map(size_t bytes) {
  unmap();
  size_t page = getPageSize();
  mappedBytes = (bytes + page - 1) / page * page + 2 * page;
  void *address =
      mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    std::perror("mmap");
    std::abort();
  }
  mapping = static_cast<std::byte *>(address);
  begin = mapping + page;
  end = mapping + mappedBytes - page;
  if (mprotect(begin, static_cast<size_t>(end - begin),
               PROT_READ | PROT_WRITE) != 0) {
    std::perror("mprotect");
    std::abort();
  }
}

std::byte *GuardedMemory::place(size_t bytes, Placement placement) {
  if (!mapping || static_cast<size_t>(end - begin) < bytes + 3 * kMargin)
    map(2 * bytes + 3 * kMargin);
  size = bytes;
  switch (placement) {
  case Placement::AtEnd:
    data = end - bytes;
    break;
  case Placement::AtBegin:
    data = begin;
    break;
  case Placement::Between:
    data = begin + kMargin;
    break;
  case Placement::Shifted:
    data = begin + kMargin + 16;
    break;
  }
  std::byte *below, *above;
  getMargins(below, above);
  std::memset(below, kMarginByte, static_cast<size_t>(data - below));
  std::memset(data + size, kMarginByte,
              static_cast<size_t>(above - (data + size)));
  return data;
}

void GuardedMemory::getMargins(std::byte *&below, std::byte *&above) const {
  below = data - std::min<ptrdiff_t>(kMargin, data - begin);
  std::byte *dataEnd = data + size;
  above = dataEnd + std::min<ptrdiff_t>(kMargin, end - dataEnd);
}

bool GuardedMemory::areMarginsIntact(ptrdiff_t &changed) const {
  std::byte *below, *above;
  getMargins(below, above);
  auto isChanged = [](std::byte value) {
    return value != std::byte(kMarginByte);
  };
  const std::byte *found = std::find_if(below, data, isChanged);
  if (found == data)
    found = std::find_if(data + size, above, isChanged);
  changed = found - data;
  return found == above;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static const std::string *volatile faultContext = nullptr;

static void print(const char *text) {
  // Nothing can be done where it fails.
  (void)!write(STDERR_FILENO, text, std::strlen(text));
}

static void onFault(int signal, siginfo_t *info, void *) {
  char address[64];
  std::snprintf(address, sizeof(address), "signal %d at address %p\n", signal,
                info->si_addr);
  print("FAULT: ");
  print(address);
  if (faultContext)
    print(faultContext->c_str());
  print("\n");
  _exit(1);
}

void differential::reportFaults() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(signal, &action, nullptr);
}

void differential::setFaultContext(const std::string *text) {
  faultContext = text;
}
