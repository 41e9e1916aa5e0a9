#include "indexical/cost/launch/launch_sizes.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/ops/algorithms/sort.h"
#include "indexical/ops/indexed/scatter.h"
#include "indexical/ops/movement/concatenate.h"
#include "indexical/ops/movement/pad.h"
#include "indexical/ops/movement/transpose.h"
#include "indexical/ops/products/dot.h"
#include "indexical/ops/reduction/reduce.h"
#include "indexical/ops/reduction/reduce_window.h"

namespace indexical {
namespace {

// gpu_emitters: warps of a block, elements of a thread.
constexpr int64_t kWarps = 4, kUnroll = 4, kMostUnroll = 32, kPadUnroll = 8;
constexpr int64_t kMostOperands = 10, kMostWindow = 8;
constexpr int64_t kMostBlocksX = (int64_t{1} << 31) - 1;
constexpr int64_t kMostAmdThreads = (int64_t{1} << 32) - 1;

int64_t powerOfTwoBelow(int64_t value) {
  return value < 1 ? 1 : static_cast<int64_t>(llvm::bit_floor<uint64_t>(value));
}

bool isBlackwell(const Device &device) {
  return device.vendor == Vendor::Nvidia && device.vectorBytes > 16;
}

}  // namespace

Grid splitGrid(int64_t blocks, int64_t threads, const Device &device) {
  Grid grid;
  grid.threads[0] = threads;
  int64_t most = kMostBlocksX;
  if (device.vendor == Vendor::Amd)
    most = std::min(most, kMostAmdThreads / threads);
  int64_t y = 1;
  while (ceilDiv(blocks, y) > most) y *= 2;
  grid.blocks = {ceilDiv(blocks, y), y, 1};
  return grid;
}

Grid standardGrid(int64_t elements, int64_t unroll, const Device &device) {
  if (elements <= 1) return splitGrid(1, 1, device);
  const int64_t tasks = ceilDiv(elements, unroll);
  const int64_t threads = std::min(kWarps * device.warp, tasks);
  return splitGrid(ceilDiv(tasks, threads), threads, device);
}

//===-- Unrolling ---------------------------------------------------------===//

namespace {

/// Whether vectors would not pay.
bool isKeptFromUnrolling(const FusionBody &body) {
  for (InstructionId i : body.instructions()) {
    const Op &op = body.at(i).op;
    if (op.is<SortOp>() || op.is<DotOp>()) return true;
    if (op.is<ConcatenateOp>() && shapesOf(op).operands.size() > kMostOperands)
      return true;
    if (op.is<ReduceOp>() && shapesOf(op).results.size() > 1) return true;
    if (const auto *reduce = op.as<ReduceWindowOp>()) {
      int64_t points = 1;
      for (const WindowDimension &d : reduce->window) points *= d.size;
      if (points > kMostWindow) return true;
    }
  }
  return false;
}

/// More elements a thread on devices with wider vectors.
int64_t blackwellUnroll(const FusionBody &body, int64_t vectorBits) {
  const ElementBits bits = elementBits(body);
  bool reduces = false, pads = false;
  int64_t widest = 8, leastMinor = INT64_MAX;
  for (InstructionId i : body.instructions()) {
    const Op &op = body.at(i).op;
    reduces |= op.is<ReduceOp>();
    pads |= op.is<PadOp>();
    if (op.is<TransposeOp>())
      leastMinor = std::min(leastMinor, minorOfTranspose(body.at(i)));
  }
  if (bits.out >= vectorBits / 4 || body.roots().size() > 1 || reduces)
    return kUnroll;
  for (const auto shapes : {body.operands(), body.results()})
    for (const ArrayShape &shape : shapes)
      widest = std::max(widest, bitsOf(shape.type));
  int64_t unroll = powerOfTwoBelow(std::min(kMostUnroll, vectorBits / widest));
  if (pads) unroll = std::min(unroll, kPadUnroll);
  while (unroll > kUnroll && leastMinor < unroll) unroll /= 2;
  return std::max(unroll, kPadUnroll);
}

}  // namespace

int64_t unrollOf(const FusionBody &body, const ArrayShape &shape,
                 const Device &device, UnrollFor kind) {
  const int64_t elements = *shape.elementCount();
  int64_t unroll = 1;
  if (elements >= device.cores * device.coreThreads &&
      !isKeptFromUnrolling(body)) {
    const int64_t most = kind == UnrollFor::Loop && isBlackwell(device)
                             ? blackwellUnroll(body, device.vectorBytes * 8)
                             : kUnroll;
    unroll = std::gcd(elements, most);
  }
  // A thread writes whole bytes.
  const int64_t bits = elementBits(body).out;
  return bits < 8 ? std::max(unroll, ceilDiv(8, bits)) : unroll;
}

//===-- Reductions --------------------------------------------------------===//

namespace {

constexpr int64_t kRowThreads = 1024, kRowTarget = 256, kElements = 16;
constexpr int64_t kColumnTile = 32, kColumnThreads = 1024, kSmallThreads = 128;
constexpr int64_t kMultiRowBits = 64, kMultiRowWideBits = 128;

int64_t reductionVector(int64_t minor, int64_t threads, bool isComplex,
                        int64_t bitsIn) {
  if (minor % 2 != 0 || 2 * threads > minor || isComplex || bitsIn >= 64)
    return 1;
  if (bitsIn >= 32 || 4 * threads > minor) return 2;
  return minor % 4 == 0 ? 4 : 2;
}

int64_t rowsOfBlock(int64_t rows, int64_t lanes) {
  return rows * lanes <= kRowTarget ? rows : kRowTarget / lanes;
}

/// Returns the sizes for several rows to a warp; nothing if a row does not fit.
std::optional<ReductionSizes> multiRow(const std::array<int64_t, 3> &sizes,
                                       const ElementBits &bits,
                                       const Device &device) {
  const int64_t b = sizes[1], c = sizes[2];
  if (c < 1 || !llvm::isPowerOf2_64(c)) return std::nullopt;
  const int64_t least = std::min(bits.in, bits.out);
  int64_t widest = bits.in == ElementBits::kNone ? bits.out
                   : bits.out == ElementBits::kNone
                       ? bits.in
                       : std::max(bits.in, bits.out);
  int64_t v = least == ElementBits::kNone
                  ? 1
                  : std::min(c, std::max<int64_t>(1, kMultiRowBits / least));
  if (widest != ElementBits::kNone && widest >= 32)
    v = std::min(v, std::max<int64_t>(1, kMultiRowWideBits / widest));
  auto fits = [&] { return c <= device.warp * v; };
  if (!fits()) return std::nullopt;
  auto blocks = [&] { return ceilDiv(b, rowsOfBlock(b, c / v)); };
  while (v > 1 && blocks() < device.cores) v /= 2;
  if (!fits()) return std::nullopt;
  ReductionSizes of;
  of.emitter = Emitter::MultiRowReduction;
  of.vector = v;
  of.lanes = c / v;
  of.rows = rowsOfBlock(b, of.lanes);
  of.grid = splitGrid(ceilDiv(b, of.rows), of.rows * of.lanes, device);
  return of;
}

ReductionSizes row(const std::array<int64_t, 3> &sizes, bool isComplex,
                   int64_t bitsIn, const Device &device) {
  const auto [a, b, c] = sizes;
  ReductionSizes of;
  of.lanes = std::min(
      kRowThreads, ceilDiv(ceilDiv(c, kElements), device.warp) * device.warp);
  of.rows = 2 * of.lanes > kRowTarget ? 1 : rowsOfBlock(b, of.lanes);
  of.vector = reductionVector(c, of.lanes, isComplex, bitsIn);
  const int64_t all = ceilDiv(ceilDiv(c, of.vector), of.lanes);
  of.steps = std::min(kElements / of.vector, all);
  of.isWhole = of.steps == all;
  of.grid = splitGrid(ceilDiv(b, of.rows), of.rows * of.lanes, device);
  return of;
}

ReductionSizes column(const std::array<int64_t, 3> &sizes, bool isComplex,
                      int64_t bitsIn, const Device &device) {
  const auto [a, b, c] = sizes;
  ReductionSizes of;
  of.emitter = Emitter::ColumnReduction;
  of.vector = reductionVector(c, kColumnTile, isComplex, bitsIn);
  of.parts = ceilDiv(c, kColumnTile * of.vector);
  of.partials = kColumnTile;
  of.steps = ceilDiv(b, kColumnTile);
  of.isWhole = b <= 128 * device.warp;
  of.grid = splitGrid(a * of.parts, kColumnThreads, device);
  return of;
}

ReductionSizes smallColumn(const std::array<int64_t, 3> &sizes, bool isComplex,
                           int64_t bitsIn, const Device &device) {
  const auto [a, b, c] = sizes;
  ReductionSizes of;
  of.emitter = Emitter::SmallColumnReduction;
  int64_t threads = kSmallThreads;
  int64_t v = reductionVector(b * c, kColumnTile, isComplex, bitsIn);
  int64_t q = v * threads / c;
  while (q > kColumnTile && v > 1) {
    v /= 2;
    q /= 2;
  }
  if (q > kColumnTile) {
    threads /= q / kColumnTile;
    q = kColumnTile;
  }
  of.vector = v;
  of.partials = q;
  of.steps = ceilDiv(b * c, v * threads);
  of.isWhole = b <= 128 * device.warp;
  of.grid = splitGrid(a, threads, device);
  return of;
}

}  // namespace

ReductionSizes reductionSizes(const FusionBody &body,
                              const EmitterChoice &choice,
                              const Device &device) {
  const auto &sizes = choice.reductions.front().sizes;
  const ElementBits bits = elementBits(body);
  bool isComplexHero = false;
  for (const TiledReduction &of : choice.reductions)
    for (const ArrayShape &shape :
         shapesOf(body.at(of.instruction).op).operands)
      isComplexHero |= isComplex(shape.type);
  if (!choice.reductions.front().isRow)
    return device.warp % sizes[2] == 0
               ? smallColumn(sizes, isComplexHero, bits.in, device)
               : column(sizes, isComplexHero, bits.in, device);
  if (auto several = multiRow(sizes, bits, device)) return *several;
  return row(sizes, isComplexHero, bits.in, device);
}

Emitter reductionEmitter(const FusionBody &body, const EmitterChoice &choice,
                         const Device &device) {
  return reductionSizes(body, choice, device).emitter;
}

//===-- Scatters ----------------------------------------------------------===//

namespace {

/// Elements, or indices, that a lane moves at once, in bits.
constexpr int64_t kScatterBits = 128;

/// Whether updates are [rows, slice] and indices [rows, places].
bool isByRows(const ScatterOp &op) {
  const size_t inputs = op.results.size();
  const ArrayShape &indices = op.operands[inputs];
  const ArrayShape &updates = op.operands[inputs + 1];
  if (!op.inputBatchingDims.empty() || indices.rank() != 2 ||
      op.indexVectorDim != 1 || updates.rank() < 1 ||
      op.updateWindowDims.size() + 1 != updates.dimensions.size())
    return false;
  for (auto [k, dim] : llvm::enumerate(op.updateWindowDims))
    if (dim != static_cast<int64_t>(k) + 1) return false;
  return true;
}

/// Returns the size of a slice of the updates along a dimension of the operand.
int64_t sliceSize(const ScatterOp &op, const ArrayShape &updates,
                  int64_t dimension) {
  int64_t place = 1;  // behind the rows
  for (int64_t k = 0; k <= dimension; ++k) {
    const bool isInserted = llvm::is_contained(op.insertedWindowDims, k);
    if (k == dimension) return isInserted ? 1 : updates.dimensions[place];
    place += !isInserted;
  }
  return 1;
}

/// Rows of sorted indices that may be equal: a warp adds up those of its rows
/// that are, and writes once.
void goByIndices(const ScatterOp &op, const Device &device, ScatterSizes &of) {
  const size_t inputs = op.results.size();
  const ArrayShape &indices = op.operands[inputs];
  const ArrayShape &updates = op.operands[inputs + 1];
  of.emitter = Emitter::ScatterByIndices;
  auto atOnce = [](const ArrayShape &shape) {
    return std::max<int64_t>(1, kScatterBits / storedBits(shape));
  };
  of.vector = std::gcd(of.slice, atOnce(updates));
  while (of.vector > 1 && device.warp * of.vector > of.slice) of.vector /= 2;
  // The number of places that a slice can have.
  int64_t places = 1;
  for (int64_t k : op.scatterDimsToOperandDims)
    places = checkedMul(places, op.results[0].dimensions[k] -
                                    sliceSize(op, updates, k) + 1)
                 .value_or(INT64_MAX);
  of.rowsOfWarp = ceilDiv(of.rows, std::max(kWarps * device.cores, places));
  if (const int64_t most = atOnce(indices);
      of.places == 1 && of.rowsOfWarp > most) {
    of.rowsOfWarp = ceilDiv(of.rowsOfWarp, most) * most;
    of.indexVector = most;
  }
  of.grid.threads[0] = kWarps * device.warp;
  of.grid.blocks[0] = ceilDiv(of.rows, kWarps * of.rowsOfWarp);
}

}  // namespace

std::optional<ScatterSizes> scatterSizes(const FusionBody &body,
                                         InstructionId root,
                                         const Device &device,
                                         std::string &reason) {
  const auto &op = *body.at(root).op.as<ScatterOp>();
  if (!isByRows(op)) {
    reason =
        "XLA rewrites the scatter first: its updates are not [rows, slice]";
    return std::nullopt;
  }
  const size_t inputs = op.results.size();
  const ArrayShape &updates = op.operands[inputs + 1];
  if (updates.isEmpty()) {
    reason = updates.str() + " has no element";
    return std::nullopt;
  }
  ScatterSizes of;
  of.rows = updates.dimensions[0];
  of.places = op.operands[inputs].dimensions[1];
  for (int64_t size : llvm::drop_begin(updates.dimensions)) of.slice *= size;
  if (body.at(root).indicesAreSorted && !body.at(root).uniqueIndices &&
      of.rows > kWarps * device.cores) {
    goByIndices(op, device, of);
    return of;
  }
  of.vector =
      std::gcd(of.slice, unrollOf(body, updates, device, UnrollFor::Scatter));
  of.grid = standardGrid(*updates.elementCount(), of.vector, device);
  of.grid.threads[0] = ceilDiv(of.grid.threads[0], device.warp) * device.warp;
  return of;
}

Emitter scatterEmitter(const FusionBody &body, InstructionId root,
                       const Device &device, std::string &reason) {
  const auto sizes = scatterSizes(body, root, device, reason);
  return sizes ? sizes->emitter : Emitter::Scatter;
}

}  // namespace indexical
