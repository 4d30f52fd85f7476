//===- StreamEmitter.cpp - Loops over vectors for a stream ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three nests: flat, columns, runs. All address their operands as flat
// buffers. See the description of the pass, and docs/numerics.md for the order
// of sums.
//
//===----------------------------------------------------------------------===//

#include "StreamEmitter.h"

#include "SumOrder.h"
#include "TileEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

/// Scratch buffers of static size up to this live on the stack, as long as the
/// function's buffers there stay within the second number together.
constexpr int64_t kMaxStackBytes = int64_t{16} * 1024;
constexpr int64_t kMaxFunctionStackBytes = int64_t{256} * 1024;
/// Buffers are aligned to a cache line, which no vector register exceeds.
constexpr int64_t kAlignment = 64;

class StreamEmitter {
public:
  StreamEmitter(OpBuilder &builder, StreamPlan &plan)
      : plan(plan), b(plan.op.getLoc(), builder),
        lanes(static_cast<int64_t>(plan.lanes)) {}

  void emit() {
    b.setInsertionPoint(plan.op);
    flattenOperands();
    computeSizes();
    TileEmitter tiles(plan, flat);
    loadScalars(tiles);
    if (plan.form == StreamForm::Flat)
      emitFlat(tiles);
    else
      emitByInnerSize(tiles);
    for (Value buffer : llvm::reverse(heapBuffers))
      memref::DeallocOp::create(b, buffer);
  }

private:
  using Body = llvm::function_ref<void(Value)>;

  //===--- Sizes and buffers ----------------------------------------------===//

  void flattenOperands() {
    for (auto [access, value] :
         llvm::zip_equal(plan.accesses, plan.op->getOperands())) {
      auto type = dyn_cast<MemRefType>(value.getType());
      if (access == Access::Scalar || !type || type.getRank() == 1) {
        flat.push_back(access == Access::Scalar ? Value() : value);
        continue;
      }
      auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
      flat.push_back(memref::CollapseShapeOp::create(
          b, value, ArrayRef<ReassociationIndices>(all)));
    }
  }

  Value product(unsigned begin, unsigned end) {
    Value size = b.index(1);
    for (unsigned dim = begin; dim < end; ++dim)
      size = b.mul(size, b.createOrFold<memref::DimOp>(plan.shape, dim));
    return size;
  }

  void computeSizes() {
    outer = product(0, plan.channelBegin);
    channels = product(plan.channelBegin, plan.channelEnd);
    inner = product(plan.channelEnd, plan.getNumLoops());
    total = b.mul(b.mul(outer, channels), inner);
  }

  /// Without channels every loop is an outer one: a sum over the tensor has
  /// one channel and one element a row.
  bool hasChannels() const { return plan.channelBegin != plan.channelEnd; }

  static int64_t stackBytes(Block &entry) {
    int64_t bytes = 0;
    for (auto alloca : entry.getOps<memref::AllocaOp>())
      if (alloca.getType().hasStaticShape())
        bytes += alloca.getType().getNumElements() *
                 alloca.getType().getElementTypeBitWidth() / 8;
    return bytes;
  }

  Value allocate(Value size, Type elementType) {
    std::optional<int64_t> known = IndexBuilder::constant(size);
    auto type =
        MemRefType::get({known.value_or(ShapedType::kDynamic)}, elementType);
    int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
    auto function = plan.op->getParentOfType<FunctionOpInterface>();
    Block &entry = function.getFunctionBody().front();
    if (known && *known * bytes <= kMaxStackBytes &&
        *known * bytes + stackBytes(entry) <= kMaxFunctionStackBytes) {
      // In the entry block, so that a loop around the op does not grow the
      // stack.
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&entry);
      return memref::AllocaOp::create(b, type, b.getI64IntegerAttr(kAlignment));
    }
    SmallVector<Value> sizes;
    if (!known)
      sizes.push_back(size);
    Value buffer = memref::AllocOp::create(b, type, sizes,
                                           b.getI64IntegerAttr(kAlignment));
    heapBuffers.push_back(buffer);
    return buffer;
  }

  //===--- Loops ----------------------------------------------------------===//

  void loop(Value begin, Value end, int64_t step, Body body) {
    auto forOp = scf::ForOp::create(b, begin, end, b.index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(forOp.getBody()->getTerminator());
    body(forOp.getInductionVar());
  }

  void loop(Value end, Body body) { loop(b.index(0), end, 1, body); }

  Value load(Value buffer, Value position, Type elementType) {
    return vector::LoadOp::create(b, vectorType(elementType), buffer, position);
  }
  void store(Value vector, Value buffer, Value position) {
    vector::StoreOp::create(b, vector, buffer, position);
  }
  VectorType vectorType(Type elementType) {
    return VectorType::get({lanes}, elementType);
  }
  Value zero(Type type) {
    return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
  }

  /// `value` rounded up to whole vectors.
  Value padded(Value value) {
    return b.mul(b.ceilDiv(value, b.index(lanes)), b.index(lanes));
  }
  /// `value` rounded down to whole vectors.
  Value whole(Value value) {
    return b.mul(b.div(value, b.index(lanes)), b.index(lanes));
  }

  //===--- Operands that are not streamed ---------------------------------===//

  Value loadScalar(unsigned operand) {
    Value value = plan.op->getOperand(operand);
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(b, value, ValueRange());
    return value;
  }

  void loadScalars(TileEmitter &tiles) {
    for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i) {
      if (plan.accesses[i] != Access::Scalar)
        continue;
      Value scalar = loadScalar(i);
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, tiles.vectorOf(scalar.getType()), scalar));
    }
  }

  void forEachChannelInput(llvm::function_ref<void(unsigned)> body) {
    for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i)
      if (plan.accesses[i] == Access::Channel)
        body(i);
  }

  //===--- Sums -----------------------------------------------------------===//

  Type accumulatorType(const StreamSum &sum) {
    return getElementTypeOrSelf(
        plan.op.getDpsInitOperand(sum.out)->get().getType());
  }

  /// A buffer of whole vectors for each sum.
  SmallVector<Value> allocateSums(Value columns) {
    SmallVector<Value> buffers;
    for (const StreamSum &sum : plan.sums)
      buffers.push_back(allocate(padded(columns), accumulatorType(sum)));
    return buffers;
  }

  void clearSums(ArrayRef<Value> buffers, Value columns) {
    loop(b.index(0), padded(columns), lanes, [&](Value column) {
      for (auto [sum, buffer] : llvm::zip_equal(plan.sums, buffers))
        store(zero(vectorType(accumulatorType(sum))), buffer, column);
    });
  }

  /// Adds the block sums of a tile to `buffers`, widened if they are narrower.
  void accumulate(ArrayRef<Value> blockSums, ArrayRef<Value> buffers,
                  Value column) {
    for (auto [sum, blockSum, buffer] :
         llvm::zip_equal(plan.sums, blockSums, buffers)) {
      VectorType type = vectorType(accumulatorType(sum));
      Value widened = blockSum;
      if (widened.getType() != type)
        widened = arith::ExtFOp::create(b, type, widened);
      Value before = load(buffer, column, type.getElementType());
      store(arith::AddFOp::create(b, before, widened), buffer, column);
    }
  }

  /// Adds the sums of the rows of a block that group `group` of `numGroups`
  /// holds to those of the groups before it, pairwise, and after the last
  /// group to `buffers`. `pending` keeps, for each level of the pairwise sum,
  /// what waits for its partner.
  void mergeGroup(ArrayRef<Value> groupSums, int64_t group, int64_t numGroups,
                  ArrayRef<SmallVector<Value>> pending, ArrayRef<Value> buffers,
                  Value column) {
    SmallVector<Value> sums(groupSums);
    int64_t level = 0;
    for (; (group >> level) & 1; ++level)
      for (auto [sum, buffer] : llvm::zip_equal(sums, pending[level]))
        sum = arith::AddFOp::create(
            b, load(buffer, column, getElementTypeOrSelf(sum)), sum);
    if (group == numGroups - 1)
      return accumulate(sums, buffers, column);
    for (auto [sum, buffer] : llvm::zip_equal(sums, pending[level]))
      store(sum, buffer, column);
  }

  /// Buffers for `mergeGroup`.
  SmallVector<SmallVector<Value>> allocatePending(Value columns,
                                                  int64_t numGroups) {
    SmallVector<SmallVector<Value>> pending;
    for (; numGroups > 1; numGroups /= 2) {
      SmallVector<Value> &level = pending.emplace_back();
      for (const StreamSum &sum : plan.sums)
        level.push_back(allocate(padded(columns), sum.addend.getType()));
    }
    return pending;
  }

  /// Emits `chunk(first, last)` for each chunk of `units`, with `buffers` as
  /// the totals over the chunks.
  void
  emitChunks(Value units, Value numChunks, Value columns,
             ArrayRef<Value> totals,
             llvm::function_ref<void(Value, Value, ArrayRef<Value>)> chunk) {
    clearSums(totals, columns);
    if (totals.empty() || IndexBuilder::is(numChunks, 1)) {
      // +0 plus the only chunk is the chunk.
      chunk(b.index(0), units, totals);
      return;
    }
    SmallVector<Value> buffers = allocateSums(columns);
    Value chunkUnits = b.ceilDiv(units, numChunks);
    loop(numChunks, [&](Value k) {
      clearSums(buffers, columns);
      Value first = b.min(b.mul(k, chunkUnits), units);
      Value last = b.min(b.add(first, chunkUnits), units);
      chunk(first, last, buffers);
      loop(b.index(0), padded(columns), lanes, [&](Value column) {
        for (auto [sum, buffer, total] :
             llvm::zip_equal(plan.sums, buffers, totals)) {
          Type type = accumulatorType(sum);
          Value before = load(total, column, type);
          Value added = load(buffer, column, type);
          store(arith::AddFOp::create(b, before, added), total, column);
        }
      });
    });
  }

  /// Adds the columns of each channel, `copies * inner` of them, and adds them
  /// to what the out operand holds. Column (copy, channel, i) lies at
  /// `copy * copyStride + channel * innerColumns + i`.
  void emitResults(ArrayRef<Value> totals, Value numCopies, Value copyStride,
                   Value innerColumns) {
    if (totals.empty())
      return;
    loop(channels, [&](Value channel) {
      Value base = b.mul(channel, innerColumns);
      for (auto [sum, total] : llvm::zip_equal(plan.sums, totals))
        emitResult(sum, total, channel, base, numCopies, copyStride,
                   innerColumns);
    });
  }

  void emitResult(const StreamSum &sum, Value total, Value channel, Value base,
                  Value numCopies, Value copyStride, Value innerColumns) {
    // The out operand is the accumulator: its value is added last.
    unsigned operand = plan.op.getNumDpsInputs() + sum.out;
    Value out = plan.op->getOperand(operand);
    Value flatOut = flat[operand] ? flat[operand] : out;
    SmallVector<Value> where;
    if (plan.accesses[operand] == Access::Channel)
      where.push_back(channel);

    Value start = zero(accumulatorType(sum));
    auto copyLoop = scf::ForOp::create(b, b.index(0), numCopies, b.index(1),
                                       ValueRange(start));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(copyLoop.getBody());
      Value position =
          b.add(b.mul(copyLoop.getInductionVar(), copyStride), base);
      auto innerLoop =
          scf::ForOp::create(b, b.index(0), innerColumns, b.index(1),
                             copyLoop.getRegionIterArgs());
      {
        OpBuilder::InsertionGuard innerGuard(b);
        b.setInsertionPointToStart(innerLoop.getBody());
        Value column = memref::LoadOp::create(
            b, total, ValueRange{b.add(position, innerLoop.getInductionVar())});
        scf::YieldOp::create(
            b, ValueRange{arith::AddFOp::create(
                   b, innerLoop.getRegionIterArgs().front(), column)});
      }
      scf::YieldOp::create(b, innerLoop.getResults());
    }
    Value before = memref::LoadOp::create(b, flatOut, where);
    memref::StoreOp::create(
        b, arith::AddFOp::create(b, before, copyLoop.getResult(0)), flatOut,
        where);
  }

  //===--- The nests ------------------------------------------------------===//

  /// An elementwise op without channels: vectors, then one masked vector.
  void emitFlat(TileEmitter &tiles) {
    Value end = whole(total);
    Value stride = b.index(lanes);
    Value streams = decideStreaming(b.index(0));
    loop(b.index(0), end, lanes, [&](Value position) {
      emitWholeTile(tiles, Tile{position, stride, 1, Value(), Value()}, streams,
                    [](ArrayRef<Value>) {});
    });
    loop(end, total, lanes, [&](Value position) {
      tiles.emit(b, Tile{position, stride, 1, stride, total});
    });
    emitFence(streams);
  }

  //===--- Streaming stores -----------------------------------------------===//

  /// Whether elementwise results bypass the caches, an i1; null for never.
  /// `rowLength` is the distance of rows that start anywhere in a buffer: only
  /// if it is whole vectors are all of them aligned.
  Value decideStreaming(Value rowLength) {
    const StreamStrategy &strategy = plan.strategy;
    if (strategy.streamingStores == StreamingStores::Never)
      return Value();
    int64_t bytesPerElement = 0;
    SmallVector<Value> results;
    unsigned numInputs = plan.op.getNumDpsInputs();
    for (auto [index, access] : llvm::enumerate(plan.accesses)) {
      if (access != Access::Full)
        continue;
      auto type = cast<MemRefType>(flat[index].getType());
      bytesPerElement += type.getElementTypeBitWidth() / 8;
      if (index >= numInputs)
        results.push_back(flat[index]);
    }
    if (results.empty())
      return Value();

    Value streams = arith::ConstantIntOp::create(b, 1, 1);
    if (strategy.streamingStores == StreamingStores::Auto)
      streams = b.compare(arith::CmpIPredicate::sgt, total,
                          b.index(strategy.lastLevelCacheBytes /
                                  std::max<int64_t>(1, bytesPerElement)));
    // Small static sizes need no second version.
    if (IndexBuilder::is(streams, 0))
      return Value();
    Value misaligned = b.rem(rowLength, b.index(lanes));
    for (Value result : results) {
      auto type = cast<MemRefType>(result.getType());
      int64_t bytes = lanes * type.getElementTypeBitWidth() / 8;
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, result);
      misaligned = b.add(misaligned, b.rem(address, b.index(bytes)));
    }
    return arith::AndIOp::create(
        b, streams,
        b.compare(arith::CmpIPredicate::eq, misaligned, b.index(0)));
  }

  /// Streamed stores are ordered before what follows only by a fence.
  void emitFence(Value streams) {
    if (!streams)
      return;
    auto ifOp = scf::IfOp::create(b, streams, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst);
  }

  /// Emits a tile without masks, in two versions where `streams` decides.
  void emitWholeTile(TileEmitter &tiles, Tile tile, Value streams,
                     llvm::function_ref<void(ArrayRef<Value>)> addSums) {
    auto emitVersion = [&] { addSums(tiles.emit(b, tile)); };
    if (!streams)
      return emitVersion();
    auto ifOp = scf::IfOp::create(b, streams, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    tile.streams = true;
    emitVersion();
    b.setInsertionPointToStart(ifOp.elseBlock());
    tile.streams = false;
    emitVersion();
  }

  /// Chooses between columns and runs, at run time where it must.
  void emitByInnerSize(TileEmitter &tiles) {
    if (!hasChannels()) {
      outer = total;
      channels = inner = b.index(1);
    }
    Value isRun = b.compare(arith::CmpIPredicate::sge, inner,
                            b.index(sumorder::kRunThreshold));
    if (std::optional<int64_t> known = IndexBuilder::constant(isRun)) {
      *known ? emitRuns(tiles) : emitColumns(tiles);
      return;
    }
    auto ifOp = scf::IfOp::create(b, isRun, /*withElseRegion=*/true);
    emitBranch(ifOp.thenBlock(), [&] { emitRuns(tiles); });
    emitBranch(ifOp.elseBlock(), [&] { emitColumns(tiles); });
  }

  void emitBranch(Block *block, llvm::function_ref<void()> body) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(block->getTerminator());
    SmallVector<Value> outerBuffers;
    std::swap(outerBuffers, heapBuffers);
    body();
    for (Value buffer : llvm::reverse(heapBuffers))
      memref::DeallocOp::create(b, buffer);
    std::swap(outerBuffers, heapBuffers);
  }

  /// A channel operand as a buffer of `columns` values, and whether that may
  /// be read in whole vectors.
  struct ColumnOperand {
    unsigned operand;
    Value buffer;
    bool isPadded;
  };

  SmallVector<ColumnOperand> spreadChannels(Value numCopies, Value columns) {
    SmallVector<ColumnOperand> operands;
    bool isInOrder =
        IndexBuilder::is(numCopies, 1) && IndexBuilder::is(inner, 1);
    forEachChannelInput([&](unsigned i) {
      if (isInOrder) {
        operands.push_back({i, flat[i], /*isPadded=*/false});
        return;
      }
      Type type = cast<MemRefType>(flat[i].getType()).getElementType();
      operands.push_back(
          {i, allocate(padded(columns), type), /*isPadded=*/true});
    });
    if (isInOrder || operands.empty())
      return operands;
    loop(numCopies, [&](Value copy) {
      loop(channels, [&](Value channel) {
        Value first = b.mul(b.add(b.mul(copy, channels), channel), inner);
        SmallVector<Value> values;
        for (const ColumnOperand &operand : operands)
          values.push_back(memref::LoadOp::create(b, flat[operand.operand],
                                                  ValueRange{channel}));
        loop(inner, [&](Value i) {
          for (auto [operand, value] : llvm::zip_equal(operands, values))
            memref::StoreOp::create(b, value, operand.buffer,
                                    ValueRange{b.add(first, i)});
        });
      });
    });
    return operands;
  }

  void loadColumns(TileEmitter &tiles, ArrayRef<ColumnOperand> operands,
                   Value column, Value columnLimit) {
    for (const ColumnOperand &operand : operands) {
      Type type = cast<MemRefType>(operand.buffer.getType()).getElementType();
      if (!columnLimit || operand.isPadded) {
        tiles.setVector(operand.operand, load(operand.buffer, column, type));
        continue;
      }
      Value mask = vector::CreateMaskOp::create(b, vectorType(b.getI1Type()),
                                                columnLimit);
      tiles.setVector(operand.operand,
                      vector::MaskedLoadOp::create(b, vectorType(type),
                                                   operand.buffer, column, mask,
                                                   zero(vectorType(type))));
    }
  }

  void emitColumns(TileEmitter &tiles) {
    using namespace sumorder;
    Value width = b.mul(channels, inner);
    Value numCopies = copies(b, width);
    Value columns = b.max(b.mul(numCopies, width), b.index(1));
    Value blockSize = b.mul(columns, b.index(kBlockRows));
    Value blocks = b.ceilDiv(b.ceilDiv(total, columns), b.index(kBlockRows));
    SmallVector<ColumnOperand> operands = spreadChannels(numCopies, columns);
    Value streams = decideStreaming(columns);
    SmallVector<Value> totals = allocateSums(columns);
    int64_t groupRows =
        plan.strategy.getGroupRows(IndexBuilder::constant(columns));
    SmallVector<SmallVector<Value>> pending =
        allocatePending(columns, kBlockRows / groupRows);

    emitChunks(
        blocks, chunks(b, total, columns), columns, totals,
        [&](Value first, Value last, ArrayRef<Value> buffers) {
          loop(first, last, 1, [&](Value block) {
            Value start = b.mul(block, blockSize);
            Value isWhole = b.compare(arith::CmpIPredicate::sle,
                                      b.add(start, blockSize), total);
            if (IndexBuilder::is(b.rem(total, blockSize), 0))
              isWhole = arith::ConstantIntOp::create(b, 1, 1);
            Value wholeEnd = b.select(isWhole, whole(columns), b.index(0));
            for (int64_t row = 0; row < kBlockRows; row += groupRows) {
              Value groupStart = b.add(start, b.mul(columns, b.index(row)));
              loop(b.index(0), wholeEnd, lanes, [&](Value column) {
                loadColumns(tiles, operands, column, Value());
                emitWholeTile(tiles,
                              Tile{b.add(groupStart, column), columns,
                                   groupRows, Value(), Value()},
                              streams, [&](ArrayRef<Value> sums) {
                                mergeGroup(sums, row / groupRows,
                                           kBlockRows / groupRows, pending,
                                           buffers, column);
                              });
              });
            }
            loop(wholeEnd, columns, lanes, [&](Value column) {
              Value limit = b.sub(columns, column);
              loadColumns(tiles, operands, column, limit);
              accumulate(tiles.emit(b, Tile{b.add(start, column), columns,
                                            kBlockRows, limit, total}),
                         buffers, column);
            });
          });
        });
    emitFence(streams);
    emitResults(totals, numCopies, width, inner);
  }

  void emitRuns(TileEmitter &tiles) {
    using namespace sumorder;
    Value rowLanes = b.index(kRowLanes);
    // Vectors wider than a row would cross into the next row's columns.
    assert(lanes <= kRowLanes && "vector wider than a row of the contract");
    Value columns = b.max(b.mul(channels, rowLanes), rowLanes);
    Value blockSize = b.index(kRowLanes * kBlockRows);
    Value streams = decideStreaming(inner);
    SmallVector<Value> totals = allocateSums(columns);
    Value numChunks =
        b.max(b.min(chunks(b, total, columns), outer), b.index(1));

    emitChunks(
        outer, numChunks, columns, totals,
        [&](Value first, Value last, ArrayRef<Value> buffers) {
          loop(first, last, 1, [&](Value run) {
            loop(channels, [&](Value channel) {
              broadcastChannel(tiles, channel);
              Value firstColumn = b.mul(channel, rowLanes);
              Value begin = b.mul(b.add(b.mul(run, channels), channel), inner);
              Value end = b.add(begin, inner);
              Value wholeEnd =
                  b.add(begin, b.mul(b.div(inner, blockSize), blockSize));
              loop(begin, wholeEnd, kRowLanes * kBlockRows, [&](Value block) {
                loop(b.index(0), rowLanes, lanes, [&](Value lane) {
                  emitWholeTile(tiles,
                                Tile{b.add(block, lane), rowLanes, kBlockRows,
                                     Value(), Value()},
                                streams, [&](ArrayRef<Value> sums) {
                                  accumulate(sums, buffers,
                                             b.add(firstColumn, lane));
                                });
                });
              });
              loop(wholeEnd, end, kRowLanes * kBlockRows, [&](Value block) {
                loop(b.index(0), rowLanes, lanes, [&](Value lane) {
                  Value limit = b.index(lanes);
                  accumulate(tiles.emit(b, Tile{b.add(block, lane), rowLanes,
                                                kBlockRows, limit, end}),
                             buffers, b.add(firstColumn, lane));
                });
              });
            });
          });
        });
    emitFence(streams);
    emitResults(totals, b.index(1), b.index(0), rowLanes);
  }

  void broadcastChannel(TileEmitter &tiles, Value channel) {
    forEachChannelInput([&](unsigned i) {
      Value scalar = memref::LoadOp::create(b, flat[i], ValueRange{channel});
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, vectorType(scalar.getType()), scalar));
    });
  }

  StreamPlan &plan;
  IndexBuilder b;
  int64_t lanes;
  SmallVector<Value> flat;
  Value outer, channels, inner, total;
  SmallVector<Value> heapBuffers;
};

} // namespace

void fakequant::emitStream(OpBuilder &builder, StreamPlan &plan) {
  StreamEmitter(builder, plan).emit();
}
