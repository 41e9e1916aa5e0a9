#include "indexical/program/maps/unrolled_loops.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "indexical/indexing/transforms.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/reached.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// More trips, and more products of relations in all of them, are not followed.
constexpr int64_t kMostTrips = 64;
constexpr size_t kMostProducts = 1'000;
/// Nor is a relation of more pieces.
constexpr size_t kMostPieces = 64;

using BothWays = std::pair<IndexingRelation, IndexingRelation>;
/// Of one leaf of the state, by the leaf that is read.
using ReadsOfLeaf = std::map<LeafId, BothWays>;

/// Returns the relation in the trip in which the counter is this number.
std::optional<IndexingRelation> inTrip(const IndexingRelation &relation,
                                       int64_t counter) {
  IndexingRelation made;
  for (const IndexingMap &map : relation.pieces()) {
    if (map.runtime().empty()) {
      made.add(map);
      continue;
    }
    auto piece = replaceRuntime(
        map, 0, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
          return b.constant(counter);
        });
    if (piece.ok()) piece = simplify(*piece);
    if (!piece.ok()) return std::nullopt;
    made.add(*std::move(piece));
  }
  made.weaken(relation.precision());
  return made;
}

/// Adds to the reads; returns false if they are too many, or not exact.
bool unite(BothWays &all, const absl::StatusOr<IndexingRelation> &reads,
           const absl::StatusOr<IndexingRelation> &users) {
  if (!reads.ok() || !users.ok()) return false;
  all.first.unite(*reads);
  all.second.unite(*users);
  for (const IndexingRelation *way : {&all.first, &all.second})
    if (way->precision() != Precision::Exact ||
        way->pieces().size() > kMostPieces)
      return false;
  return true;
}

using ReadsOfTrip = std::map<std::pair<LeafId, LeafId>, BothWays>;

/// Returns what each leaf reads of each one in a trip, in terms of the counter.
/// Returns nothing if these are too many for all trips.
std::optional<ReadsOfTrip> readsOfTrip(CountedLeaf &leafOf,
                                       const CountedLoop &loop,
                                       const Whole &down, const Whole &up,
                                       const PassedLeaves &passed) {
  std::map<std::pair<int32_t, LeafId>, int64_t> leaves;
  for (const auto &[parameter, number] : passed)
    leaves[{parameter.parameter, parameter.leaf}] = number;
  // The leaf that a parameter's is; nothing if the pair says nothing here.
  auto leafOfPair = [&](const LeafPair &pair) -> std::optional<int64_t> {
    const auto found = leaves.find({pair.parameter, pair.leaf});
    if (pair.result == loop.leaf || found == leaves.end() ||
        loop.control.count(LeafId(found->second)))
      return std::nullopt;
    return found->second;
  };
  std::map<std::pair<LeafId, LeafId>, LeafPair> pairs;
  for (const auto &[pair, users] : up)
    if (leafOfPair(pair) && !down.count(pair)) return std::nullopt;
  for (const auto &[pair, reads] : down) {
    const auto leaf = leafOfPair(pair);
    if (!leaf) continue;
    if (*leaf < 0 || !up.count(pair) ||
        !pairs.try_emplace({pair.result, LeafId(*leaf)}, pair).second ||
        pairs.size() * loop.trips > kMostProducts)
      return std::nullopt;
  }
  ReadsOfTrip all;
  for (const auto &[ends, pair] : pairs) {
    auto one = leafOf.ofCounter(down.at(pair));
    auto other = one ? leafOf.ofCounter(up.at(pair)) : std::nullopt;
    if (!other) return std::nullopt;
    all[ends] = {*std::move(one), *std::move(other)};
  }
  return all;
}

/// Adds what a leaf reads through another one, in one trip.
bool addThrough(const BothWays &trip, LeafId leaf,
                const std::vector<ReadsOfLeaf> &before, ReadsOfLeaf &reads) {
  // What is captured is there in each trip.
  if (leaf >= static_cast<int64_t>(before.size()))
    return unite(reads[leaf], trip.first, trip.second);
  for (const auto &[first, ways] : before[leaf])
    if (!unite(reads[first], compose(trip.first, ways.first),
               compose(ways.second, trip.second)))
      return false;
  return true;
}

}  // namespace

std::optional<std::vector<CountedReads>> readsOfTrips(
    CountedLeaf &leafOf, const CountedLoop &loop, const OpShapes &shapes,
    const Whole &down, const Whole &up, const PassedLeaves &passed) {
  if (loop.trips < 1 || loop.trips > kMostTrips) return std::nullopt;
  const auto ofTrip = readsOfTrip(leafOf, loop, down, up, passed);
  if (!ofTrip) return std::nullopt;
  const size_t count = shapes.results.size();
  std::vector<ReadsOfLeaf> state(count);
  for (size_t r = 0; r < count; ++r) {
    const ArrayShape &shape = shapes.results[r];
    if (hasOpenSize(shape) || shape.isEmpty()) return std::nullopt;
    auto same = startOf(shape);
    if (!same.ok()) return std::nullopt;
    if (LeafId(r) != loop.leaf) state[r][LeafId(r)] = {*same, *same};
  }
  size_t products = 0;
  for (int64_t trip = 0; trip < loop.trips; ++trip) {
    const int64_t counter = loop.first + loop.step * trip;
    std::vector<ReadsOfLeaf> next(count);
    for (const auto &[leaves, ways] : *ofTrip) {
      const auto [result, leaf] = leaves;
      auto reads = inTrip(ways.first, counter);
      auto users = inTrip(ways.second, counter);
      if (leaf < static_cast<int64_t>(count)) products += state[leaf].size();
      if (!reads || !users || products > kMostProducts ||
          !addThrough({*std::move(reads), *std::move(users)}, leaf, state,
                      next[result]))
        return std::nullopt;
    }
    state = std::move(next);
  }
  std::vector<CountedReads> all(count);
  for (size_t r = 0; r < count; ++r) {
    all[r].isKnown = true;
    for (auto &[leaf, ways] : state[r])
      if (!ways.first.isEmpty()) all[r].reads[leaf] = std::move(ways);
  }
  return all;
}

}  // namespace indexical
