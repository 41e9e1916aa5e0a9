#include "indexical/cost/tiles/tile_uses.h"

#include <cstdlib>
#include <utility>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/shape.h"

namespace indexical {

//===-- Counting ----------------------------------------------------------===//

TileUses::TileUses(const IndexingMap &map)
    : dimensions(map.dimensions().size(), false) {
  const ExpressionTable &table = map.expressions();
  llvm::DenseSet<FormId> parents;
  llvm::SmallVector<FormId, 8> open(map.results());
  while (!open.empty())
    for (const Term &term : table.terms(open.pop_back_val())) {
      ++atoms[term.atom];
      const Atom &atom = table.atom(term.atom);
      if (const auto variable = atom.asVariable())
        if (variable->kind == VariableKind::Dimension)
          dimensions[variable->index] = true;
      for (const FormId parent : atom.operands())
        if (parents.insert(parent).second) open.push_back(parent);
    }
}

//===-- Atoms that must have one value ------------------------------------===//

namespace {

/// Requires that everything inside of the atom has one value. Returns false if
/// that cannot be.
bool makeSingle(AtomId id, TileVariables &variables,
                TileConditions &conditions) {
  const IndexingMap &map = variables.map();
  const ExpressionTable &table = map.expressions();
  auto makeAll = [&](llvm::ArrayRef<FormId> forms) {
    return llvm::all_of(forms, [&](FormId form) {
      return llvm::all_of(table.terms(form), [&](const Term &term) {
        return makeSingle(term.atom, variables, conditions);
      });
    });
  };
  const Atom &atom = table.atom(id);
  const auto variable = atom.asVariable();
  if (!variable) return makeAll(atom.operands());
  if (variables.isSingle(id)) return true;
  if (variable->kind == VariableKind::Range) return conditions.fail();
  if (variable->kind == VariableKind::Runtime)
    return makeAll(map.runtime()[variable->index].index);
  const FormId size = variables.dimensions()[variable->index].size;
  if (!conditions.require(variables.forms().shift(size, -1))) return false;
  variables.makeSingle(variable->index);
  return true;
}

}  // namespace

bool requireSingleValues(TileVariables &variables, const TileUses &uses,
                         TileConditions &conditions) {
  const IndexingMap &map = variables.map();
  const ExpressionTable &table = map.expressions();
  for (size_t j = 0; j < map.results().size(); ++j) {
    conditions.blameResult(j);
    llvm::SmallVector<FormId, 8> open{map.results()[j]};
    while (!open.empty())
      for (const Term &term : table.terms(open.pop_back_val())) {
        if (variables.isSingle(term.atom)) continue;
        const Atom &atom = table.atom(term.atom);
        const bool isDivision = atom.kind == AtomKind::Digit;
        const bool isPlain = atom.kind == AtomKind::Variable &&
                             atom.variable().kind != VariableKind::Runtime;
        const auto scaled = variables.scaledBy(atom);
        if (uses.atoms.lookup(term.atom) > 1 ||
            (!isPlain && !isDivision && !scaled)) {
          if (!makeSingle(term.atom, variables, conditions)) return false;
          continue;
        }
        if (isDivision) open.push_back(atom.a);
        if (scaled) open.push_back(scaled->first);
      }
  }
  return true;
}

//===-- Cut by the shape --------------------------------------------------===//

namespace {

class ShapeCuts {
 public:
  ShapeCuts(TileVariables &variables, const TileUses &uses)
      : variables_(variables),
        f_(variables.forms()),
        map_(variables.map()),
        table_(map_.expressions()),
        uses_(uses) {}

  /// Whether the result leaves the shape wherever the atom, alone of all,
  /// leaves the values that it may have.
  bool isCut(size_t result, const Term &term) const {
    if (uses_.atoms.lookup(term.atom) > 1) return false;
    if (variables_.hasOpenSizes()) return isCutIfOpen(result, term);
    const int64_t extent = variables_.shape()[result];
    if (extent == kDynamicSize) return false;
    const auto allowed = valuesOf(table_.atom(term.atom));
    if (!allowed) return false;
    Interval rest = Interval::point(table_.constant(map_.results()[result]));
    for (const Term &other : table_.terms(map_.results()[result]))
      if (other.atom != term.atom)
        rest = rest + variables_.atomBounds(other.atom) * other.coefficient;
    auto isOutside = [&](int64_t value, bool isAbove) {
      const Interval sum = rest + Interval::point(value) * term.coefficient;
      return isAbove ? sum.lower >= extent : sum.upper < 0;
    };
    const bool rises = term.coefficient > 0;
    const bool isCutBelow =
        allowed->lower == 0 || isOutside(allowed->lower - 1, !rises);
    return isCutBelow && isOutside(allowed->upper + 1, rises);
  }

  /// The greater, the earlier is the atom considered.
  int64_t weightOf(const Term &term) const {
    const TileDimension *dimension = dimensionOf(table_.atom(term.atom));
    return dimension && dimension->isNarrow() ? Interval::kInfinity
                                              : std::abs(term.coefficient);
  }

 private:
  const TileDimension *dimensionOf(const Atom &atom) const {
    const auto variable = atom.asVariable();
    return variable && variable->kind == VariableKind::Dimension
               ? &variables_.dimensions()[variable->index]
               : nullptr;
  }

  /// Returns the values that a dimension or a quotient of one may have, from 0
  /// on if the tiles are; nothing for another atom.
  std::optional<Interval> valuesOf(const Atom &atom) const {
    if (const TileDimension *dimension = dimensionOf(atom))
      return Interval{std::max<int64_t>(0, dimension->bounds.lower),
                      dimension->bounds.upper};
    if (atom.kind != AtomKind::Digit || atom.modulus != 0) return std::nullopt;
    const auto variable = table_.asVariable(atom.a);
    if (!variable || variable->kind != VariableKind::Dimension)
      return std::nullopt;
    const TileDimension &inside = variables_.dimensions()[variable->index];
    if (inside.bounds != Interval{0, inside.extent - 1} ||
        inside.extent % atom.stride != 0)
      return std::nullopt;
    return Interval{0, inside.extent / atom.stride - 1};
  }

  /// Like isCut(), if a size of the root or of the tensor is a form.
  bool isCutIfOpen(size_t result, const Term &term) const {
    const TileDimension *dimension = dimensionOf(table_.atom(term.atom));
    if (!dimension) return false;
    const Interval &bounds = dimension->bounds;
    std::optional<FormId> end = dimension->end;
    if (bounds.hasUpper() &&
        (!dimension->isOpen || bounds.upper < dimension->all.upper))
      end = f_.number(bounds.upper + 1);
    const auto extent = variables_.shapeEnds()[result];
    if (!end || !extent) return false;
    Interval rest = Interval::point(0);
    FormId fixed = f_.number(table_.constant(map_.results()[result]));
    for (const Term &other : table_.terms(map_.results()[result])) {
      if (other.atom == term.atom) continue;
      if (variables_.isSingle(other.atom))
        fixed = f_.add(
            fixed, f_.scale(variables_.valueAt(other.atom), other.coefficient));
      else
        rest = rest + variables_.atomBounds(other.atom) * other.coefficient;
    }
    auto isOutside = [&](FormId value, bool isAbove) {
      const FormId sum = f_.add(fixed, f_.scale(value, term.coefficient));
      if (!isAbove) return (f_.bounds(sum) + rest).upper < 0;
      return (f_.bounds(f_.sub(sum, *extent)) + rest).lower >= 0;
    };
    const bool rises = term.coefficient > 0;
    if (bounds.lower > 0 && !isOutside(f_.number(bounds.lower - 1), !rises))
      return false;
    return isOutside(*end, rises);
  }

  TileVariables &variables_;
  TileForms &f_;
  const IndexingMap &map_;
  const ExpressionTable &table_;
  const TileUses &uses_;
};

}  // namespace

llvm::SmallVector<std::optional<AtomId>, 4> cutByShape(TileVariables &variables,
                                                       const TileUses &uses) {
  const ShapeCuts cuts(variables, uses);
  llvm::SmallVector<std::optional<AtomId>, 4> found;
  for (auto [j, form] : llvm::enumerate(variables.map().results())) {
    llvm::SmallVector<Term, 4> terms(variables.map().expressions().terms(form));
    llvm::stable_sort(terms, [&](const Term &x, const Term &y) {
      return cuts.weightOf(x) > cuts.weightOf(y);
    });
    const auto cut = llvm::find_if(
        terms, [&, j = j](const Term &term) { return cuts.isCut(j, term); });
    found.push_back(cut == terms.end() ? std::nullopt
                                       : std::optional<AtomId>(cut->atom));
  }
  return found;
}

}  // namespace indexical
