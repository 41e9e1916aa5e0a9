#include "indexical/program/maps/converse.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/ops/indices.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/cover.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Returns for each result of the map the dimension that it is, or -1 if it
/// takes all indices of its own dimension. Returns nothing if a result is
/// something else, if a variable is used twice, or if one does not take all
/// indices.
std::optional<llvm::SmallVector<int64_t, 6>> sharedDimensions(
    const IndexingMap &map, const ArrayShape &from, const ArrayShape &to) {
  if (map.dimensions().size() != from.dimensions.size() ||
      map.results().size() != to.dimensions.size())
    return std::nullopt;
  for (auto [k, size] : llvm::enumerate(from.dimensions))
    if (map.dimensions()[k].bounds != indicesOf(size)) return std::nullopt;
  llvm::SmallVector<int64_t, 6> shared;
  size_t ranges = 0;
  for (auto [j, form] : llvm::enumerate(map.results())) {
    const int64_t size = to.dimensions[j];
    const auto id = map.expressions().asVariable(form);
    const bool isOne = size == 1 && map.expressions().isConstant(form, 0);
    if (!isOne && (!id || map.variable(*id).bounds != indicesOf(size)))
      return std::nullopt;
    const bool isDimension = id && id->kind == VariableKind::Dimension;
    if (isDimension && llvm::is_contained(shared, id->index))
      return std::nullopt;
    shared.push_back(isDimension ? int64_t{id->index} : int64_t{-1});
    // Ranges stand in the order of their first uses.
    if (id && id->kind == VariableKind::Range && id->index != ranges++)
      return std::nullopt;
  }
  if (ranges != map.ranges().size()) return std::nullopt;
  return shared;
}

/// Returns the relation between two shapes of which these dimensions are the
/// same, or nothing if it has several ranges.
std::optional<IndexingRelation> sharing(llvm::ArrayRef<int64_t> shared,
                                        const ArrayShape &from,
                                        const ArrayShape &to) {
  IndexingMapBuilder b;
  llvm::SmallVector<std::optional<Expr>, 6> results(from.dimensions.size());
  for (auto [j, size] : llvm::enumerate(to.dimensions)) {
    const Expr d = b.dimension(indicesOf(size));
    if (shared[j] >= 0) results[shared[j]] = d;
  }
  // A pass forward may meet several ranges in another order.
  bool hasRange = false;
  for (auto [k, size] : llvm::enumerate(from.dimensions)) {
    if (!results[k] && size > 1 && std::exchange(hasRange, true))
      return std::nullopt;
    b.result(results[k] ? *results[k]
             : size > 1 ? b.range(indicesOf(size))
                        : b.constant(0));
  }
  auto map = b.build();
  if (!map.ok()) return std::nullopt;
  map = simplify(*map);
  if (!map.ok()) return std::nullopt;
  return IndexingRelation(*std::move(map));
}

}  // namespace

std::optional<IndexingRelation> converseOfVariables(const Reached &reads,
                                                    const ArrayShape &from,
                                                    const ArrayShape &to) {
  const IndexingRelation &relation = reads.relation;
  if (reads.limit || relation.pieces().size() != 1 ||
      relation.precision() != Precision::Exact || hasOpenSize(from) ||
      hasOpenSize(to))
    return std::nullopt;
  const IndexingMap &map = relation.pieces()[0];
  if (!map.runtime().empty() || !map.constraints().empty() ||
      !map.collectives().empty())
    return std::nullopt;
  if (from.dimensions == to.dimensions && isIdentity(map, from))
    return relation;
  const auto shared = sharedDimensions(map, from, to);
  if (!shared) return std::nullopt;
  return sharing(*shared, from, to);
}

absl::Status settle(Reached &reads, Reached &users, const ArrayShape &from,
                    const ArrayShape &to) {
  // Both contain what is read. If one is empty, nothing is read.
  if (reads.relation.isEmpty() || users.relation.isEmpty())
    reads.relation = users.relation = IndexingRelation();
  if (!reads.limit && !users.limit) {
    // A way with a cover may be seen to end in nothing from one side alone. If
    // that side is then exact, so is the other.
    const Precision stronger =
        std::max(reads.relation.precision(), users.relation.precision());
    for (Reached *reached : {&reads, &users}) {
      if (reached->relation.precision() == stronger) continue;
      IndexingRelation same;
      for (const IndexingMap &piece : reached->relation.pieces())
        same.add(piece);
      same.weaken(stronger);
      reached->relation = std::move(same);
    }
    return absl::OkStatus();
  }
  return turnAround(reads.relation, users.relation, from, to);
}

bool endsInBoxes(const Reached &reads, const ArrayShape &from,
                 const ArrayShape &to) {
  if (!reads.limit) return false;
  if (reads.relation.pieces().size() != 1) return true;
  const IndexingMap &map = reads.relation.pieces()[0];
  // The relation does not tell apart many indices that read one element.
  const bool isOne = to.dimensions.empty() && from.elementCount() != 1;
  return isOne || !map.ranges().empty() || !map.runtime().empty() ||
         !map.collectives().empty();
}

}  // namespace indexical
