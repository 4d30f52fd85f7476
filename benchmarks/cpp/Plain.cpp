//===- Plain.cpp - The loop one writes in ten lines -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectorized by the compiler. With threads, rows are split and sums added.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <algorithm>

using namespace fqbench;

[[gnu::noinline]] static void
gradient(const float *__restrict g, const float *__restrict x,
         const float *__restrict lo, const float *__restrict hi,
         float *__restrict dx, float *__restrict dmin, float *__restrict dmax,
         int64_t rows, int64_t channels) {
  for (int64_t d = 0; d < channels; ++d)
    dmin[d] = dmax[d] = 0;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t d = 0; d < channels; ++d) {
      float gradient = g[r * channels + d], input = x[r * channels + d];
      dx[r * channels + d] = input >= lo[d] && input <= hi[d] ? gradient : 0;
      dmin[d] += input < lo[d] ? gradient : 0;
      dmax[d] += input > hi[d] ? gradient : 0;
    }
}

[[gnu::noinline]] static void
forward(const float *__restrict x, const float *__restrict lo,
        const float *__restrict hi, const float *__restrict inverse,
        const float *__restrict zero, const float *__restrict scale,
        float *__restrict y, int64_t rows, int64_t channels) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t d = 0; d < channels; ++d) {
      float c = x[r * channels + d];
      c = c < hi[d] ? c : hi[d];
      c = c > lo[d] ? c : lo[d];
      y[r * channels + d] =
          __builtin_floorf((c - lo[d]) * inverse[d] - zero[d] + 0.5f) *
          scale[d];
    }
}

void fqbench::addPlain(Case &c, std::vector<Peer> &peers) {
  if (c.inner != 1)
    return;
  int64_t n = c.channels;
  if (c.op == Op::Forward) {
    peers.push_back({"plain", [&c, n] {
                       parallel(c.outer, [&](int, int64_t begin, int64_t end) {
                         forward(c.x.get() + begin * n, c.lo.data(),
                                 c.hi.data(), c.inverse.data(), c.zero.data(),
                                 c.scale.data(), c.result.get() + begin * n,
                                 end - begin, n);
                       });
                     }});
    return;
  }
  // A cache line apart.
  int64_t stride = 2 * n + 64;
  std::vector<float> sums(getNumThreads() * stride);
  peers.push_back(
      {"plain", [&c, n, stride, sums]() mutable {
         parallel(c.outer, [&](int thread, int64_t begin, int64_t end) {
           float *own = sums.data() + thread * stride;
           gradient(c.g.get() + begin * n, c.x.get() + begin * n, c.lo.data(),
                    c.hi.data(), c.result.get() + begin * n, own, own + n,
                    end - begin, n);
         });
         std::fill(c.dmin.begin(), c.dmin.end(), 0);
         std::fill(c.dmax.begin(), c.dmax.end(), 0);
         for (int thread = 0; thread < getNumThreads(); ++thread)
           for (int64_t d = 0; d < n; ++d) {
             c.dmin[d] += sums[thread * stride + d];
             c.dmax[d] += sums[thread * stride + n + d];
           }
       }});
}
