// Numbers of points, and the least and greatest values.
#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/regions.h"
#include "indexical/exact/replay.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {
namespace {

enum class What : uint8_t { Domain, Image, Pairs };

/// Whether a form over the map's variables, numbered one kind behind the other,
/// depends on a range.
bool namesRange(const ExpressionTable &table, FormId form,
                const IndexingMap &map) {
  const size_t first = map.dimensions().size();
  const size_t end = first + map.ranges().size();
  bool names = false;
  table.visitVariables({form}, [&](VariableId id) {
    names |= id.index >= first && id.index < end;
  });
  return names;
}

/// The points of a map that is a box of dimensions, each of which reads one
/// element: as many as there are.
std::optional<llvm::DynamicAPInt> countBox(const IndexingMap &map) {
  if (!map.ranges().empty() || !map.runtime().empty() ||
      !map.constraints().empty() || isSemiAffine(map.expressions()))
    return std::nullopt;
  llvm::DynamicAPInt all(1);
  for (const Variable &v : map.dimensions()) {
    if (!v.bounds.isFinite()) return std::nullopt;
    all *= llvm::DynamicAPInt(v.bounds.upper) -
           llvm::DynamicAPInt(v.bounds.lower) + llvm::DynamicAPInt(1);
  }
  return all;
}

absl::StatusOr<Count> count(const IndexingMap &map,
                            llvm::ArrayRef<int64_t> runtime, What what,
                            const ExactOptions &options) {
  Count count;
  if (map.isKnownEmpty()) {
    count.value = llvm::DynamicAPInt(0);
    return count;
  }
  if (auto all = what == What::Image ? std::nullopt : countBox(map)) {
    count.value = std::move(all);
    return count;
  }
  if (!runtime.empty() && runtime.size() != map.visibleRuntimeCount())
    return absl::InvalidArgumentError(
        "the map has " + std::to_string(map.visibleRuntimeCount()) +
        " runtime variables, and " + std::to_string(runtime.size()) +
        " values are given");
  System system;
  System::Forms flat;
  for (const Variable &v : map.dimensions())
    flat.push_back(system.add(v.bounds));
  for (const Variable &v : map.ranges()) flat.push_back(system.add(v.bounds));
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    const Interval bounds = map.runtime()[i].bounds;
    if (i >= map.visibleRuntimeCount()) {
      // A hidden variable does not change the points.
      flat.push_back(
          system.pool.constantForm(bounds.hasLower() ? bounds.lower : 0));
      continue;
    }
    int64_t value =
        runtime.empty() ? (bounds.hasLower() ? bounds.lower : 0) : runtime[i];
    flat.push_back(system.add(Interval::point(value)));
  }
  System::Forms element = system.addMap(map, flat);
  if (what == What::Pairs) {
    system.outputs.assign(flat.begin(), flat.begin() + map.dimensions().size());
    // Coordinates that the index alone decides do not add pairs.
    llvm::erase_if(element, [&](FormId form) {
      return !namesRange(system.pool, form, map);
    });
  }
  if (what != What::Domain) system.outputs.append(element);
  Engines engines(options);
  auto set = system.simplified();
  if (set.ok())
    count.value =
        what == What::Domain ? engines.count(*set) : engines.countResults(*set);
  count.engine = engines.engine();
  if (!count.value)
    count.reason =
        set.ok() ? engines.reason() : std::string(set.status().message());
  return engines.unlessStopped(std::move(count));
}

absl::StatusOr<Count> countDisjoint(const IndexingRelation &relation, What what,
                                    const ExactOptions &options) {
  Count sum;
  sum.value = llvm::DynamicAPInt(0);
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto own, count(piece, {}, what, options));
    sum.engine = std::max(sum.engine, own.engine);
    if (!own.value) {
      sum.value.reset();
      sum.reason = own.reason;
      return sum;
    }
    *sum.value += *own.value;
  }
  return sum;
}

/// Whether bounds alone show that the maps have no index in common.
bool areApart(const IndexingMap &a, const IndexingMap &b) {
  for (size_t k = 0; k < a.dimensions().size(); ++k)
    if (a.dimensions()[k].bounds.intersect(b.dimensions()[k].bounds).isEmpty())
      return true;
  return false;
}

/// Whether bounds alone show that no two have an index in common. Along one
/// dimension after the other they fall into groups that lie apart there: a pad
/// of rank 1,000 has 2,000 pieces, and two million pairs.
bool allApart(llvm::ArrayRef<IndexingMap> pieces) {
  // More that are left together are not held against each other.
  constexpr size_t kMostTogether = 64;
  struct Group {
    std::vector<uint32_t> pieces;
    size_t dimension = 0;
  };
  std::vector<Group> groups(1);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].dimensions().size() != pieces[0].dimensions().size() ||
        pieces[i].results().size() != pieces[0].results().size() ||
        !pieces[i].collectives().empty())
      return false;
    groups[0].pieces.push_back(i);
  }
  while (!groups.empty()) {
    Group group = std::move(groups.back());
    groups.pop_back();
    auto &together = group.pieces;
    if (together.size() < 2) continue;
    if (group.dimension == pieces[0].dimensions().size()) {
      if (together.size() > kMostTogether) return false;
      for (size_t i = 0; i < together.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (!areApart(pieces[together[i]], pieces[together[j]])) return false;
      continue;
    }
    auto boundsOf = [&](uint32_t i) {
      return pieces[i].dimensions()[group.dimension].bounds;
    };
    llvm::sort(together, [&](uint32_t a, uint32_t b) {
      return boundsOf(a).lower < boundsOf(b).lower;
    });
    int64_t upper = 0;
    for (size_t i = 0; i < together.size(); ++i) {
      const Interval bounds = boundsOf(together[i]);
      if (i == 0 || bounds.lower > upper) {
        groups.push_back({{}, group.dimension + 1});
        upper = bounds.upper;
      }
      upper = std::max(upper, bounds.upper);
      groups.back().pieces.push_back(together[i]);
    }
  }
  return true;
}

absl::Status checkNoRuntime(const IndexingRelation &relation) {
  for (const IndexingMap &piece : relation.pieces())
    if (!piece.runtime().empty())
      return absl::InvalidArgumentError(
          "a union with runtime variables cannot be counted");
  return absl::OkStatus();
}

/// The greatest value of a result: what the forms allow, if some point has it,
/// else cut in two.
class Greatest {
 public:
  Greatest(const IndexingMap &region, Engines &engines)
      : region_(region), engines_(engines) {}

  /// A point with the result `number` times `sign` at `least` or more.
  Sample atLeast(size_t number, int64_t sign, int64_t least) {
    System system;
    auto variables = system.addVariables(region_);
    system.outputs = system.addMap(region_, variables);
    system.require(system.pool.scale(system.outputs[number], sign),
                   {least, Interval::kInfinity});
    auto set = system.simplified();
    if (!set.ok()) return {};
    Sample sample = engines_.sample(*set);
    if (sample.found != Sample::Found::Point) return sample;
    auto results = resultsAt(*set, sample.point);
    return results ? Sample::of(std::move(*results)) : Sample();
  }

  /// The results of a point with the greatest.
  Sample find(size_t number, int64_t sign) {
    auto boundsOf = [&](VariableId id) { return region_.variable(id).bounds; };
    FormBounds bounds(region_.expressions(), boundsOf);
    Interval range = bounds(region_.results()[number]);
    if (sign < 0) range = -range;
    Sample best = engines_.sample(region_);
    if (best.found != Sample::Found::Point || !range.hasUpper()) return {};
    auto results = resultsAt(region_, best.point);
    if (!results) return {};
    best = Sample::of(std::move(*results));
    int64_t most = range.upper;
    for (bool first = true;; first = false) {
      int64_t now = sign * best.point[number];
      if (now >= most) return best;
      // Tries the top first, then halves.
      const auto room =
          static_cast<uint64_t>(most) - static_cast<uint64_t>(now);
      int64_t next = first ? most : most - static_cast<int64_t>(room / 2);
      Sample sample = atLeast(number, sign, next);
      if (sample.found == Sample::Found::Unknown) return {};
      if (sample.found == Sample::Found::Point)
        best = std::move(sample);
      else
        most = next - 1;
    }
  }

 private:
  const IndexingMap &region_;
  Engines &engines_;
};

size_t stackFor(const IndexingMap &map) {
  return std::max(kStackOfQuestion,
                  stackOfLevels(map.expressions().atomCount()));
}

}  // namespace

absl::StatusOr<Count> countDomain(const IndexingMap &map,
                                  llvm::ArrayRef<int64_t> runtime,
                                  const ExactOptions &options) {
  if (!hasStack(stackFor(map)))
    return onDeepStack([&] { return countDomain(map, runtime, options); });
  const StopScope scope(options.stop);
  return count(map, runtime, What::Domain, options);
}

absl::StatusOr<Count> countImage(const IndexingMap &map,
                                 llvm::ArrayRef<int64_t> runtime,
                                 const ExactOptions &options) {
  if (!hasStack(stackFor(map)))
    return onDeepStack([&] { return countImage(map, runtime, options); });
  const StopScope scope(options.stop);
  return count(map, runtime, What::Image, options);
}

absl::StatusOr<Count> countPairs(const IndexingMap &map,
                                 llvm::ArrayRef<int64_t> runtime,
                                 const ExactOptions &options) {
  if (!hasStack(stackFor(map)))
    return onDeepStack([&] { return countPairs(map, runtime, options); });
  const StopScope scope(options.stop);
  return count(map, runtime, What::Pairs, options);
}

absl::StatusOr<Count> countPairs(const IndexingRelation &relation,
                                 const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return countPairs(relation, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkNoRuntime(relation));
  // Bounds show for most ops that the pieces are disjoint.
  if (allApart(relation.pieces()))
    return countDisjoint(relation, What::Pairs, options);
  INDEXICAL_ASSIGN_OR_RETURN(auto apart,
                             unite(relation, IndexingRelation(), options));
  auto disjoint = apart.pieces();
  for (size_t i = 0; i < disjoint.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (areApart(disjoint[i], disjoint[j])) continue;
      INDEXICAL_ASSIGN_OR_RETURN(
          auto decision, areDisjoint(IndexingRelation(disjoint[i]),
                                     IndexingRelation(disjoint[j]), options));
      if (decision.answer == Answer::Yes) continue;
      INDEXICAL_RETURN_IF_ERROR(options.check());
      Count none;
      none.reason = "the pieces could not be made disjoint";
      return none;
    }
  return countDisjoint(apart, What::Pairs, options);
}

absl::StatusOr<Count> countImage(const IndexingRelation &relation,
                                 const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return countImage(relation, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkNoRuntime(relation));
  if (relation.pieces().size() == 1)
    return countImage(relation.pieces()[0], {}, options);
  INDEXICAL_ASSIGN_OR_RETURN(auto read, image(relation));
  if (!read.isEmpty() && read.precision() == Precision::Cover &&
      relation.precision() == Precision::Exact) {
    Count none;
    none.reason = "the elements that are read are not known exactly";
    return none;
  }
  return countPairs(read, options);
}

absl::StatusOr<std::vector<Extremes>> extremes(const IndexingRelation &relation,
                                               const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return extremes(relation, options); });
  const StopScope scope(options.stop);
  Parameters parameters{&relation};
  std::vector<Extremes> all;
  std::vector<IndexingMap> regions;
  size_t index = 0, element = 0, whole = 0;  // whole: with members
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto region, regionOf(piece, parameters));
    if (region.isKnownEmpty()) continue;
    if (!regions.empty() && element != piece.results().size())
      return absl::InvalidArgumentError("the pieces have different ranks");
    index = piece.dimensions().size();
    element = piece.results().size();
    whole = piece.resultsAndMembers().size();
    regions.push_back(std::move(region));
  }
  all.resize(element);
  for (size_t k = 0; k < element; ++k) {
    Engines engines(options);
    Meter meter(kReplayOperations, options.stop);
    Extremes &of = all[k];
    bool lost[2] = {false, false};
    for (const IndexingMap &region : regions)
      for (int side = 0; side < 2; ++side) {
        const int64_t sign = side ? 1 : -1;
        Sample nothing = engines.sample(region);
        if (nothing.found == Sample::Found::Nothing) continue;
        Sample best = Greatest(region, engines).find(index + k, sign);
        if (best.found != Sample::Found::Point) {
          lost[side] = true;
          continue;
        }
        auto &value = side ? of.greatest : of.least;
        auto &witness = side ? of.atGreatest : of.atLeast;
        int64_t found = best.point[index + k];
        const llvm::ArrayRef<int64_t> point(best.point);
        if (readsAt(relation, point.take_front(index),
                    point.slice(index, whole), parameters,
                    point.slice(index + whole, parameters.size()),
                    meter) != ReplayedReads::Yes) {
          lost[side] = true;
          continue;
        }
        if (value && sign * *value >= sign * found) continue;
        value = found;
        witness = witnessOf(best.point, index, whole, parameters);
        witness->element.resize(element);
      }
    if (lost[0]) of.least.reset(), of.atLeast.reset();
    if (lost[1]) of.greatest.reset(), of.atGreatest.reset();
    if (lost[0] || lost[1])
      of.reason =
          engines.reason().empty() ? "a side is open" : engines.reason();
    of.engine = engines.engine();
  }
  INDEXICAL_RETURN_IF_ERROR(options.check());
  return all;
}

}  // namespace indexical
