//===- IndexBuilder.h - Index arithmetic that folds -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FAKEQUANT_LIB_CODEGEN_CPU_INDEXBUILDER_H
#define FAKEQUANT_LIB_CODEGEN_CPU_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace mlir::fakequant {

/// Builds index arithmetic on non-negative values, and control flow that
/// depends on it. Constants fold at once, so that sizes known at compile time
/// leave no ops behind.
class IndexBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  /// What is known of `value`; an i1 is 0 or 1.
  static std::optional<int64_t> constant(Value value) {
    APInt result;
    if (matchPattern(value, m_ConstantInt(&result)))
      return result.getBitWidth() == 1 ? int64_t{result.isOne()}
                                       : result.getSExtValue();
    return std::nullopt;
  }
  /// Whether `value`, an integer or an i1, is known to be `expected`.
  static bool is(Value value, int64_t expected) {
    return constant(value) == expected;
  }

  Value add(Value a, Value b) { return createOrFold<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return createOrFold<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }
  Value div(Value a, Value b) { return createOrFold<arith::DivUIOp>(a, b); }
  Value rem(Value a, Value b) { return createOrFold<arith::RemUIOp>(a, b); }
  Value ceilDiv(Value a, Value b) { return div(add(a, sub(b, index(1))), b); }
  Value min(Value a, Value b) { return createOrFold<arith::MinSIOp>(a, b); }
  Value max(Value a, Value b) { return createOrFold<arith::MaxSIOp>(a, b); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return createOrFold<arith::CmpIOp>(predicate, a, b);
  }
  Value equal(Value a, Value b) {
    return compare(arith::CmpIPredicate::eq, a, b);
  }
  /// `a` and `b`, two i1.
  Value both(Value a, Value b) { return createOrFold<arith::AndIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return createOrFold<arith::SelectOp>(condition, a, b);
  }
  /// `value` rounded down, or up, to a multiple of `unit`.
  Value alignDown(Value value, int64_t unit) {
    return mul(div(value, index(unit)), index(unit));
  }
  Value alignUp(Value value, int64_t unit) {
    return mul(ceilDiv(value, index(unit)), index(unit));
  }

  /// A loop whose body `body` emits, given the induction variable.
  void loop(Value begin, Value end, int64_t step,
            llvm::function_ref<void(Value)> body) {
    loop(begin, end, index(step), body);
  }
  void loop(Value begin, Value end, Value step,
            llvm::function_ref<void(Value)> body) {
    if (is(begin, 0) && is(end, 1))
      return body(begin);
    auto forOp = scf::ForOp::create(*this, begin, end, step);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(forOp.getBody()->getTerminator());
    body(forOp.getInductionVar());
  }

  /// A loop from zero whose iterations may run at the same time.
  void parallelLoop(Value end, llvm::function_ref<void(Value)> body) {
    auto parallelOp = scf::ParallelOp::create(
        *this, ValueRange(index(0)), ValueRange(end), ValueRange(index(1)));
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(parallelOp.getBody()->getTerminator());
    body(parallelOp.getInductionVars().front());
  }

  /// Emits `body(0)`, `body(1)` … `body(count - 1)` in the cases of an
  /// `scf.index_switch` on `value`, which is below `count`.
  void choose(Value value, int64_t count,
              llvm::function_ref<void(int64_t)> body) {
    auto cases = llvm::to_vector(llvm::seq<int64_t>(0, count - 1));
    auto choice = scf::IndexSwitchOp::create(*this, TypeRange(), value, cases,
                                             cases.size());
    OpBuilder::InsertionGuard guard(*this);
    for (auto [number, region] : llvm::enumerate(choice->getRegions())) {
      // The default region comes first, and has the last case.
      setInsertionPointToStart(&region.emplaceBlock());
      body(number == 0 ? count - 1 : static_cast<int64_t>(number) - 1);
      scf::YieldOp::create(*this);
    }
  }

  /// Emits `body` in an `scf.if`, as far as `condition`, an i1, is not known.
  void onlyIf(Value condition, llvm::function_ref<void()> body) {
    if (std::optional<int64_t> known = constant(condition))
      return *known ? body() : void();
    auto ifOp = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(ifOp.thenBlock()->getTerminator());
    body();
  }

  /// Emits `body(true)`, `body(false)`, or both in the branches of an `scf.if`,
  /// as far as `condition`, an i1, is known.
  void branch(Value condition, llvm::function_ref<void(bool)> body) {
    if (std::optional<int64_t> known = constant(condition))
      return body(*known);
    auto ifOp = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(ifOp.thenBlock()->getTerminator());
    body(true);
    setInsertionPoint(ifOp.elseBlock()->getTerminator());
    body(false);
  }
};

} // namespace mlir::fakequant

#endif // FAKEQUANT_LIB_CODEGEN_CPU_INDEXBUILDER_H
