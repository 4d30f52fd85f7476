//===- FlushDenormals.cpp - Denormals off and back on ---------------------===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Reference/Reference.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

using namespace mlir::fakequant::reference;

#if defined(__x86_64__) || defined(_M_X64)

/// FTZ (bit 15) flushes results, DAZ (bit 6) operands.
static constexpr uint64_t kFlushBits = 0x8040;
static constexpr bool kSupported = true;

static uint64_t readControl() { return _mm_getcsr(); }
static void writeControl(uint64_t value) {
  _mm_setcsr(static_cast<unsigned>(value));
}

#elif defined(__aarch64__)

/// FZ (bit 24) flushes operands and results.
static constexpr uint64_t kFlushBits = uint64_t(1) << 24;
static constexpr bool kSupported = true;

static uint64_t readControl() {
  uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value)::"memory");
  return value;
}
static void writeControl(uint64_t value) {
  asm volatile("msr fpcr, %0" ::"r"(value) : "memory");
}

#else

static constexpr uint64_t kFlushBits = 0;
static constexpr bool kSupported = false;

static uint64_t readControl() { return 0; }
static void writeControl(uint64_t) {}

#endif

ScopedFlushDenormals::ScopedFlushDenormals(bool enable) : enabled(enable) {
  if (!enabled)
    return;
  saved = readControl();
  writeControl(saved | kFlushBits);
}

ScopedFlushDenormals::~ScopedFlushDenormals() {
  if (enabled)
    writeControl((readControl() & ~kFlushBits) | (saved & kFlushBits));
}

bool ScopedFlushDenormals::isSupported() { return kSupported; }
