#include "indexical/cost/kernel/merged_values.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"

namespace indexical::kernels {
namespace {

// A remainder of a number that may be of more multiples is not split.
constexpr int64_t kMostMultiples = 4;

constexpr VariableId kValue{VariableKind::Runtime, 0};

bool usesValue(const ExpressionTable &table, FormId form) {
  bool uses = false;
  table.visitVariables({form}, [&](VariableId id) { uses |= id == kValue; });
  return uses;
}

/// A map as `rest + factor * value + constant`, and the values for which it
/// holds.
struct ValuePiece {
  using Key = std::tuple<std::vector<std::pair<int64_t, int64_t>>, FormId,
                         std::vector<std::tuple<FormId, int64_t, int64_t>>,
                         std::vector<FormId>>;
  size_t number = 0;  ///< of the map
  /// What pieces that are merged have in common: the bounds of dimensions, the
  /// rest, the constraints that do not name the value, and the value's index.
  Key key;
  int64_t factor = 0, constant = 0;
  std::vector<Interval> holds;
};

/// Reads maps into one pool of expressions.
class PieceReader {
 public:
  explicit PieceReader(ExpressionPool &pool) : pool_(pool) {}

  std::optional<ValuePiece> read(size_t number, const IndexingMap &map) const {
    if (map.isKnownEmpty() || map.results().size() != 1 ||
        !map.ranges().empty() || !map.collectives().empty() ||
        map.runtime().size() != 1 || map.visibleRuntimeCount() != 1)
      return std::nullopt;
    const ExpressionTable &table = map.expressions();
    const RuntimeVariable &value = map.runtime()[0];
    if (value.source.kind == RuntimeSource::Kind::None ||
        !value.collectives.empty() || value.clamped)
      return std::nullopt;
    ValuePiece piece;
    piece.number = number;
    auto &[box, rest, constraints, index] = piece.key;
    for (const Variable &v : map.dimensions())
      box.push_back({v.bounds.lower, v.bounds.upper});
    const auto replace = [&](VariableId id) {
      return id == kValue ? pool_.constantForm(0) : pool_.variable(id);
    };
    ExpressionImport import(table, pool_, replace);
    for (const Term &term : table.terms(map.results()[0])) {
      const Atom &atom = table.atom(term.atom);
      if (atom.asVariable() == kValue)
        piece.factor = term.coefficient;
      else if (llvm::any_of(atom.operands(), [&](FormId form) {
                 return usesValue(table, form);
               }))
        return std::nullopt;
    }
    const FormId whole = import(map.results()[0]);
    piece.constant = pool_.constant(whole);
    rest = pool_.shift(whole, -piece.constant);
    piece.holds = {value.bounds};
    for (const Constraint &constraint : map.constraints()) {
      if (!usesValue(table, constraint.form))
        constraints.push_back({import(constraint.form), constraint.bounds.lower,
                               constraint.bounds.upper});
      else if (!restrict(table, constraint, piece.holds))
        return std::nullopt;
    }
    llvm::sort(constraints);
    for (const FormId form : value.index) {
      if (usesValue(table, form)) return std::nullopt;
      index.push_back(import(form));
    }
    return piece;
  }

 private:
  /// Restricts the intervals to values for which the constraint holds. Returns
  /// false if the constraint is not one on the value alone.
  static bool restrict(const ExpressionTable &table,
                       const Constraint &constraint,
                       std::vector<Interval> &holds) {
    const llvm::ArrayRef<Term> terms = table.terms(constraint.form);
    if (terms.size() != 1) return false;
    const Atom &atom = table.atom(terms[0].atom);
    const Interval bounds = constraint.bounds.preimageOfMul(
        terms[0].coefficient, table.constant(constraint.form));
    if (atom.asVariable() == kValue) {
      for (Interval &interval : holds) interval = interval.intersect(bounds);
      return true;
    }
    if (atom.kind != AtomKind::Digit || atom.stride != 1 || atom.modulus < 1)
      return false;
    const FormId inside = atom.operands()[0];
    const llvm::ArrayRef<Term> of = table.terms(inside);
    if (of.size() != 1 || of[0].coefficient != 1 ||
        table.constant(inside) != 0 ||
        !(table.atom(of[0].atom).asVariable() == kValue))
      return false;
    const Interval digit = bounds.intersect({0, atom.modulus - 1});
    std::vector<Interval> split;
    for (const Interval &interval : holds) {
      if (!interval.isFinite()) return false;
      const int64_t first = floorDiv(interval.lower, atom.modulus);
      const int64_t last = floorDiv(interval.upper, atom.modulus);
      if (last - first >= kMostMultiples) return false;
      for (int64_t k = first; k <= last; ++k)
        split.push_back(interval.intersect(
            {k * atom.modulus + digit.lower, k * atom.modulus + digit.upper}));
    }
    holds = std::move(split);
    return true;
  }

  ExpressionPool &pool_;
};

/// Whether the values of all pieces are those of the interval, each once.
bool areDisjointCover(llvm::ArrayRef<ValuePiece> pieces,
                      const Interval &values) {
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const ValuePiece &piece : pieces)
    for (const Interval &interval : piece.holds)
      if (!interval.isEmpty()) all.push_back({interval.lower, interval.upper});
  llvm::sort(all);
  if (all.empty() || !values.isFinite() || all.front().first != values.lower ||
      all.back().second != values.upper)
    return false;
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].first != all[i - 1].second + 1) return false;
  return true;
}

/// `rest + factor * w + constant` with w in `bounds`.
struct MergedForm {
  int64_t factor = 0, constant = 0;
  Interval bounds = Interval::none();
};

/// Returns the form whose values are those of all pieces, perhaps with more
/// between them.
std::optional<MergedForm> mergedForm(llvm::ArrayRef<ValuePiece> pieces) {
  MergedForm form;
  for (const ValuePiece &piece : pieces)
    if (piece.factor != 0) {
      form.factor = std::abs(piece.factor);
      form.constant = piece.constant;
    }
  if (form.factor == 0) return std::nullopt;
  for (const ValuePiece &piece : pieces) {
    if ((piece.factor != 0 && std::abs(piece.factor) != form.factor))
      return std::nullopt;
    const auto distance = checkedSub(piece.constant, form.constant);
    if (!distance || *distance % form.factor != 0) return std::nullopt;
    const int64_t sign = piece.factor == 0 ? 0 : piece.factor / form.factor;
    for (const Interval &interval : piece.holds) {
      if (interval.isEmpty()) continue;
      for (const int64_t end : {interval.lower, interval.upper}) {
        const auto scaled = checkedMul(sign, end);
        const auto place = scaled ? checkedAdd(*scaled, *distance / form.factor)
                                  : std::nullopt;
        if (!place) return std::nullopt;
        form.bounds = form.bounds.hull(Interval::point(*place));
      }
    }
  }
  return form;
}

}  // namespace

std::vector<IndexingMap> mergedOverValues(
    std::vector<IndexingMap> maps,
    const std::map<std::string, Interval> &values) {
  if (maps.size() < 2) return maps;
  IndexingMapBuilder owner;
  const PieceReader reader(owner.pool());
  std::map<ValuePiece::Key, std::vector<ValuePiece>> groups;
  for (auto [number, map] : llvm::enumerate(maps))
    if (auto piece = reader.read(number, map))
      groups[piece->key].push_back(*std::move(piece));
  std::vector<std::optional<IndexingMap>> made(maps.begin(), maps.end());
  for (const auto &[key, pieces] : groups) {
    const IndexingMap &first = maps[pieces.front().number];
    const auto type = values.find(first.nameOf(kValue));
    const bool areOfOne = llvm::all_of(pieces, [&](const ValuePiece &piece) {
      const IndexingMap &map = maps[piece.number];
      return map.runtime()[0].source == first.runtime()[0].source &&
             map.nameOf(kValue) == first.nameOf(kValue);
    });
    if (pieces.size() < 2 || !areOfOne || type == values.end() ||
        !areDisjointCover(pieces, type->second))
      continue;
    const auto form = mergedForm(pieces);
    if (!form) continue;
    const auto &[box, rest, constraints, index] = key;
    IndexingMapBuilder b(owner.pool());
    for (const Variable &v : first.dimensions()) b.dimension(v.bounds, v.name);
    RuntimeVariable value = first.runtime()[0];
    value.bounds = form->bounds;
    value.clamped = true;
    value.index.assign(index.begin(), index.end());
    b.result(b.expression(rest) + b.runtime(std::move(value)) * form->factor +
             form->constant);
    for (const auto &[constraint, lower, upper] : constraints)
      b.constraint(b.expression(constraint), {lower, upper});
    auto merged = b.build();
    if (!merged.ok()) continue;
    for (const ValuePiece &piece : pieces) made[piece.number].reset();
    made[pieces.front().number] = *std::move(merged);
  }
  std::vector<IndexingMap> all;
  for (auto &map : made)
    if (map) all.push_back(*std::move(map));
  return all;
}

}  // namespace indexical::kernels
