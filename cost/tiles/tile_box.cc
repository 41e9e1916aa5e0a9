// The smallest box around the elements that a tile reads, if these are no tile.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/atom_runs.h"
#include "indexical/cost/tiles/tile_analysis.h"
#include "indexical/cost/tiles/tile_constraints.h"
#include "indexical/cost/tiles/tile_uses.h"

namespace indexical {
namespace {

/// The least and the greatest value, or bounds of them.
struct TileEnds {
  FormId least = 0, greatest = 0;
  bool exact = true;  ///< both are values
};

/// The ends of forms of the map over a tile.
class FormEnds {
 public:
  FormEnds(TileVariables &variables, AtomRuns &runs)
      : variables_(variables),
        f_(variables.forms()),
        map_(variables.map()),
        table_(map_.expressions()),
        runs_(runs) {}

  TileEnds ofResult(size_t result);
  /// Returns an upper bound of the distance between neighbouring values of a
  /// form.
  int64_t widestGap(FormId form);

 private:
  TileEnds ofForm(FormId form);
  TileEnds ofAtom(AtomId atom);
  TileEnds ofDimension(const TileDimension &dimension);
  TileEnds ofDigit(const Atom &atom);
  std::optional<TileEnds> ofOpen(const Atom &atom);

  TileVariables &variables_;
  TileForms &f_;
  const IndexingMap &map_;
  const ExpressionTable &table_;
  AtomRuns &runs_;
};

TileEnds FormEnds::ofDimension(const TileDimension &dimension) {
  const Interval &bounds = dimension.bounds;
  TileEnds ends;
  ends.least = dimension.offset;
  if (bounds.lower > 0 && !f_.isNumber(dimension.stride))
    return {f_.number(bounds.lower),
            variables_.lastIndex(dimension).value_or(f_.number(bounds.upper)),
            false};
  FormId more = f_.shift(variables_.countOf(dimension), -1);
  if (bounds.lower > 0) {
    const int64_t stride = f_.valueOf(dimension.stride);
    const FormId before =
        f_.positive(f_.sub(f_.number(bounds.lower), dimension.offset));
    ends.least =
        f_.add(dimension.offset, f_.scale(f_.ceilDiv(before, stride), stride));
  }
  if (dimension.isNarrow()) more = f_.positive(more);
  ends.greatest = f_.add(ends.least, f_.product(more, dimension.stride));
  return ends;
}

int64_t FormEnds::widestGap(FormId form) {
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> parts;  // gap, count
  for (const Term &term : table_.terms(form)) {
    if (variables_.isSingle(term.atom)) continue;
    const auto variable = table_.atom(term.atom).asVariable();
    if (!variable) return Interval::kInfinity;
    const int64_t size = std::abs(term.coefficient);
    if (variable->kind != VariableKind::Dimension) {
      parts.push_back({size, map_.variable(*variable).bounds.count()});
      continue;
    }
    const TileDimension &dimension = variables_.dimensions()[variable->index];
    if (!f_.isNumber(dimension.stride)) return Interval::kInfinity;
    const int64_t least = f_.bounds(variables_.countOf(dimension)).lower;
    parts.push_back({boundedProduct(size, f_.valueOf(dimension.stride)),
                     std::max<int64_t>(1, least)});
  }
  llvm::sort(parts);
  int64_t widest = 0, reach = 0;
  for (auto [gap, count] : parts) {
    widest = std::max(widest, gap - reach);
    reach = boundedSum(reach, boundedProduct(gap, count - 1));
  }
  return widest;
}

TileEnds FormEnds::ofAtom(AtomId id) {
  const Atom &atom = table_.atom(id);
  if (variables_.isSingle(id)) {
    const FormId value = variables_.valueAt(id);
    return {value, value, true};
  }
  const auto variable = atom.asVariable();
  const bool isRange = variable && variable->kind == VariableKind::Range;
  if (variable && variable->kind == VariableKind::Dimension)
    return ofDimension(variables_.dimensions()[variable->index]);
  if (isRange)
    if (const auto end = variables_.rangeEnd(variable->index))
      return {f_.number(map_.variable(*variable).bounds.lower),
              f_.shift(*end, -1), true};
  if (const auto ends = ofOpen(atom)) return *ends;
  if (atom.kind == AtomKind::Digit) return ofDigit(atom);
  if (atom.kind == AtomKind::PositivePart) {
    // A maximum of two grows where its operands do: its ends are theirs.
    const TileEnds parent = ofForm(atom.a);
    return {f_.part(parent.least), f_.part(parent.greatest), parent.exact};
  }
  const Interval bounds = variables_.atomBounds(id);
  return {f_.number(bounds.lower), f_.number(bounds.upper), isRange};
}

TileEnds FormEnds::ofDigit(const Atom &atom) {
  const bool isRestricted = runs_.isRestricted(atom.a);
  // Runs of digits may be under conditions; those of variables are not.
  if (const RemainderBounds *bounds = runs_.restrictionOf(atom);
      bounds && widestGap(atom.a) <= 1)
    if (auto run = runs_.restrictedRun(runs_.sumOf(atom.a), atom, *bounds))
      return {run->first, f_.add(run->first, f_.shift(run->cut, -1)), true};
  const TileEnds parent = ofForm(atom.a);
  TileEnds ends;
  ends.exact = parent.exact && !isRestricted;
  ends.least = f_.digit(parent.least, atom.stride, atom.modulus);
  ends.greatest = f_.digit(parent.greatest, atom.stride, atom.modulus);
  int64_t period;
  if (!atom.modulus) return ends;
  if (__builtin_mul_overflow(atom.stride, atom.modulus, &period))
    return {f_.number(0), f_.number(atom.modulus - 1), false};
  // If the parent passes a whole period, the digit has its greatest and its
  // least value, unless the parent's steps leave these out.
  const FormId passes =
      f_.step(f_.shift(f_.sub(f_.floorDiv(parent.greatest, period),
                              f_.floorDiv(parent.least, period)),
                       -1));
  if (!f_.isNumber(passes, 0) && widestGap(atom.a) > atom.stride)
    ends.exact = false;
  const FormId stays = f_.shift(f_.scale(passes, -1), 1);
  ends.least = f_.product(ends.least, stays);
  ends.greatest = f_.add(f_.product(ends.greatest, stays),
                         f_.scale(passes, atom.modulus - 1));
  return ends;
}

/// Returns the ends of a product, quotient or remainder of a size; nothing for
/// any other atom.
std::optional<TileEnds> FormEnds::ofOpen(const Atom &atom) {
  if (const auto scaled = variables_.scaledBy(atom)) {
    TileEnds ends = ofForm(scaled->first);
    const FormId by = variables_.formAt(scaled->second);
    ends.least = f_.product(ends.least, by);
    ends.greatest = f_.product(ends.greatest, by);
    return ends;
  }
  if (atom.kind != AtomKind::Quotient && atom.kind != AtomKind::Remainder)
    return std::nullopt;
  if (!variables_.areSingle(atom.b) || variables_.bounds(atom.b).lower < 1)
    return std::nullopt;
  const FormId by = variables_.formAt(atom.b);
  if (atom.kind == AtomKind::Remainder)
    return TileEnds{f_.number(0), f_.shift(by, -1), false};
  TileEnds ends = ofForm(atom.a);
  ends.least = f_.quotient(ends.least, by);
  ends.greatest = f_.quotient(ends.greatest, by);
  return ends;
}

/// Returns the ends of a form. They are exact if its terms have no variable in
/// common.
TileEnds FormEnds::ofForm(FormId form) {
  TileEnds ends;
  ends.least = ends.greatest = f_.number(table_.constant(form));
  llvm::DenseSet<uint32_t> seen;
  for (const Term &term : table_.terms(form)) {
    const TileEnds part = ofAtom(term.atom);
    const int64_t c = term.coefficient;
    ends.least =
        f_.add(ends.least, f_.scale(c > 0 ? part.least : part.greatest, c));
    ends.greatest =
        f_.add(ends.greatest, f_.scale(c > 0 ? part.greatest : part.least, c));
    ends.exact &= part.exact;
    if (variables_.isSingle(term.atom)) continue;
    llvm::SmallVector<uint32_t, 4> own;
    const Atom &atom = table_.atom(term.atom);
    auto note = [&](VariableId id) { own.push_back(id.key()); };
    if (const auto variable = atom.asVariable()) note(*variable);
    for (const FormId operand : atom.operands())
      table_.visitVariables(operand, note);
    for (uint32_t key : own)
      ends.exact &= VariableId::fromKey(key).kind == VariableKind::Runtime ||
                    seen.insert(key).second;
  }
  return ends;
}

TileEnds FormEnds::ofResult(size_t result) {
  const FormId form = map_.results()[result];
  const auto terms = table_.terms(form);
  if (terms.size() != 1 || runs_.cutByShape()[result] != terms[0].atom)
    return ofForm(form);
  const auto variable = table_.atom(terms[0].atom).asVariable();
  if (!variable) return ofForm(form);
  const TileDimension &dimension = variables_.dimensions()[variable->index];
  const int64_t c = terms[0].coefficient;
  if (std::abs(c) != 1 || !f_.isNumber(dimension.stride, 1))
    return ofForm(form);
  const FormId first =
      f_.shift(f_.scale(dimension.offset, c), table_.constant(form));
  const FormId last = f_.add(first, f_.scale(f_.shift(dimension.size, -1), c));
  return c > 0 ? TileEnds{first, last, true} : TileEnds{last, first, true};
}

/// Whether no constraint ties a result to another one, or to another
/// constraint.
bool areConstraintsApart(const TileVariables &variables) {
  const IndexingMap &map = variables.map();
  llvm::DenseMap<uint32_t, int> results, constraints;
  auto count = [&](FormId form, llvm::DenseMap<uint32_t, int> &counts) {
    map.expressions().visitVariables(form, [&](VariableId id) {
      if (id.kind != VariableKind::Runtime) ++counts[id.key()];
    });
  };
  for (FormId form : map.results()) count(form, results);
  for (auto [i, c] : llvm::enumerate(map.constraints()))
    if (!variables.isEnd(i)) count(c.form, constraints);
  return llvm::all_of(constraints, [&](const auto &entry) {
    return entry.second == 1 && results.lookup(entry.first) <= 1;
  });
}

}  // namespace

TileBox boxAround(TileVariables &variables) {
  TileForms &f = variables.forms();
  const IndexingMap &map = variables.map();
  const TileUses uses(map);
  TileConditions conditions(variables);
  AtomRuns runs(variables, uses, conditions);
  TileBox box;
  auto bounds = constrained(variables, uses, runs, conditions);
  if (!bounds || !conditions.zeros().empty() || runs.hasFailed()) {
    bounds.emplace();
    conditions.clearGates();
    runs.clearRestrictions();
    box.isLeast = !variables.hasConstraints() && variables.sizeGates().empty();
  }
  if (!areConstraintsApart(variables)) box.isLeast = false;
  for (const TileDimension &dimension : variables.dimensions()) {
    if (!dimension.isNarrow()) continue;
    if (f.isNumber(dimension.stride) || dimension.bounds.lower == 0)
      conditions.addGate(f.step(f.shift(variables.countOf(dimension), -1)));
    else
      box.isLeast = false;
  }
  FormEnds endsOf(variables, runs);
  for (size_t j = 0; j < map.results().size(); ++j) {
    TileEnds ends = endsOf.ofResult(j);
    if (!f.areShort({ends.least, ends.greatest})) {
      const Interval all = variables.bounds(map.results()[j]);
      ends = {f.number(all.lower), f.number(all.upper), false};
    }
    box.isLeast &= ends.exact;
    bool isCut = false;
    for (const TileResultBounds &own : *bounds) {
      if (own.result != j) continue;
      isCut = true;
      if (own.lower) ends.least = f.larger(ends.least, *own.lower);
      if (own.upper) ends.greatest = f.smaller(ends.greatest, *own.upper);
    }
    if (isCut && endsOf.widestGap(map.results()[j]) > 1) box.isLeast = false;
    const FormId count = f.shift(f.sub(ends.greatest, ends.least), 1);
    box.parts.push_back(
        {ends.least, isCut ? f.positive(count) : count, f.number(1)});
  }
  box.isLeast &= conditions.applyGates(box.parts);
  return box;
}

TileBox wholeTensor(TileVariables &variables) {
  TileForms &f = variables.forms();
  TileBox box;
  box.isLeast = false;
  for (auto [size, end, result] :
       llvm::zip_equal(variables.shape(), variables.shapeEnds(),
                       variables.map().results())) {
    // Without a size, the indices that the map can have are all of it.
    constexpr int64_t kMost = int64_t{1} << 62;
    const int64_t last = variables.bounds(result).upper;
    const int64_t all = size >= 0 ? size : last < kMost ? last + 1 : kMost;
    box.parts.push_back(
        {f.number(0), end.value_or(f.number(all)), f.number(1)});
  }
  return box;
}

}  // namespace indexical
