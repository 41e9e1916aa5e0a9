#include "indexical/simplifier/merge.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/within.h"

namespace indexical {
namespace {

/// Whether the union of the two is an interval.
bool touch(const Interval &a, const Interval &b) {
  auto reaches = [](const Interval &low, const Interval &high) {
    return !low.hasUpper() || !high.hasLower() || low.upper >= high.lower - 1;
  };
  return reaches(a, b) && reaches(b, a);
}

/// One interval of a map: of a dimension, a range, or a constraint.
struct MapInterval {
  enum Kind { Dimension, Range, Constraint } kind;
  size_t index;
};

/// Returns the map with other bounds of that interval, canonical.
std::optional<IndexingMap> with(const IndexingMap &map, MapInterval interval,
                                Interval bounds) {
  IndexingMapBuilder b;
  auto boundsAt = [&](MapInterval::Kind kind, size_t index,
                      const Interval &own) {
    return interval.kind == kind && interval.index == index ? bounds : own;
  };
  for (auto [i, v] : llvm::enumerate(map.dimensions()))
    b.dimension(boundsAt(MapInterval::Dimension, i, v.bounds), v.name);
  for (auto [i, v] : llvm::enumerate(map.ranges()))
    b.range(boundsAt(MapInterval::Range, i, v.bounds), v.name);
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(map.expressions(), b.pool(), same);
  auto imported = [&](FormId form) { return b.expression(import(form)); };
  for (RuntimeVariable v : map.runtime()) {
    for (FormId &form : v.index) form = import(form);
    b.runtime(std::move(v));
  }
  for (FormId form : map.results()) b.result(imported(form));
  for (size_t i = 0; i < map.collectives().size(); ++i)
    b.member(map.collectives()[i], imported(map.members()[i]));
  for (auto [i, c] : llvm::enumerate(map.constraints()))
    b.constraint(imported(c.form),
                 boundsAt(MapInterval::Constraint, i, c.bounds));
  auto changed = b.build();
  if (!changed.ok()) return std::nullopt;
  SimplifyOptions options;
  options.rename = true;
  auto simple = simplify(*changed, options);
  if (!simple.ok()) return std::nullopt;
  return *std::move(simple);
}

/// Returns the one interval in which two lists differ, or nothing if they do
/// not differ. Sets `failed` if they differ in several, or if the two do not
/// touch.
template <typename List>
std::optional<size_t> onlyDifference(const List &a, const List &b,
                                     bool &failed) {
  std::optional<size_t> found;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].bounds == b[i].bounds) continue;
    failed |= found || !touch(a[i].bounds, b[i].bounds);
    found = i;
  }
  return found;
}

/// Returns `wide` with its dimension k widened, if that covers `narrow`.
std::optional<IndexingMap> widened(const IndexingMap &wide,
                                   const IndexingMap &narrow, size_t k) {
  const MapInterval interval{MapInterval::Dimension, k};
  const Interval own = narrow.dimensions()[k].bounds;
  auto whole = with(wide, interval, own.hull(wide.dimensions()[k].bounds));
  if (!whole || whole->dimensions().size() != wide.dimensions().size() ||
      whole->isKnownEmpty())
    return std::nullopt;
  const Interval all = whole->dimensions()[k].bounds;
  auto part = with(*whole, interval, own.intersect(all));
  if (!part || *part != narrow) return std::nullopt;
  // The whole, cut to the other part, must give that part too.
  auto rest =
      with(*whole, interval, wide.dimensions()[k].bounds.intersect(all));
  if (!rest || *rest != wide) return std::nullopt;
  return whole;
}

/// Merges maps that differ in one interval, of a range or of a constraint.
std::optional<IndexingMap> withWiderInterval(const IndexingMap &a,
                                             const IndexingMap &b) {
  bool failed = false;
  if (onlyDifference(a.dimensions(), b.dimensions(), failed) || failed ||
      a.ranges().size() != b.ranges().size() ||
      a.constraints().size() != b.constraints().size())
    return std::nullopt;
  auto range = onlyDifference(a.ranges(), b.ranges(), failed);
  auto constraint = onlyDifference(a.constraints(), b.constraints(), failed);
  if (failed || range.has_value() == constraint.has_value())
    return std::nullopt;
  const MapInterval interval{
      range ? MapInterval::Range : MapInterval::Constraint,
      range ? *range : *constraint};
  auto boundsOf = [&](const IndexingMap &map) {
    return range ? map.ranges()[*range].bounds
                 : map.constraints()[*constraint].bounds;
  };
  // The forms are the same if `a` with b's interval is `b`.
  auto same = with(a, interval, boundsOf(b));
  if (!same || *same != b) return std::nullopt;
  auto whole = with(a, interval, boundsOf(a).hull(boundsOf(b)));
  if (!whole || whole->isKnownEmpty()) return std::nullopt;
  return whole;
}

using Pieces = llvm::SmallVector<IndexingMap, 4>;

/// Adds the piece, merged with those that it can be merged with. Returns
/// whether it merged with none.
bool addMerged(Pieces &pieces, IndexingMap piece) {
  // A piece that has grown may merge with one that it was tried with before.
  bool alone = true;
  for (size_t i = 0; i < pieces.size();) {
    auto whole = merged(pieces[i], piece);
    if (!whole) {
      ++i;
      continue;
    }
    piece = *std::move(whole);
    pieces.erase(pieces.begin() + i);
    i = 0;
    alone = false;
  }
  pieces.push_back(std::move(piece));
  return alone;
}

enum class Corner : uint8_t { Least, Greatest };

/// Returns the bounds of a map's results, members too, at a corner of a piece's
/// dimensions.
llvm::SmallVector<Interval, 6> boundsAt(const IndexingMap &map,
                                        const IndexingMap &piece,
                                        Corner corner) {
  auto boundsOf = [&](VariableId id) {
    if (id.kind != VariableKind::Dimension) return map.variable(id).bounds;
    const Interval side = piece.dimensions()[id.index].bounds;
    const bool least =
        corner == Corner::Least ? side.hasLower() : !side.hasUpper();
    return Interval::point(least ? side.lower : side.upper);
  };
  FormBounds bounds(map.expressions(), boundsOf);
  llvm::SmallVector<Interval, 6> results;
  for (FormId form : map.resultsAndMembers()) results.push_back(bounds(form));
  return results;
}

/// Looks at two corners of the piece. Returns false if it has elements there
/// that none of the others has. Asking a prover costs a hundred times as much.
bool mayBeIn(const IndexingMap &piece, llvm::ArrayRef<IndexingMap> others) {
  for (Corner corner : {Corner::Least, Corner::Greatest}) {
    auto own = boundsAt(piece, piece, corner);
    llvm::SmallVector<Interval, 6> hull(own.size(), Interval::none());
    for (const IndexingMap &other : others) {
      if (other.collectives() != piece.collectives()) continue;
      bool isThere = true;
      for (size_t i = 0; i < piece.dimensions().size() && isThere; ++i) {
        const Interval side = piece.dimensions()[i].bounds;
        isThere = other.dimensions()[i].bounds.contains(
            corner == Corner::Least ? side.lower : side.upper);
      }
      if (!isThere) continue;
      auto there = boundsAt(other, piece, corner);
      for (size_t k = 0; k < hull.size(); ++k) hull[k] = hull[k].hull(there[k]);
    }
    for (size_t k = 0; k < hull.size(); ++k)
      if (!hull[k].contains(own[k])) return false;
  }
  return true;
}

/// Whether the prover shows that the other has all pairs of the piece.
bool isIn(const IndexingMap &piece, const IndexingMap &other, Prover &prover) {
  if (!mayBeIn(piece, other)) return false;
  auto left = prover.difference(piece, IndexingRelation(other));
  return left && left->isEmpty();
}

/// Returns the piece without the pairs that others have, if that is no piece or
/// one that is no longer to read. Returns nothing if it is more pieces, or the
/// piece as it was.
std::optional<IndexingRelation> withoutThose(const IndexingMap &piece,
                                             llvm::ArrayRef<IndexingMap> others,
                                             Prover &prover) {
  if (!mayBeIn(piece, others)) return std::nullopt;
  IndexingRelation there;
  for (const IndexingMap &other : others)
    if (other.collectives() == piece.collectives()) there.add(other);
  auto fresh = prover.difference(piece, there);
  if (!fresh || fresh->pieces().size() > 1) return std::nullopt;
  auto length = [](const IndexingMap &map) {
    return map.constraints().size() + map.ranges().size() +
           map.runtime().size();
  };
  if (!fresh->isEmpty() && (length(fresh->pieces()[0]) > length(piece) ||
                            isIn(piece, fresh->pieces()[0], prover)))
    return std::nullopt;
  return fresh;
}

/// Adds a piece of which, as far as a prover knows, none of the pairs is there;
/// pieces that have no other pairs than it has go.
void addProven(Pieces &pieces, const IndexingMap &piece, Prover &prover) {
  // A difference from many pieces takes as many times as long.
  constexpr size_t kMostOthers = 8;
  // A single constraint has mostly been seen to hold somewhere.
  if (piece.constraints().size() > 1 && prover.isEmpty(piece)) return;
  Pieces before = pieces;
  if (!addMerged(pieces, piece) || before.empty()) return;
  for (const IndexingMap &other : before)
    if (isIn(piece, other, prover)) {
      pieces = std::move(before);
      return;
    }
  pieces = std::move(before);
  llvm::erase_if(pieces, [&](const IndexingMap &other) {
    return isIn(other, piece, prover);
  });
  std::optional<IndexingRelation> fresh;
  if (pieces.size() <= kMostOthers) fresh = withoutThose(piece, pieces, prover);
  if (!fresh) {
    addMerged(pieces, piece);
    return;
  }
  for (const IndexingMap &part : fresh->pieces()) addMerged(pieces, part);
}

/// Whether runtime variable i is the same value in both, at all indices.
bool isSameValue(const IndexingMap &a, const IndexingMap &b, uint32_t i) {
  if (i >= a.runtime().size() || i >= b.runtime().size()) return false;
  const RuntimeVariable &x = a.runtime()[i], &y = b.runtime()[i];
  return x.source.kind != RuntimeSource::Kind::None && x.source == y.source &&
         x.clamped == y.clamped && x.index.empty() && y.index.empty() &&
         x.collectives == y.collectives;
}

/// Whether a sum of dimensions and runtime values is `form` of `a` and `other`
/// of `b`.
bool isSameSum(const IndexingMap &a, FormId form, const IndexingMap &b,
               FormId other) {
  const ExpressionTable &of = a.expressions(), &in = b.expressions();
  const auto x = of.terms(form), y = in.terms(other);
  if (x.size() != y.size() || of.constant(form) != in.constant(other))
    return false;
  for (size_t i = 0; i < x.size(); ++i) {
    const Atom &p = of.atom(x[i].atom), &q = in.atom(y[i].atom);
    if (x[i].coefficient != y[i].coefficient || !(p == q) ||
        p.kind != AtomKind::Variable)
      return false;
    const VariableId id = p.variable();
    if (id.kind == VariableKind::Range ||
        (id.kind == VariableKind::Runtime && !isSameValue(a, b, id.index)))
      return false;
  }
  return true;
}

/// Whether a sum lies in intervals that do not touch in the two maps: no map of
/// this kind is then their union. The parts of an array before and behind an
/// update are so: d0 - rt0 in [-8, -1], and in [4, 9].
bool areApart(const IndexingMap &a, const IndexingMap &b) {
  for (const Constraint &c : a.constraints())
    for (const Constraint &d : b.constraints())
      if (!touch(c.bounds, d.bounds) && isSameSum(a, c.form, b, d.form))
        return true;
  return false;
}

/// A map goes into another one only if that has no more ranges: what a softmax
/// reads, a row and the element itself, stays two maps.
std::optional<IndexingMap> wider(const IndexingMap &a, const IndexingMap &b) {
  const bool aWithin = a.ranges().size() >= b.ranges().size() && isWithin(a, b);
  const bool bWithin = b.ranges().size() >= a.ranges().size() && isWithin(b, a);
  // Equal maps may name their ranges in different orders. The choice does not
  // depend on which came first.
  if (aWithin && bWithin) return a.str() <= b.str() ? a : b;
  if (aWithin) return b;
  if (bWithin) return a;
  return std::nullopt;
}

/// Whether each value that `part` takes from memory is one of the whole's: the
/// part of a map is simpler, so it has no other.
bool readsAmong(const IndexingMap &part, const IndexingMap &whole) {
  return llvm::all_of(part.runtime(), [&](const RuntimeVariable &own) {
    return llvm::any_of(whole.runtime(), [&](const RuntimeVariable &other) {
      return own.source == other.source && own.clamped == other.clamped &&
             own.collectives == other.collectives;
    });
  });
}

/// Merges maps that differ in the interval of one dimension.
std::optional<IndexingMap> withWiderDimension(const IndexingMap &a,
                                              const IndexingMap &b) {
  bool failed = false;
  const auto k = onlyDifference(a.dimensions(), b.dimensions(), failed);
  if (failed || !k || areApart(a, b)) return std::nullopt;
  if (readsAmong(b, a))
    if (auto whole = widened(a, b, *k)) return whole;
  return readsAmong(a, b) ? widened(b, a, *k) : std::nullopt;
}

// Name; two maps, and what they become; what it does.
constexpr MergeRule kMergeRules[] = {
    {"a map within the other goes",
     "(d0) -> (d0), domain: d0 in [0, 8], d0 mod 4 in [0, 0]",
     "(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0), domain: d0 in [0, 9]",
     wider},
    {"one range or one constraint is wider",
     "()[s0] -> (s0), domain: s0 in [0, 3]",
     "()[s0] -> (s0), domain: s0 in [2, 9]",
     "()[s0] -> (s0), domain: s0 in [0, 9]", withWiderInterval},
    {"one dimension is wider", "(d0) -> (0), domain: d0 in [0, 0]",
     "(d0) -> (d0), domain: d0 in [1, 9]", "(d0) -> (d0), domain: d0 in [0, 9]",
     withWiderDimension},
};

}  // namespace

llvm::ArrayRef<MergeRule> mergeRules() { return kMergeRules; }

std::optional<IndexingMap> merged(const IndexingMap &a, const IndexingMap &b) {
  if (a == b) return a;
  if (a.isKnownEmpty()) return b;
  if (b.isKnownEmpty()) return a;
  if (a.dimensions().size() != b.dimensions().size() ||
      a.results().size() != b.results().size() ||
      a.collectives() != b.collectives())
    return std::nullopt;
  for (const MergeRule &rule : kMergeRules)
    if (auto whole = rule.what(a, b)) return whole;
  return std::nullopt;
}

void uniteMerged(IndexingRelation &into, const IndexingRelation &other,
                 Prover *prover) {
  if ((into.isEmpty() && !prover) || other.isEmpty()) {
    into.unite(other);
    return;
  }
  IndexingRelation all;
  all.weaken(std::min(into.precision(), other.precision()));
  Pieces pieces(into.pieces());
  for (const IndexingMap &piece : other.pieces()) {
    if (prover)
      addProven(pieces, piece, *prover);
    else
      addMerged(pieces, piece);
  }
  for (IndexingMap &piece : pieces) all.add(std::move(piece));
  into = std::move(all);
}

}  // namespace indexical
