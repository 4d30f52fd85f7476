//===- DestinationPassing.cpp - The calling convention of entries ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fakequant/Codegen/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_DESTINATIONPASSING
#include "fakequant/Codegen/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

static constexpr StringLiteral kSignature = "tensor_signature";
static constexpr StringLiteral kResultDims = "result_dims";
static constexpr StringLiteral kEqualDims = "equal_dims";
static constexpr StringLiteral kWritable = "bufferization.writable";

namespace {

/// A dimension of an argument.
struct ArgumentDim {
  int64_t argument, dim;
};

/// What is known of a size: where it comes from, and what it is.
struct TracedSize {
  std::optional<ArgumentDim> source;
  std::optional<int64_t> size;
};

} // namespace

/// Follows dimension `dim` of `value` to where it has its size from.
static TracedSize traceSize(func::FuncOp function, Value value, int64_t dim) {
  TracedSize traced;
  // Code that cannot be reached may go round in circles.
  llvm::SmallDenseSet<std::pair<Value, int64_t>> seen;
  while (auto type = dyn_cast<RankedTensorType>(value.getType())) {
    if (!seen.insert({value, dim}).second)
      return traced;
    if (!type.isDynamicDim(dim))
      traced.size = type.getDimSize(dim);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == &function.getBody().front() &&
          type.isDynamicDim(dim))
        traced.source = ArgumentDim{argument.getArgNumber(), dim};
      return traced;
    }
    Operation *op = value.getDefiningOp();
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      value = cast.getSource();
      continue;
    }
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      value = linalgOp.getTiedOpOperand(cast<OpResult>(value))->get();
      continue;
    }
    auto empty = dyn_cast<tensor::EmptyOp>(op);
    if (!empty || !type.isDynamicDim(dim))
      return traced;
    auto size = empty.getDynamicSize(dim).getDefiningOp<tensor::DimOp>();
    if (!size || !size.getConstantIndex())
      return traced;
    value = size.getSource();
    dim = *size.getConstantIndex();
  }
  return traced;
}

namespace {

/// Finds the sizes that a caller of a function must make equal, since one loop
/// of a linalg op runs over both, a cast says so, or a function that it calls
/// needs it: quadruples (argument, dim, argument, dim), or (argument, dim, -1,
/// size) where the other size is static.
class EqualDims {
public:
  static SmallVector<int64_t> find(func::FuncOp function) {
    SmallPtrSet<Operation *, 4> callers;
    return find(function, callers);
  }

private:
  explicit EqualDims(func::FuncOp function) : function(function) {}

  static SmallVector<int64_t> find(func::FuncOp function,
                                   SmallPtrSet<Operation *, 4> &callers) {
    // What a recursive call needs is found already.
    if (function.isExternal() || !callers.insert(function).second)
      return {};
    EqualDims dims(function);
    function.walk([&](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        dims.addLoops(linalgOp);
      else if (auto cast = dyn_cast<tensor::CastOp>(op))
        dims.addCast(cast);
      else if (auto call = dyn_cast<func::CallOp>(op))
        dims.addCall(call, callers);
    });
    callers.erase(function);
    return dims.equal;
  }

  void record(ArgumentDim a, int64_t b, int64_t bDim) {
    if ((a.argument == b && a.dim == bDim) ||
        !seen.insert({a.argument, a.dim, b, bDim}).second)
      return;
    equal.append({a.argument, a.dim, b, bDim});
  }

  void recordAll(ArrayRef<TracedSize> sizes) {
    SmallVector<ArgumentDim> sources;
    std::optional<int64_t> size;
    for (const TracedSize &traced : sizes) {
      if (traced.source)
        sources.push_back(*traced.source);
      if (traced.size)
        size = traced.size;
    }
    for (ArgumentDim source : sources) {
      if (size)
        record(source, -1, *size);
      record(sources.front(), source.argument, source.dim);
    }
  }

  void addLoops(linalg::LinalgOp op) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      SmallVector<TracedSize> sizes;
      for (OpOperand &operand : op->getOpOperands()) {
        AffineMap map = op.getMatchingIndexingMap(&operand);
        if (std::optional<unsigned> position =
                map.getResultPosition(getAffineDimExpr(loop, op.getContext())))
          sizes.push_back(traceSize(function, operand.get(), *position));
      }
      recordAll(sizes);
    }
  }

  void addCast(tensor::CastOp op) {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    for (int64_t dim = 0; from && to && dim < to.getRank(); ++dim)
      if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
        recordAll({traceSize(function, op.getSource(), dim),
                   TracedSize{std::nullopt, to.getDimSize(dim)}});
  }

  void addCall(func::CallOp op, SmallPtrSet<Operation *, 4> &callers) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op.getCalleeAttr());
    if (!callee)
      return;
    SmallVector<int64_t> needed = find(callee, callers);
    for (size_t i = 0; i < needed.size(); i += 4) {
      TracedSize a =
          traceSize(function, op.getOperand(needed[i]), needed[i + 1]);
      TracedSize b = needed[i + 2] < 0
                         ? TracedSize{std::nullopt, needed[i + 3]}
                         : traceSize(function, op.getOperand(needed[i + 2]),
                                     needed[i + 3]);
      recordAll({a, b});
    }
  }

  func::FuncOp function;
  SmallVector<int64_t> equal;
  DenseSet<std::tuple<int64_t, int64_t, int64_t, int64_t>> seen;
};

} // namespace

namespace {

struct DestinationPassingPass
    : public fakequant::impl::DestinationPassingBase<DestinationPassingPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> entries;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          !function->hasAttr(kSignature) && hasTensors(function))
        entries.push_back(function);
    for (func::FuncOp entry : entries)
      if (failed(checkSignature(entry)))
        return signalPassFailure();
    SymbolTable symbols(module);
    for (func::FuncOp entry : entries)
      keepCallable(symbols, entry);
    for (func::FuncOp entry : entries)
      convert(entry);
  }

private:
  static bool hasTensors(func::FuncOp function) {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    return llvm::any_of(function.getArgumentTypes(), isTensor) ||
           llvm::any_of(function.getResultTypes(), isTensor);
  }

  static LogicalResult checkSignature(func::FuncOp entry) {
    for (Type type : llvm::concat<const Type>(entry.getArgumentTypes(),
                                              entry.getResultTypes()))
      if (isa<UnrankedTensorType>(type))
        return entry.emitOpError("expected ranked tensors in the signature of "
                                 "an entry but got ")
               << type;
    return success();
  }

  /// Callers inside the module go on calling the function as it is now.
  static void keepCallable(SymbolTable &symbols, func::FuncOp entry) {
    Operation *module = symbols.getOp();
    if (SymbolTable::symbolKnownUseEmpty(entry, module))
      return;
    func::FuncOp callee = entry.clone();
    callee.setPrivate();
    symbols.insert(callee);
    // Cannot fail: the uses were just known.
    (void)SymbolTable::replaceAllSymbolUses(entry, callee.getSymNameAttr(),
                                            module);
  }

  /// The operand whose buffer bufferization may give to `value`; null where
  /// there is none.
  static Value getReusedOperand(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return Value();
    if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
      return destinationStyle.getTiedOpOperand(cast<OpResult>(value))->get();
    bool isView = op->getNumOperands() > 0 &&
                  isa<RankedTensorType>(op->getOperand(0).getType());
    return isView ? op->getOperand(0) : Value();
  }

  /// Whether the buffer of a result could hold a value, on the way to `value`,
  /// that something else reads as well. Eliminating empty tensors would put it
  /// there, and the writes of the results, in their order, would be read in
  /// place of it.
  static bool sharesBuffer(Value value) {
    while (Value operand = getReusedOperand(value)) {
      Operation *op = operand.getDefiningOp();
      if (!op)
        return false;
      if (!isa<tensor::EmptyOp>(op) && !operand.hasOneUse())
        return true;
      value = operand;
    }
    // A result of control flow: what it reuses is not looked for.
    Operation *op = value.getDefiningOp();
    return op && op->getNumRegions() > 0;
  }

  static void convert(func::FuncOp entry) {
    OpBuilder builder(entry);
    FunctionType signature = entry.getFunctionType();
    entry->setAttr(kSignature, TypeAttr::get(signature));
    entry->setAttr(kResultDims, getResultDims(entry));
    entry->setAttr(kEqualDims,
                   builder.getDenseI64ArrayAttr(EqualDims::find(entry)));
    entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                   builder.getUnitAttr());

    for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
      if (isa<TensorType>(type) && !entry.getArgAttr(index, kWritable))
        entry.setArgAttr(index, kWritable, builder.getBoolAttr(false));

    SmallVector<Value> destinations;
    BitVector isTensor(signature.getNumResults());
    for (auto [index, type] : llvm::enumerate(signature.getResults())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        continue;
      isTensor.set(index);
      unsigned position = entry.getNumArguments();
      // Cannot fail: a func.func takes any argument type.
      (void)entry.insertArgument(
          position, MemRefType::get(tensor.getShape(), tensor.getElementType()),
          DictionaryAttr(), entry.getLoc());
      destinations.push_back(entry.getArgument(position));
    }
    entry.walk([&](func::ReturnOp op) {
      builder.setInsertionPoint(op);
      SmallVector<Value> kept;
      unsigned next = 0;
      for (auto [index, value] : llvm::enumerate(op.getOperands())) {
        if (!isTensor[index]) {
          kept.push_back(value);
          continue;
        }
        if (isTensor.count() > 1 && sharesBuffer(value))
          value = bufferization::AllocTensorOp::create(
              builder, op.getLoc(), cast<RankedTensorType>(value.getType()),
              /*dynamicSizes=*/ValueRange(), /*copy=*/value);
        bufferization::MaterializeInDestinationOp::create(
            builder, op.getLoc(), /*result=*/Type(), value,
            destinations[next++], /*restrict=*/true, /*writable=*/true);
      }
      op.getOperandsMutable().assign(kept);
    });
    // Cannot fail either.
    (void)entry.eraseResults(isTensor);
  }

  /// The pair of `result_dims` for a dimension of a returned tensor.
  static std::pair<int64_t, int64_t> getResultDim(func::FuncOp entry,
                                                  Value value, int64_t dim) {
    if (!cast<RankedTensorType>(value.getType()).isDynamicDim(dim))
      return {-1, -1};
    TracedSize traced = traceSize(entry, value, dim);
    if (traced.source)
      return {traced.source->argument, traced.source->dim};
    return {-1, traced.size.value_or(-1)};
  }

  static ArrayAttr getResultDims(func::FuncOp entry) {
    Builder builder(entry.getContext());
    SmallVector<func::ReturnOp> returns;
    entry.walk([&](func::ReturnOp op) { returns.push_back(op); });
    SmallVector<Attribute> results;
    for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
      SmallVector<int64_t> dims;
      auto tensor = dyn_cast<RankedTensorType>(type);
      for (int64_t dim = 0; tensor && dim < tensor.getRank(); ++dim) {
        // Known where all returns agree; an endless loop returns nothing.
        std::optional<std::pair<int64_t, int64_t>> common;
        for (func::ReturnOp op : returns) {
          auto one = getResultDim(entry, op.getOperand(index), dim);
          common = !common || *common == one
                       ? one
                       : std::make_pair(int64_t(-1), int64_t(-1));
          if (*common != one)
            break;
        }
        auto [argument, argumentDim] =
            common.value_or(std::make_pair(int64_t(-1), int64_t(-1)));
        dims.append({argument, argumentDim});
      }
      results.push_back(builder.getDenseI64ArrayAttr(dims));
    }
    return builder.getArrayAttr(results);
  }
};

} // namespace
