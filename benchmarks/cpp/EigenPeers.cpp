//===- EigenPeers.cpp - With Eigen ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// eigen-row: row expressions over the wide rows that the hand-written kernels
// use. eigen-chip: the shape of TensorFlow's own functor, a strided column and
// three expressions for each channel.
//
//===----------------------------------------------------------------------===//

#define EIGEN_USE_THREADS
#include "Case.h"

#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

#include <memory>

using namespace fqbench;

using Row = Eigen::Array<float, 1, Eigen::Dynamic>;
using ConstRowMap = Eigen::Map<const Row>;
using RowMap = Eigen::Map<Row>;
using Matrix = Eigen::TensorMap<
    Eigen::Tensor<float, 2, Eigen::RowMajor, Eigen::DenseIndex>,
    Eigen::Aligned>;
using ConstMatrix = Eigen::TensorMap<
    Eigen::Tensor<const float, 2, Eigen::RowMajor, Eigen::DenseIndex>,
    Eigen::Aligned>;
using Vector = Eigen::TensorMap<
    Eigen::Tensor<float, 1, Eigen::RowMajor, Eigen::DenseIndex>>;

static void gradientByRows(Case &c, float *low, float *high, int64_t begin,
                           int64_t end) {
  const int64_t width = c.width;
  ConstRowMap lo(c.lo.data(), width), hi(c.hi.data(), width);
  RowMap dmin(low, width), dmax(high, width);
  dmin.setZero();
  dmax.setZero();
  for (int64_t row = begin; row < end; ++row) {
    ConstRowMap g(c.g.get() + row * width, width);
    ConstRowMap x(c.x.get() + row * width, width);
    RowMap dx(c.result.get() + row * width, width);
    dx = (x >= lo && x <= hi).select(g, 0.0f);
    dmin += (x < lo).select(g, 0.0f);
    dmax += (x > hi).select(g, 0.0f);
  }
}

static void forwardByRows(Case &c, int64_t begin, int64_t end) {
  const int64_t width = c.width;
  ConstRowMap lo(c.lo.data(), width), hi(c.hi.data(), width);
  ConstRowMap inverse(c.inverse.data(), width), zero(c.zero.data(), width);
  ConstRowMap scale(c.scale.data(), width);
  for (int64_t row = begin; row < end; ++row) {
    ConstRowMap x(c.x.get() + row * width, width);
    RowMap y(c.result.get() + row * width, width);
    y = ((x.min(hi).max(lo) - lo) * inverse - zero + 0.5f).floor() * scale;
  }
}

template <typename Device>
static void gradientByChips(Case &c, const Device &device) {
  ConstMatrix gs(c.g.get(), c.outer, c.channels);
  ConstMatrix xs(c.x.get(), c.outer, c.channels);
  Matrix dxs(c.result.get(), c.outer, c.channels);
  Vector dmin(c.dmin.data(), c.channels), dmax(c.dmax.data(), c.channels);
  Eigen::DSizes<Eigen::DenseIndex, 1> rows(0);
  for (int64_t d = 0; d < c.channels; ++d) {
    const auto g = gs.template chip<1>(d);
    const auto x = xs.template chip<1>(d);
    const auto one = x.constant(1.0f), zero = x.constant(0.0f);
    dxs.template chip<1>(d).device(device) =
        g * (x >= c.lo[d] && x <= c.hi[d]).select(one, zero);
    dmin.template chip<0>(d).device(device) =
        (g * (x < c.lo[d]).select(one, zero)).sum(rows);
    dmax.template chip<0>(d).device(device) =
        (g * (x > c.hi[d]).select(one, zero)).sum(rows);
  }
}

template <typename Device>
static void forwardByChips(Case &c, const Device &device) {
  ConstMatrix xs(c.x.get(), c.outer, c.channels);
  Matrix ys(c.result.get(), c.outer, c.channels);
  for (int64_t d = 0; d < c.channels; ++d) {
    const auto clamped =
        xs.template chip<1>(d).cwiseMin(c.hi[d]).cwiseMax(c.lo[d]);
    ys.template chip<1>(d).device(device) =
        ((clamped - c.lo[d]) * c.inverse[d] - c.zero[d] + 0.5f).floor() *
        c.scale[d];
  }
}

static void addRows(Case &c, std::vector<Peer> &peers) {
  if (c.size() % c.width != 0)
    return;
  int64_t stride = 2 * c.width + 64;
  std::vector<float> sums(getNumThreads() * stride);
  peers.push_back(
      {"eigen-row", [&c, stride, sums]() mutable {
         parallel(c.size() / c.width,
                  [&](int thread, int64_t begin, int64_t end) {
                    float *own = sums.data() + thread * stride;
                    if (c.op == Op::Gradient)
                      gradientByRows(c, own, own + c.width, begin, end);
                    else
                      forwardByRows(c, begin, end);
                  });
         for (int64_t d = 0; c.op == Op::Gradient && d < c.channels; ++d) {
           c.dmin[d] = c.dmax[d] = 0;
           for (int thread = 0; thread < getNumThreads(); ++thread)
             for (int64_t column = d; column < c.width; column += c.channels) {
               c.dmin[d] += sums[thread * stride + column];
               c.dmax[d] += sums[thread * stride + c.width + column];
             }
         }
       }});
}

void fqbench::addEigen(Case &c, std::vector<Peer> &peers) {
  if (c.inner != 1)
    return;
  addRows(c, peers);
  int threads = getNumThreads();
  static Eigen::ThreadPool pool(threads);
  static Eigen::ThreadPoolDevice shared(&pool, threads);
  peers.push_back(
      {"eigen-chip", [&c, threads] {
         Eigen::DefaultDevice alone;
         bool isGradient = c.op == Op::Gradient;
         if (threads == 1)
           isGradient ? gradientByChips(c, alone) : forwardByChips(c, alone);
         else
           isGradient ? gradientByChips(c, shared) : forwardByChips(c, shared);
       }});
}
