//===- RandomData.h - Ranges and tensors that find mistakes -----*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOMDATA_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOMDATA_H

#include "FunctionText.h"
#include "Random.h"

#include <string>

namespace mlir::fakequant::differential {

/// Attributes but for the axis: num_bits, narrow_range, and for the args ops a
/// range that they accept.
Attributes makeAttributes(Random &random, Op op, ElementType type);

/// Sizes whose product is at most about `limit` elements.
std::vector<int64_t> makeShape(Random &random, size_t rank, int64_t limit);

/// Sizes of 10^5 to 10^6 elements, so that the sums have several chunks.
std::vector<int64_t> makeLargeShape(Random &random, size_t rank);

/// A value of the option `streaming-stores`, "always" half of the time.
std::string chooseStreamingStores(Random &random);

/// min and max for data of `shape`; only for ops with range operands.
std::pair<Tensor, Tensor> makeRange(Random &random, const OpConfig &config,
                                    const std::vector<int64_t> &shape);

/// x: uniform, ties, edges of the range and specials. `range` is what
/// makeRange gave, or null for the args ops.
Tensor makeInputs(Random &random, const OpConfig &config,
                  const std::vector<int64_t> &shape,
                  const std::pair<Tensor, Tensor> *range);

/// g, or any factor: uniform, of very different magnitudes, of one sign,
/// denormals, with a few NaN and infinities.
Tensor makeGradients(Random &random, ElementType type,
                     const std::vector<int64_t> &shape);

/// All operands of an op in its order.
std::vector<Tensor> makeOperands(Random &random, const OpConfig &config,
                                 const std::vector<int64_t> &shape);

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_RANDOMDATA_H
