//===- Hand.cpp - Kernels written with AVX-512 intrinsics -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of `width`, a multiple of 16, some at a time with sums in a buffer of
// one row, or column by column with sums in registers. They do less than the
// contract asks: sums are plain f32, masks drop NaN, zero ranges are not
// handled.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Vectors.h"

#include <algorithm>
#include <cstring>
#include <memory>

using namespace fqbench;

namespace {

/// What each thread adds up, a row each of dmin and dmax.
struct Sums {
  float *low, *high;
};

template <bool kStreams>
inline void addGradient(__m512 g, __m512 x, __m512 lo, __m512 hi, __m512 &low,
                        __m512 &high, float *dx) {
  __mmask16 isLow = _mm512_cmp_ps_mask(x, lo, _CMP_LT_OQ);
  __mmask16 isHigh = _mm512_cmp_ps_mask(x, hi, _CMP_GT_OQ);
  __mmask16 isIn = _mm512_mask_cmp_ps_mask(
      _mm512_cmp_ps_mask(x, lo, _CMP_GE_OQ), x, hi, _CMP_LE_OQ);
  low = _mm512_mask_add_ps(low, isLow, low, g);
  high = _mm512_mask_add_ps(high, isHigh, high, g);
  store<kStreams>(dx, _mm512_maskz_mov_ps(isIn, g));
}

inline __m512 quantize(__m512 x, __m512 lo, __m512 hi, __m512 inverse,
                       __m512 zero, __m512 scale) {
  x = _mm512_max_ps(_mm512_min_ps(x, hi), lo);
  x = _mm512_sub_ps(_mm512_mul_ps(_mm512_sub_ps(x, lo), inverse), zero);
  x = _mm512_roundscale_ps(_mm512_add_ps(x, _mm512_set1_ps(0.5f)), 1 | 8);
  return _mm512_mul_ps(x, scale);
}

inline void prefetch(const float *address) {
  _mm_prefetch(reinterpret_cast<const char *>(address), _MM_HINT_T0);
}

/// kRows rows at a time, in tiles of kTile columns (0: whole rows).
template <int kRows, bool kStreams, bool kPrefetches, int kTile = 0>
[[gnu::noinline]] void gradientByRows(Case &c, Sums sums, int64_t begin,
                                      int64_t end) {
  const float *g = c.g.get(), *x = c.x.get();
  float *dx = c.result.get();
  const int64_t width = c.width;
  std::memset(sums.low, 0, width * sizeof(float));
  std::memset(sums.high, 0, width * sizeof(float));
  auto addRows = [&](int64_t row, auto count, int64_t first, int64_t last) {
    constexpr int kCount = decltype(count)::value;
    for (int64_t column = first; column < last; column += 16) {
      __m512 lo = _mm512_loadu_ps(&c.lo[column]);
      __m512 hi = _mm512_loadu_ps(&c.hi[column]);
      __m512 low = _mm512_loadu_ps(sums.low + column);
      __m512 high = _mm512_loadu_ps(sums.high + column);
#pragma unroll
      for (int k = 0; k < kCount; ++k) {
        int64_t i = (row + k) * width + column;
        if (kPrefetches) {
          const int64_t ahead = kCount == 1 ? 512 : kCount * width;
          prefetch(g + i + ahead);
          prefetch(x + i + ahead);
        }
        addGradient<kStreams>(_mm512_load_ps(g + i), _mm512_load_ps(x + i), lo,
                              hi, low, high, dx + i);
      }
      _mm512_storeu_ps(sums.low + column, low);
      _mm512_storeu_ps(sums.high + column, high);
    }
  };
  const int64_t tile = kTile ? kTile : width;
  for (int64_t first = 0; first < width; first += tile) {
    int64_t last = std::min(width, first + tile), row = begin;
    for (; row + kRows <= end; row += kRows)
      addRows(row, std::integral_constant<int, kRows>(), first, last);
    for (; row < end; ++row)
      addRows(row, std::integral_constant<int, 1>(), first, last);
  }
  fence<kStreams>();
}

/// kVectors vectors of columns at a time, all rows of them.
template <int kVectors, bool kStreams>
[[gnu::noinline]] void gradientByColumns(Case &c, Sums sums, int64_t begin,
                                         int64_t end) {
  for (int64_t column = 0; column < c.width; column += 16 * kVectors) {
    __m512 lo[kVectors], hi[kVectors], low[kVectors], high[kVectors];
    for (int k = 0; k < kVectors; ++k) {
      lo[k] = _mm512_loadu_ps(&c.lo[column + 16 * k]);
      hi[k] = _mm512_loadu_ps(&c.hi[column + 16 * k]);
      low[k] = high[k] = _mm512_setzero_ps();
    }
    for (int64_t row = begin; row < end; ++row)
#pragma unroll
      for (int k = 0; k < kVectors; ++k) {
        int64_t i = row * c.width + column + 16 * k;
        addGradient<kStreams>(_mm512_load_ps(c.g.get() + i),
                              _mm512_load_ps(c.x.get() + i), lo[k], hi[k],
                              low[k], high[k], c.result.get() + i);
      }
    for (int k = 0; k < kVectors; ++k) {
      _mm512_storeu_ps(sums.low + column + 16 * k, low[k]);
      _mm512_storeu_ps(sums.high + column + 16 * k, high[k]);
    }
  }
  fence<kStreams>();
}

template <int kRows, bool kStreams, bool kPrefetches, int kTile = 0>
[[gnu::noinline]] void forwardByRows(Case &c, int64_t begin, int64_t end) {
  const float *x = c.x.get();
  float *y = c.result.get();
  const int64_t width = c.width, tile = kTile ? kTile : width;
  for (int64_t first = 0; first < width; first += tile) {
    int64_t last = std::min(width, first + tile);
    for (int64_t row = begin; row < end; row += kRows) {
      int64_t rows = std::min<int64_t>(kRows, end - row);
      for (int64_t column = first; column < last; column += 16) {
        __m512 lo = _mm512_loadu_ps(&c.lo[column]);
        __m512 hi = _mm512_loadu_ps(&c.hi[column]);
        __m512 inverse = _mm512_loadu_ps(&c.inverse[column]);
        __m512 zero = _mm512_loadu_ps(&c.zero[column]);
        __m512 scale = _mm512_loadu_ps(&c.scale[column]);
        auto quantizeRow = [&](int k) {
          int64_t i = (row + k) * width + column;
          if (kPrefetches)
            prefetch(x + i + (kRows == 1 ? 512 : kRows * width));
          store<kStreams>(y + i, quantize(_mm512_load_ps(x + i), lo, hi,
                                          inverse, zero, scale));
        };
        if (rows == kRows) {
#pragma unroll
          for (int k = 0; k < kRows; ++k)
            quantizeRow(k);
        } else {
          for (int k = 0; k < rows; ++k)
            quantizeRow(k);
        }
      }
    }
  }
  fence<kStreams>();
}

class HandPeers {
public:
  HandPeers(Case &c, std::vector<Peer> &peers) : c(c), peers(peers) {}

  using Gradient = void (*)(Case &, Sums, int64_t, int64_t);
  void add(const char *name, Gradient kernel) {
    if (c.op != Op::Gradient)
      return;
    Case &c = this->c;
    int64_t stride = 2 * c.width + 64;
    auto memory =
        std::make_shared<Buffer>(getNumThreads() * stride * 4 + 64, 0);
    peers.push_back({std::string("hand:") + name, [=, &c] {
                       parallel(c.size() / c.width,
                                [&](int thread, int64_t begin, int64_t end) {
                                  float *own = memory->get() + thread * stride;
                                  kernel(c, {own, own + c.width}, begin, end);
                                });
                       fold(c, memory->get(), stride, getNumThreads());
                     }});
  }
  using Forward = void (*)(Case &, int64_t, int64_t);
  void add(const char *name, Forward kernel) {
    if (c.op != Op::Forward)
      return;
    Case &c = this->c;
    peers.push_back({std::string("hand:") + name, [=, &c] {
                       parallel(c.size() / c.width,
                                [&](int, int64_t begin, int64_t end) {
                                  kernel(c, begin, end);
                                });
                     }});
  }

private:
  /// Adds the sums of the threads, and those of the copies of a channel.
  static void fold(Case &c, const float *sums, int64_t stride, int threads) {
    std::fill(c.dmin.begin(), c.dmin.end(), 0);
    std::fill(c.dmax.begin(), c.dmax.end(), 0);
    for (int thread = 0; thread < threads; ++thread)
      for (int64_t column = 0; column < c.width; column += c.channels)
        for (int64_t channel = 0; channel < c.channels; ++channel) {
          const float *own = sums + thread * stride + column + channel;
          c.dmin[channel] += own[0];
          c.dmax[channel] += own[c.width];
        }
  }

  Case &c;
  std::vector<Peer> &peers;
};

} // namespace

void fqbench::addHand(Case &c, std::vector<Peer> &peers) {
  if (c.inner != 1 || c.size() % c.width != 0)
    return;
  HandPeers hand(c, peers);
  hand.add("row1", gradientByRows<1, false, false>);
  hand.add("row1-streaming", gradientByRows<1, true, false>);
  hand.add("row1-prefetch", gradientByRows<1, false, true>);
  hand.add("row1-streaming-prefetch", gradientByRows<1, true, true>);
  hand.add("row2", gradientByRows<2, false, false>);
  hand.add("row2-streaming", gradientByRows<2, true, false>);
  hand.add("row4", gradientByRows<4, false, false>);
  hand.add("row4-streaming", gradientByRows<4, true, false>);
  hand.add("row4-prefetch", gradientByRows<4, false, true>);
  hand.add("row4-streaming-prefetch", gradientByRows<4, true, true>);
  hand.add("row8", gradientByRows<8, false, false>);
  hand.add("row8-streaming", gradientByRows<8, true, false>);
  hand.add("row1", forwardByRows<1, false, false>);
  hand.add("row1-streaming", forwardByRows<1, true, false>);
  hand.add("row1-prefetch", forwardByRows<1, false, true>);
  hand.add("row1-streaming-prefetch", forwardByRows<1, true, true>);
  hand.add("row4", forwardByRows<4, false, false>);
  hand.add("row4-streaming", forwardByRows<4, true, false>);
  hand.add("row4-prefetch", forwardByRows<4, false, true>);
  hand.add("row4-streaming-prefetch", forwardByRows<4, true, true>);
  if (c.width % 64 == 0) {
    hand.add("column64", gradientByColumns<4, false>);
    hand.add("column64-streaming", gradientByColumns<4, true>);
  } else if (c.width % 48 == 0) {
    hand.add("column48", gradientByColumns<3, false>);
    hand.add("column48-streaming", gradientByColumns<3, true>);
  }
  if (c.width > 1024) {
    hand.add("row1-tile1024-streaming", gradientByRows<1, true, false, 1024>);
    hand.add("row2-tile1024-streaming", gradientByRows<2, true, false, 1024>);
    hand.add("row4-tile1024-streaming", gradientByRows<4, true, false, 1024>);
    hand.add("row1-tile1024-streaming-prefetch",
             gradientByRows<1, true, true, 1024>);
    hand.add("row4-tile2048-streaming", gradientByRows<4, true, false, 2048>);
    hand.add("row1-tile1024-streaming", forwardByRows<1, true, false, 1024>);
    hand.add("row2-tile1024-streaming", forwardByRows<2, true, false, 1024>);
    hand.add("row4-tile1024-streaming", forwardByRows<4, true, false, 1024>);
    hand.add("row4-tile1024-streaming-prefetch",
             forwardByRows<4, true, true, 1024>);
  }
}
