//===- VectorizeLinalg.cpp - linalg on buffers to vector loops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamEmitter.h"
#include "StreamPlan.h"
#include "fakequant/Codegen/CPU/CPUTarget.h"
#include "fakequant/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fakequant {
#define GEN_PASS_DEF_VECTORIZELINALG
#include "fakequant/Codegen/CPU/Passes.h.inc"
} // namespace mlir::fakequant

using namespace mlir;
using namespace mlir::fakequant;

namespace {

struct VectorizeLinalgPass
    : public fakequant::impl::VectorizeLinalgBase<VectorizeLinalgPass> {
  using VectorizeLinalgBase::VectorizeLinalgBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto refuse = [&](const llvm::Twine &message) {
      return emitError(UnknownLoc::get(context)) << message;
    };
    auto stores =
        llvm::StringSwitch<std::optional<StreamingStores>>(streamingStores)
            .Case("auto", StreamingStores::Auto)
            .Case("always", StreamingStores::Always)
            .Case("never", StreamingStores::Never)
            .Default(std::nullopt);
    if (!stores)
      return refuse("expected streaming-stores to be auto, always or never but "
                    "got '" +
                    streamingStores + "'");
    if (vectorBits != 0 && !llvm::isPowerOf2_32(vectorBits))
      return refuse("expected vector-bits to be a power of two but got " +
                    llvm::Twine(vectorBits));
    llvm::Expected<CPUTarget> target = CPUTarget::get(targetTriple, targetCPU);
    if (!target)
      return refuse(llvm::toString(target.takeError()));
    strategy.streamingStores = *stores;
    strategy.parallel = parallel;
    strategy.alignedResults = alignedResults;
    strategy.lastLevelCacheBytes = target->lastLevelCacheBytes;
    strategy.firstLevelCacheBytes = target->firstLevelCacheBytes;
    strategy.vectorBits = vectorBits ? vectorBits : target->vectorBits;
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    replaceStridedCopies(rewriter);
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (op.hasPureBufferSemantics() && failed(lower(rewriter, op)))
        return signalPassFailure();
  }

private:
  /// A copy between buffers that are not contiguous would become a call of
  /// MLIR's C runner library. As a generic it becomes loops.
  void replaceStridedCopies(IRRewriter &rewriter) {
    getOperation()->walk([&](memref::CopyOp copy) {
      auto isStrided = [](Value value) {
        auto type = dyn_cast<MemRefType>(value.getType());
        return type && !type.getLayout().isIdentity();
      };
      bool isRanked = isa<MemRefType>(copy.getSource().getType()) &&
                      isa<MemRefType>(copy.getTarget().getType());
      if (!isRanked ||
          (!isStrided(copy.getSource()) && !isStrided(copy.getTarget())))
        return;
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    });
  }

  /// Refuses shapes that no memory holds: their sizes overflow index
  /// arithmetic.
  static LogicalResult checkSizes(linalg::LinalgOp op) {
    constexpr int64_t kMaxElements = int64_t{1} << 56;
    for (Type type : op->getOperandTypes()) {
      auto memref = dyn_cast<MemRefType>(type);
      int64_t elements = 1;
      for (int64_t size : memref ? memref.getShape() : ArrayRef<int64_t>())
        if (!ShapedType::isDynamic(size) &&
            (llvm::MulOverflow(elements, size, elements) ||
             elements > kMaxElements))
          return op->emitError("expected operands of at most 2^56 elements but "
                               "got ")
                 << type;
    }
    return success();
  }

  LogicalResult lower(IRRewriter &rewriter, linalg::LinalgOp op) {
    if (failed(checkSizes(op)))
      return failure();
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        return lowerToLoops(rewriter, op, "it has no generic form");
      generic = *generalized;
    }
    std::string why;
    FailureOr<StreamPlan> plan = planStream(generic, strategy, why);
    if (failed(plan))
      return lowerToLoops(rewriter, generic, why);
    report(*plan);
    emitStream(rewriter, *plan);
    rewriter.eraseOp(generic);
    return success();
  }

  /// A remark with the whole plan: what a tile is, and what moves.
  void report(StreamPlan &plan) {
    auto tile = [&](const TileSchedule &schedule) {
      int64_t rows = plan.form == StreamForm::Flat ? 1 : schedule.rows;
      return llvm::formatv("{0}x{1}", rows, plan.lanes).str();
    };
    ArrayRef<int64_t> shape = cast<MemRefType>(plan.shape.getType()).getShape();
    auto remark = remark::passed(
        plan.op.getLoc(),
        remark::RemarkOpts::name("vectorized").category(getArgument()));
    remark << remark::add("one pass over memory")
           << remark::metric("nest", plan.form == StreamForm::Flat
                                         ? "flat"
                                         : "columns or runs")
           << remark::metric("lanes", plan.lanes)
           << remark::metric("sums", plan.sums.size())
           << remark::metric("tails", "masked")
           << remark::metric("resident tile", tile(plan.resident))
           << remark::metric("large tile", tile(plan.large))
           << remark::metric("large from elements", plan.largeElements)
           << remark::metric("panel columns",
                             plan.large.maxPanelVectors * plan.lanes)
           << remark::metric("prefetch distance", plan.large.prefetchDistance)
           << remark::metric("streaming", plan.large.streams)
           << remark::metric("parallel", plan.parallel)
           << remark::metric("bytes an element", plan.bytesPerElement);
    if (!ShapedType::isDynamicShape(shape))
      remark << remark::metric("bytes", plan.bytesPerElement *
                                            ShapedType::getNumElements(shape));
  }

  LogicalResult lowerToLoops(IRRewriter &rewriter, linalg::LinalgOp op,
                             StringRef why) {
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("vectorized").category(getArgument()))
        << remark::add("scalar loops") << remark::reason("{0}", why.str());
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op.emitOpError("expected an op that becomes loops");
    rewriter.eraseOp(op);
    return success();
  }

  StreamStrategy strategy;
};

} // namespace
