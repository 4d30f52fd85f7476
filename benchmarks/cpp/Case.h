//===- Case.h - What is measured --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op on one shape: buffers, data, the expected results, and the peers that
// compute them. The range is [-1, 1] at 8 bits as TensorFlow nudges it, the
// same for all channels, so that every peer's results can be compared.
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_BENCHMARKS_CASE_H
#define FAKEQUANT_BENCHMARKS_CASE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <omp.h>

namespace fqbench {

/// Memory as every peer gets it: aligned to 64 bytes, in huge pages, touched.
class Buffer {
public:
  /// `shift` moves the start, so that streams do not alias modulo 4 KiB.
  Buffer(int64_t bytes, int64_t shift);
  Buffer(Buffer &&other) noexcept : base(other.base), shift(other.shift) {
    other.base = nullptr;
  }
  Buffer(const Buffer &) = delete;
  ~Buffer();
  template <typename T = float> T *get() const {
    return reinterpret_cast<T *>(static_cast<char *>(base) + shift);
  }

private:
  void *base;
  int64_t shift;
};

enum class Op { Gradient, Forward };

/// Shape [outer, channels, inner]; the channel is the dimension in the middle.
struct Case {
  Case(Op op, int64_t outer, int64_t channels, int64_t inner);

  int64_t size() const { return outer * channels * inner; }
  /// Empty if the results are what they should be, and what is wrong otherwise.
  std::string check() const;

  Op op;
  int64_t outer, channels, inner;
  /// The channels repeated to rows of `width`, a multiple of 16 where the
  /// number of elements allows, as the hand-written kernels want them.
  int64_t width;
  Buffer g, x, result;
  /// For each column of a row of `width`.
  std::vector<float> lo, hi, inverse, zero, scale;
  /// What TensorFlow's op and ours take, for each channel.
  std::vector<float> min, max;
  std::vector<float> dmin, dmax;

private:
  std::vector<float> expected;
  std::vector<double> expectedMin, expectedMax;
};

struct Peer {
  /// `name` or `name:variant`; tables show the best variant.
  std::string name;
  std::function<void()> run;
};

/// The threads of this process.
int getNumThreads();

/// Splits [0, count) among the threads and runs `body(thread, begin, end)`.
template <typename Body> void parallel(int64_t count, const Body &body) {
  int threads = getNumThreads();
  if (threads == 1)
    return body(0, int64_t(0), count);
#pragma omp parallel num_threads(threads)
  {
    int thread = omp_get_thread_num();
    body(thread, count * thread / threads, count * (thread + 1) / threads);
  }
}

void addRoofs(Case &, std::vector<Peer> &);
void addPlain(Case &, std::vector<Peer> &);
void addHand(Case &, std::vector<Peer> &);
void addEigen(Case &, std::vector<Peer> &);
/// Our code, from a shared object with the entry `_mlir_ciface_kernel`.
void addCompiled(Case &, std::vector<Peer> &, const std::string &path);

} // namespace fqbench

#endif // FAKEQUANT_BENCHMARKS_CASE_H
