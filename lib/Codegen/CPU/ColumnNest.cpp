//===- ColumnNest.cpp - A table of rows, one column a channel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamNest.h"
#include "SumOrder.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fakequant;

namespace {

class ColumnNest : StreamNest {
public:
  ColumnNest(IndexBuilder &b, StreamPlan &plan) : StreamNest(b, plan) {}

  void emit() {
    scratch.scope([&] { emitScoped(); });
  }

private:
  void emitScoped() {
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
      forEachStores(chosen, columns, [&](Stores stores, Value behind) {
        schedule(table, chosen, stores);
        table.misalignment = behind;
        if (table.stores == Stores::Behind)
          wrapChannels(table);
        sums.emitChunks(
            blocks, sums.isNone() ? pieces() : chunks(b, total, columns),
            columns, totals,
            [&](Value first, Value last, ArrayRef<Value> buffers) {
              scratch.scope([&] { emitChunk(table, first, last, buffers); });
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
    TileSchedule schedule;
    /// The columns that the panels of a whole block cover: whole vectors.
    Value coveredColumns;
    /// The width of the panels, at least a vector; the last may be narrower.
    Value panelColumns;
    /// Whether a panel is all there is, an i1.
    Value isOnePanel;
    bool prefetches;
    Stores stores;
    /// For `Behind`, how many elements behind an aligned address the results
    /// start, and the operands with as many columns as a vector has before
    /// their first one and behind their last, as if rows went on.
    Value misalignment;
    SmallVector<ColumnOperand> wrapped;
    /// The whole blocks [firstBlock, lastBlock) of the chunk.
    Value firstBlock, lastBlock;

    int64_t numGroups() const { return sumorder::kBlockRows / schedule.rows; }
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
      if (plan.accesses[index] == Access::Channel)
        mapping.map(argument, Value(memref::LoadOp::create(
                                  b, flat[index], loop.getInductionVar())));
      else if (plan.accesses[index] == Access::Scalar &&
               index < static_cast<size_t>(plan.op.getNumDpsInputs()))
        mapping.map(argument, loadScalar(index));
    }
    for (Operation *op : slice)
      b.clone(*op, mapping);
    scf::YieldOp::create(
        b, ValueRange{arith::OrIOp::create(b, loop.getRegionIterArgs().front(),
                                           mapping.lookup(condition))});
    return loop.getResult(0);
  }

  void schedule(Table &table, const TileSchedule &schedule, Stores stores) {
    table.schedule = schedule;
    table.coveredColumns = b.alignDown(table.columns, lanes);
    Value vectors = b.div(table.coveredColumns, b.index(lanes));
    Value panel = b.max(vectors, b.index(1));
    if (schedule.maxWholeColumns) {
      Value isWhole = b.compare(arith::CmpIPredicate::ule, table.columns,
                                b.index(schedule.maxWholeColumns));
      panel = b.select(isWhole, panel,
                       panelVectors(vectors, schedule.maxPanelVectors));
    }
    table.panelColumns = b.mul(panel, b.index(lanes));
    table.isOnePanel = b.compare(arith::CmpIPredicate::uge, table.panelColumns,
                                 table.coveredColumns);
    std::optional<int64_t> columns = IndexBuilder::constant(table.columns);
    bool isNarrow = columns && *columns <= schedule.maxUnprefetchedColumns;
    table.prefetches = schedule.prefetchDistance && !isNarrow;
    // A few vectors are not worth going back and forth for: measured, 1.4 to
    // 1.9 times a streaming triad, and 1.3 to 1.7 without.
    table.stores =
        isNarrow && stores == Stores::Behind ? Stores::Plain : stores;
  }

  /// Makes the operands of `Table::wrapped`.
  void wrapChannels(Table &table) {
    table.wrapped.clear();
    Value size = b.add(table.columns, b.index(2 * lanes));
    for (const ColumnOperand &operand : table.operands) {
      Type type = cast<MemRefType>(operand.buffer.getType()).getElementType();
      table.wrapped.push_back({operand.operand, scratch.allocate(size, type),
                               /*isPadded=*/true});
    }
    auto copy = [&](Value begin, Value end, Value offset) {
      b.loop(begin, end, 1, [&](Value column) {
        for (auto [from, to] : llvm::zip_equal(table.operands, table.wrapped))
          memref::StoreOp::create(
              b,
              memref::LoadOp::create(b, from.buffer, ValueRange{column})
                  .getResult(),
              to.buffer,
              ValueRange{b.sub(b.add(column, b.index(lanes)), offset)});
      });
    };
    // None where there are no rows.
    Value columns =
        b.select(b.equal(total, b.index(0)), b.index(0), table.columns);
    Value edge = b.min(columns, b.index(lanes));
    copy(b.sub(columns, edge), columns, table.columns);
    copy(b.index(0), columns, b.index(0));
    copy(b.index(0), edge, b.sub(b.index(0), table.columns));
  }

  void emitChunk(Table &table, Value first, Value last,
                 ArrayRef<Value> buffers) {
    allocatePending(table);
    table.firstBlock = first;
    table.lastBlock = b.min(last, b.div(total, table.blockSize));
    b.loop(first, last, 1,
           [&](Value block) { emitBlock(table, block, buffers); });
    if (table.stores != Stores::Plain)
      emitFence();
  }

  /// Allocates what a chunk needs for sums that wait. A static size, which is
  /// no heap allocation, bounds one that is known at run time only.
  void allocatePending(Table &table) {
    Value columns = table.panelColumns;
    if (!IndexBuilder::constant(columns) && table.schedule.maxWholeColumns)
      columns = b.index(
          llvm::alignTo(std::max(table.schedule.maxWholeColumns,
                                 table.schedule.maxPanelVectors * lanes),
                        lanes));
    table.pending = sums.allocatePending(columns, table.numGroups());
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
    auto emitPanels = [&](Value end) {
      b.loop(b.index(0), end, table.panelColumns, [&](Value panel) {
        emitPanel(
            table,
            {block, start, panel, b.min(b.add(panel, table.panelColumns), end)},
            buffers);
      });
    };
    // What the block lacks of whole rows or whole vectors.
    auto emitMasked = [&](Value begin, bool dropsResults) {
      b.loop(begin, table.columns, lanes, [&](Value column) {
        Value limit = b.sub(table.columns, column);
        loadColumns(table.operands, column, limit);
        Tile tile{b.add(start, column), table.columns, lastRows(table), limit,
                  total};
        tile.dropsResults = dropsResults;
        sums.accumulate(tiles.emit(b, tile), buffers, column);
      });
    };
    if (table.stores == Stores::Behind)
      // First the sums of the columns that no whole vector covers: vectors of
      // results have some of them.
      return b.branch(isWhole, [&](bool whole) {
        emitMasked(whole ? table.coveredColumns : b.index(0), whole);
        if (whole)
          emitPanels(table.coveredColumns);
      });
    Value end = b.select(isWhole, table.coveredColumns, b.index(0));
    emitPanels(end);
    emitMasked(end, /*dropsResults=*/false);
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

  /// The rows of a block that form a tile, in the columns of a panel.
  struct Group {
    int64_t number;
    /// Where the first row starts.
    Value position;
    Panel panel;
  };

  void emitPanel(Table &table, const Panel &panel, ArrayRef<Value> buffers) {
    Value rows = b.index(table.schedule.rows);
    auto positionOf = [&](Value number) {
      return b.add(panel.start, b.mul(table.columns, b.mul(number, rows)));
    };
    auto emitSums = [&](int64_t number) {
      emitGroup(table, {number, positionOf(b.index(number)), panel}, buffers);
    };
    if (table.stores != Stores::Behind) {
      for (int64_t number = 0; number < table.numGroups(); ++number)
        emitSums(number);
      return;
    }
    // What comes behind is the same for all groups: a loop saves half of the
    // time that LLVM takes.
    b.loop(b.index(0), b.index(table.numGroups()), 1, [&](Value number) {
      b.choose(number, table.numGroups(), emitSums);
      emitResultsBehind(table, panel, number, positionOf(number));
    });
  }

  void emitGroup(Table &table, const Group &group, ArrayRef<Value> buffers) {
    std::optional<PrefetchGroup> ahead = findPrefetchGroup(table, group);
    b.loop(group.panel.begin, group.panel.end, lanes, [&](Value column) {
      emitPrefetches(table, ahead, group, column);
      loadColumns(table.operands, column, Value());
      Tile tile{b.add(group.position, column), table.columns,
                table.schedule.rows, Value(), Value()};
      tile.streams = table.stores == Stores::Streamed;
      tile.dropsResults = table.stores == Stores::Behind;
      sums.mergeGroup(tiles.emit(b, tile), group.number, table.numGroups(),
                      table.pending, b.sub(column, group.panel.begin), buffers,
                      column);
    });
    emitLastPrefetches(table, ahead, group);
  }

  /// Stores the vectors of results at aligned addresses in the rows of group
  /// `number`, the first of which starts at `position`. One with elements of
  /// two panels, groups or blocks belongs to the one whose sums come later:
  /// results may be stored over operands. Chunks share no vector: what they
  /// have of it is stored with a mask.
  void emitResultsBehind(Table &table, const Panel &panel, Value number,
                         Value position) {
    Value zero = b.index(0), one = b.index(1), up = b.index(lanes - 1);
    Value rows = b.index(table.schedule.rows);
    Value end = b.add(position, b.mul(table.columns, rows));
    Value isLeft = b.equal(panel.begin, zero);
    Value isRight = b.equal(panel.end, table.coveredColumns);
    Value isTop = b.equal(number, zero);
    Value isBottom = b.equal(number, b.index(table.numGroups() - 1));
    Value isFirst = b.equal(panel.block, table.firstBlock);
    Value isLast = b.equal(b.add(panel.block, one), table.lastBlock);
    auto aligned = [&](Value position, Value slack) {
      return alignedDown(b.add(position, slack), table.misalignment);
    };

    b.onlyIf(b.both(b.both(isLeft, isTop), isFirst), [&] {
      Value size = b.sub(aligned(position, up), position);
      emitVectorBehind(table, position, zero, size);
    });
    // Between two groups of a block, the panel with the first columns of the
    // second is the earlier one, unless it is the same.
    Value between = b.select(table.isOnePanel, zero, up);
    Value topSlack = b.select(isTop, b.select(isFirst, up, zero), between);
    Value bottomSlack = b.select(isBottom, zero, between);
    if (IndexBuilder::is(table.isOnePanel, 1)) {
      Value first = aligned(position, topSlack);
      emitRowsBehind(table, first, b.sub(first, position),
                     aligned(end, bottomSlack));
    } else {
      b.loop(zero, rows, 1, [&](Value row) {
        Value start = b.add(position, b.mul(table.columns, row));
        Value firstSlack = b.select(b.equal(row, zero), topSlack, up);
        Value lastSlack =
            b.select(b.equal(b.add(row, one), rows), bottomSlack, up);
        Value last = b.select(isRight, table.columns, panel.end);
        b.loop(aligned(b.add(start, panel.begin),
                       b.select(isLeft, firstSlack, zero)),
               aligned(b.add(start, last), b.select(isRight, lastSlack, zero)),
               lanes, [&](Value position) {
                 emitVectorBehind(table, position, b.sub(position, start),
                                  Value());
               });
      });
    }
    b.onlyIf(b.both(b.both(isRight, isBottom), isLast), [&] {
      Value tail = aligned(end, zero);
      Value size = b.sub(end, tail);
      emitVectorBehind(table, tail, b.sub(table.columns, size), size);
    });
  }

  /// Stores the results at [position, end), whole vectors, which start in
  /// `column` and go on row by row.
  void emitRowsBehind(Table &table, Value position, Value column, Value end) {
    auto loop = scf::ForOp::create(b, position, end, b.index(lanes),
                                   ValueRange(column));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value current = loop.getRegionIterArgs().front();
    emitVectorBehind(table, loop.getInductionVar(), current, Value());
    Value next = b.add(current, b.index(lanes));
    Value isWithin = b.compare(arith::CmpIPredicate::slt, next, table.columns);
    scf::YieldOp::create(
        b, ValueRange(b.select(isWithin, next, b.sub(next, table.columns))));
  }

  /// Stores the results at `position`, which is in `column` or as far before
  /// the first one: `limit` of them, or a vector at an aligned address.
  void emitVectorBehind(Table &table, Value position, Value column,
                        Value limit) {
    loadColumns(table.wrapped, b.add(column, b.index(lanes)), Value());
    Tile tile{position, b.index(lanes), 1, limit, total};
    tile.streams = !limit;
    tiles.emit(b, tile);
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
    int64_t rows = table.schedule.rows;
    Value width = table.panelColumns;
    Value target = b.add(b.index(group.number),
                         b.ceilDiv(b.index(table.schedule.prefetchDistance),
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
    int64_t rows = table.schedule.rows;
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
    Value rows = b.index(table.schedule.rows);
    b.loop(b.mul(b.sub(group.panel.end, group.panel.begin), rows),
           b.mul(ahead->width, rows), lanes,
           [&](Value offset) { emitPrefetch(table, *ahead, offset); });
    // Vectors that are not aligned reach into one line more.
    if (IndexBuilder::is(b.rem(table.columns, b.index(lanes)), 0))
      return;
    for (int64_t row = 0; row < table.schedule.rows; ++row) {
      Value begin = b.add(ahead->position, b.mul(table.columns, b.index(row)));
      prefetchOperands(b.add(begin, ahead->width));
    }
  }

  /// Asks for the line at `offset` of a group, whose elements are counted row
  /// by row. In that order, the memory's, prefetching is up to 1.3 times as
  /// fast as in the order of tiles.
  void emitPrefetch(Table &table, const PrefetchGroup &ahead, Value offset) {
    Value gap = b.sub(table.columns, ahead.width);
    Value position = b.add(ahead.position, offset);
    for (int64_t row = 1; row < table.schedule.rows; ++row) {
      if (IndexBuilder::is(gap, 0))
        break;
      Value isBehind = b.compare(arith::CmpIPredicate::uge, offset,
                                 b.mul(ahead.width, b.index(row)));
      position = b.add(position, b.select(isBehind, gap, b.index(0)));
    }
    prefetchOperands(position);
  }
};

} // namespace

void fakequant::emitColumnNest(IndexBuilder &b, StreamPlan &plan) {
  ColumnNest(b, plan).emit();
}
