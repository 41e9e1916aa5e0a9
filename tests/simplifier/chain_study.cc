#include "tests/simplifier/chain_study.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using Ops = llvm::ArrayRef<ChainOp>;

/// Returns the identity on the map's domain.
IndexingMap identityOn(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  auto identity = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    body.results.clear();
    for (uint32_t i = 0; i < map.dimensions().size(); ++i)
      body.results.push_back(
          b.expression(b.pool().variable({VariableKind::Dimension, i})));
  });
  return *simplify(*identity);
}

bool isIdentity(const IndexingMap &map) {
  const size_t rank = map.dimensions().size();
  if (map.isKnownEmpty() || map.results().size() != rank) return false;
  for (uint32_t i = 0; i < rank; ++i) {
    const Interval &bounds = map.dimensions()[i].bounds;
    const FormId result = map.results()[i];
    const VariableId self{VariableKind::Dimension, i};
    if (bounds.isPoint() && map.expressions().isConstant(result, bounds.lower))
      continue;
    if (!(map.expressions().asVariable(result) == self)) return false;
  }
  return true;
}

/// On its domain, which may leave a dimension fewer values than its bounds, so
/// that what is read there looks otherwise.
bool isIdentityBy(const IndexingMap &map, Prover &prover) {
  if (map.isKnownEmpty() || map.results().size() != map.dimensions().size())
    return false;
  auto isNever = [&](uint32_t k, Interval difference) {
    auto differing = restricted(
        map, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
          const VariableId self{VariableKind::Dimension, k};
          b.constraint(results[k] - b.expression(b.pool().variable(self)),
                       difference);
        });
    return differing.ok() && prover.isEmpty(*differing);
  };
  for (uint32_t k = 0; k < map.results().size(); ++k)
    if (!isNever(k, {1, Interval::kInfinity}) ||
        !isNever(k, {Interval::kMinusInfinity, -1}))
      return false;
  return true;
}

uint64_t seedOf(uint64_t seed, ChainFamily family, int64_t length,
                int64_t number) {
  uint64_t hash = seed;
  for (uint64_t part :
       {static_cast<uint64_t>(family), static_cast<uint64_t>(length),
        static_cast<uint64_t>(number)})
    hash = (hash ^ (part + 1)) * 0x9e3779b97f4a7c15ull + (hash >> 29);
  return hash;
}

class Study {
 public:
  Study(ChainFamily family, int64_t length, const StudyOptions &options,
        const std::function<void(const Shortfall &)> &report)
      : family(family), length(length), options(options), report(report) {}

  ChainCounts run();

 private:
  void oneChain(Random &random);
  void compareWithDirect(const Chain &chain, const IndexingMap &map);
  void goBack(Ops there, const IndexingMap &map, Random &random);
  void prove(const IndexingMap &map);
  void compareWays(Ops ops, const IndexingMap &left);
  void bracket(Ops ops, const IndexingMap &left, Random &random);
  void measure(Ops ops, const IndexingMap &map);
  bool readsSomething(Ops ops, Random &random) const;
  void holdAgainst(Ops ops, const IndexingMap &map, Random &random);
  std::optional<IndexingMap> take(absl::StatusOr<IndexingMap> map, Ops ops);
  void settle(Share &share, bool is, const std::string &what, Ops ops,
              const IndexingMap &left, const IndexingMap &right);

  const ChainFamily family;
  const int64_t length;
  const StudyOptions &options;
  const std::function<void(const Shortfall &)> &report;
  ChainCounts counts;
  int64_t number = 0;
};

std::optional<IndexingMap> Study::take(absl::StatusOr<IndexingMap> map,
                                       Ops ops) {
  if (map.ok()) return *std::move(map);
  if (absl::IsResourceExhausted(map.status())) {
    ++counts.unprinted;
    return std::nullopt;
  }
  Share share;
  settle(share, false, "error: " + map.status().ToString(), ops, IndexingMap(),
         IndexingMap());
  ++counts.errors;
  return std::nullopt;
}

void Study::settle(Share &share, bool is, const std::string &what, Ops ops,
                   const IndexingMap &left, const IndexingMap &right) {
  share.add(is);
  if (!is && report)
    report({what, family, length, number, ops.vec(), left, right});
}

Sizes randomIndex(const Sizes &sizes, Random &random) {
  Sizes index;
  for (int64_t size : sizes) index.push_back(random.in(0, size - 1));
  return index;
}

/// The map against the ops, at random indices.
void Study::holdAgainst(Ops ops, const IndexingMap &map, Random &random) {
  for (int64_t i = 0; i < options.points; ++i) {
    IndexingMap::Point point;
    point.dimensions = randomIndex(ops.front().from, random);
    const auto expected = at(ops, point.dimensions);
    const bool holds = !map.isKnownEmpty() && map.contains(point);
    bool right = holds == expected.has_value();
    if (right && holds) right = map.evaluate(point) == *expected;
    ++counts.points;
    Share share;
    settle(share, right, "WRONG", ops, map, map);
    counts.wrong += !right;
  }
}

bool Study::readsSomething(Ops ops, Random &random) const {
  const Sizes &sizes = ops.front().from;
  for (int i = 0; i < 20; ++i)
    if (at(ops, randomIndex(sizes, random))) return true;
  Sizes index(sizes.size(), 0);
  while (true) {  // all of them
    if (at(ops, index)) return true;
    size_t k = 0;
    while (k < sizes.size() && ++index[k] == sizes[k]) index[k++] = 0;
    if (k == sizes.size()) return false;
  }
}

void Study::compareWithDirect(const Chain &chain, const IndexingMap &map) {
  if (!chain.direct) return;
  const IndexingMap direct = *simplify(*chain.direct);
  for (Handover handover : kHandovers) {
    auto other = handover == Handover::Forms
                     ? std::optional<IndexingMap>(map)
                     : take(composedInTurn(chain.ops, handover), chain.ops);
    if (other)
      settle(counts.direct[static_cast<int>(handover)], *other == direct,
             "direct " + handoverName(handover).str(), chain.ops, *other,
             direct);
  }
}

void Study::goBack(Ops there, const IndexingMap &map, Random &random) {
  std::vector<ChainOp> ops = there.vec();
  for (ChainOp &op : undone(there)) ops.push_back(std::move(op));
  if (map.isKnownEmpty()) return;
  for (Handover handover : kHandovers) {
    auto trip = take(composedInTurn(ops, handover), ops);
    if (!trip) continue;
    holdAgainst(ops, *trip, random);
    settle(counts.identity[static_cast<int>(handover)], isIdentity(*trip),
           "identity " + handoverName(handover).str(), ops, *trip,
           identityOn(*trip));
    if (handover == Handover::Forms && !isIdentity(*trip) &&
        counts.byExact.all < options.proofs)
      prove(*trip);
  }
}

void Study::prove(const IndexingMap &map) {
  EnumerationProver enumeration(options.operations);
  ExactOptions all = ExactProver::ofProofs();
  all.operations = options.operations;
  ExactProver exact(all);
  auto settled = [&](Prover &prover) {
    SimplifyOptions simplification;
    simplification.prover = &prover;
    auto proven = simplify(map, simplification);
    return proven.ok() &&
           (isIdentity(*proven) || isIdentityBy(*proven, prover));
  };
  counts.byEnumeration.add(settled(enumeration));
  counts.byExact.add(settled(exact));
}

/// Makes the chain shorter as long as its maps still differ.
void shorten(Ops &ops, IndexingMap &left, IndexingMap &other, Way way) {
  for (bool again = true; again && ops.size() > 2;) {
    again = false;
    for (Ops part : {ops.drop_front(), ops.drop_back()}) {
      auto first = composedBy(part, {}), second = composedBy(part, way);
      if (!first.ok() || !second.ok() || *first == *second) continue;
      ops = part, left = *first, other = *second;
      again = true;
      break;
    }
  }
}

void Study::compareWays(Ops ops, const IndexingMap &map) {
  bool same = true;
  for (size_t k = 1; k < std::size(kWays); ++k) {
    const Way way = kWays[k];
    if (isText(way.handover) && !hasText(ops)) continue;
    auto other = take(composedBy(ops, way), ops);
    if (!other) continue;
    const bool is = *other == map;
    same &= is;
    Ops part = ops;
    IndexingMap left = map;
    if (!is && report) shorten(part, left, *other, way);
    settle(counts.ways[k], is, nameOf(way), part, left, *other);
  }
  counts.allWays.add(same);
}

void Study::bracket(Ops ops, const IndexingMap &left, Random &random) {
  if (ops.size() < 2) return;
  const size_t cut = random.in(1, ops.size() - 1);
  auto first = take(composedInTurn(ops.take_front(cut), Handover::Forms), ops);
  auto rest = take(composedInTurn(ops.drop_front(cut), Handover::Forms), ops);
  if (!first || !rest) return;
  auto right = take(compose(*first, *rest), ops);
  if (!right) return;
  holdAgainst(ops, *right, random);
  settle(counts.brackets, *right == left, "brackets", ops, left, *right);
}

void Study::measure(Ops ops, const IndexingMap &map) {
  auto sizeOf = [](const IndexingMap &map) {
    int64_t size = 0;
    for (FormId form = 0; form < map.expressions().formCount(); ++form)
      size += map.expressions().terms(form).size();
    return size;
  };
  int64_t steps = 0;
  for (const ChainOp &op : ops) steps += sizeOf(*simplify(op.map()));
  const double size =
      static_cast<double>(sizeOf(map)) / std::max<int64_t>(steps, 1);
  counts.meanSize += size;
  counts.largestSize = std::max(counts.largestSize, size);
}

void Study::oneChain(Random &random) {
  ChainOptions chains;
  chains.small = options.small;
  chains.variables = options.variables;
  const Chain chain = randomChain(family, length, random, chains);
  auto map = take(composedInTurn(chain.ops, Handover::Forms), chain.ops);
  if (!map) return;
  if (family == ChainFamily::Mixtures) compareWays(chain.ops, *map);
  if (family == ChainFamily::Mixtures && options.variables) return;
  holdAgainst(chain.ops, *map, random);
  compareWithDirect(chain, *map);
  measure(chain.ops, *map);
  if (auto again = take(simplify(unmarked(*map)), chain.ops))
    settle(counts.ownForm, *again == *map, "own form", chain.ops, *map, *again);
  if (family == ChainFamily::Pads && !readsSomething(chain.ops, random)) {
    settle(counts.empty, map->isKnownEmpty(), "empty", chain.ops, *map,
           IndexingMap::knownEmpty());
    if (map->isKnownEmpty()) return;
  }
  if (family == ChainFamily::Mixtures) return;
  bracket(chain.ops, *map, random);
  if (family != ChainFamily::Slices && family != ChainFamily::Pads)
    return goBack(chain.ops, *map, random);
  chains.invertible = true;
  const Chain there = randomChain(family, length, random, chains);
  if (!readsSomething(there.ops, random)) return;
  goBack(there.ops, *map, random);
}

ChainCounts Study::run() {
  const std::clock_t start = std::clock();
  for (int64_t i = 0; i < options.chains; ++i) {
    number = options.first + i;
    Random random(seedOf(options.seed, family, length, number));
    oneChain(random);
  }
  const double chains = std::max<int64_t>(options.chains, 1);
  counts.milliseconds =
      (std::clock() - start) * 1000.0 / CLOCKS_PER_SEC / chains;
  counts.meanSize /= chains;
  return counts;
}

}  // namespace

ChainCounts study(ChainFamily family, int64_t length,
                  const StudyOptions &options,
                  const std::function<void(const Shortfall &)> &report) {
  return Study(family, length, options, report).run();
}

}  // namespace indexical::testing
