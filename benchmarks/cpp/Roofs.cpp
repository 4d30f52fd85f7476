//===- Roofs.cpp - STREAM triad and copy ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triad moves what the gradient must (two reads, one write), copy what the
// forward op must.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Vectors.h"

using namespace fqbench;

template <bool kStreams, bool kPrefetches>
[[gnu::noinline]] static void triad(const float *a, const float *b, float *c,
                                    int64_t begin, int64_t end) {
  const __m512 factor = _mm512_set1_ps(3);
#pragma unroll 4
  for (int64_t i = begin; i < end; i += 16) {
    if (kPrefetches) {
      _mm_prefetch(reinterpret_cast<const char *>(a + i + 512), _MM_HINT_T0);
      _mm_prefetch(reinterpret_cast<const char *>(b + i + 512), _MM_HINT_T0);
    }
    store<kStreams>(c + i, _mm512_fmadd_ps(factor, _mm512_load_ps(a + i),
                                           _mm512_load_ps(b + i)));
  }
  fence<kStreams>();
}

template <bool kStreams, bool kPrefetches>
[[gnu::noinline]] static void copy(const float *a, float *c, int64_t begin,
                                   int64_t end) {
#pragma unroll 4
  for (int64_t i = begin; i < end; i += 16) {
    if (kPrefetches)
      _mm_prefetch(reinterpret_cast<const char *>(a + i + 512), _MM_HINT_T0);
    store<kStreams>(c + i, _mm512_load_ps(a + i));
  }
  fence<kStreams>();
}

template <bool kStreams, bool kPrefetches>
static void addRoof(Case &c, std::vector<Peer> &peers) {
  std::string name = kStreams ? "roof-streaming" : "roof";
  // What is left of the last vector is no difference to the time.
  int64_t vectors = c.size() / 16;
  bool isTriad = c.op == Op::Gradient;
  name += isTriad ? ":triad" : ":copy";
  if (kPrefetches)
    name += "-prefetch";
  peers.push_back({name, [&c, vectors, isTriad] {
                     parallel(vectors, [&](int, int64_t begin, int64_t end) {
                       if (isTriad)
                         triad<kStreams, kPrefetches>(c.g.get(), c.x.get(),
                                                      c.result.get(),
                                                      begin * 16, end * 16);
                       else
                         copy<kStreams, kPrefetches>(c.x.get(), c.result.get(),
                                                     begin * 16, end * 16);
                     });
                   }});
}

void fqbench::addRoofs(Case &c, std::vector<Peer> &peers) {
  addRoof<false, false>(c, peers);
  addRoof<false, true>(c, peers);
  addRoof<true, false>(c, peers);
  addRoof<true, true>(c, peers);
}
