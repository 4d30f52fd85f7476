//===- Compiled.cpp - Our code --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls `_mlir_ciface_kernel` of a shared object as docs/abi.md says. Sizes are
// static in the module, so descriptors carry addresses only, and rank 3 serves
// all: sizes and strides are not read.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>

using namespace fqbench;

namespace {

struct Descriptor {
  explicit Descriptor(void *data) : allocated(data), aligned(data) {}
  void *allocated, *aligned;
  int64_t offset = 0, sizes[3] = {}, strides[3] = {};
};

/// g, x, min, max, dx, dmin, dmax; or x, min, max, y.
class Call {
public:
  Call(Case &c, void *code, float *g, float *result) : code(code) {
    bool isGradient = c.op == Op::Gradient;
    if (isGradient)
      descriptors.emplace_back(g);
    descriptors.emplace_back(c.x.get());
    descriptors.emplace_back(c.min.data());
    descriptors.emplace_back(c.max.data());
    descriptors.emplace_back(result);
    if (isGradient) {
      descriptors.emplace_back(c.dmin.data());
      descriptors.emplace_back(c.dmax.data());
    }
  }

  void operator()() {
    using D = Descriptor *;
    D d = descriptors.data();
    if (descriptors.size() == 7)
      reinterpret_cast<void (*)(D, D, D, D, D, D, D)>(code)(
          d, d + 1, d + 2, d + 3, d + 4, d + 5, d + 6);
    else
      reinterpret_cast<void (*)(D, D, D, D)>(code)(d, d + 1, d + 2, d + 3);
  }

private:
  void *code;
  std::vector<Descriptor> descriptors;
};

} // namespace

void fqbench::addCompiled(Case &c, std::vector<Peer> &peers,
                          const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *code = library ? dlsym(library, "_mlir_ciface_kernel") : nullptr;
  if (!code) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  peers.push_back({"fakequant", Call(c, code, c.g.get(), c.result.get())});
  if (c.op != Op::Gradient)
    return;
  // dx in the buffer of g, which has to be a copy: it is overwritten.
  auto g = std::make_shared<Buffer>(4 * c.size(), 0);
  std::memcpy(g->get(), c.g.get(), 4 * c.size());
  Call call(c, code, g->get(), g->get());
  peers.push_back({"fakequant-in-place", [g, call]() mutable { call(); }});
}
