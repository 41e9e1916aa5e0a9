#include "indexical/program/kernel/access_pairs.h"

#include <numeric>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

constexpr size_t kPairAxes = 3;
constexpr Interval kLess = {Interval::kMinusInfinity, -1};
constexpr Interval kGreater = {1, Interval::kInfinity};

std::vector<FormId> formsOf(llvm::ArrayRef<Expr> variables) {
  std::vector<FormId> forms;
  for (const Expr &each : variables) forms.push_back(each.form());
  return forms;
}

std::vector<FormId> rangesOf(const IndexingMap &map,
                             IndexingMapBuilder &builder) {
  std::vector<FormId> ranges;
  for (const Variable &v : map.ranges())
    ranges.push_back(builder.range(v.bounds).form());
  return ranges;
}

}  // namespace

int64_t AccessPairs::bitsOf(const Toucher &of) const {
  return kernel_.arguments[of.map->argument].elementBits;
}

bool AccessPairs::areAlike(const Toucher &load, const Toucher &store) const {
  return load.map->argument == store.map->argument ||
         bitsOf(load) == bitsOf(store);
}

bool AccessPairs::mayNotMeet(const Toucher &load, const Toucher &store) const {
  return areAlike(load, store) &&
         boundsOfResults(load.map->map)[0]
             .intersect(boundsOfResults(store.map->map)[0])
             .isEmpty();
}

absl::StatusOr<IndexingMap> AccessPairs::meeting(const Toucher &load,
                                                 const Toucher &store,
                                                 const PairsOf &pairs) const {
  const IndexingMap &a = load.map->map, &b = store.map->map;
  IndexingMapBuilder builder;
  std::vector<Expr> programs[2];
  for (size_t k = 0; k < kPairAxes; ++k)
    programs[0].push_back(builder.dimension(a.dimensions()[k].bounds));
  if (pairs.apartAlong)
    for (size_t k = 0; k < kPairAxes; ++k)
      programs[1].push_back(builder.dimension(b.dimensions()[k].bounds));
  else
    programs[1] = programs[0];
  std::vector<Expr> variables[2];
  for (const auto &[number, map] : {std::pair(0, &a), {1, &b}}) {
    variables[number] = programs[number];
    for (const Variable &v : map->dimensions().drop_front(kPairAxes))
      variables[number].push_back(builder.dimension(v.bounds));
    for (size_t k = 0; k < kPairAxes; ++k)
      builder.constraint(programs[number][k], map->dimensions()[k].bounds);
  }
  constrain(load, store, pairs, variables[0], variables[1], builder);
  MapCopy first(a, builder, formsOf(variables[0]), rangesOf(a, builder));
  MapCopy second(b, builder, formsOf(variables[1]), rangesOf(b, builder));
  INDEXICAL_RETURN_IF_ERROR(
      constrainBytes(load, store, first.result(0), second.result(0), builder));
  // An element has several numbers in a kernel that is read for all sizes.
  for (size_t k = 1; k < a.results().size(); ++k)
    builder.constraint(first.result(k) - second.result(k), Interval::point(0));
  first.addConstraints();
  second.addConstraints();
  builder.result(first.result(0));
  INDEXICAL_ASSIGN_OR_RETURN(auto map, builder.build());
  return simplify(map);
}

/// Adds which programs, turns, coordinates and warps are meant.
void AccessPairs::constrain(const Toucher &load, const Toucher &store,
                            const PairsOf &pairs, llvm::ArrayRef<Expr> a,
                            llvm::ArrayRef<Expr> b,
                            IndexingMapBuilder &builder) const {
  if (const auto &apart = pairs.apartAlong)
    builder.constraint(b[apart->first] - a[apart->first],
                       apart->second ? kLess : kGreater);
  for (size_t k = 0; k < pairs.equalLoops; ++k)
    builder.constraint(a[kPairAxes + k] - b[kPairAxes + k], Interval::point(0));
  if (pairs.turns)
    builder.constraint(
        a[kPairAxes + pairs.equalLoops] - b[kPairAxes + pairs.equalLoops],
        *pairs.turns);
  const auto &later = pairs.isStoreLater ? b : a;
  for (size_t k = 0; k < pairs.firstTurns; ++k)
    builder.constraint(later[kPairAxes + pairs.equalLoops + k],
                       Interval::point(0));
  const size_t tileOfLoad = kPairAxes + accessOf(load).loops.size();
  const size_t tileOfStore = kPairAxes + accessOf(store).loops.size();
  for (const ApartCoordinates &each : pairs.apart)
    builder.constraint(a[tileOfLoad + each.load] - b[tileOfStore + each.store],
                       each.isLess ? kLess : kGreater);
  if (pairs.warps != PairWarps::Any)
    constrainWarps(pairs.warps, a.drop_front(tileOfLoad),
                   b.drop_front(tileOfStore), accessOf(load).tile, builder);
}

/// Adds whether one warp makes both accesses. Threads are numbered with the
/// last of their coordinates the fastest.
void AccessPairs::constrainWarps(PairWarps warps, llvm::ArrayRef<Expr> a,
                                 llvm::ArrayRef<Expr> b,
                                 llvm::ArrayRef<int64_t> tile,
                                 IndexingMapBuilder &builder) const {
  const auto warpOf = [&](llvm::ArrayRef<Expr> coordinates) {
    Expr thread = coordinates[0];
    for (size_t k = 1; k < kernel_.threadSides; ++k)
      thread = thread * tile[k] + coordinates[k];
    return floorDiv(thread, kernel_.lanes);
  };
  builder.constraint(warpOf(a) - warpOf(b),
                     warps == PairWarps::One        ? Interval::point(0)
                     : warps == PairWarps::LoadLess ? kLess
                                                    : kGreater);
}

/// Adds that both elements have a byte in common.
absl::Status AccessPairs::constrainBytes(const Toucher &load,
                                         const Toucher &store, Expr a, Expr b,
                                         IndexingMapBuilder &builder) const {
  if (areAlike(load, store)) {
    builder.constraint(a - b, Interval::point(0));
    return absl::OkStatus();
  }
  const int64_t own = bitsOf(load), other = bitsOf(store);
  if (own <= 0 || other <= 0)
    return absl::UnimplementedError(
        "the size of an element of an array is not known");
  const int64_t unit = std::gcd(own, other);
  builder.constraint(a * (own / unit) - b * (other / unit),
                     {1 - own / unit, other / unit - 1});
  return absl::OkStatus();
}

Witness AccessPairs::witnessAt(const Toucher &load, const Toucher &store,
                               const PairsOf &pairs,
                               const PairWitness &at) const {
  Witness witness;
  witness.kind = Witness::Kind::Overwritten;
  witness.array = load.map->argument;
  witness.element = {at.element[0]};
  llvm::ArrayRef<int64_t> rest = at.index;
  const auto next = [&](size_t count) {
    const std::vector<int64_t> found = rest.take_front(count).vec();
    rest = rest.drop_front(count);
    return found;
  };
  Witness::Access &reader = witness.second, &writer = witness.first;
  reader.program = next(kPairAxes);
  writer.program = pairs.apartAlong ? next(kPairAxes) : reader.program;
  for (const auto &[of, access] :
       {std::pair(&load, &reader), {&store, &writer}}) {
    access->loops = next(accessOf(*of).loops.size());
    access->tile = next(accessOf(*of).tile.size());
    access->line = accessOf(*of).place.line;
  }
  return witness;
}

}  // namespace indexical::kernels
