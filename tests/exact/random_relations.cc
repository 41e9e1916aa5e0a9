#include "tests/exact/random_relations.h"

#include <utility>

#include "indexical/exact/system.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/brute_force.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap randomPiece(Random &random, int64_t dimensions, int64_t results) {
  if (random.oneIn(2)) return randomStructuredMap(random, dimensions, results);
  MapOptions options;
  options.leastDimensions = options.mostDimensions = dimensions;
  options.leastResults = options.mostResults = results;
  options.mostRuntime = random.oneIn(3) ? 2 : 0;
  options.mostRanges = dimensions > 2 ? 1 : 2;
  options.semiAffine = random.oneIn(4);
  options.minima = random.oneIn(4);
  return randomMap(random, options);
}

/// Returns the map with one number changed, or unchanged.
IndexingMap changed(Random &random, const IndexingMap &map) {
  IndexingMapBuilder b;
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(map.expressions(), b.pool(), same);
  int64_t places = map.dimensions().size() + map.ranges().size() +
                   map.results().size() + map.constraints().size();
  int64_t place = random.oneIn(4) ? -1 : random.in(0, places);
  int64_t by = random.oneIn(2) ? 1 : -1;
  auto bounds = [&](Interval bounds) {
    if (place-- == 0) (random.oneIn(2) ? bounds.lower : bounds.upper) += by;
    return bounds;
  };
  for (const Variable &v : map.dimensions()) b.dimension(bounds(v.bounds));
  for (const Variable &v : map.ranges()) b.range(bounds(v.bounds));
  for (const RuntimeVariable &v : map.runtime()) b.runtime(v);
  for (FormId form : map.results()) {
    Expr result = b.expression(import(form));
    b.result(place-- == 0 ? result + by : result);
  }
  for (const Constraint &c : map.constraints()) {
    Interval of = c.bounds;
    if (place-- == 0) {
      if (of.hasUpper())
        of.upper += by;
      else if (of.hasLower())
        of.lower += by;
    }
    b.constraint(b.expression(import(c.form)), of);
  }
  auto result = b.build();
  return result.ok() ? *result : map;
}

}  // namespace

IndexingMap randomStructuredMap(Random &random, int64_t dimensions,
                                int64_t results) {
  IndexingMapBuilder b;
  struct Part {
    Expr value;
    int64_t size;
  };
  std::vector<Part> parts;
  auto part = [&](Expr variable, int64_t lower, int64_t size) {
    Expr value = variable - lower;
    if (random.oneIn(5)) value = b.constant(size - 1) - value;  // reversed
    parts.push_back({value, size});
  };
  for (int64_t i = 0; i < dimensions; ++i) {
    int64_t size = random.in(1, dimensions > 3 ? 3 : 8);
    int64_t lower = random.oneIn(4) ? random.in(-3, 3) : 0;
    part(b.dimension({lower, lower + size - 1}), lower, size);
  }
  for (int64_t i = random.oneIn(2) ? 0 : random.in(0, 2); i > 0; --i) {
    int64_t size = random.in(1, 4);
    part(b.range({0, size - 1}), 0, size);
  }
  // One number of all of them, some dropped, some with room between.
  Expr whole = b.constant(0);
  int64_t count = 1;
  for (int64_t i : random.permutation(parts.size())) {
    if (random.oneIn(8)) continue;
    int64_t room = random.oneIn(5) ? random.in(0, 2) : 0;
    whole = whole + parts[i].value * count;
    count *= parts[i].size + room;
    if (random.oneIn(8)) whole = whole + parts[i].value;  // a window
  }
  if (random.oneIn(4)) whole = whole * random.in(2, 3) + random.in(0, 2);
  // Cut again.
  for (int64_t i = 0; i < results; ++i) {
    if (i + 1 == results && random.oneIn(2)) {
      b.result(whole);
      break;
    }
    int64_t size = random.oneIn(4) ? random.in(1, 7) : random.in(1, 4);
    b.result(mod(whole, size) + (random.oneIn(4) ? random.in(-2, 2) : 0));
    whole = floorDiv(whole, size);
    if (random.oneIn(6)) b.constraint(whole, {0, random.in(0, 5)});
  }
  auto map = b.build();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

IndexingMap randomSet(Random &random) {
  while (true) {
    const IndexingMap map =
        randomPiece(random, random.in(0, 4), random.in(0, 3));
    if (!map.runtime().empty()) continue;
    System system;
    auto variables = system.addVariables(map);
    system.outputs = system.addMap(map, variables);
    // An equation, or something near it.
    if (!system.outputs.empty() && random.oneIn(2)) {
      auto one = [&] {
        return system.outputs[random.in(0, system.outputs.size() - 1)];
      };
      FormId form = one();
      if (random.oneIn(2)) form = system.pool.sub(form, one());
      if (!variables.empty() && random.oneIn(4))
        form = system.pool.sub(form, variables.back());
      int64_t lower = random.in(-2, 4);
      system.require(form,
                     {lower, lower + (random.oneIn(3) ? random.in(0, 3) : 0)});
    }
    // One variable that the others leave one value.
    if (variables.size() > 1 && random.oneIn(3)) {
      auto order = random.permutation(variables.size());
      FormId form = variables[order[0]];
      for (int64_t i = random.in(1, variables.size() - 1); i > 0; --i)
        form = system.pool.linear(
            {{form, 1}, {variables[order[i]], random.in(-3, 3)}},
            random.in(-1, 1));
      system.require(form, Interval::point(random.in(-1, 3)));
    }
    auto set = system.simplified();
    if (!set.ok() || set->isKnownEmpty()) continue;
    const IndexingRelation relation(*set);
    if (BruteForce({&relation}).isSmall(relation, 4000)) return *set;
  }
}

RelationPair randomRelations(Random &random) {
  RelationPair pair;
  while (pair.first.isEmpty()) {
    pair.dimensions = random.oneIn(10) ? random.in(4, 6) : random.in(0, 3);
    pair.results = random.in(0, 3);
    for (int64_t i = random.oneIn(3) ? 2 : 1; i > 0; --i)
      pair.first.add(randomPiece(random, pair.dimensions, pair.results));
  }
  const bool related = !random.oneIn(4);
  for (const IndexingMap &piece : pair.first.pieces()) {
    if (!related) {
      pair.second.add(randomPiece(random, pair.dimensions, pair.results));
      continue;
    }
    IndexingMap other = changed(random, piece);
    // Simplified, but for a point that would take its variable's name away.
    if (random.oneIn(2) && other.runtime().empty())
      if (auto simple = simplify(other); simple.ok()) other = *simple;
    if (!other.isKnownEmpty() || random.oneIn(2)) pair.second.add(other);
  }
  return pair;
}

}  // namespace indexical::testing
