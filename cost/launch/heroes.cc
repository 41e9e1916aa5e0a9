#include "indexical/cost/launch/heroes.h"

#include <algorithm>
#include <set>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/launch/launch_map.h"
#include "indexical/ops/elementwise/elementwise.h"
#include "indexical/ops/movement/bitcast.h"
#include "indexical/ops/movement/concatenate.h"
#include "indexical/ops/movement/reshape.h"
#include "indexical/ops/movement/transpose.h"
#include "indexical/ops/reduction/reduce.h"

namespace indexical {
namespace {

/// The dimensions with more than one element, from the slowest to the fastest.
Sizes majorToMinor(const ArrayShape &shape) {
  Sizes order;
  for (int64_t k : slowestFirst(shape))
    if (shape.dimensions[k] != 1) order.push_back(k);
  return order;
}

bool isRowMajor(const ArrayShape &shape) {
  const Sizes order = majorToMinor(shape);
  return llvm::is_sorted(order);
}

/// Numbers of the groups of a reshape, dimension by dimension: `groups[k]` of
/// dimension k. Groups have equal products on both sides.
void groupsOf(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, Sizes &ofA,
              Sizes &ofB) {
  ofA.assign(a.size(), 0);
  ofB.assign(b.size(), 0);
  size_t i = 0, j = 0;
  for (int64_t group = 0; i < a.size() || j < b.size(); ++group) {
    int64_t x = 1, y = 1;
    do {
      if (x <= y && i < a.size()) {
        x *= a[i];
        ofA[i++] = group;
      } else if (j < b.size()) {
        y *= b[j];
        ofB[j++] = group;
      } else {
        x *= a[i];
        ofA[i++] = group;
      }
    } while (x != y && (i < a.size() || j < b.size()));
  }
}

/// Returns the groups in the order of memory, each once; nothing if the
/// dimensions of a group are apart, or not in row-major order.
std::optional<Sizes> groupOrder(const ArrayShape &shape,
                                llvm::ArrayRef<int64_t> groups) {
  Sizes order;
  int64_t last = -1;
  for (int64_t k : majorToMinor(shape)) {
    if (!order.empty() && order.back() == groups[k]) {
      if (k < last) return std::nullopt;
    } else if (llvm::is_contained(order, groups[k])) {
      return std::nullopt;
    } else {
      order.push_back(groups[k]);
    }
    last = k;
  }
  return order;
}

bool isReshapeBitcast(const ArrayShape &from, const ArrayShape &to) {
  if (isRowMajor(from) && isRowMajor(to)) return true;
  Sizes ofFrom, ofTo;
  groupsOf(from.dimensions, to.dimensions, ofFrom, ofTo);
  const auto a = groupOrder(from, ofFrom), b = groupOrder(to, ofTo);
  return a && b && *a == *b;
}

bool isTransposeBitcast(const TransposeOp &op) {
  Sizes moved;
  for (int64_t k : majorToMinor(op.results[0]))
    moved.push_back(op.permutation[k]);
  return moved == majorToMinor(op.operands[0]);
}

}  // namespace

ElementBits elementBits(const FusionBody &body) {
  ElementBits bits;
  for (const ArrayShape &shape : body.operands())
    if (!shape.isScalar()) bits.in = std::min(bits.in, bitsOf(shape.type));
  for (const ArrayShape &shape : body.results())
    if (!shape.isScalar()) bits.out = std::min(bits.out, bitsOf(shape.type));
  return bits;
}

bool isBitcastOf(const ArrayShape &a, const ArrayShape &b) {
  return a.dimensions == b.dimensions && a.minorToMajor() == b.minorToMajor();
}

bool liesAs(const ArrayShape &a, const ArrayShape &b) {
  auto inMemory = [](const ArrayShape &shape) {
    Sizes sizes;
    for (int64_t k : majorToMinor(shape)) sizes.push_back(shape.dimensions[k]);
    return sizes;
  };
  if (inMemory(a) == inMemory(b)) return true;
  return a.elementCount() == b.elementCount() && isReshapeBitcast(a, b);
}

bool keepsPlaces(const Instruction &instruction, int64_t mostOperands) {
  const Op &op = instruction.op;
  const OpShapes &shapes = shapesOf(op);
  const int64_t count = shapes.operands.size();
  if (count < 1 || count > mostOperands || shapes.results.size() != 1)
    return false;
  if (op.is<ElementwiseOp>()) {
    if (traitsOf(op).role != KernelRole::Maps) return false;
    return &op.kind() != kindOf<ElementwiseOp>("copy") ||
           isBitcastOf(shapes.operands[0], shapes.results[0]);
  }
  if (op.is<BitcastConvertOp>())
    return bitsOf(shapes.operands[0].type) == bitsOf(shapes.results[0].type);
  if (op.is<BitcastOp>()) return true;
  if (op.is<ReshapeOp>())
    return count == 1 &&
           isReshapeBitcast(shapes.operands[0], shapes.results[0]);
  if (const auto *transpose = op.as<TransposeOp>())
    return isTransposeBitcast(*transpose);
  return false;
}

//===-- Transposes --------------------------------------------------------===//

namespace {

// gpu_emitters: least sizes of the two dimensions that change places.
constexpr int64_t kLeastSide = 16, kLeastShortSide = 8, kLeastProduct = 8192;
// A minor dimension that stays: bits that it may have, and bits of a row.
constexpr int64_t kMostKeptBits = 64, kLeastRowBits = 128;

bool fitsPacking(const TiledTranspose &of);

bool paysWithMinorKept(const TiledTranspose &of) {
  const size_t rank = of.input.size();
  const int64_t kept = of.bits * of.output[rank - 1];
  return kept <= kMostKeptBits &&
         kept * std::min(of.input[rank - 2], of.output[rank - 2]) >=
             kLeastRowBits;
}

bool paysWithMinorMoved(const TiledTranspose &of) {
  if (of.bits == 4) return false;
  const int64_t n = of.input.back(), o = of.output.back();
  return (n >= kLeastSide && o >= kLeastSide) ||
         (n >= kLeastShortSide && o >= kLeastShortSide &&
          n * o >= kLeastProduct);
}

}  // namespace

namespace {

/// Returns the transpose without dimensions of size 1, and with neighbours that
/// stay side by side taken as one.
TiledTranspose normalized(const TransposeOp &op) {
  TiledTranspose of;
  of.bits = bitsOf(op.results[0].type);
  // Input dimensions of more than one element, in the order of the output; a
  // run of neighbours is one dimension.
  struct Neighbours {
    int64_t first, size;
  };
  llvm::SmallVector<Neighbours, 6> runs;
  int64_t last = -2;
  const auto &sizes = op.operands[0].dimensions;
  for (int64_t k : op.permutation) {
    if (sizes[k] == 1) continue;
    bool follows = last >= 0 && k > last;
    for (int64_t between = last + 1; follows && between < k; ++between)
      follows = sizes[between] == 1;
    if (follows)
      runs.back().size *= sizes[k];
    else
      runs.push_back({k, sizes[k]});
    last = k;
  }
  const size_t rank = runs.size();
  llvm::SmallVector<size_t, 6> inInput;
  for (size_t i = 0; i < rank; ++i) inInput.push_back(i);
  llvm::sort(inInput,
             [&](size_t a, size_t b) { return runs[a].first < runs[b].first; });
  of.input.resize(rank);
  of.permutation.resize(rank);
  for (auto [place, run] : llvm::enumerate(inInput)) {
    of.input[place] = runs[run].size;
    of.permutation[run] = place;
  }
  for (const Neighbours &run : runs) of.output.push_back(run.size);
  return of;
}

}  // namespace

int64_t minorOfTranspose(const Instruction &instruction) {
  const auto *op = instruction.op.as<TransposeOp>();
  if (!op) return 1;
  const TiledTranspose of = normalized(*op);
  return of.output.empty() ? 1 : of.output.back();
}

std::optional<TiledTranspose> tiledTranspose(const Instruction &instruction,
                                             InstructionId number) {
  const auto *op = instruction.op.as<TransposeOp>();
  if (!op || !isRowMajor(op->operands[0]) || !isRowMajor(op->results[0]))
    return std::nullopt;
  TiledTranspose of = normalized(*op);
  of.instruction = number;
  if (of.input.size() < 2 || of.bits == 0) return std::nullopt;
  of.packed = fitsPacking(of);
  if (of.packed ||
      (of.keepsMinor() ? paysWithMinorKept(of) : paysWithMinorMoved(of)))
    return of;
  return std::nullopt;
}

PackedTile packedTile(const TiledTranspose &of) {
  const size_t rank = of.input.size();
  PackedTile tile;
  tile.vector = 32 / of.bits;
  tile.side = 32 * tile.vector;
  tile.column = rank - 1;
  tile.row = of.permutation.back();
  const int64_t t1 = of.input[tile.column], t2 = of.input[tile.row];
  tile.columns = std::min(t1, tile.side);
  const auto middle = static_cast<int64_t>(rank) - 2;
  if (middle >= 0 && of.permutation[middle] == middle) {
    tile.middle = middle;
    tile.middles = std::min(of.input[middle], tile.side / tile.columns);
  }
  tile.rows = std::min(t2, tile.side);
  return tile;
}

namespace {

bool fitsPacking(const TiledTranspose &of) {
  if (of.bits >= 32 || 32 % of.bits != 0 || of.keepsMinor()) return false;
  const PackedTile tile = packedTile(of);
  const int64_t v = tile.vector, t2 = of.input[tile.row];
  const int64_t columns = tile.columns * tile.middles;
  return tile.rows >= 10 * v && columns >= 10 * v && tile.rows % v == 0 &&
         columns % v == 0 && t2 % tile.rows % v == 0;
}

}  // namespace

//===-- Reductions --------------------------------------------------------===//

namespace {

/// Returns the sizes outside of some dimensions, of these, and inside; nothing
/// if the dimensions are not next to each other in memory.
std::optional<std::array<int64_t, 3>> partitionAround(
    const ArrayShape &shape, llvm::ArrayRef<int64_t> middle) {
  std::array<int64_t, 3> sizes = {1, 1, 1};
  size_t part = 0;
  for (int64_t k : slowestFirst(shape)) {
    const bool isMiddle = llvm::is_contained(middle, k);
    if (isMiddle && part == 0) part = 1;
    if (!isMiddle && part == 1) part = 2;
    if (isMiddle && part == 2) return std::nullopt;
    sizes[part] *= shape.dimensions[k];
  }
  return sizes;
}

std::optional<TiledReduction> classified(const ReduceOp &op) {
  const ArrayShape &shape = op.operands[0];
  Sizes kept;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (!llvm::is_contained(op.dimensions, k)) kept.push_back(k);
  TiledReduction of;
  if (kept.empty()) {
    of.sizes = {1, 1, productOf(shape.dimensions)};
    return of;
  }
  if (const auto parts = partitionAround(shape, kept)) {
    const auto [major, middle, minor] = *parts;
    if (middle == 1) {
      of.sizes = {1, 1, major * minor};
    } else if (minor == 1) {
      of.isRow = false;
      of.sizes = {1, major, middle};
    } else {
      of.sizes = *parts;
    }
    return of;
  }
  const auto parts = partitionAround(shape, op.dimensions);
  if (!parts) return std::nullopt;
  const auto [major, middle, minor] = *parts;
  of.sizes = minor == 1 ? std::array<int64_t, 3>{1, major, middle} : *parts;
  of.isRow = minor == 1;
  return of;
}

bool pays(const TiledReduction &of, int64_t warp) {
  const auto [a, b, c] = of.sizes;
  if (of.isRow) return c >= warp || (c > 0 && warp % c == 0);
  return !(b < warp || (b < 2 * warp && c < warp) || (b < 4 * warp && c < 8) ||
           (b < 8 * warp && c < 3));
}

/// Whether each result is made in one block.
bool isRaceFree(const TiledReduction &of, int64_t warp) {
  const auto [a, b, c] = of.sizes;
  return of.isRow ? c <= 16384 && a <= 8 : b <= 128 * warp;
}

}  // namespace

std::optional<TiledReduction> tiledReduction(const Instruction &instruction,
                                             InstructionId number, bool behind,
                                             const Device &device) {
  const auto *op = instruction.op.as<ReduceOp>();
  if (!op) return std::nullopt;
  if (op->operands[0].isEmpty()) return std::nullopt;  // nothing to go through
  auto of = classified(*op);
  if (!of || !pays(*of, device.warp)) return std::nullopt;
  if (behind && !isRaceFree(*of, device.warp)) return std::nullopt;
  of->instruction = number;
  return of;
}

//===-- Heroes ------------------------------------------------------------===//

namespace {

/// Whether everything that uses it, however far away, keeps places.
bool isUsedInPlace(const FusionBody &body, InstructionId from) {
  std::set<InstructionId> seen = {from};
  std::vector<InstructionId> next = {from};
  while (!next.empty()) {
    const InstructionId i = next.back();
    next.pop_back();
    for (InstructionId user : body.users(i)) {
      if (!keepsPlaces(body.at(user), 3)) return false;
      if (seen.insert(user).second) next.push_back(user);
    }
  }
  return true;
}

/// Returns the only instruction of a kind that is reached from `from` through
/// ops that keep places; nothing if there are several.
std::optional<InstructionId> onlyOne(
    const FusionBody &body, InstructionId from,
    llvm::function_ref<bool(InstructionId)> isOne) {
  std::optional<InstructionId> found;
  std::set<InstructionId> seen = {from};
  std::vector<InstructionId> next = {from};
  for (size_t n = 0; n < next.size(); ++n) {
    const InstructionId i = next[n];
    if (isOne(i)) {
      if (found) return std::nullopt;
      found = i;
      continue;
    }
    if (!keepsPlaces(body.at(i), 3)) continue;
    for (InstructionId operand : body.at(i).operands)
      if (body.contains(operand) && seen.insert(operand).second)
        next.push_back(operand);
  }
  if (found && !isUsedInPlace(body, *found)) return std::nullopt;
  return found;
}

}  // namespace

InstructionId heroOf(const FusionBody &body, InstructionId root) {
  if (!body.contains(root)) return root;
  InstructionId hero = root;
  while (keepsPlaces(body.at(hero), 1) && !body.at(hero).operands.empty() &&
         body.contains(body.at(hero).operands[0]) &&
         body.at(hero).operands[0] != hero)
    hero = body.at(hero).operands[0];
  if (auto transpose = onlyOne(body, hero, [&](InstructionId i) {
        return tiledTranspose(body.at(i), i).has_value();
      }))
    return *transpose;
  if (auto concatenate = onlyOne(body, hero, [&](InstructionId i) {
        return body.at(i).op.is<ConcatenateOp>();
      }))
    return *concatenate;
  return body.at(hero).op.is<ReduceOp>() ? hero : root;
}

}  // namespace indexical
