//===- GuardedMemory.h - Buffers that notice strays -------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_GUARDEDMEMORY_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_GUARDEDMEMORY_H

#include <cstddef>
#include <string>

namespace mlir::fakequant::differential {

/// Where a buffer lies between two pages that must not be touched.
enum class Placement {
  /// Its last byte is the last before the upper page.
  AtEnd,
  /// Its first byte is the first after the lower page.
  AtBegin,
  /// Aligned to 64 bytes, away from both.
  Between,
  /// As what `malloc` gives out: 16 bytes behind such an address.
  Shifted
};

/// Memory for one buffer at a time, with a page below and one above that fault,
/// and a margin of known bytes wherever there is room for one.
class GuardedMemory {
public:
  GuardedMemory() = default;
  GuardedMemory(GuardedMemory &&other);
  GuardedMemory &operator=(GuardedMemory &&) = delete;
  ~GuardedMemory();

  /// Makes room for `bytes` bytes and sets the margins; the buffer's own bytes
  /// are as they come.
  std::byte *place(size_t bytes, Placement placement);

  std::byte *getData() const { return data; }

  /// Whether every byte of the margins is as it was set; otherwise the distance
  /// from the buffer's first byte to the first changed one.
  bool areMarginsIntact(ptrdiff_t &changed) const;

private:
  void map(size_t bytes);
  void unmap();
  void getMargins(std::byte *&below, std::byte *&above) const;

  /// Everything, and the part between the two pages.
  std::byte *mapping = nullptr;
  size_t mappedBytes = 0;
  std::byte *begin = nullptr, *end = nullptr;

  std::byte *data = nullptr;
  size_t size = 0;
};

/// From now on a fault prints what setFaultContext was given last and ends the
/// program with status 1.
void reportFaults();

/// What the program does now. The text has to live until the next call.
void setFaultContext(const std::string *text);

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_GUARDEDMEMORY_H
