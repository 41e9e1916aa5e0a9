// Relations from relations: inverse, intersection, difference, union.
#include <algorithm>
#include <utility>

#include "indexical/exact/elimination.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/pairs.h"
#include "indexical/exact/projection.h"
#include "indexical/exact/regions.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/merge.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// A system's variables as those of a map, and the forms that are its results.
struct Shape {
  llvm::SmallVector<uint32_t, 8> dimensions, ranges;
  /// Each with the variable that it is; its index holds forms of the system.
  llvm::SmallVector<std::pair<uint32_t, RuntimeVariable>, 2> runtime;
  System::Forms results;
  llvm::SmallVector<int64_t, 0> collectives;
};

bool isUnclampedAndSourceless(const RuntimeVariable &variable) {
  return !variable.clamped && variable.source.kind == RuntimeSource::Kind::None;
}

/// A variable without a source that divides something. Its bounds are the
/// values that it can have as a divisor, not all of its values.
struct Narrowed {
  RuntimeVariable variable;
  Interval bounds;
};

/// Adds the bounds of narrowed variables that the map has lost, because nothing
/// is divided by them any more.
absl::StatusOr<IndexingMap> withBounds(const IndexingMap &map,
                                       llvm::ArrayRef<Narrowed> narrowed) {
  llvm::SmallVector<const Narrowed *, 2> gone;
  for (const Narrowed &n : narrowed) {
    bool isThere = false;
    for (uint32_t i = 0; i < map.runtime().size(); ++i)
      isThere |= map.nameOf({VariableKind::Runtime, i}) == n.variable.name;
    if (!isThere) gone.push_back(&n);
  }
  if (gone.empty() || map.isKnownEmpty()) return map;
  return restricted(map, [&](IndexingMapBuilder &to, llvm::ArrayRef<Expr>) {
    for (const Narrowed *n : gone)
      to.constraint(to.runtime(n->variable), n->bounds);
  });
}

/// Simplifies a map with variables whose values are given. Simplification would
/// drop conditions on a variable without a source, as if it could have any
/// value, but leaves a clamped variable alone. Names identify such variables,
/// so they stay.
absl::StatusOr<IndexingMap> simplifyGiven(const IndexingMap &map,
                                          llvm::ArrayRef<Narrowed> narrowed) {
  const SimplifyOptions keepNames;
  auto simple = simplify(map, keepNames);
  if (!simple.ok()) return simple;
  simple = withBounds(*simple, narrowed);
  if (simple.ok()) simple = simplify(*simple, keepNames);
  if (!simple.ok() || simple->isKnownEmpty()) return simple;
  return withRuntime(*simple, [](IndexingMapBuilder &, RuntimeVariable &v) {
    if (v.source.kind == RuntimeSource::Kind::None) v.clamped = false;
  });
}

/// The map of the system. Values of unknown variables, of which there are none
/// left, are not asked for.
absl::StatusOr<IndexingMap> mapOf(const System &system, const Shape &shape) {
  IndexingMapBuilder b;
  llvm::SmallVector<FormId, 16> values(system.box.size(),
                                       b.pool().constantForm(0));
  auto replace = [&](VariableId id) { return values[id.index]; };
  ExpressionImport import(system.pool, b.pool(), replace);
  for (uint32_t i : shape.dimensions)
    values[i] = b.dimension(system.box[i]).form();
  for (uint32_t i : shape.ranges) values[i] = b.range(system.box[i]).form();
  for (uint32_t i = 0; i < shape.runtime.size(); ++i)
    values[shape.runtime[i].first] =
        b.pool().variable({VariableKind::Runtime, i});
  bool givenOnly = false;
  llvm::SmallVector<Narrowed, 2> narrowed;
  const auto divides = variablesThatDivide(system.pool, system.box.size());
  for (const auto &[number, given] : shape.runtime) {
    RuntimeVariable variable = given;
    if (isUnclampedAndSourceless(given)) {
      givenOnly = variable.clamped = true;
      // Its values elsewhere may be 0.
      if (divides[number]) {
        narrowed.push_back({variable, system.box[number]});
        variable.bounds = system.box[number];
      }
    }
    // Bounds of a clamped or given variable stay a constraint.
    if (variable.clamped)
      b.constraint(b.expression(values[number]), system.box[number]);
    else
      variable.bounds = system.box[number];
    for (FormId &form : variable.index) form = import(form);
    b.runtime(std::move(variable));
  }
  const size_t members = shape.collectives.size();
  for (FormId form : llvm::ArrayRef(shape.results).drop_back(members))
    b.result(b.expression(import(form)));
  for (size_t i = 0; i < members; ++i)
    b.member(shape.collectives[i],
             b.expression(
                 import(shape.results[shape.results.size() - members + i])));
  for (const Constraint &c : system.constraints)
    b.constraint(b.expression(import(c.form)), c.bounds);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  if (givenOnly) return simplifyGiven(map, narrowed);
  SimplifyOptions options;
  options.rename = true;
  return simplify(map, options);
}

absl::StatusOr<IndexingMap> inverseOf(const IndexingMap &map,
                                      const Parameters &parameters) {
  if (map.isKnownEmpty()) return map;
  System system;
  const size_t members = map.collectives().size();
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  Shape shape;
  System::Forms known;
  for (FormId form : map.results()) {
    shape.dimensions.push_back(system.box.size());
    known.push_back(system.add(bounds(form)));
  }
  System::Forms flat;
  llvm::SmallVector<bool, 16> unknown(known.size(), false);
  for (const Variable &v : map.dimensions())
    flat.push_back(system.add(v.bounds));
  for (const Variable &v : map.ranges()) flat.push_back(system.add(v.bounds));
  unknown.resize(known.size() + flat.size(), true);
  for (const RuntimeVariable &v : map.runtime()) {
    flat.push_back(system.add(v.bounds));
    unknown.push_back(false);
  }
  auto results = system.addMap(map, flat);
  Elimination elimination(system, unknown);
  for (size_t i = 0; i < known.size(); ++i)
    elimination.equate(results[i], known[i]);
  elimination.solve();
  shape.ranges.assign(elimination.freeVariables().begin(),
                      elimination.freeVariables().end());
  for (size_t i = 0; i < map.dimensions().size(); ++i)
    shape.results.push_back(elimination.value(flat[i]));
  for (size_t i = results.size() - members; i < results.size(); ++i)
    shape.results.push_back(elimination.value(results[i]));
  shape.collectives.assign(map.collectives().begin(), map.collectives().end());
  const size_t firstRuntime = map.dimensions().size() + map.ranges().size();
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    RuntimeVariable variable = map.runtime()[i];
    const auto &parameter = parameters[parameters.numberOf(map, i)];
    variable.name = parameter.name;
    if (isUnclampedAndSourceless(variable)) variable.bounds = parameter.values;
    auto index = system.import(map, flat, variable.index);
    for (size_t k = 0; k < index.size(); ++k)
      variable.index[k] = elimination.value(index[k]);
    shape.runtime.push_back(
        {static_cast<uint32_t>(known.size() + firstRuntime + i),
         std::move(variable)});
  }
  const System &left = elimination.result();
  if (elimination.overflowed())
    return absl::OutOfRangeError(
        "arithmetic leaves the range of 64-bit integers");
  return mapOf(left, shape);
}

/// A region as a map again: variables are index, parameters, then ranges.
absl::StatusOr<IndexingMap> mapOfRegion(const IndexingMap &region,
                                        const IndexingMap &piece,
                                        const Parameters &parameters,
                                        bool &varies) {
  if (region.isKnownEmpty()) return region;
  System system;
  auto variables = system.addVariables(region);
  auto results = system.addMap(region, variables);
  const size_t index = piece.dimensions().size();
  Shape shape;
  for (uint32_t i = 0; i < index; ++i) shape.dimensions.push_back(i);
  for (uint32_t i = index + parameters.size(); i < variables.size(); ++i)
    shape.ranges.push_back(i);
  for (size_t k = 0; k < parameters.size(); ++k) {
    RuntimeVariable variable = parameters[k].variable;
    const IndexingMap &owner = *parameters[k].owner;
    // The index has the variables of the piece that owns it. Its ranges are the
    // region's only if that is the region's piece.
    System::Forms flat(variables.begin(), variables.begin() + index);
    for (size_t i = 0; i < owner.ranges().size(); ++i)
      flat.push_back(&owner == &piece ? variables[index + parameters.size() + i]
                                      : system.pool.constantForm(0));
    for (uint32_t i = 0; i < owner.runtime().size(); ++i)
      flat.push_back(variables[index + parameters.numberOf(owner, i)]);
    varies |= parameters[k].variesWithRanges && &owner != &piece;
    auto place = system.import(owner, flat, variable.index);
    variable.index.assign(place.begin(), place.end());
    if (isUnclampedAndSourceless(variable))
      variable.bounds = parameters[k].values;
    variable.name = parameters[k].name;
    shape.runtime.push_back(
        {static_cast<uint32_t>(index + k), std::move(variable)});
  }
  shape.results.assign(
      results.begin() + index,
      results.begin() + index + piece.resultsAndMembers().size());
  shape.collectives.assign(piece.collectives().begin(),
                           piece.collectives().end());
  return mapOf(system, shape);
}

/// The memberships of all pieces, or nothing if one cannot be written as
/// constraints.
absl::StatusOr<std::optional<std::vector<IndexingMap>>> membershipsOf(
    llvm::ArrayRef<IndexingMap> pieces, const Parameters &parameters) {
  std::vector<IndexingMap> all;
  for (const IndexingMap &piece : pieces) {
    INDEXICAL_ASSIGN_OR_RETURN(auto region, regionOf(piece, parameters));
    INDEXICAL_ASSIGN_OR_RETURN(auto membership, resultsOf(region));
    if (!membership.plain) return std::nullopt;
    all.push_back(std::move(membership.set));
  }
  return all;
}

/// Adds pieces, merged with those with which they are one map: but for
/// variables without a source, which merging too takes for existing.
void join(IndexingRelation &into, const IndexingRelation &pieces,
          const Parameters &parameters) {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (isUnclampedAndSourceless(parameters[i].variable))
      return into.unite(pieces);
  uniteMerged(into, pieces);
}

/// Whether bounds alone show that no pair of the region is a member: most
/// pieces of an op lie in boxes of their own.
bool isOutside(const IndexingMap &region, const IndexingMap &membership) {
  auto boundsOf = [&](VariableId id) { return region.variable(id).bounds; };
  FormBounds bounds(region.expressions(), boundsOf);
  const size_t count =
      std::min(region.results().size(), membership.dimensions().size());
  for (size_t k = 0; k < count; ++k)
    if (bounds(region.results()[k])
            .intersect(membership.dimensions()[k].bounds)
            .isEmpty())
      return true;
  return false;
}

/// The part of a piece that is outside of all memberships, or nothing if it
/// has more pieces than there may be.
absl::StatusOr<std::optional<IndexingRelation>> without(
    const IndexingMap &piece, llvm::ArrayRef<IndexingMap> memberships,
    const Parameters &parameters, const ExactOptions &options) {
  if (parameters.varyWithRanges()) return std::nullopt;
  INDEXICAL_ASSIGN_OR_RETURN(auto region, regionOf(piece, parameters));
  std::vector<IndexingMap> parts{std::move(region)};
  for (const IndexingMap &membership : memberships) {
    INDEXICAL_RETURN_IF_ERROR(options.check());
    std::vector<IndexingMap> next;
    for (const IndexingMap &part : parts) {
      if (isOutside(part, membership)) {
        next.push_back(part);
        continue;
      }
      auto outside = subtract(part, membership);
      // A divisor of the membership that can be 0 outside of it.
      if (absl::IsInvalidArgument(outside.status())) return std::nullopt;
      INDEXICAL_RETURN_IF_ERROR(outside.status());
      next.insert(next.end(), outside->begin(), outside->end());
    }
    parts = std::move(next);
    if (static_cast<int64_t>(parts.size()) > options.mostPieces)
      return std::nullopt;
  }
  IndexingRelation left;
  bool varies = false;
  for (const IndexingMap &part : parts) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map,
                               mapOfRegion(part, piece, parameters, varies));
    join(left, IndexingRelation(std::move(map)), parameters);
  }
  return left;
}

Precision weaker(const IndexingRelation &a, const IndexingRelation &b) {
  return std::min(a.precision(), b.precision());
}

/// What could not be simplified in time is a cover, which is no answer.
absl::StatusOr<IndexingRelation> unlessStopped(IndexingRelation found) {
  INDEXICAL_RETURN_IF_ERROR(StopScope::check());
  return found;
}

absl::Status checkRanks(
    std::initializer_list<const IndexingRelation *> relations) {
  Ranks ranks;
  for (const IndexingRelation *relation : relations)
    INDEXICAL_RETURN_IF_ERROR(ranks.add(*relation));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<IndexingRelation> inverse(const IndexingRelation &relation) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return inverse(relation); });
  Parameters parameters{&relation};
  IndexingRelation inverted;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, inverseOf(piece, parameters));
    inverted.add(std::move(map));
  }
  inverted.weaken(relation.precision());
  return unlessStopped(std::move(inverted));
}

absl::StatusOr<IndexingRelation> intersect(const IndexingRelation &a,
                                           const IndexingRelation &b) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return intersect(a, b); });
  INDEXICAL_RETURN_IF_ERROR(checkRanks({&a, &b}));
  Parameters parameters{&a, &b};
  IndexingRelation common;
  for (const IndexingMap &x : a.pieces())
    for (const IndexingMap &y : b.pieces()) {
      auto first = regionOf(x, parameters), second = regionOf(y, parameters);
      INDEXICAL_RETURN_IF_ERROR(first.status());
      INDEXICAL_RETURN_IF_ERROR(second.status());
      INDEXICAL_ASSIGN_OR_RETURN(auto membership, resultsOf(*second));
      if (first->isKnownEmpty() || membership.set.isKnownEmpty()) continue;
      System system;
      auto variables = system.addVariables(*first);
      system.outputs = system.addMap(*first, variables);
      System::Forms values = system.outputs;
      // The other variables of the membership become further ranges.
      for (size_t i = values.size(); i < membership.set.dimensions().size();
           ++i)
        values.push_back(system.add(Interval::all()));
      system.addMap(membership.set, values);
      INDEXICAL_ASSIGN_OR_RETURN(auto region, system.simplified());
      bool varies = false;
      INDEXICAL_ASSIGN_OR_RETURN(auto map,
                                 mapOfRegion(region, x, parameters, varies));
      common.add(std::move(map));
      if (varies) common.weaken(Precision::Cover);
    }
  common.weaken(weaker(a, b));
  return unlessStopped(std::move(common));
}

absl::StatusOr<IndexingRelation> difference(const IndexingRelation &a,
                                            const IndexingRelation &b,
                                            const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return difference(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks({&a, &b}));
  Parameters parameters{&a, &b};
  IndexingRelation all = a;
  all.weaken(Precision::Cover);
  INDEXICAL_ASSIGN_OR_RETURN(auto memberships,
                             membershipsOf(b.pieces(), parameters));
  if (!memberships) return unlessStopped(std::move(all));
  IndexingRelation left;
  for (const IndexingMap &piece : a.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto parts, without(piece, *memberships, parameters, options));
    if (!parts) return unlessStopped(std::move(all));
    join(left, *parts, parameters);
    if (static_cast<int64_t>(left.pieces().size()) > options.mostPieces)
      return all;
  }
  left.weaken(weaker(a, b));
  return unlessStopped(std::move(left));
}

absl::StatusOr<IndexingRelation> unite(const IndexingRelation &a,
                                       const IndexingRelation &b,
                                       const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return unite(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks({&a, &b}));
  Parameters parameters{&a, &b};
  IndexingRelation united;
  // Each piece without those before it.
  std::vector<IndexingMap> before;
  for (const IndexingRelation *relation : {&a, &b})
    for (const IndexingMap &piece : relation->pieces()) {
      INDEXICAL_ASSIGN_OR_RETURN(auto parts,
                                 without(piece, before, parameters, options));
      if (parts) {
        join(united, *parts, parameters);
      } else {
        INDEXICAL_ASSIGN_OR_RETURN(auto whole,
                                   without(piece, {}, parameters, options));
        join(united, whole ? *whole : IndexingRelation(piece), parameters);
      }
      INDEXICAL_ASSIGN_OR_RETURN(auto own, membershipsOf(piece, parameters));
      if (own) before.insert(before.end(), own->begin(), own->end());
    }
  united.weaken(weaker(a, b));
  return unlessStopped(std::move(united));
}

absl::StatusOr<IndexingRelation> image(const IndexingRelation &relation) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return image(relation); });
  for (const IndexingMap &piece : relation.pieces())
    if (piece.results().size() != relation.pieces()[0].results().size())
      return absl::InvalidArgumentError(
          "maps of different numbers of results have no image in common");
  Parameters parameters{&relation};
  // The value of another index is another one: no parameter of an element.
  bool varies = false;
  for (size_t i = 0; i < parameters.size(); ++i)
    varies |= parameters[i].dependsOnIndex;
  IndexingRelation read;
  for (const IndexingMap &piece : relation.pieces()) {
    if (piece.isKnownEmpty()) continue;
    const size_t index = piece.dimensions().size();
    const size_t element = piece.results().size();
    if (varies || !piece.collectives().empty()) {
      IndexingMapBuilder b;
      auto boundsOf = [&](VariableId id) { return piece.variable(id).bounds; };
      FormBounds bounds(piece.expressions(), boundsOf);
      for (FormId form : piece.results()) b.dimension(bounds(form));
      INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
      read.add(std::move(map));
      read.weaken(Precision::Cover);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto region, regionOf(piece, parameters));
    if (region.isKnownEmpty()) continue;
    System system;
    auto variables = system.addVariables(region);
    auto results = system.addMap(region, variables);
    system.outputs.assign(results.begin() + index, results.end());
    INDEXICAL_ASSIGN_OR_RETURN(auto set, system.simplified());
    INDEXICAL_ASSIGN_OR_RETURN(auto projection, resultsOf(set));
    if (projection.set.isKnownEmpty()) continue;
    System last;
    auto kept = last.addVariables(projection.set);
    last.addMap(projection.set, kept);
    Shape shape;
    for (uint32_t i = 0; i < element; ++i) shape.dimensions.push_back(i);
    for (uint32_t i = element + parameters.size(); i < kept.size(); ++i)
      shape.ranges.push_back(i);
    for (uint32_t k = 0; k < parameters.size(); ++k) {
      RuntimeVariable variable = parameters[k].variable;
      variable.name = parameters[k].name;
      if (isUnclampedAndSourceless(variable))
        variable.bounds = parameters[k].values;
      shape.runtime.push_back(
          {static_cast<uint32_t>(element + k), std::move(variable)});
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto map, mapOf(last, shape));
    join(read, IndexingRelation(std::move(map)), parameters);
  }
  read.weaken(relation.precision());
  return unlessStopped(std::move(read));
}

}  // namespace indexical
