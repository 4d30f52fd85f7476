//===- FlushDenormals.h -----------------------------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating-point mode in which TensorFlow's threads compute.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_EXECUTION_FLUSHDENORMALS_H
#define FAKEQUANT_EXECUTION_FLUSHDENORMALS_H

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace mlir::fakequant {

/// While an object of this class lives, the thread that made it computes with
/// denormal results flushed to zero and denormal operands read as zero (x86:
/// MXCSR's FTZ and DAZ; AArch64: FPCR's FZ and FZ16). The previous mode comes
/// back at the end. With `enable` false, or on another architecture, it does
/// nothing; `isSupported` tells them apart.
class FlushDenormals {
public:
  explicit FlushDenormals(bool enable) : enabled(enable) {
    if (!enabled)
      return;
    saved = read();
    write(saved | kFlushBits);
  }
  ~FlushDenormals() {
    if (enabled)
      write(saved);
  }
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;

#if defined(__x86_64__) || defined(__i386__)
  static constexpr bool isSupported() { return true; }

private:
  static constexpr uint64_t kFlushBits = 0x8040; // FTZ, DAZ
  static uint64_t read() { return _mm_getcsr(); }
  static void write(uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
#elif defined(__aarch64__)
  static constexpr bool isSupported() { return true; }

private:
  static constexpr uint64_t kFlushBits = (1u << 24) | (1u << 19); // FZ, FZ16
  static uint64_t read() {
    uint64_t mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void write(uint64_t mode) {
    asm volatile("msr fpcr, %0" : : "r"(mode));
  }
#else
  static constexpr bool isSupported() { return false; }

private:
  static constexpr uint64_t kFlushBits = 0;
  static uint64_t read() { return 0; }
  static void write(uint64_t) {}
#endif

  bool enabled;
  uint64_t saved = 0;
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_EXECUTION_FLUSHDENORMALS_H
