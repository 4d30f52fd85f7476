//===- Vectors.h - AVX-512 by hand ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_BENCHMARKS_VECTORS_H
#define FAKEQUANT_BENCHMARKS_VECTORS_H

#include <immintrin.h>

namespace fqbench {

template <bool kStreams> inline void store(float *address, __m512 value) {
  if (kStreams)
    _mm512_stream_ps(address, value);
  else
    _mm512_store_ps(address, value);
}

template <bool kStreams> inline void fence() {
  if (kStreams)
    _mm_sfence();
}

} // namespace fqbench

#endif // FAKEQUANT_BENCHMARKS_VECTORS_H
