//===- Check.h - One call held against its expectation ----------*- C++ -*-===//
//
// Part of the fakequant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_CHECK_H
#define FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_CHECK_H

#include "CompiledFunction.h"
#include "FunctionText.h"
#include "GuardedMemory.h"
#include "Random.h"

#include <functional>

namespace mlir::fakequant::differential {

/// What a function shall give for its operands. Called under the mode of the
/// call.
using Expectation =
    std::function<std::vector<Tensor>(const std::vector<Tensor> &operands)>;

struct CallOptions {
  bool flushDenormals = false;
  /// The operand that the function may overwrite, or -1.
  int writableOperand = -1;
  /// The result that shall be in the buffer of that operand, or -1.
  int aliasedResult = -1;
};

/// Calls compiled functions, compares, and keeps the books of a test.
class Checker {
public:
  /// `test` names what runs in the summary.
  explicit Checker(std::string test);
  /// Prints the summary.
  ~Checker();

  /// A sequence for the next function.
  Random startFunction();
  /// A sequence for the next case.
  Random startCase();
  /// Whether the case that was started shall run (see Settings::onlyCase).
  bool isWanted() const;

  /// Compiles, or reports a failure with `text` and gives null.
  std::unique_ptr<CompiledFunction> compile(const std::string &text,
                                            unsigned numTensors,
                                            const CompileOptions &options);

  /// Calls `function` with copies of `operands` in guarded memory, and expects
  /// every bit of `expect`'s results (NaN equals NaN), operands that are as
  /// they were, and untouched margins.
  void check(CompiledFunction &function, const std::vector<Tensor> &operands,
             const Expectation &expect, const CallOptions &options,
             Random &random, const std::function<std::string()> &describe);

  /// Enough failures to stop.
  bool isOver() const { return failures >= 3; }

private:
  void fail(const std::string &message);

  std::string test;
  uint64_t seed;
  int64_t functions = 0, cases = -1, calls = 0, failures = 0;
  std::vector<GuardedMemory> memory;
  std::string context;
};

/// The results of one op, as an expectation inside another. Aborts with the
/// message where Reference refuses it: the test asked for nonsense.
std::vector<Tensor> evaluate(const OpConfig &config,
                             const std::vector<Tensor> &operands);

} // namespace mlir::fakequant::differential

#endif // FAKEQUANT_TEST_INTEGRATION_DIFFERENTIAL_CHECK_H
