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

#include "Scratch.h"
#include "SumEmitter.h"
#include "SumOrder.h"
#include "TileEmitter.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

class StreamEmitter {
public:
  StreamEmitter(OpBuilder &builder, StreamPlan &plan)
      : plan(plan), b(plan.op.getLoc(), builder), scratch(b),
        sums(b, plan, scratch), tiles(plan, flat),
        lanes(static_cast<int64_t>(plan.lanes)) {}

  void emit() {
    b.setInsertionPoint(plan.op);
    flattenOperands();
    computeSizes();
    loadScalars();
    scratch.scope([&] {
      if (plan.form == StreamForm::Flat)
        emitFlat();
      else
        emitByInnerSize();
    });
  }

private:
  //===--- Operands and sizes ---------------------------------------------===//

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
    // Without channels every loop is an outer one: a sum over the tensor has
    // one channel and one element a row.
    if (plan.channelBegin == plan.channelEnd) {
      outer = total;
      inner = b.index(1);
    }
    isLarge = b.compare(arith::CmpIPredicate::sge, total,
                        b.index(plan.largeElements));
  }

  void loadScalars() {
    for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i) {
      if (plan.accesses[i] != Access::Scalar)
        continue;
      Value scalar = plan.op->getOperand(i);
      if (isa<MemRefType>(scalar.getType()))
        scalar = memref::LoadOp::create(b, scalar, ValueRange());
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, vectorType(scalar.getType()), scalar));
    }
  }

  VectorType vectorType(Type elementType) {
    return VectorType::get({lanes}, elementType);
  }

  void forEachChannelInput(llvm::function_ref<void(unsigned)> body) {
    for (unsigned i = 0, e = plan.op.getNumDpsInputs(); i < e; ++i)
      if (plan.accesses[i] == Access::Channel)
        body(i);
  }

  /// The out operands as flat buffers.
  ArrayRef<Value> flatOuts() {
    return ArrayRef(flat).drop_front(plan.op.getNumDpsInputs());
  }

  //===--- Memory ---------------------------------------------------------===//

  /// The elementwise results.
  SmallVector<Value> results() {
    SmallVector<Value> buffers;
    unsigned numInputs = plan.op.getNumDpsInputs();
    for (unsigned i = numInputs, e = plan.accesses.size(); i < e; ++i)
      if (plan.accesses[i] == Access::Full)
        buffers.push_back(flat[i]);
    return buffers;
  }

  /// How many elements `buffer` starts behind an address aligned to a vector.
  Value misalignment(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
    return b.div(b.rem(address, b.index(lanes * bytes)), b.index(bytes));
  }

  /// Whether results bypass the caches under `schedule`, an i1: if they all
  /// start `offset` elements behind an aligned address. Null for never.
  Value decideStreaming(const TileSchedule &schedule, Value offset) {
    SmallVector<Value> buffers = results();
    if (!schedule.streams || buffers.empty())
      return Value();
    Value streams = arith::ConstantIntOp::create(b, 1, 1);
    for (Value buffer : buffers)
      streams = b.createOrFold<arith::AndIOp>(
          streams,
          b.compare(arith::CmpIPredicate::eq, misalignment(buffer), offset));
    return streams;
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

  /// Asks for a line of each streamed operand that is read. Positions behind
  /// the end do no harm.
  void emitPrefetch(Value position) {
    Block *body = plan.op.getBody();
    for (auto [index, access] : llvm::enumerate(plan.accesses))
      if (access == Access::Full && !body->getArgument(index).use_empty())
        memref::PrefetchOp::create(b, flat[index], ValueRange{position},
                                   /*isWrite=*/false, kPrefetchLocality,
                                   /*isDataCache=*/true);
  }

  /// Asks for a line of each elementwise result, to be written with plain
  /// stores.
  void emitWritePrefetch(Value position) {
    for (Value buffer : results())
      memref::PrefetchOp::create(b, buffer, ValueRange{position},
                                 /*isWrite=*/true, kWritePrefetchLocality,
                                 /*isDataCache=*/true);
  }

  /// Emits a tile without masks, in two versions where `streams` decides.
  void emitWholeTile(Tile tile, Value streams,
                     llvm::function_ref<void(ArrayRef<Value>)> addSums) {
    Value decision =
        streams ? streams : Value(arith::ConstantIntOp::create(b, 0, 1));
    b.branch(decision, [&](bool isStreamed) {
      tile.streams = isStreamed;
      addSums(tiles.emit(b, tile));
    });
  }

  //===--- Flat -----------------------------------------------------------===//

  /// An elementwise op without channels: vectors, between masked ones.
  void emitFlat() {
    b.branch(isLarge, [&](bool large) {
      const TileSchedule &schedule = large ? plan.large : plan.resident;
      // Starts where the first result is aligned, if that matters.
      Value begin = b.index(0);
      SmallVector<Value> buffers = results();
      if (schedule.streams && !buffers.empty())
        begin = b.rem(b.sub(b.index(lanes), misalignment(buffers.front())),
                      b.index(lanes));
      begin = b.min(begin, total);
      Value streams = decideStreaming(
          schedule, b.rem(b.sub(b.index(lanes), begin), b.index(lanes)));
      Value end = b.add(begin, b.alignDown(b.sub(total, begin), lanes));
      Value stride = b.index(lanes);
      auto emitMasked = [&](Value position) {
        tiles.emit(b, Tile{position, stride, 1, stride, total});
      };
      if (!IndexBuilder::is(begin, 0))
        b.loop(b.index(0), begin, lanes, [&](Value position) {
          tiles.emit(b, Tile{position, stride, 1, stride, begin});
        });
      Value vectors = b.div(b.sub(end, begin), b.index(lanes));
      sums.emitChunks(
          vectors, pieces(), total, {},
          [&](Value first, Value last, ArrayRef<Value>) {
            b.loop(b.add(begin, b.mul(first, stride)),
                   b.add(begin, b.mul(last, stride)), lanes,
                   [&](Value position) {
                     if (schedule.prefetchDistance)
                       emitPrefetch(
                           b.add(position, b.index(schedule.prefetchDistance)));
                     emitWholeTile(Tile{position, stride, 1, Value(), Value()},
                                   streams, [](ArrayRef<Value>) {});
                   });
            emitFence(streams);
          });
      b.loop(end, total, lanes, emitMasked);
    });
  }

  /// The chunks of an op without sums, for threads to share. With sums, the
  /// order of sums says how many there are; this is about the same.
  Value pieces() {
    Value bound = b.min(b.div(total, b.index(sumorder::kChunkElements)),
                        b.index(sumorder::kMaxChunks));
    return b.max(bound, b.index(1));
  }

  /// Chooses between columns and runs, at run time where it must.
  void emitByInnerSize() {
    Value isRun = b.compare(arith::CmpIPredicate::sge, inner,
                            b.index(sumorder::kRunThreshold));
    b.branch(isRun, [&](bool run) {
      scratch.scope([&] { run ? emitRuns() : emitColumns(); });
    });
  }

  //===--- Columns --------------------------------------------------------===//

  /// A channel operand as a buffer of `columns` values, and whether that may
  /// be read in whole vectors.
  struct ColumnOperand {
    unsigned operand;
    Value buffer;
    bool isPadded;
  };

  /// The table of rows that the elements form, and how it is taken.
  struct Table {
    Value columns;
    /// Elements of a block of rows.
    Value blockSize;
    SmallVector<ColumnOperand> operands;
    SumEmitter::Pending pending;
    /// Whether results are streamed; null for never.
    Value streams;
    /// The columns that the panels of a whole block cover: whole vectors.
    Value coveredColumns;
    /// The width of the panels, at least a vector; the last may be narrower.
    Value panelColumns;
    bool prefetches;
    /// Where rows are not whole vectors: how many elements behind an aligned
    /// address each row of a block starts, for even and odd blocks. Empty
    /// otherwise, and where that is not known.
    SmallVector<SmallVector<int64_t>> shifts;
    const TileSchedule *schedule;

    int64_t numGroups() const { return sumorder::kBlockRows / schedule->rows; }
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
      Value size = b.alignUp(columns, lanes);
      operands.push_back({i, scratch.allocate(size, type), /*isPadded=*/true});
    });
    if (isInOrder || operands.empty())
      return operands;
    b.loop(b.index(0), numCopies, 1, [&](Value copy) {
      b.loop(b.index(0), channels, 1, [&](Value channel) {
        Value first = b.mul(b.add(b.mul(copy, channels), channel), inner);
        SmallVector<Value> values;
        for (const ColumnOperand &operand : operands)
          values.push_back(memref::LoadOp::create(b, flat[operand.operand],
                                                  ValueRange{channel}));
        b.loop(b.index(0), inner, 1, [&](Value i) {
          for (auto [operand, value] : llvm::zip_equal(operands, values))
            memref::StoreOp::create(b, value, operand.buffer,
                                    ValueRange{b.add(first, i)});
        });
      });
    });
    return operands;
  }

  /// Loads the vectors of the channels from `column` on, only those lanes
  /// before `columnLimit` if there is one.
  void loadColumns(ArrayRef<ColumnOperand> operands, Value column,
                   Value columnLimit) {
    for (const ColumnOperand &operand : operands) {
      VectorType type = vectorType(
          cast<MemRefType>(operand.buffer.getType()).getElementType());
      if (!columnLimit || operand.isPadded) {
        tiles.setVector(operand.operand,
                        vector::LoadOp::create(b, type, operand.buffer,
                                               ValueRange{column}));
        continue;
      }
      Value mask = vector::CreateMaskOp::create(b, vectorType(b.getI1Type()),
                                                columnLimit);
      Value nothing = arith::ConstantOp::create(b, b.getZeroAttr(type));
      tiles.setVector(operand.operand,
                      vector::MaskedLoadOp::create(b, type, operand.buffer,
                                                   column, mask, nothing));
    }
  }

  void emitColumns() {
    using namespace sumorder;
    Value width = b.mul(channels, inner);
    Value numCopies = copies(b, width);
    Value columns = b.max(b.mul(numCopies, width), b.index(1));
    Table table;
    table.columns = columns;
    table.blockSize = b.mul(columns, b.index(kBlockRows));
    table.operands = spreadChannels(numCopies, columns);
    Value blocks = b.ceilDiv(b.ceilDiv(total, columns), b.index(kBlockRows));
    SmallVector<Value> totals = sums.allocate(columns);

    auto emitChunks = [&](const TileSchedule &chosen) {
      scratch.scope([&] {
        schedule(table, chosen);
        sums.emitChunks(blocks,
                        sums.isNone() ? pieces() : chunks(b, total, columns),
                        columns, totals,
                        [&](Value first, Value last, ArrayRef<Value> buffers) {
                          scratch.scope([&] {
                            allocatePending(table);
                            b.loop(first, last, 1, [&](Value block) {
                              emitBlock(table, block, buffers);
                            });
                            emitFence(table.streams);
                          });
                        });
      });
    };
    b.branch(isLarge, [&](bool large) {
      if (large)
        return emitChunks(plan.large);
      // In the caches work counts. What is true of no channel is left out, in
      // a copy of the nest where that is all there is.
      if (!plan.channelCondition || !IndexBuilder::is(isLarge, 0))
        return emitChunks(plan.resident);
      b.branch(emitAnyChannel(plan.channelCondition), [&](bool holds) {
        tiles.assumeFalse(holds ? Value() : plan.channelCondition);
        emitChunks(plan.resident);
        tiles.assumeFalse(Value());
      });
    });
    sums.emitResults(totals, {channels, numCopies, width, inner}, flatOuts());
  }

  /// Whether `condition` of the body, which depends on the channel alone, holds
  /// for any channel, an i1.
  Value emitAnyChannel(Value condition) {
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    options.filter = [&](Operation *op) {
      return op->getBlock() == plan.op.getBody();
    };
    (void)getBackwardSlice(condition, &slice, options);
    auto loop =
        scf::ForOp::create(b, b.index(0), channels, b.index(1),
                           ValueRange{arith::ConstantIntOp::create(b, 0, 1)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    IRMapping mapping;
    for (auto [index, argument] :
         llvm::enumerate(plan.op.getBody()->getArguments())) {
      Value operand = plan.op->getOperand(index);
      if (plan.accesses[index] == Access::Channel)
        mapping.map(argument, Value(memref::LoadOp::create(
                                  b, flat[index], loop.getInductionVar())));
      else if (plan.accesses[index] == Access::Scalar)
        mapping.map(argument, isa<MemRefType>(operand.getType())
                                  ? Value(memref::LoadOp::create(b, operand,
                                                                 ValueRange()))
                                  : operand);
    }
    for (Operation *op : slice)
      b.clone(*op, mapping);
    scf::YieldOp::create(
        b, ValueRange{arith::OrIOp::create(b, loop.getRegionIterArgs().front(),
                                           mapping.lookup(condition))});
    return loop.getResult(0);
  }

  void schedule(Table &table, const TileSchedule &schedule) {
    table.schedule = &schedule;
    std::optional<int64_t> columns = IndexBuilder::constant(table.columns);
    table.streams = decideStreaming(schedule, b.index(0));
    table.shifts.clear();
    // LLVM would carry narrow floats through the shifts as f32, and call a
    // library to come back.
    bool canShift = llvm::all_of(results(), [](Value buffer) {
      return getElementTypeOrSelf(buffer.getType()).getIntOrFloatBitWidth() >=
             32;
    });
    if (table.streams && columns && *columns % lanes != 0 && !canShift)
      table.streams = Value();
    else if (table.streams && columns && *columns % lanes != 0)
      computeShifts(table, *columns);
    else if (table.streams)
      // Sizes known at run time only are not worth a nest for shifted rows.
      table.streams = b.createOrFold<arith::AndIOp>(
          table.streams,
          b.compare(arith::CmpIPredicate::eq,
                    b.rem(table.columns, b.index(lanes)), b.index(0)));

    table.coveredColumns = b.alignDown(table.columns, lanes);
    Value vectors = b.div(table.coveredColumns, b.index(lanes));
    Value panel = b.max(vectors, b.index(1));
    if (schedule.maxWholeColumns) {
      // Each panel of shifted rows leaves two lines to masked stores.
      int64_t most = table.shifts.empty() ? schedule.maxPanelVectors
                                          : 2 * schedule.maxPanelVectors;
      Value isWhole = b.compare(arith::CmpIPredicate::ule, table.columns,
                                b.index(schedule.maxWholeColumns));
      panel = b.select(isWhole, panel, panelVectors(vectors, most));
    }
    table.panelColumns = b.mul(panel, b.index(lanes));
    table.prefetches = schedule.prefetchDistance &&
                       (!columns || *columns > schedule.maxUnprefetchedColumns);
    table.pending = sums.allocatePending(table.panelColumns, table.numGroups());
  }

  /// Allocates what a chunk needs for sums that wait. A static size, which is
  /// no heap allocation, bounds one that is known at run time only.
  void allocatePending(Table &table) {
    Value columns = table.panelColumns;
    if (!IndexBuilder::constant(columns) && table.schedule->maxWholeColumns)
      columns = b.index(
          llvm::alignTo(std::max(table.schedule->maxWholeColumns,
                                 table.schedule->maxPanelVectors * lanes),
                        lanes));
    table.pending = sums.allocatePending(columns, table.numGroups());
  }

  void computeShifts(Table &table, int64_t columns) {
    int64_t blockSize = columns * sumorder::kBlockRows;
    for (int64_t start = 0; table.shifts.empty() || start % lanes != 0;
         start += blockSize) {
      SmallVector<int64_t> &block = table.shifts.emplace_back();
      for (int64_t row = 0; row < sumorder::kBlockRows; ++row)
        block.push_back((start + row * columns) % lanes);
    }
  }

  /// The vectors of a panel for rows of `vectors`: at most `most`, and so many
  /// that the last panel is about as wide as the others.
  Value panelVectors(Value vectors, int64_t most) {
    Value best = b.index(most), bestMissing;
    for (int64_t width = most; width > most / 2; --width) {
      Value missing = b.sub(b.alignUp(vectors, width), vectors);
      if (!bestMissing) {
        bestMissing = missing;
        continue;
      }
      Value isBetter =
          b.compare(arith::CmpIPredicate::ult, missing, bestMissing);
      best = b.select(isBetter, b.index(width), best);
      bestMissing = b.min(missing, bestMissing);
    }
    return best;
  }

  void emitBlock(Table &table, Value block, ArrayRef<Value> buffers) {
    Value start = b.mul(block, table.blockSize);
    Value isWhole = b.compare(arith::CmpIPredicate::sle,
                              b.add(start, table.blockSize), total);
    if (IndexBuilder::is(b.rem(total, table.blockSize), 0))
      isWhole = arith::ConstantIntOp::create(b, 1, 1);
    Value end = b.select(isWhole, table.coveredColumns, b.index(0));
    b.loop(b.index(0), end, table.panelColumns, [&](Value panel) {
      emitPanel(
          table,
          {block, start, panel, b.min(b.add(panel, table.panelColumns), end)},
          buffers);
    });
    // What the block lacks of whole rows or whole vectors, masked.
    b.loop(end, table.columns, lanes, [&](Value column) {
      Value limit = b.sub(table.columns, column);
      loadColumns(table.operands, column, limit);
      sums.accumulate(tiles.emit(b, Tile{b.add(start, column), table.columns,
                                         lastRows(table), limit, total}),
                      buffers, column);
    });
  }

  /// The rows of a masked tile: those of the last block where that is all
  /// there is and their number is known, rounded up so that they pair.
  int64_t lastRows(Table &table) {
    std::optional<int64_t> columns = IndexBuilder::constant(table.columns);
    std::optional<int64_t> elements = IndexBuilder::constant(total);
    if (!columns || !elements || *columns % lanes != 0)
      return sumorder::kBlockRows;
    int64_t last = *elements % (*columns * sumorder::kBlockRows);
    int64_t rows = llvm::divideCeil(last, *columns);
    return std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(rows, 1)),
                             sumorder::kBlockRows);
  }

  /// The columns [begin, end) of a whole block, whose elements begin at
  /// `start`.
  struct Panel {
    Value block, start;
    Value begin, end;
  };

  void emitPanel(Table &table, const Panel &panel, ArrayRef<Value> buffers) {
    auto emitGroups = [&](ArrayRef<int64_t> shifts) {
      int64_t rows = table.schedule->rows;
      for (int64_t number = 0; number < table.numGroups(); ++number) {
        Value position =
            b.add(panel.start, b.mul(table.columns, b.index(number * rows)));
        Group group{number, position, panel};
        if (shifts.empty())
          emitGroup(table, group, buffers);
        else
          emitShiftedGroup(table, group, shifts.slice(number * rows, rows),
                           buffers);
      }
    };
    if (table.shifts.empty())
      return emitGroups({});
    b.branch(table.streams, [&](bool streams) {
      if (!streams)
        return emitGroups({});
      if (table.shifts.size() == 1)
        return emitGroups(table.shifts.front());
      assert(table.shifts.size() == 2 && "blocks of eight rows");
      Value isEven = b.compare(arith::CmpIPredicate::eq,
                               b.rem(panel.block, b.index(2)), b.index(0));
      b.branch(isEven,
               [&](bool even) { emitGroups(table.shifts[even ? 0 : 1]); });
    });
  }

  /// The rows of a block that form a tile, in the columns of a panel.
  struct Group {
    int64_t number;
    /// Where the first row starts.
    Value position;
    Panel panel;
  };

  void emitGroup(Table &table, const Group &group, ArrayRef<Value> buffers) {
    std::optional<PrefetchGroup> ahead = findPrefetchGroup(table, group);
    // Shifted stores are another nest, with plain stores for this one.
    Value streams = table.shifts.empty() ? table.streams : Value();
    b.loop(group.panel.begin, group.panel.end, lanes, [&](Value column) {
      emitPrefetches(table, ahead, group, column);
      loadColumns(table.operands, column, Value());
      emitWholeTile(Tile{b.add(group.position, column), table.columns,
                         table.schedule->rows, Value(), Value()},
                    streams, [&](ArrayRef<Value> addends) {
                      mergeGroup(table, group, addends, column, buffers);
                    });
    });
    emitLastPrefetches(table, ahead, group);
  }

  void mergeGroup(Table &table, const Group &group, ArrayRef<Value> addends,
                  Value column, ArrayRef<Value> buffers) {
    sums.mergeGroup(addends, group.number, table.numGroups(), table.pending,
                    b.sub(column, group.panel.begin), buffers, column);
  }

  /// As `emitGroup`, where row `i` starts `shifts[i]` elements behind an
  /// aligned address. What is stored there is the end of one vector of results
  /// and the beginning of the next; what is left at both ends of the panel is
  /// stored with masks.
  void emitShiftedGroup(Table &table, const Group &group,
                        ArrayRef<int64_t> shifts, ArrayRef<Value> buffers) {
    std::optional<PrefetchGroup> ahead = findPrefetchGroup(table, group);
    // The last vectors of results, by row and result.
    using Vectors = SmallVector<Value>;
    auto emitTile = [&](Value column, ArrayRef<Value> before) {
      Vectors vectors;
      emitPrefetches(table, ahead, group, column);
      loadColumns(table.operands, column, Value());
      Value position = b.add(group.position, column);
      Tile tile{position, table.columns, table.schedule->rows, Value(),
                Value()};
      auto takeResult = [&](int64_t row, unsigned operand, Value vector) {
        Value previous = before.empty() ? Value() : before[vectors.size()];
        vectors.push_back(vector);
        Value rowPosition = b.add(position, b.mul(table.columns, b.index(row)));
        emitShiftedStore(flat[operand], rowPosition, shifts[row], previous,
                         vector);
      };
      tile.takeResult = takeResult;
      mergeGroup(table, group, tiles.emit(b, tile), column, buffers);
      return vectors;
    };

    Vectors first = emitTile(group.panel.begin, {});
    auto columns =
        scf::ForOp::create(b, b.add(group.panel.begin, b.index(lanes)),
                           group.panel.end, b.index(lanes), first);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(columns.getBody());
      Vectors vectors = emitTile(columns.getInductionVar(),
                                 Vectors(columns.getRegionIterArgs()));
      scf::YieldOp::create(b, vectors);
    }
    unsigned index = 0;
    SmallVector<Value> buffersOfResults = results();
    for (int64_t row = 0; row < table.schedule->rows; ++row)
      for (Value buffer : buffersOfResults) {
        Value end = b.add(b.add(group.position, group.panel.end),
                          b.mul(table.columns, b.index(row)));
        emitShiftedStore(buffer, end, shifts[row], columns.getResult(index++),
                         Value());
      }
    emitLastPrefetches(table, ahead, group);
  }

  /// Stores the vector at the aligned address at or before `position`, which
  /// is `shift` elements behind it: the last elements of `previous`, and the
  /// first of `vector`. Either may be missing.
  void emitShiftedStore(Value buffer, Value position, int64_t shift,
                        Value previous, Value vector) {
    if (shift == 0) {
      if (vector)
        TileEmitter::emitStore(b, vector, buffer, position, /*streams=*/true);
      return;
    }
    Value aligned = b.sub(position, b.index(shift));
    auto order =
        llvm::to_vector(llvm::seq<int64_t>(lanes - shift, 2 * lanes - shift));
    Value known = previous ? previous : vector;
    Value shifted =
        vector::ShuffleOp::create(b, known, vector ? vector : known, order);
    if (previous && vector)
      return TileEmitter::emitStore(b, shifted, buffer, aligned,
                                    /*streams=*/true);
    SmallVector<bool> isStored;
    for (int64_t lane = 0; lane < lanes; ++lane)
      isStored.push_back((lane < shift) == static_cast<bool>(previous));
    Value mask = arith::ConstantOp::create(
        b, DenseElementsAttr::get(vectorType(b.getI1Type()), isStored));
    vector::MaskedStoreOp::create(b, buffer, aligned, mask, shifted);
  }

  /// A group of rows that is prefetched: where it starts, and how many columns
  /// of it there are.
  struct PrefetchGroup {
    Value position, width;
  };

  /// The group that is taken the prefetch distance after `group`.
  std::optional<PrefetchGroup> findPrefetchGroup(Table &table,
                                                 const Group &group) {
    if (!table.prefetches)
      return std::nullopt;
    int64_t rows = table.schedule->rows;
    Value width = table.panelColumns;
    Value target = b.add(b.index(group.number),
                         b.ceilDiv(b.index(table.schedule->prefetchDistance),
                                   b.mul(width, b.index(rows))));
    Value numGroups = b.index(table.numGroups());
    Value numPanels = b.max(b.ceilDiv(table.coveredColumns, width), b.index(1));
    // Panels are counted from the first of this block on.
    Value panel =
        b.add(b.div(group.panel.begin, width), b.div(target, numGroups));
    Value column = b.mul(b.rem(panel, numPanels), width);
    Value row = b.mul(b.rem(target, numGroups), b.index(rows));
    Value start = b.add(group.panel.start,
                        b.mul(b.div(panel, numPanels), table.blockSize));
    return PrefetchGroup{b.add(b.add(start, b.mul(row, table.columns)), column),
                         b.min(width, b.sub(table.coveredColumns, column))};
  }

  /// Asks for as many lines as the tile at `column` has rows.
  void emitPrefetches(Table &table, const std::optional<PrefetchGroup> &ahead,
                      const Group &group, Value column) {
    int64_t rows = table.schedule->rows;
    Value first = b.mul(b.sub(column, group.panel.begin), b.index(rows));
    for (int64_t line = 0; ahead && line < rows; ++line)
      emitPrefetch(table, *ahead, b.add(first, b.index(line * lanes)));
  }

  /// Asks for what is left where a panel is narrower than the one ahead. One
  /// line in thirty that is not asked for costs half of the speed.
  void emitLastPrefetches(Table &table,
                          const std::optional<PrefetchGroup> &ahead,
                          const Group &group) {
    if (!ahead)
      return;
    Value rows = b.index(table.schedule->rows);
    b.loop(b.mul(b.sub(group.panel.end, group.panel.begin), rows),
           b.mul(ahead->width, rows), lanes,
           [&](Value offset) { emitPrefetch(table, *ahead, offset); });
    // Vectors that are not aligned reach into one line more.
    if (IndexBuilder::is(b.rem(table.columns, b.index(lanes)), 0))
      return;
    for (int64_t row = 0; row < table.schedule->rows; ++row) {
      Value begin = b.add(ahead->position, b.mul(table.columns, b.index(row)));
      Value end = b.add(begin, ahead->width);
      emitPrefetch(end);
      emitWritePrefetch(begin);
      emitWritePrefetch(end);
    }
  }

  /// Asks for the line at `offset` of a group, whose elements are counted row
  /// by row. In that order, the memory's, prefetching is up to 1.3 times as
  /// fast as in the order of tiles.
  void emitPrefetch(Table &table, const PrefetchGroup &ahead, Value offset) {
    Value gap = b.sub(table.columns, ahead.width);
    Value position = b.add(ahead.position, offset);
    for (int64_t row = 1; row < table.schedule->rows; ++row) {
      if (IndexBuilder::is(gap, 0))
        break;
      Value isBehind = b.compare(arith::CmpIPredicate::uge, offset,
                                 b.mul(ahead.width, b.index(row)));
      position = b.add(position, b.select(isBehind, gap, b.index(0)));
    }
    emitPrefetch(position);
  }

  //===--- Runs -----------------------------------------------------------===//

  void emitRuns() {
    using namespace sumorder;
    // Vectors wider than a row would cross into the next row's columns.
    assert(lanes <= kRowLanes && "vector wider than a row of the contract");
    Value rowLanes = b.index(kRowLanes);
    Value columns = b.max(b.mul(channels, rowLanes), rowLanes);
    SmallVector<Value> totals = sums.allocate(columns);
    Value numChunks = b.max(
        b.min(sums.isNone() ? pieces() : chunks(b, total, columns), outer),
        b.index(1));

    b.branch(isLarge, [&](bool large) {
      scratch.scope([&] {
        const TileSchedule &schedule = large ? plan.large : plan.resident;
        // Whether each run starts at an aligned address.
        Value streams = decideStreaming(schedule, b.index(0));
        if (streams)
          streams = b.createOrFold<arith::AndIOp>(
              streams, b.compare(arith::CmpIPredicate::eq,
                                 b.rem(inner, b.index(lanes)), b.index(0)));
        sums.emitChunks(outer, numChunks, columns, totals,
                        [&](Value first, Value last, ArrayRef<Value> buffers) {
                          b.loop(first, last, 1, [&](Value run) {
                            b.loop(b.index(0), channels, 1, [&](Value channel) {
                              emitRun(streams, run, channel, buffers);
                            });
                          });
                          if (streams)
                            emitFence(arith::ConstantIntOp::create(b, 1, 1));
                        });
      });
    });
    sums.emitResults(totals, {channels, b.index(1), b.index(0), rowLanes},
                     flatOuts());
  }

  /// The elements of one channel that lie together.
  struct Run {
    Value begin, end;
    /// Of the channel's sums.
    Value firstColumn;
  };

  void emitRun(Value streams, Value number, Value channel,
               ArrayRef<Value> buffers) {
    broadcastChannel(channel);
    Value begin = b.mul(b.add(b.mul(number, channels), channel), inner);
    Run run{begin, b.add(begin, inner),
            b.mul(channel, b.index(sumorder::kRowLanes))};
    if (!streams)
      return emitRunTogether(run, /*streams=*/false, buffers);
    b.branch(streams, [&](bool isAligned) {
      // Results that start at different addresses are aligned at none.
      if (isAligned || results().size() > 1)
        emitRunTogether(run, isAligned, buffers);
      else
        emitRunApart(run, buffers);
    });
  }

  static constexpr int64_t kRunBlock =
      sumorder::kRowLanes * sumorder::kBlockRows;

  /// Emits `body(position, lane)` for each vector of columns of each block of
  /// [begin, end).
  void forEachRunBlock(Value begin, Value end,
                       llvm::function_ref<void(Value, Value)> body) {
    b.loop(begin, end, kRunBlock, [&](Value block) {
      b.loop(b.index(0), b.index(sumorder::kRowLanes), lanes,
             [&](Value lane) { body(b.add(block, lane), lane); });
    });
  }

  void emitRunTile(const Run &run, const Tile &tile, Value lane,
                   ArrayRef<Value> buffers) {
    sums.accumulate(tiles.emit(b, tile), buffers, b.add(run.firstColumn, lane));
  }

  Tile runTile(Value position) {
    return Tile{position, b.index(sumorder::kRowLanes), sumorder::kBlockRows,
                Value(), Value()};
  }
  Tile maskedRunTile(const Run &run, Value position) {
    return Tile{position, b.index(sumorder::kRowLanes), sumorder::kBlockRows,
                b.index(lanes), run.end};
  }

  /// Sums and results at once, block by block.
  void emitRunTogether(const Run &run, bool streams, ArrayRef<Value> buffers) {
    Value wholeEnd = b.add(run.begin, b.alignDown(inner, kRunBlock));
    forEachRunBlock(run.begin, wholeEnd, [&](Value position, Value lane) {
      Tile tile = runTile(position);
      tile.streams = streams;
      emitRunTile(run, tile, lane, buffers);
    });
    forEachRunBlock(wholeEnd, run.end, [&](Value position, Value lane) {
      emitRunTile(run, maskedRunTile(run, position), lane, buffers);
    });
  }

  /// Sums block by block as above, and behind them results at the aligned
  /// addresses, where they can be streamed. Both read the same lines. No result
  /// is stored before the sums have seen its element: its buffer may be theirs.
  void emitRunApart(const Run &run, ArrayRef<Value> buffers) {
    Value stride = b.index(lanes);
    auto dropResult = [](int64_t, unsigned, Value) {};
    auto emitResults = [&](Value begin, Value end) {
      b.loop(begin, end, lanes, [&](Value position) {
        Tile tile{position, stride, 1, Value(), Value()};
        tile.streams = true;
        tiles.emit(b, tile);
      });
    };
    auto emitMaskedResults = [&](Value begin, Value end) {
      b.loop(begin, end, lanes, [&](Value position) {
        tiles.emit(b, Tile{position, stride, 1, stride, end});
      });
    };
    Value behind =
        b.rem(b.add(run.begin, misalignment(results().front())), stride);
    Value head = b.rem(b.sub(stride, behind), stride);
    Value first = b.min(b.add(run.begin, head), run.end);
    Value wholeEnd = b.add(run.begin, b.alignDown(inner, kRunBlock));
    // The end of the whole vectors from `first` on that end by `position`.
    auto wholeVectors = [&](Value position) {
      Value size = b.sub(b.max(position, first), first);
      return b.add(first, b.alignDown(size, lanes));
    };
    Value last = wholeVectors(run.end);

    b.loop(run.begin, wholeEnd, kRunBlock, [&](Value block) {
      Value next = b.add(block, b.index(kRunBlock));
      forEachRunBlock(block, next, [&](Value position, Value lane) {
        Tile tile = runTile(position);
        tile.takeResult = dropResult;
        emitRunTile(run, tile, lane, buffers);
      });
      emitResults(wholeVectors(block), wholeVectors(next));
    });
    forEachRunBlock(wholeEnd, run.end, [&](Value position, Value lane) {
      Tile tile = maskedRunTile(run, position);
      tile.takeResult = dropResult;
      emitRunTile(run, tile, lane, buffers);
    });
    emitMaskedResults(run.begin, first);
    emitResults(wholeVectors(wholeEnd), last);
    emitMaskedResults(last, run.end);
  }

  void broadcastChannel(Value channel) {
    forEachChannelInput([&](unsigned i) {
      Value scalar = memref::LoadOp::create(b, flat[i], ValueRange{channel});
      tiles.setVector(i, vector::BroadcastOp::create(
                             b, vectorType(scalar.getType()), scalar));
    });
  }

  /// Into the second-level cache: in the first, lines would be gone before
  /// their turn.
  static constexpr unsigned kPrefetchLocality = 2;
  static constexpr unsigned kWritePrefetchLocality = 3;

  StreamPlan &plan;
  IndexBuilder b;
  Scratch scratch;
  SumEmitter sums;
  SmallVector<Value> flat;
  TileEmitter tiles;
  int64_t lanes;
  Value outer, channels, inner, total;
  /// Whether the operands outgrow the last-level cache, an i1.
  Value isLarge;
};

} // namespace

void fakequant::emitStream(OpBuilder &builder, StreamPlan &plan) {
  StreamEmitter(builder, plan).emit();
}
