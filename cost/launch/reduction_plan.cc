// Reductions of rows and of columns: the operand is read once, and a few
// threads write the result.
//
//   f32[8,2048] along rows: 2 rows a block, 128 threads a row
//   read    [0, bl_x * 2 + th_x floordiv 128, (s1 * 128 + th_x mod 128) * 2 +
//           s2]
//   write   [bl_x * 2 + th_x floordiv 128] where th_x mod 128 is 0
#include <algorithm>
#include <numeric>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/elementwise/nullary.h"
#include "indexical/ops/movement/broadcast.h"
#include "indexical/ops/reduction/reduce.h"

namespace indexical {
namespace {

constexpr int64_t kReductionTile = 32;

//===-- Groups of roots ---------------------------------------------------===//

/// Roots that an instruction or a parameter reaches together share blocks:
/// a number for each root, counted in the order of the body.
class RootGroups {
 public:
  explicit RootGroups(const PlanContext &in) : in_(in) {
    const size_t count = in.body.roots().size();
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
    std::optional<size_t> side;
    for (size_t r = 0; r < count; ++r) {
      if (in.choice.heroes[r].isTiled) continue;
      if (side) join(*side, r);
      side = r;
    }
    reach();
  }

  size_t count() const { return numberOf().size(); }
  llvm::SmallVector<int64_t, 4> numbers() const {
    const auto order = numberOf();
    llvm::SmallVector<int64_t, 4> all;
    for (size_t r = 0; r < parent_.size(); ++r)
      all.push_back(llvm::find(order, find(r)) - order.begin());
    return all;
  }

 private:
  size_t find(size_t r) const {
    while (parent_[r] != r) r = parent_[r];
    return r;
  }
  void join(size_t a, size_t b) { parent_[find(b)] = find(a); }

  /// Returns the groups in the order of their first roots in the body.
  llvm::SmallVector<size_t, 4> numberOf() const {
    llvm::SmallVector<size_t, 4> roots(parent_.size()), order;
    std::iota(roots.begin(), roots.end(), 0);
    llvm::stable_sort(roots, [&](size_t a, size_t b) {
      return in_.body.roots()[a].instruction < in_.body.roots()[b].instruction;
    });
    for (size_t r : roots)
      if (!llvm::is_contained(order, find(r))) order.push_back(find(r));
    return order;
  }

  /// Returns whether every group that needs the value makes it: constants,
  /// scalars and their broadcasts.
  bool isCheap(InstructionId i) const {
    const Op &op = in_.body.at(i).op;
    const OpShapes &shapes = shapesOf(op);
    if (shapes.results.size() == 1 && shapes.results[0].isScalar())
      return !op.is<ReduceOp>();
    if (op.is<ConstantOp>()) return true;
    return op.is<BroadcastOp>() && (shapes.operands[0].isScalar() ||
                                    isCheap(in_.body.at(i).operands[0]));
  }

  void reach() {
    // The instructions that each root needs, parameters included.
    std::vector<std::set<InstructionId>> needs;
    for (const BodyRoot &root : in_.body.roots()) {
      std::set<InstructionId> seen = {root.instruction};
      std::vector<InstructionId> next = {root.instruction};
      while (!next.empty()) {
        const InstructionId i = next.back();
        next.pop_back();
        if (!in_.body.contains(i)) continue;
        for (InstructionId operand : in_.body.at(i).operands)
          if (seen.insert(operand).second) next.push_back(operand);
      }
      needs.push_back(std::move(seen));
    }
    std::set<InstructionId> all;
    for (const auto &some : needs) all.insert(some.begin(), some.end());
    for (InstructionId i : all) {
      const bool cheap = isCheap(i);
      std::optional<size_t> first;
      bool hasReduction = false;
      for (size_t r = 0; r < needs.size(); ++r) {
        if (!needs[r].count(i)) continue;
        const bool isReduction = in_.choice.heroes[r].isTiled;
        if (isReduction && cheap && hasReduction) continue;
        hasReduction |= isReduction;
        if (first) join(*first, r);
        first = r;
      }
    }
  }

  const PlanContext &in_;
  std::vector<size_t> parent_;
};

//===-- The kinds of reductions -------------------------------------------===//

/// Index expressions of the collapsed operand, or of what is kept of it.
struct Indices {
  Exprs index;
  llvm::SmallVector<int64_t, 6> sizes;
};

class Reduction {
 public:
  Reduction(const PlanContext &in, ReductionSizes sizes)
      : in_(in),
        sizes_(std::move(sizes)),
        of_(in.choice.reductions.front().sizes) {}

  const Grid &grid() const { return sizes_.grid; }
  void setGroups(int64_t count) { sizes_.grid.blocks[2] = count; }

  absl::StatusOr<IndexingMap> read(const ArrayShape &shape,
                                   int64_t group) const {
    LaunchMap map(sizes_.grid);
    map.onlyGroup(group);
    const Exprs index = readIndex(map);
    return map.to(index, of_, shape);
  }

  /// `kept`: the operand's shape without its reduced dimensions.
  absl::StatusOr<IndexingMap> write(const ArrayShape &kept,
                                    const ArrayShape &shape,
                                    int64_t group) const {
    LaunchMap map(sizes_.grid);
    map.onlyGroup(group);
    const Indices at = keptIndex(map);
    for (auto [coordinate, size] : llvm::zip(at.index, at.sizes))
      map.keep(coordinate, {0, size - 1});
    // Index of the operand's kept dimensions, then of the result.
    Exprs index = bitcast(map.builder(), at.index, at.sizes, kept);
    llvm::SmallVector<int64_t, 6> sizes;
    index = inMemory(index, kept, sizes);
    return map.to(index, sizes, shape);
  }

  absl::Status addShared(const ArrayShape &element, LaunchPlan &plan) const {
    ArrayShape tile;
    absl::StatusOr<IndexingMap> written = IndexingMap(), read = IndexingMap();
    const int64_t warp = in_.device.warp, v = sizes_.vector;
    auto sizedAs = [&](int64_t rows, int64_t columns) {
      tile = ArrayShape(element.type, {rows, columns});
    };
    switch (sizes_.emitter) {
      case Emitter::RowReduction: {
        const int64_t perRow = sizes_.lanes / warp;
        if (perRow <= 1) return absl::OkStatus();
        const int64_t stride = perRow + (perRow % warp == 0 ? 1 : 0);
        sizedAs(sizes_.rows, stride);
        // The first lane of a warp writes; the first lanes of a row read.
        LaunchMap write(sizes_.grid), reads(sizes_.grid);
        const Expr w = write.thread(), r = reads.thread();
        write.keep(mod(w, warp), {0, 0});
        written = write.to(floorDiv(w, sizes_.lanes) * stride +
                           floorDiv(mod(w, sizes_.lanes), warp));
        reads.keep(mod(r, sizes_.lanes), {0, perRow - 1});
        read =
            reads.to(floorDiv(r, sizes_.lanes) * stride + mod(r, sizes_.lanes));
        break;
      }
      case Emitter::ColumnReduction: {
        const int64_t columns = kReductionTile * v;
        const int64_t stride = columns + (columns % warp == 0 ? 1 : 0);
        sizedAs(kReductionTile, stride);
        LaunchMap write(sizes_.grid), reads(sizes_.grid);
        const Expr w = write.thread(), r = reads.thread();
        written =
            write.to(mod(w, kReductionTile) * stride +
                     floorDiv(w, kReductionTile) * v + write.loop(v, "s"));
        read = reads.to(floorDiv(r, kReductionTile) * stride +
                        mod(r, kReductionTile) * v + reads.loop(v, "s"));
        break;
      }
      case Emitter::SmallColumnReduction: {
        const int64_t threads = sizes_.grid.threads[0];
        const int64_t c = of_[2];
        const int64_t pad = threads == warp && v == 1
                                ? 0
                                : (c + threads * v - 1) / (threads * v);
        sizedAs(sizes_.partials, c + pad);
        LaunchMap write(sizes_.grid), reads(sizes_.grid);
        const Expr w = write.thread() * v + write.loop(v, "s");
        const Expr r = reads.thread() + reads.loop(v, "s") * threads;
        written = write.to(floorDiv(w, c) * (c + pad) + mod(w, c));
        read = reads.to(mod(r, sizes_.partials) * (c + pad) +
                        floorDiv(r, sizes_.partials));
        break;
      }
      default:
        return absl::OkStatus();
    }
    return addTile(plan, std::move(tile), std::move(written), std::move(read));
  }

 private:
  Exprs readIndex(LaunchMap &map) const {
    const int64_t v = sizes_.vector;
    const Expr th = map.thread(), bl = map.block();
    switch (sizes_.emitter) {
      case Emitter::ColumnReduction: {
        const Expr s0 = map.loop(sizes_.steps, "s0");
        const Expr s1 = map.loop(v, "s1");
        return {
            floorDiv(bl, sizes_.parts),
            floorDiv(th, kReductionTile) + s0 * kReductionTile,
            (mod(bl, sizes_.parts) * kReductionTile + mod(th, kReductionTile)) *
                    v +
                s1};
      }
      case Emitter::SmallColumnReduction: {
        const Expr s0 = map.loop(sizes_.steps, "s0");
        const Expr s1 = map.loop(v, "s1");
        const Expr l = th * v + s1 + s0 * (v * sizes_.grid.threads[0]);
        map.keep(l, {0, of_[1] * of_[2] - 1});
        return {bl, floorDiv(l, of_[2]), mod(l, of_[2])};
      }
      default: {
        const Expr s0 = map.loop(of_[0], "s0");
        const Expr s1 = map.loop(sizes_.steps, "s1");
        const Expr s2 = map.loop(v, "s2");
        return {s0, bl * sizes_.rows + floorDiv(th, sizes_.lanes),
                (s1 * sizes_.lanes + mod(th, sizes_.lanes)) * v + s2};
      }
    }
  }

  Indices keptIndex(LaunchMap &map) const {
    const int64_t v = sizes_.vector;
    const Expr th = map.thread(), bl = map.block();
    switch (sizes_.emitter) {
      case Emitter::ColumnReduction: {
        const Expr s = map.loop(v, "s");
        map.keep(mod(th, kReductionTile), {0, 0});
        return {{floorDiv(bl, sizes_.parts),
                 (mod(bl, sizes_.parts) * kReductionTile +
                  floorDiv(th, kReductionTile)) *
                         v +
                     s},
                {of_[0], of_[2]}};
      }
      case Emitter::SmallColumnReduction: {
        const Expr s = map.loop(v, "s");
        map.keep(mod(th, sizes_.partials), {0, 0});
        return {
            {bl, floorDiv(th + s * sizes_.grid.threads[0], sizes_.partials)},
            {of_[0], of_[2]}};
      }
      default:
        map.keep(mod(th, sizes_.lanes), {0, 0});
        return {{bl * sizes_.rows + floorDiv(th, sizes_.lanes)}, {of_[1]}};
    }
  }

  const PlanContext &in_;
  ReductionSizes sizes_;
  std::array<int64_t, 3> of_;
};

/// Returns the operand's shape without its reduced dimensions, in the operand's
/// order.
ArrayShape keptShape(const ReduceOp &op) {
  const ArrayShape &shape = op.operands[0];
  llvm::SmallVector<int64_t, 6> number(shape.rank(), -1), sizes;
  for (int64_t k = 0; k < shape.rank(); ++k) {
    if (llvm::is_contained(op.dimensions, k)) continue;
    number[k] = sizes.size();
    sizes.push_back(shape.dimensions[k]);
  }
  ArrayShape kept(shape.type, sizes);
  Layout layout;
  for (int64_t k : shape.minorToMajor())
    if (number[k] >= 0) layout.minorToMajor.push_back(number[k]);
  kept.layout = layout;
  return kept;
}

/// Returns the map from threads to the elements of the root that they write for
/// the hero. A reduction's own result is indexed in the same way, whatever its
/// layout.
absl::StatusOr<IndexingMap> resultThreads(
    const PlanContext &in, const Reduction &reduction, InstructionId hero,
    const BodyRoot &root, const ArrayShape &shape, int64_t group) {
  const auto &op = *in.body.at(hero).op.as<ReduceOp>();
  ArrayShape target = shape;
  const ArrayShape kept = keptShape(op);
  if (root.instruction == hero) target.layout = kept.layout;
  return reduction.write(kept, target, group);
}

}  // namespace

absl::Status planReduction(const PlanContext &in, LaunchPlan &plan) {
  ReductionSizes sizes = reductionSizes(in.body, in.choice, in.device);
  plan.grid = sizes.grid;
  if (!sizes.isWhole) {
    plan.reason =
        "XLA splits so large a reduction in two before it launches it";
    return absl::OkStatus();
  }
  const RootGroups groups(in);
  Reduction reduction(in, std::move(sizes));
  reduction.setGroups(groups.count());
  plan.grid = reduction.grid();
  const auto numbers = groups.numbers();
  std::set<InstructionId> begun;
  for (auto [r, root] : llvm::enumerate(in.body.roots())) {
    const auto &hero = in.choice.heroes[r];
    if (hero.isTiled && begun.insert(hero.instruction).second) {
      const auto &op = *in.body.at(hero.instruction).op.as<ReduceOp>();
      for (size_t k = 0; k < op.results.size(); ++k) {
        INDEXICAL_ASSIGN_OR_RETURN(auto threads,
                                   reduction.read(op.operands[k], numbers[r]));
        Visit visit = visitAt(Phase::Read, hero.instruction, op.operands[k],
                              std::move(threads));
        visit.operand = LeafId(k);
        plan.visits.push_back(std::move(visit));
        INDEXICAL_RETURN_IF_ERROR(reduction.addShared(op.results[k], plan));
      }
    }
    for (const BodyRoot::Result &result : root.results) {
      const ArrayShape &shape = in.resultShape(root.instruction, result.leaf);
      INDEXICAL_ASSIGN_OR_RETURN(
          auto threads, hero.isTiled
                            ? resultThreads(in, reduction, hero.instruction,
                                            root, shape, numbers[r])
                            : reduction.read(shape, numbers[r]));
      Visit visit = visitAt(hero.isTiled ? Phase::Write : Phase::Read,
                            root.instruction, shape, std::move(threads));
      if (hero.isTiled) visit.stops = {hero.instruction};
      visit.leaf = result.leaf;
      visit.result = result.result;
      plan.visits.push_back(std::move(visit));
    }
  }
  return absl::OkStatus();
}

}  // namespace indexical
