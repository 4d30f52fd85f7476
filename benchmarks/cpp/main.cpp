//===- main.cpp - The C++ peers of the benchmark --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: peers THREADS
//
// Reads commands, one a line, and answers each with a line of JSON:
//
//   prepare gradient|forward OUTER CHANNELS INNER LIBRARY|-
//     {"peers": [...], "wrong": {peer: message}}
//   time PEER MILLISECONDS
//     {"ms": [...]}, at least three calls and that long together
//
// Of the hand-written kernels only the three that are fastest in a quick trial
// are offered.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>

using namespace fqbench;
using Clock = std::chrono::steady_clock;

static int numThreads = 1;

int fqbench::getNumThreads() { return numThreads; }

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static double timeOnce(Peer &peer, int repetitions = 1) {
  auto start = Clock::now();
  for (int i = 0; i < repetitions; ++i)
    peer.run();
  return secondsSince(start) / repetitions;
}

/// Calls under 30 microseconds are timed in batches of about 50.
static int batchSize(double seconds) {
  return seconds < 3e-5 ? std::max(1, static_cast<int>(5e-5 / seconds)) : 1;
}

static void keepFastest(std::vector<Peer> &peers, size_t count) {
  std::vector<double> best(peers.size(), 1e9);
  for (int round = 0; round < 9; ++round)
    for (size_t i = 0; i < peers.size(); ++i) {
      peers[i].run();
      int batch = batchSize(timeOnce(peers[i]));
      best[i] = std::min(best[i], timeOnce(peers[i], batch));
    }
  std::vector<size_t> order(peers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return best[a] < best[b]; });
  order.resize(std::min(count, order.size()));
  std::vector<Peer> kept;
  for (size_t i : order)
    kept.push_back(std::move(peers[i]));
  peers = std::move(kept);
}

static std::string quote(const std::string &text) { return '"' + text + '"'; }

static void prepare(std::istringstream &words, std::unique_ptr<Case> &current,
                    std::vector<Peer> &peers) {
  std::string op, library;
  int64_t outer, channels, inner;
  words >> op >> outer >> channels >> inner >> library;
  peers.clear();
  current = std::make_unique<Case>(
      op == "gradient" ? Op::Gradient : Op::Forward, outer, channels, inner);
  Case &c = *current;

  std::vector<Peer> hand, checked;
  addHand(c, hand);
  addPlain(c, checked);
  addEigen(c, checked);
  if (library != "-")
    addCompiled(c, checked, library);
  std::ostringstream wrong;
  auto check = [&](Peer &peer) {
    std::memset(c.result.get(), 0xff, 4 * c.size());
    peer.run();
    // In place, the result is in another buffer.
    std::string message = peer.name == "fakequant-in-place" ? "" : c.check();
    if (!message.empty())
      wrong << (wrong.str().empty() ? "" : ", ") << quote(peer.name) << ": "
            << quote(message);
  };
  for (Peer &peer : hand)
    check(peer);
  for (Peer &peer : checked)
    check(peer);
  keepFastest(hand, 3);
  addRoofs(c, peers);
  std::move(hand.begin(), hand.end(), std::back_inserter(peers));
  std::move(checked.begin(), checked.end(), std::back_inserter(peers));

  std::cout << "{\"peers\": [";
  for (size_t i = 0; i < peers.size(); ++i)
    std::cout << (i ? ", " : "") << quote(peers[i].name);
  std::cout << "], \"wrong\": {" << wrong.str() << "}}" << std::endl;
}

static void time(std::istringstream &words, std::vector<Peer> &peers) {
  constexpr size_t kMinCalls = 3, kMaxCalls = 400;
  std::string name;
  double budget;
  words >> name >> budget;
  auto peer = std::find_if(peers.begin(), peers.end(),
                           [&](const Peer &p) { return p.name == name; });
  if (peer == peers.end()) {
    std::cerr << "no peer " << name << '\n';
    std::exit(1);
  }
  peer->run();
  double estimate = timeOnce(*peer);
  int batch = batchSize(estimate);
  std::vector<double> times;
  auto start = Clock::now();
  while (times.size() < kMinCalls ||
         (secondsSince(start) * 1e3 < budget && times.size() < kMaxCalls)) {
    times.push_back(timeOnce(*peer, batch));
    if (estimate > 0.1)
      break;
  }
  std::printf("{\"ms\": [");
  for (size_t i = 0; i < times.size(); ++i)
    std::printf("%s%.6f", i ? ", " : "", times[i] * 1e3);
  std::printf("]}\n");
  std::fflush(stdout);
}

int main(int argc, char **argv) {
  numThreads = argc > 1 ? std::atoi(argv[1]) : 1;
  omp_set_num_threads(numThreads);
  std::unique_ptr<Case> current;
  std::vector<Peer> peers;
  std::string line, command;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    words >> command;
    if (command == "prepare")
      prepare(words, current, peers);
    else if (command == "time")
      time(words, peers);
    else
      break;
  }
  // Kernels' thread pools need no farewell.
  std::_Exit(0);
}
