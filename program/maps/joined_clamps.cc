#include "indexical/program/maps/joined_clamps.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// A relation of more pieces stays: each is compared with the others.
constexpr size_t kMostClampPieces = 64;

const RuntimeVariable *runtimeOf(const IndexingMap &map, VariableId id) {
  return id.kind == VariableKind::Runtime ? &map.runtime()[id.index] : nullptr;
}

bool isVariable(const IndexingMap &map, FormId form, VariableId id) {
  const auto variable = map.expressions().asVariable(form);
  return variable && *variable == id;
}

/// Returns the values of the variable for which the map holds, by its bounds
/// and the constraint on it alone.
Interval withinOf(const IndexingMap &map, VariableId id) {
  Interval within = map.variable(id).bounds;
  for (const Constraint &c : map.constraints())
    if (isVariable(map, c.form, id)) within = within.intersect(c.bounds);
  return within;
}

/// What a map's variable becomes: one with these bounds, which stands for its
/// value clamped to `clamp`.
struct Change {
  VariableId id;
  Interval bounds;  ///< of the new variable
  bool clamped = false;
  Interval within = Interval::all();  ///< a constraint on the new variable
  Interval clamp = Interval::all();
};

absl::StatusOr<IndexingMap> changed(const IndexingMap &map,
                                    const Change &change) {
  IndexingMapBuilder b;
  FormId stand = 0;
  bool known = false;
  auto replace = [&](VariableId id) {
    return known && id == change.id ? stand : b.pool().variable(id);
  };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  auto boundsOf = [&](VariableId id, const Variable &variable) {
    return id == change.id ? change.bounds : variable.bounds;
  };
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    b.addDimension(
        boundsOf({VariableKind::Dimension, static_cast<uint32_t>(k)}, v),
        v.name);
  for (auto [k, v] : llvm::enumerate(map.ranges()))
    b.addRange(boundsOf({VariableKind::Range, static_cast<uint32_t>(k)}, v),
               v.name);
  for (auto [k, v] : llvm::enumerate(map.runtime())) {
    const VariableId id{VariableKind::Runtime, static_cast<uint32_t>(k)};
    RuntimeVariable variable = v;
    variable.bounds = boundsOf(id, v);
    if (id == change.id) variable.clamped = change.clamped;
    variable.index.clear();
    b.runtime(std::move(variable));
  }
  const Expr own = b.expression(b.pool().variable(change.id));
  Expr value = own;
  const Interval &to = change.clamp;
  if (to.hasLower() && to.lower > change.bounds.lower)
    value = max(value, b.constant(to.lower));
  if (to.hasUpper() && to.upper < change.bounds.upper)
    value = min(value, b.constant(to.upper));
  stand = value.form();
  known = true;
  for (auto [k, v] : llvm::enumerate(map.runtime())) {
    llvm::SmallVector<FormId, 4> index;
    for (FormId form : v.index) index.push_back(import(form));
    b.setSourceIndex(k, index);
  }
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (auto [collective, form] : llvm::zip(map.collectives(), map.members()))
    b.member(collective, b.expression(import(form)));
  for (const Constraint &c : map.constraints())
    if (!isVariable(map, c.form, change.id))
      b.constraint(b.expression(import(c.form)), c.bounds);
  if (change.within != Interval::all()) b.constraint(own, change.within);
  auto built = b.build();
  if (!built.ok()) return built;
  SimplifyOptions options;
  options.rename = true;
  return simplify(*built, options);
}

/// Whether the form names the variable.
bool names(const IndexingMap &map, FormId form, VariableId id) {
  bool found = false;
  IndexingMapBuilder scratch;
  auto look = [&](VariableId of) {
    found |= of == id;
    return scratch.pool().variable(of);
  };
  ExpressionImport(map.expressions(), scratch.pool(), look)(form);
  return found;
}

/// Whether an atom of the form names the variable, other than itself.
bool isInside(const IndexingMap &map, FormId form, VariableId id) {
  const ExpressionTable &table = map.expressions();
  for (const Term &term : table.terms(form))
    for (const FormId operand : table.atom(term.atom).operands())
      if (names(map, operand, id)) return true;
  return false;
}

/// Joins the pieces of a relation.
class Joining {
 public:
  Joining(const IndexingRelation &relation, Joined which,
          llvm::function_ref<Interval(int64_t)> valuesOf)
      : pieces_(relation.pieces().begin(), relation.pieces().end()),
        which_(which),
        valuesOf_(valuesOf) {}

  std::vector<IndexingMap> all() {
    for (size_t p = 0; p < pieces_.size(); ++p)
      while (joinAt(p)) {
      }
    return std::move(pieces_);
  }

 private:
  bool joinAt(size_t &p) {
    const IndexingMap &piece = pieces_[p];
    for (uint32_t i = 0; i < piece.runtime().size(); ++i)
      if (join(p, {VariableKind::Runtime, i})) return true;
    if (which_ == Joined::ClampedOrMinima)
      for (uint32_t i = 0; i < piece.dimensions().size(); ++i)
        if (join(p, {VariableKind::Dimension, i})) return true;
    return false;
  }

  /// Returns the same variable of another piece: the dimension, or the runtime
  /// variable of the same element.
  std::optional<VariableId> same(const IndexingMap &piece, VariableId id,
                                 const IndexingMap &other) const {
    const RuntimeVariable *own = runtimeOf(piece, id);
    if (!own) return id;
    for (uint32_t i = 0; i < other.runtime().size(); ++i) {
      const RuntimeVariable &of = other.runtime()[i];
      if (!(of.source == own->source) || of.clamped != own->clamped ||
          !of.collectives.empty() || of.index.size() != own->index.size() ||
          (own->clamped && of.bounds != own->bounds))
        continue;
      const bool isSame =
          llvm::all_of(llvm::zip(own->index, of.index), [&](const auto &forms) {
            return piece.str(std::get<0>(forms)) ==
                   other.str(std::get<1>(forms));
          });
      if (isSame) return VariableId{VariableKind::Runtime, i};
    }
    return std::nullopt;
  }

  /// The number of a piece, and its values of the variable.
  struct Outer {
    size_t piece;
    Interval within;
  };

  /// Returns the piece whose values lie right below (above) those of piece `p`,
  /// and which is that piece at its least (largest) value.
  std::optional<Outer> outer(size_t p, VariableId id, const Interval &inside,
                             bool isAbove) {
    const IndexingMap &piece = pieces_[p];
    for (size_t q = 0; q < pieces_.size(); ++q) {
      if (q == p) continue;
      const auto theirs = same(piece, id, pieces_[q]);
      if (!theirs) continue;
      const Interval within = withinOf(pieces_[q], *theirs);
      if (isAbove ? !within.hasLower() || within.lower != inside.upper + 1
                  : !within.hasUpper() || within.upper != inside.lower - 1)
        continue;
      Change change;
      change.id = id;
      const RuntimeVariable *own = runtimeOf(piece, id);
      change.clamped = own && own->clamped;
      change.bounds = change.clamped ? own->bounds : within;
      if (change.clamped) change.within = within;
      change.clamp = inside;
      const auto atEnd = changed(piece, change);
      if (atEnd.ok() && *atEnd == pieces_[q]) return Outer{q, within};
    }
    return std::nullopt;
  }

  bool join(size_t &p, VariableId id) {
    const IndexingMap &piece = pieces_[p];
    const RuntimeVariable *own = runtimeOf(piece, id);
    if (own && (own->source.kind != RuntimeSource::Kind::Element ||
                !own->collectives.empty()))
      return false;
    const Interval inside = withinOf(piece, id);
    const Interval every = !own           ? Interval::all()
                           : own->clamped ? own->bounds
                                          : valuesOf_(own->source.tensor);
    std::optional<Outer> below, above;
    if (inside.hasLower() && inside.lower > every.lower)
      below = outer(p, id, inside, /*isAbove=*/false);
    if (inside.hasUpper() && inside.upper < every.upper)
      above = outer(p, id, inside, /*isAbove=*/true);
    if (!below && !above) return false;
    const Interval hull = {below ? below->within.lower : inside.lower,
                           above ? above->within.upper : inside.upper};
    Change change;
    change.id = id;
    if (own && hull.contains(every)) {
      change.bounds = inside;
      change.clamped = true;
    } else {
      if (which_ == Joined::Clamped || !mayHaveMinima(piece, id)) return false;
      change.clamped = own && own->clamped;
      change.bounds = change.clamped ? own->bounds : hull;
      if (change.clamped) change.within = hull;
      change.clamp = inside;
    }
    auto joined = changed(piece, change);
    if (!joined.ok()) return false;
    pieces_[p] = *std::move(joined);
    for (size_t q = pieces_.size(); q-- > 0;) {
      if (!(below && below->piece == q) && !(above && above->piece == q))
        continue;
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(q));
      if (q < p) --p;
    }
    return true;
  }

  /// Whether a clamp of the variable reads as well as the pieces: where results
  /// alone depend on it, beside its own bounds; if it is one of the run, also
  /// where constraints have it as a term, and not in a quotient or remainder.
  static bool mayHaveMinima(const IndexingMap &map, VariableId id) {
    for (const Constraint &c : map.constraints())
      if (!isVariable(map, c.form, id) &&
          (id.kind == VariableKind::Runtime ? isInside(map, c.form, id)
                                            : names(map, c.form, id)))
        return false;
    for (FormId member : map.members())
      if (names(map, member, id)) return false;
    for (const RuntimeVariable &variable : map.runtime())
      for (FormId form : variable.index)
        if (names(map, form, id)) return false;
    return true;
  }

  std::vector<IndexingMap> pieces_;
  const Joined which_;
  llvm::function_ref<Interval(int64_t)> valuesOf_;
};

}  // namespace

absl::StatusOr<IndexingRelation> withClampsJoined(
    const IndexingRelation &relation, Joined which,
    llvm::function_ref<Interval(int64_t tensor)> valuesOf) {
  const size_t count = relation.pieces().size();
  if (count < 2 || count > kMostClampPieces) return relation;
  std::vector<IndexingMap> pieces = Joining(relation, which, valuesOf).all();
  if (pieces.size() == count) return relation;
  IndexingRelation joined;
  for (IndexingMap &piece : pieces) joined.add(std::move(piece));
  joined.weaken(relation.precision());
  return joined;
}

}  // namespace indexical
