#include "tests/support/random_maps.h"

#include <algorithm>
#include <iterator>

#include "gtest/gtest.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"

namespace indexical::testing {
namespace {

Interval randomBounds(Random &random, int64_t mostCount, bool open) {
  int64_t lower = random.oneIn(3) ? random.in(-5, 5) : 0;
  Interval bounds{lower, lower + random.in(0, mostCount - 1)};
  if (open && random.oneIn(3)) bounds.lower = Interval::kMinusInfinity;
  if (open && random.oneIn(3)) bounds.upper = Interval::kInfinity;
  return bounds;
}

/// Bounds that hold at some points and not at others, more often than not.
Interval constraintBounds(Random &random) {
  int64_t lower = random.in(-8, 8);
  Interval bounds{lower, lower + random.in(0, random.oneIn(2) ? 3 : 12)};
  if (random.oneIn(5)) bounds.lower = Interval::kMinusInfinity;
  if (random.oneIn(5)) bounds.upper = Interval::kInfinity;
  return bounds;
}

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

int64_t pick(uint64_t hash, Interval values) {
  hash = mixed(mixed(hash, 77), 3) >> 11;
  return values.lower + static_cast<int64_t>(hash % values.count());
}

bool hasSource(const RuntimeVariable &variable) {
  return variable.source.kind != RuntimeSource::Kind::None;
}

/// Finds the value of runtime variable i, after those that its index uses.
class RuntimeReader {
 public:
  RuntimeReader(const IndexingMap &map, const World &world,
                llvm::ArrayRef<int64_t> dimensions,
                llvm::ArrayRef<int64_t> ranges, llvm::ArrayRef<int64_t> unknown)
      : map(map),
        world(world),
        dimensions(dimensions),
        ranges(ranges),
        known(map.runtime().size()),
        isUndefined(map.runtime().size(), false) {
    size_t next = 0;
    for (size_t i = 0; i < known.size(); ++i)
      if (!hasSource(map.runtime()[i])) known[i] = unknown[next++];
  }

  /// Returns the value of runtime variable i, or nothing if the element is
  /// outside of bounds that are no clamp.
  std::optional<int64_t> operator()(size_t i) {
    if (known[i]) return known[i];
    const RuntimeVariable &variable = map.runtime()[i];
    Index index;
    bool holds = true;
    auto value = [&](VariableId id) -> int64_t {
      if (id.kind == VariableKind::Dimension) return dimensions[id.index];
      if (id.kind == VariableKind::Range) return ranges[id.index];
      auto inner = (*this)(id.index);
      holds &= inner.has_value();
      if (isUndefined[id.index]) isUndefined[i] = true;
      return inner.value_or(0);
    };
    Evaluation evaluate(map.expressions(), value);
    for (FormId form : variable.index) {
      auto at = evaluate(form);
      if (!at)
        ADD_FAILURE() << "a source index without a value in " << map.str();
      index.push_back(at.value_or(0));
    }
    if (!holds) return std::nullopt;
    std::optional<int64_t> element;
    if (!isUndefined[i]) element = world.value(variable, index);
    const Interval &bounds = variable.bounds;
    if (!element) {
      isUndefined[i] = true;
      element = bounds.lower;
    }
    if (variable.clamped)
      element = std::min(std::max(*element, bounds.lower), bounds.upper);
    if (!bounds.contains(*element)) return std::nullopt;
    known[i] = element;
    return element;
  }

  const std::vector<bool> &undefined() const { return isUndefined; }

 private:
  const IndexingMap &map;
  const World &world;
  llvm::ArrayRef<int64_t> dimensions, ranges;
  std::vector<std::optional<int64_t>> known;
  std::vector<bool> isUndefined;
};

/// Returns whether the constraints hold that use none of these variables.
bool definedConstraintsHold(const IndexingMap &map,
                            const IndexingMap::Point &point,
                            const std::vector<bool> &undefined) {
  auto value = [&](VariableId id) {
    return id.kind == VariableKind::Dimension ? point.dimensions[id.index]
           : id.kind == VariableKind::Range   ? point.ranges[id.index]
                                              : point.runtime[id.index];
  };
  Evaluation evaluate(map.expressions(), value);
  for (const Constraint &c : map.constraints()) {
    bool defined = true;
    map.expressions().visitVariables(c.form, [&](VariableId id) {
      defined &= id.kind != VariableKind::Runtime || !undefined[id.index];
    });
    if (defined && !c.bounds.contains(evaluate(c.form).value_or(INT64_MIN)))
      return false;
  }
  return true;
}

std::string textOf(llvm::ArrayRef<int64_t> index) {
  std::string text = "(";
  for (size_t k = 0; k < index.size(); ++k)
    text += (k ? ", " : "") + std::to_string(index[k]);
  return text + ")";
}

}  // namespace

//===-- Random maps -------------------------------------------------------===//

MapParts randomParts(Random &random, const MapOptions &options) {
  MapParts parts;
  TreeOptions trees;
  trees.minima = options.minima;
  trees.depth = options.depth;
  auto variables = [&](std::vector<Interval> &bounds, VariableKind kind,
                       int64_t count, int64_t mostCount, bool open) {
    for (int64_t i = 0; i < count; ++i) {
      bounds.push_back(randomBounds(random, mostCount, open));
      VariableId id{kind, static_cast<uint32_t>(i)};
      trees.variables.push_back(id);
      if (options.semiAffine && bounds.back().lower >= 1)
        trees.divisors.push_back(id);
    }
  };
  variables(parts.dimensions, VariableKind::Dimension,
            random.in(options.leastDimensions, options.mostDimensions), 6,
            options.openDimensions);
  variables(parts.ranges, VariableKind::Range, random.in(0, options.mostRanges),
            4, false);
  TreeOptions indexTrees = trees;
  indexTrees.depth = 2;
  variables(parts.runtime, VariableKind::Runtime,
            random.in(0, options.mostRuntime), 5, false);
  for (int64_t i = random.in(options.leastResults, options.mostResults); i > 0;
       --i)
    parts.results.push_back(randomTree(random, trees));
  for (int64_t i = random.in(0, options.mostConstraints); i > 0; --i) {
    Tree tree = randomTree(random, trees);
    Interval bounds = constraintBounds(random);
    if (random.oneIn(4)) {
      int64_t modulus = random.in(2, 5);
      tree = Tree::of(Tree::Op::Mod, tree, Tree::ofConstant(modulus));
      bounds = Interval::point(random.in(0, modulus - 1));
    }
    parts.constraints.push_back({tree, bounds});
  }
  if (!options.sources) return parts;
  for (size_t i = 0; i < parts.runtime.size(); ++i) {
    MapParts::Source source;
    source.clamped = random.oneIn(2);
    source.tensor = random.in(0, 2);
    for (int64_t k = source.tensor; k > 0; --k)  // its rank
      source.index.push_back(randomTree(random, indexTrees));
    parts.sources.push_back(std::move(source));
    // Later indices may be read at this variable's value.
    if (random.oneIn(2))
      indexTrees.variables.push_back(
          {VariableKind::Runtime, static_cast<uint32_t>(i)});
  }
  return parts;
}

absl::StatusOr<IndexingMap> MapParts::buildOrError() const {
  IndexingMapBuilder b;
  for (const Interval &bounds : dimensions) b.dimension(bounds);
  for (const Interval &bounds : ranges) b.range(bounds);
  auto expression = [&](const Tree &tree) {
    return b.expression(formOf(tree, b.pool()));
  };
  for (size_t i = 0; i < runtime.size(); ++i) {
    if (sources.empty()) {
      b.runtime(runtime[i]);
      continue;
    }
    std::vector<Expr> index;
    for (const Tree &tree : sources[i].index) index.push_back(expression(tree));
    b.runtimeElement(runtime[i], sources[i].clamped, sources[i].tensor, index);
  }
  for (const Tree &tree : results) b.result(expression(tree));
  for (const auto &[tree, bounds] : constraints)
    b.constraint(expression(tree), bounds);
  return b.build();
}

IndexingMap MapParts::build() const {
  auto map = buildOrError();
  EXPECT_TRUE(map.ok()) << map.status() << "\n" << text();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

std::string MapParts::text() const {
  std::vector<std::string> domain, exprs;
  auto names = [&](const char *prefix, const std::vector<Interval> &bounds) {
    std::vector<std::string> names;
    for (size_t i = 0; i < bounds.size(); ++i) {
      names.push_back(prefix + std::to_string(i));
      domain.push_back(names.back() + " in " + bounds[i].str());
    }
    return llvm::join(names, ", ");
  };
  std::string text = "(" + names("d", dimensions) + ")";
  text += "[" + names("s", ranges) + "]{" + names("rt", runtime) + "}";
  for (const Tree &tree : results) exprs.push_back(testing::textOf(tree));
  for (const auto &[tree, bounds] : constraints)
    domain.push_back("(" + testing::textOf(tree) + ") in " + bounds.str());
  text += " -> (" + llvm::join(exprs, ", ") + ")";
  if (!domain.empty()) text += ", domain: " + llvm::join(domain, ", ");
  return text;
}

IndexingMap randomMap(Random &random, const MapOptions &options) {
  return randomParts(random, options).build();
}

//===-- Maps as sets ------------------------------------------------------===//

std::optional<int64_t> World::element(int64_t tensor,
                                      llvm::ArrayRef<int64_t> index) const {
  uint64_t hash = mixed(seed, tensor);
  for (int64_t i : index) hash = mixed(hash, i);
  return pick(hash, values);
}

std::optional<Index> runtimeValues(const IndexingMap &map, const World &world,
                                   llvm::ArrayRef<int64_t> dimensions,
                                   llvm::ArrayRef<int64_t> ranges,
                                   llvm::ArrayRef<int64_t> unknown,
                                   std::vector<bool> *undefined) {
  RuntimeReader read(map, world, dimensions, ranges, unknown);
  Index values;
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    auto value = read(i);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (undefined) *undefined = read.undefined();
  return values;
}

std::vector<Pair> pairsOf(const IndexingMap &map, const World &world,
                          Interval window) {
  std::vector<Pair> pairs;
  if (map.isKnownEmpty()) return pairs;
  Index first, counts;
  auto add = [&](const Interval &bounds) {
    first.push_back(bounds.lower);
    counts.push_back(bounds.count());
    EXPECT_LT(bounds.count(), 10000) << bounds.str();
  };
  for (const Variable &v : map.dimensions()) add(v.bounds.intersect(window));
  for (const Variable &v : map.ranges())
    add(v.bounds.hasUpper() ? v.bounds : v.bounds.intersect(window));
  for (const RuntimeVariable &v : map.runtime())
    if (!hasSource(v)) add(v.bounds);
  const size_t rank = map.dimensions().size();
  const size_t free = rank + map.ranges().size();
  forEachIndex(counts, [&](const Index &offset) {
    Index at = first;
    for (size_t k = 0; k < at.size(); ++k) at[k] += offset[k];
    IndexingMap::Point point;
    point.dimensions.assign(at.begin(), at.begin() + rank);
    point.ranges.assign(at.begin() + rank, at.begin() + free);
    std::vector<bool> undefined;
    auto runtime =
        runtimeValues(map, world, point.dimensions, point.ranges,
                      llvm::ArrayRef<int64_t>(at).drop_front(free), &undefined);
    if (!runtime) return;
    point.runtime = *runtime;
    if (llvm::is_contained(undefined, true)) {
      // A source is defined where the constraints hold that do not need it.
      if (definedConstraintsHold(map, point, undefined))
        ADD_FAILURE() << "a source outside of its tensor at " << textOf(at)
                      << " of " << map.str();
      return;
    }
    if (!map.contains(point)) return;
    auto result = map.evaluate(point);
    if (!result) {
      ADD_FAILURE() << "no value at " << textOf(at) << " of " << map.str();
      return;
    }
    result->append(*map.evaluateMembers(point));
    pairs.emplace_back(Index(point.dimensions), Index(*result));
  });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::string describe(const IndexingMap &map) {
  std::string text = map.str();
  for (uint32_t i = 0; i < map.runtime().size(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    if (!hasSource(variable)) continue;
    std::vector<std::string> index;
    for (FormId form : variable.index) index.push_back(map.str(form));
    text += "\n" + map.nameOf({VariableKind::Runtime, i}) + " = " +
            (variable.clamped ? "clamped element (" : "element (") +
            llvm::join(index, ", ") + ") of tensor " +
            std::to_string(variable.source.tensor) + " in " +
            variable.bounds.str();
  }
  return text;
}

int64_t writtenSize(const IndexingMap &map) {
  int64_t size = 0;
  for (FormId form : map.results()) size += map.expressions().writtenSize(form);
  for (const Constraint &c : map.constraints())
    size += map.expressions().writtenSize(c.form);
  return size;
}

IndexingMap unmarked(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  return *withBody(map, [](IndexingMapBuilder &, MapBody &) {});
}

std::string difference(const std::vector<Pair> &first,
                       const std::vector<Pair> &second) {
  std::vector<Pair> only;
  std::set_symmetric_difference(first.begin(), first.end(), second.begin(),
                                second.end(), std::back_inserter(only));
  if (only.empty()) return "";
  bool inFirst = std::binary_search(first.begin(), first.end(), only[0]);
  return textOf(only[0].first) + " -> " + textOf(only[0].second) +
         " is only in the " + (inFirst ? "first" : "second") + " (" +
         std::to_string(only.size()) + " pairs differ)";
}

}  // namespace indexical::testing
