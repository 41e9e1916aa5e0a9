#include "tests/simplifier/soundness_fuzz.h"

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/isl_oracle.h"

namespace indexical::testing {
namespace {

//===-- Random pairs ------------------------------------------------------===//

Interval smallBounds(Random &random) {
  const int64_t lower = random.oneIn(3) ? random.in(-9, 9) : 0;
  return {lower, lower + random.in(0, random.oneIn(4) ? 40 : 9)};
}

Interval anyBounds(Random &random) {
  Interval bounds = smallBounds(random);
  switch (random.in(0, 15)) {
    case 0:
      bounds.lower = Interval::kMinusInfinity;
      break;
    case 1:
      bounds.upper = Interval::kInfinity;
      break;
    case 2:
      return {Interval::kMinusInfinity, Interval::kInfinity};
    case 3:
      bounds.upper = (int64_t{1} << 62) + random.in(-9, 9);
      break;
    case 4:
      bounds.lower = -(int64_t{1} << 62) + random.in(-9, 9);
      break;
    case 5:
    case 6:
      bounds.upper = int64_t{1} << random.in(10, 50);
      if (random.oneIn(2)) bounds.lower = -(int64_t{1} << random.in(10, 50));
      break;
    case 7:
    case 8:
      bounds = {0, random.in(1, 64) * random.in(1, 64) - 1};
      break;
    default:
      break;
  }
  return bounds;
}

Interval constraintBounds(Random &random) {
  const int64_t lower = random.in(-9, 9);
  Interval bounds{lower, lower + random.in(-1, random.oneIn(2) ? 3 : 15)};
  if (random.oneIn(5)) bounds.lower = Interval::kMinusInfinity;
  if (random.oneIn(5)) bounds.upper = Interval::kInfinity;
  return bounds;
}

uint64_t seedOf(uint64_t seed, int64_t number) {
  uint64_t hash = (seed ^ 0x9e3779b97f4a7c15ull) + number;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ull;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebull;
  return hash ^ (hash >> 31);
}

/// A number near one at which arithmetic changes.
int64_t greatNumber(Random &random) {
  const int64_t ends[] = {int64_t{1} << 31, int64_t{1} << 53, int64_t{1} << 62,
                          INT64_MAX - 3};
  return ends[random.in(0, 3)] + random.in(-3, 3);
}

MapParts drawn(Random &random, int64_t mostDepth, bool minima) {
  MapParts parts;
  TreeOptions trees;
  trees.minima = minima;
  if (minima && random.oneIn(4)) trees.largestConstant = greatNumber(random);
  const bool ranges = random.oneIn(6), semiAffine = random.oneIn(8);
  auto variable = [&](std::vector<Interval> &list, VariableKind kind,
                      Interval bounds) {
    const VariableId id{kind, static_cast<uint32_t>(list.size())};
    list.push_back(bounds);
    trees.variables.push_back(id);
    if (semiAffine && bounds.lower >= 1) trees.divisors.push_back(id);
  };
  for (int64_t i = random.in(1, 3); i > 0; --i)
    variable(parts.dimensions, VariableKind::Dimension,
             ranges ? Interval{0, random.in(0, 5)} : anyBounds(random));
  if (ranges)
    for (int64_t i = random.in(1, 2); i > 0; --i)
      variable(parts.ranges, VariableKind::Range, {0, random.in(0, 4)});
  trees.largestFactor = random.oneIn(2) ? 9 : 64;
  trees.largestDivisor = random.oneIn(2) ? 12 : 64;
  if (minima && random.oneIn(6)) trees.largestFactor = greatNumber(random);
  trees.depth = random.in(1, mostDepth);
  for (int64_t i = random.in(1, 2); i > 0; --i)
    parts.results.push_back(randomTree(random, trees));
  if (random.oneIn(2)) return parts;
  for (int64_t i = random.in(1, 3); i > 0; --i) {
    trees.depth = random.in(1, mostDepth);
    Tree tree = randomTree(random, trees);
    Interval bounds = constraintBounds(random);
    if (random.oneIn(3)) {
      const int64_t modulus = random.in(2, 9);
      tree = Tree::of(Tree::Op::Mod, tree, Tree::ofConstant(modulus));
      bounds.lower = random.in(0, modulus - 1);
      bounds.upper =
          random.oneIn(2) ? bounds.lower : random.in(bounds.lower, modulus - 1);
    }
    parts.constraints.push_back({tree, bounds});
  }
  return parts;
}

//===-- One pair ----------------------------------------------------------===//

bool isFinite(const MapParts &parts) {
  auto finite = [](const Interval &bounds) { return bounds.isFinite(); };
  return llvm::all_of(parts.dimensions, finite) &&
         llvm::all_of(parts.ranges, finite);
}

void renumber(Tree &tree, llvm::ArrayRef<int64_t> number) {
  if (tree.op == Tree::Op::Variable &&
      tree.variable.kind == VariableKind::Dimension)
    tree.variable.index = number[tree.variable.index];
  for (Tree &part : tree.parts) renumber(part, number);
}

/// Dimension i has the number number[i].
MapParts renumbered(const MapParts &parts, llvm::ArrayRef<int64_t> number) {
  MapParts result = parts;
  for (size_t i = 0; i < number.size(); ++i)
    result.dimensions[number[i]] = parts.dimensions[i];
  for (Tree &tree : result.results) renumber(tree, number);
  for (auto &[tree, bounds] : result.constraints) renumber(tree, number);
  return result;
}

/// Returns the map with its dimensions put back, not simplified, or an error if
/// the sums, in another order, leave 64 bits on the way.
absl::StatusOr<IndexingMap> putBack(const IndexingMap &map,
                                    llvm::ArrayRef<int64_t> number) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  for (int64_t n : number) b.dimension(map.dimensions()[n].bounds);
  for (const Variable &v : map.ranges()) b.range(v.bounds);
  auto replace = [&](VariableId id) {
    if (id.kind == VariableKind::Dimension)
      id.index = llvm::find(number, id.index) - number.begin();
    return b.pool().variable(id);
  };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (const Constraint &c : map.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  return b.build();
}

class PairCheck {
 public:
  PairCheck(const FuzzOptions &options, FuzzCounts &counts)
      : options(options), counts(counts) {}

  /// Returns the flaw, or nothing if `parts` is no map or simplify refuses it.
  std::optional<Flaw> flawOf(const MapParts &parts, uint64_t seed, bool isl);

 private:
  bool hasSameValues(const MapParts &parts, const IndexingMap &map,
                     Random &random);
  bool hasSamePairs(const MapParts &parts, const IndexingMap &map);
  bool agreesAt(const MapParts &parts, const IndexingMap &map,
                llvm::ArrayRef<int64_t> point);
  void numberOtherwise(const MapParts &parts, const IndexingMap &map,
                       Random &random, bool &same);

  const FuzzOptions &options;
  FuzzCounts &counts;
  bool finite = false;
};

/// Whether map and trees agree at a point. There are dimensions alone.
bool PairCheck::agreesAt(const MapParts &parts, const IndexingMap &map,
                         llvm::ArrayRef<int64_t> at) {
  auto value = [&](VariableId id) { return at[id.index]; };
  bool inside = true;
  for (const auto &[tree, bounds] : parts.constraints) {
    const auto v = valueOf(tree, value);
    if (!v) return true;  // nothing is promised
    inside &= bounds.contains(*v);
  }
  ++counts.points;
  counts.pointsInside += inside;
  IndexingMap::Point point;
  point.dimensions.assign(at.begin(), at.end());
  if ((!map.isKnownEmpty() && map.contains(point)) != inside) {
    // If a side is open, a constraint's form may leave 64 bits far out.
    if (finite || map.isKnownEmpty()) return false;
    Evaluation evaluate(map.expressions(), value);
    return inside && llvm::any_of(map.constraints(), [&](const Constraint &c) {
             return !evaluate(c.form);
           });
  }
  if (!inside) return true;
  Evaluation evaluate(map.expressions(), value);
  for (size_t i = 0; i < parts.results.size(); ++i) {
    const auto expected = valueOf(parts.results[i], value);
    if (!expected) continue;
    const auto result = evaluate(map.results()[i]);
    if (result ? *result != *expected : finite) return false;
  }
  return true;
}

bool PairCheck::hasSameValues(const MapParts &parts, const IndexingMap &map,
                              Random &random) {
  const size_t rank = parts.dimensions.size();
  Index at;
  int64_t all = 1;
  for (const Interval &bounds : parts.dimensions) {
    at.push_back(bounds.lower);
    all = std::min<int64_t>(
        1000, all * std::min<int64_t>(
                        1000, bounds.isFinite() ? bounds.count() : 1000));
  }
  if (all <= options.points) {
    for (int64_t i = 0; i < all; ++i) {
      if (!agreesAt(parts, map, at)) return false;
      for (size_t k = 0; k < rank; ++k) {
        if (++at[k] <= parts.dimensions[k].upper) break;
        at[k] = parts.dimensions[k].lower;
      }
    }
    return true;
  }
  for (int64_t i = 0; i < options.points; ++i) {
    for (size_t k = 0; k < rank; ++k) {
      Interval bounds = parts.dimensions[k];
      // Points at corners, near zero, and anywhere. Half of the points are in
      // the simplified bounds.
      if (i % 2 && !map.isKnownEmpty()) bounds = map.dimensions()[k].bounds;
      const int64_t far = int64_t{1} << 40;
      if (!bounds.hasLower())
        bounds.lower = checkedAdd(std::min(bounds.upper, int64_t{0}), -far)
                           .value_or(INT64_MIN);
      if (!bounds.hasUpper())
        bounds.upper = checkedAdd(std::max(bounds.lower, int64_t{0}), far)
                           .value_or(INT64_MAX);
      // The ends are numbers now, also the greatest one.
      const int64_t near = std::min<uint64_t>(
          uint64_t(bounds.upper) - uint64_t(bounds.lower), 50);
      switch (random.in(0, 4)) {
        case 0:
          at[k] = bounds.lower + random.in(0, near);
          break;
        case 1:
          at[k] = bounds.upper - random.in(0, near);
          break;
        case 2:
          at[k] = std::min(std::max(random.in(-50, 50), bounds.lower),
                           bounds.upper);
          break;
        default:
          at[k] = random.in(bounds.lower, bounds.upper);
      }
    }
    if (!agreesAt(parts, map, at)) return false;
  }
  return true;
}

/// With ranges: as sets, over the whole of both domains.
bool PairCheck::hasSamePairs(const MapParts &parts, const IndexingMap &map) {
  using Pairs = std::set<std::pair<Index, Index>>;
  const size_t rank = parts.dimensions.size();
  auto forPoints = [](llvm::ArrayRef<Interval> box, auto visit) {
    Index at;
    for (const Interval &bounds : box) at.push_back(bounds.lower);
    while (true) {
      visit(at);
      size_t k = 0;
      while (k < at.size() && ++at[k] > box[k].upper) {
        at[k] = box[k].lower;
        ++k;
      }
      if (k == at.size()) return;
    }
  };
  auto valuesAt = [](const Index &at, size_t rank) {
    return [&at, rank](VariableId id) {
      return at[id.kind == VariableKind::Dimension ? id.index
                                                   : rank + id.index];
    };
  };
  Pairs expected, found;
  std::vector<Interval> box = parts.dimensions;
  box.insert(box.end(), parts.ranges.begin(), parts.ranges.end());
  bool good = true;
  forPoints(box, [&](const Index &at) {
    const auto value = valuesAt(at, rank);
    for (const auto &[tree, bounds] : parts.constraints)
      if (!bounds.contains(valueOf(tree, value).value_or(INT64_MIN))) return;
    Index results;
    for (const Tree &tree : parts.results)
      results.push_back(valueOf(tree, value).value_or(INT64_MIN));
    expected.emplace(Index(at.begin(), at.begin() + rank), results);
  });
  if (!map.isKnownEmpty()) {
    box.clear();
    for (const Variable &v : map.dimensions()) box.push_back(v.bounds);
    for (const Variable &v : map.ranges()) box.push_back(v.bounds);
    forPoints(box, [&](const Index &at) {
      const auto value = valuesAt(at, rank);
      Evaluation evaluate(map.expressions(), value);
      for (const Constraint &c : map.constraints())
        if (!c.bounds.contains(evaluate(c.form).value_or(INT64_MIN))) return;
      Index results;
      for (FormId form : map.results()) {
        const auto result = evaluate(form);
        good &= result.has_value();
        results.push_back(result.value_or(INT64_MIN));
      }
      found.emplace(Index(at.begin(), at.begin() + rank), results);
    });
  }
  counts.points += expected.size();
  counts.pointsInside += expected.size();
  return good && expected == found;
}

/// Variables in another order: the values must stay, the forms mostly do.
void PairCheck::numberOtherwise(const MapParts &parts, const IndexingMap &map,
                                Random &random, bool &same) {
  const auto number = random.permutation(parts.dimensions.size());
  const MapParts other = renumbered(parts, number);
  auto built = other.buildOrError();
  if (!built.ok()) return;
  auto simple = simplify(*built);
  if (!simple.ok()) return;
  auto back = putBack(*simple, number);
  if (!back.ok()) return;
  ++counts.renumbered;
  counts.renumberedSame += *back == unmarked(map);
  same = parts.ranges.empty() ? hasSameValues(parts, *back, random)
                              : hasSamePairs(parts, *back);
}

std::optional<Flaw> PairCheck::flawOf(const MapParts &parts, uint64_t seed,
                                      bool isl) {
  Random random(seed);
  auto built = parts.buildOrError();
  if (!built.ok()) {
    ++counts.notMaps;
    return std::nullopt;
  }
  auto map = simplify(*built);
  if (!map.ok()) {
    ++counts.refused;
    if (options.strict) return Flaw::Refused;
    return std::nullopt;
  }
  ++counts.pairs;
  counts.constrained += !parts.constraints.empty();
  counts.withRanges += !parts.ranges.empty();
  counts.empty += map->isKnownEmpty();
  finite = isFinite(parts);
  if (!(parts.ranges.empty() ? hasSameValues(parts, *map, random)
                             : hasSamePairs(parts, *map)))
    return Flaw::Value;
  if (!map->isKnownEmpty())
    for (size_t i = 0; i < parts.dimensions.size(); ++i)
      if (!parts.dimensions[i].contains(map->dimensions()[i].bounds))
        return Flaw::Bounds;
  if (isl) {
    const Opinion opinion = sameRelation(parts, *map);
    if (opinion == Opinion::Different) return Flaw::Isl;
    ++(opinion == Opinion::Same ? counts.islEqual : counts.islUndecided);
  }
  if (const auto read = parseMap(printMap(*map));
      !read.ok() || *read != unmarked(*map))
    return Flaw::Text;
  ++counts.again;
  if (auto again = simplify(unmarked(*map)); !again.ok() || *again != *map)
    return Flaw::NotOwnForm;
  const bool grows =
      !map->isKnownEmpty() && writtenSize(*map) > writtenSize(*built);
  counts.grown += grows;
  if (grows && options.strict) return Flaw::Grown;
  if (parts.constraints.size() > 1) {
    MapParts shuffled = parts;
    const auto order = random.permutation(parts.constraints.size());
    for (size_t k = 0; k < order.size(); ++k)
      shuffled.constraints[k] = parts.constraints[order[k]];
    ++counts.reordered;
    auto other = simplify(shuffled.build());
    if (!other.ok() || *other != *map) return Flaw::Order;
  }
  bool same = true;
  if (parts.dimensions.size() > 1 && random.oneIn(4))
    numberOtherwise(parts, *map, random, same);
  return same ? Flaw::None : Flaw::Value;
}

//===-- Small pairs -------------------------------------------------------===//

int64_t sizeOf(const Tree &tree) {
  int64_t size = 1 + (tree.constant != 0);
  for (const Tree &part : tree.parts) size += sizeOf(part);
  return size;
}

int64_t sizeOf(const MapParts &parts) {
  int64_t size = 0;
  for (const Tree &tree : parts.results) size += sizeOf(tree);
  for (const auto &[tree, bounds] : parts.constraints) size += sizeOf(tree) + 2;
  for (const Interval &bounds : parts.dimensions)
    for (int64_t n = bounds.count(); n > 1; n /= 2) ++size;
  return size;
}

/// Calls `visit` for each part of the tree, which it may change and must put
/// back.
template <typename Visit>
void forParts(Tree &tree, Visit visit) {
  visit(tree);
  for (Tree &part : tree.parts) forParts(part, visit);
}

/// Trees with a part replaced by what it is made of, or by a constant.
std::vector<Tree> smaller(const Tree &tree) {
  std::vector<Tree> found;
  Tree copy = tree;
  forParts(copy, [&](Tree &part) {
    const Tree whole = part;
    for (const Tree &inner : whole.parts) {
      part = inner;
      found.push_back(copy);
    }
    for (int64_t value : {0, 1, 2})
      if (whole.op != Tree::Op::Constant || value < whole.constant) {
        part = Tree::ofConstant(value);
        found.push_back(copy);
      }
    part = whole;
  });
  return found;
}

std::vector<MapParts> smaller(const MapParts &parts) {
  std::vector<MapParts> found;
  auto with = [&](auto edit) {
    found.push_back(parts);
    edit(found.back());
  };
  for (size_t i = 0; i < parts.constraints.size(); ++i)
    with([&](MapParts &p) { p.constraints.erase(p.constraints.begin() + i); });
  for (size_t i = 0; i < parts.results.size(); ++i) {
    with([&](MapParts &p) { p.results.erase(p.results.begin() + i); });
    for (Tree &tree : smaller(parts.results[i]))
      with([&](MapParts &p) { p.results[i] = std::move(tree); });
  }
  for (size_t i = 0; i < parts.constraints.size(); ++i)
    for (Tree &tree : smaller(parts.constraints[i].first))
      with([&](MapParts &p) { p.constraints[i].first = std::move(tree); });
  for (size_t i = 0; i < parts.dimensions.size(); ++i) {
    const Interval bounds = parts.dimensions[i];
    if (!bounds.isFinite() || bounds.isPoint()) continue;
    with([&](MapParts &p) { p.dimensions[i].upper = bounds.lower; });
    with([&](MapParts &p) {
      p.dimensions[i].upper = bounds.lower + (bounds.count() - 1) / 2;
    });
    with([&](MapParts &p) { p.dimensions[i].upper = bounds.upper - 1; });
  }
  return found;
}

/// Divisors must be constants that are not zero, moduli positive.
bool isDefined(const Tree &tree) {
  const bool divides = tree.op == Tree::Op::FloorDiv ||
                       tree.op == Tree::Op::CeilDiv || tree.op == Tree::Op::Mod;
  if (divides && tree.parts[1].op == Tree::Op::Constant &&
      (tree.parts[1].constant == 0 ||
       (tree.op == Tree::Op::Mod && tree.parts[1].constant < 0)))
    return false;
  return llvm::all_of(tree.parts, isDefined);
}

bool isDefined(const MapParts &parts) {
  return llvm::all_of(parts.results,
                      [](const Tree &tree) { return isDefined(tree); }) &&
         llvm::all_of(parts.constraints,
                      [](const auto &c) { return isDefined(c.first); });
}

MapParts shrunk(MapParts parts, Flaw flaw, uint64_t seed,
                const FuzzOptions &options) {
  FuzzOptions more = options;
  more.points = 200;
  FuzzCounts unused;
  for (bool again = true; again;) {
    again = false;
    for (MapParts &candidate : smaller(parts)) {
      if (sizeOf(candidate) >= sizeOf(parts) || !isDefined(candidate)) continue;
      if (PairCheck(more, unused).flawOf(candidate, seed, flaw == Flaw::Isl) !=
          flaw)
        continue;
      parts = std::move(candidate);
      again = true;
      break;
    }
  }
  return parts;
}

}  // namespace

const char *flawName(Flaw flaw) {
  static constexpr const char *kNames[] = {"none",
                                           "another value",
                                           "larger bounds",
                                           "isl has another relation",
                                           "another text",
                                           "not its own form",
                                           "constraints in another order",
                                           "refused",
                                           "grown"};
  return kNames[static_cast<int>(flaw)];
}

MapParts fuzzParts(const FuzzOptions &options, int64_t number) {
  Random random(seedOf(options.seed, number));
  return drawn(random, options.depth, options.minima);
}

FuzzCounts fuzz(const FuzzOptions &options,
                const std::function<void(const std::string &)> &report) {
  FuzzCounts counts;
  PairCheck check(options, counts);
  const std::clock_t start = std::clock();
  for (int64_t i = 0; counts.pairs < options.pairs; ++i) {
    const int64_t number = options.first + i;
    const MapParts parts = fuzzParts(options, number);
    const uint64_t seed = seedOf(~options.seed, number);
    const bool isl = options.islEvery && number % options.islEvery == 0;
    const Flaw flaw = check.flawOf(parts, seed, isl).value_or(Flaw::None);
    if (flaw == Flaw::None) continue;
    ++counts.flaws;
    const MapParts small = shrunk(parts, flaw, seed, options);
    auto simple = simplify(small.build());
    std::string text = std::string(flawName(flaw)) +
                       ": --seed=" + std::to_string(options.seed) +
                       " --first=" + std::to_string(number) + " --pairs=1\n" +
                       small.text() + "\nsimplified\n";
    text += simple.ok() ? simple->strOneLine() : simple.status().ToString();
    if (simple.ok() && flaw == Flaw::NotOwnForm)
      if (auto again = simplify(unmarked(*simple)); again.ok())
        text += "\nand again\n" + again->strOneLine();
    if (flaw == Flaw::Order) {
      MapParts reversed = small;
      std::reverse(reversed.constraints.begin(), reversed.constraints.end());
      if (auto other = simplify(reversed.build()); other.ok())
        text += "\nwith its constraints reversed\n" + other->strOneLine();
    }
    report(text);
  }
  counts.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return counts;
}

}  // namespace indexical::testing
