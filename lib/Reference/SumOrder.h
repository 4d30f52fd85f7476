//===- SumOrder.h - The order of additions ----------------------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of sums, step by step as docs/numerics.md numbers them.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_REFERENCE_SUMORDER_H
#define FAKEQUANT_LIB_REFERENCE_SUMORDER_H

#include "fakequant/Reference/Reference.h"

#include <algorithm>
#include <numeric>

namespace mlir::fakequant::reference {

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The sums of the columns: a chunk that grows, and the chunks before it.
class ColumnSums {
public:
  explicit ColumnSums(int64_t width)
      : chunk(static_cast<size_t>(width)), finished(chunk.size()) {}

  /// Step 3: a block's sum, widened, onto its chunk.
  void addBlock(int64_t column, double sum) {
    chunk[static_cast<size_t>(column)] += sum;
  }

  /// Step 4, first half: the chunk onto its column.
  void finishChunk() {
    for (size_t column = 0; column < chunk.size(); ++column) {
      finished[column] += chunk[column];
      chunk[column] = 0.0;
    }
  }

  /// Step 4, second half: the columns onto their channels.
  template <typename ChannelOf>
  std::vector<double> addUp(int64_t channels, ChannelOf channelOf) const {
    std::vector<double> sums(static_cast<size_t>(channels), 0.0);
    for (size_t column = 0; column < finished.size(); ++column)
      sums[static_cast<size_t>(channelOf(static_cast<int64_t>(column)))] +=
          finished[column];
    return sums;
  }

private:
  std::vector<double> chunk;
  std::vector<double> finished;
};

/// Step 2: eight contributions, pairwise, in the compute type. `at(r)` is the
/// contribution of the block's row r < `present`; a missing one counts as +0.
template <typename T, typename At> T addPairwise(int64_t present, At at) {
  T a[8];
  if (present >= 8) {
    for (int64_t r = 0; r < 8; ++r)
      a[r] = at(r);
  } else {
    for (int64_t r = 0; r < 8; ++r)
      a[r] = r < present ? at(r) : T(0);
  }
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

/// Step 1, column form: a row is W consecutive elements, several repetitions of
/// [channels, inner] where those are few.
template <typename T, typename Contribution>
std::vector<double> sumColumnForm(const SumShape &shape,
                                  Contribution contribution) {
  int64_t n = shape.channels * shape.inner;
  int64_t repeat = n < 128 ? 16 / std::gcd(n, int64_t(16)) : 1;
  int64_t width = repeat * n;
  int64_t total = shape.outer * n;
  int64_t blocks = ceilDiv(ceilDiv(total, width), 8);
  int64_t chunks = std::max<int64_t>(
      1, std::min<int64_t>({64, total / 65536, 65536 / width}));
  int64_t chunkBlocks = ceilDiv(blocks, chunks);

  std::vector<int64_t> channels(static_cast<size_t>(width));
  for (int64_t j = 0; j < width; ++j)
    channels[static_cast<size_t>(j)] = (j % n) / shape.inner;

  ColumnSums sums(width);
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t j = 0; j < width; ++j) {
      int64_t first = block * 8 * width + j;
      int64_t channel = channels[static_cast<size_t>(j)];
      int64_t present = ceilDiv(std::max<int64_t>(0, total - first), width);
      sums.addBlock(j, addPairwise<T>(present, [&](int64_t row) {
                      return contribution(first + row * width, channel);
                    }));
    }
    if ((block + 1) % chunkBlocks == 0)
      sums.finishChunk();
  }
  sums.finishChunk();
  return sums.addUp(shape.channels, [&](int64_t column) {
    return channels[static_cast<size_t>(column)];
  });
}

/// Step 1, run form: each run of `inner` elements of one channel is cut into
/// rows of 16.
template <typename T, typename Contribution>
std::vector<double> sumRunForm(const SumShape &shape,
                               Contribution contribution) {
  int64_t width = 16 * shape.channels;
  int64_t total = shape.outer * shape.channels * shape.inner;
  int64_t blocks = ceilDiv(ceilDiv(shape.inner, 16), 8);
  int64_t chunks = std::max<int64_t>(
      1, std::min<int64_t>({64, total / 65536, 65536 / width, shape.outer}));
  int64_t chunkRuns = ceilDiv(shape.outer, chunks);

  ColumnSums sums(width);
  for (int64_t run = 0; run < shape.outer; ++run) {
    for (int64_t channel = 0; channel < shape.channels; ++channel) {
      int64_t base = (run * shape.channels + channel) * shape.inner;
      for (int64_t block = 0; block < blocks; ++block) {
        for (int64_t lane = 0; lane < 16; ++lane) {
          int64_t first = block * 8 * 16 + lane;
          int64_t present =
              ceilDiv(std::max<int64_t>(0, shape.inner - first), 16);
          sums.addBlock(channel * 16 + lane,
                        addPairwise<T>(present, [&](int64_t row) {
                          return contribution(base + first + row * 16, channel);
                        }));
        }
      }
    }
    if ((run + 1) % chunkRuns == 0)
      sums.finishChunk();
  }
  sums.finishChunk();
  return sums.addUp(shape.channels, [](int64_t column) { return column / 16; });
}

/// The sum of every channel before its rounding. `contribution(f, channel)` is
/// what the element at the row-major position f adds, in the compute type T.
template <typename T, typename Contribution>
std::vector<double> sumByChannel(const SumShape &shape,
                                 Contribution contribution) {
  if (shape.outer <= 0 || shape.channels <= 0 || shape.inner <= 0)
    return std::vector<double>(
        static_cast<size_t>(std::max<int64_t>(0, shape.channels)), 0.0);
  return shape.inner < 16 ? sumColumnForm<T>(shape, contribution)
                          : sumRunForm<T>(shape, contribution);
}

} // namespace mlir::fakequant::reference

#endif // FAKEQUANT_LIB_REFERENCE_SUMORDER_H
