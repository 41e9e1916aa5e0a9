#include "indexical/cost/tiles/tile_constraints.h"

#include <cstdlib>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

class Constraints {
 public:
  Constraints(TileVariables &variables, const TileUses &uses, AtomRuns &runs,
              TileConditions &conditions)
      : variables_(variables),
        f_(variables.forms()),
        map_(variables.map()),
        table_(map_.expressions()),
        uses_(uses),
        runs_(runs),
        conditions_(conditions) {}

  bool add(size_t number, const Constraint &constraint);
  bool addNarrow(uint32_t number, const TileDimension &dimension);
  llvm::SmallVector<TileResultBounds, 2> take() { return std::move(found_); }

 private:
  bool isUnused(const Term &term, size_t constraint) const;
  bool isUsed(FormId form, size_t constraint) const;
  bool isRead(FormId form);
  bool addBounds(llvm::ArrayRef<Term> terms, std::optional<FormId> lower,
                 std::optional<FormId> upper);
  bool addRemainder(const Atom &digit, Interval values, size_t constraint);
  bool isOneQuotient(FormId parent, int64_t divisor) const;

  TileVariables &variables_;
  TileForms &f_;
  const IndexingMap &map_;
  const ExpressionTable &table_;
  const TileUses &uses_;
  AtomRuns &runs_;
  TileConditions &conditions_;
  llvm::SmallVector<TileResultBounds, 2> found_;
};

/// Whether the term is a variable that no result and no other constraint
/// names. If several name it, one value may satisfy each of them, and none all
/// of them.
bool Constraints::isUnused(const Term &term, size_t constraint) const {
  const auto variable = table_.atom(term.atom).asVariable();
  if (!variable || std::abs(term.coefficient) != 1 ||
      variable->kind == VariableKind::Runtime ||
      uses_.atoms.lookup(term.atom) > 0)
    return false;
  bool is = true;
  for (const Constraint &other : map_.constraints())
    if (other.form != map_.constraints()[constraint].form)
      table_.visitVariables(other.form,
                            [&](VariableId id) { is &= !(id == *variable); });
  return is;
}

/// Keeps the result whose varying terms are these, times a number, between the
/// bounds. Returns false if there is no such result.
bool Constraints::addBounds(llvm::ArrayRef<Term> terms,
                            std::optional<FormId> lower,
                            std::optional<FormId> upper) {
  for (size_t j = 0; j < map_.results().size(); ++j) {
    llvm::SmallVector<Term, 4> own;
    llvm::SmallVector<ScaledForm, 4> fixed;
    for (const Term &term : table_.terms(map_.results()[j]))
      if (variables_.isSingle(term.atom))
        fixed.push_back({variables_.valueAt(term.atom), term.coefficient});
      else
        own.push_back(term);
    if (own.size() != terms.size()) continue;
    // own = terms * times / by
    const int64_t a = own[0].coefficient, b = terms[0].coefficient;
    int64_t times = 1, by = 1;
    if (a % b == 0)
      times = a / b;
    else if (b % a == 0)
      by = b / a;
    else
      continue;
    const bool same =
        llvm::all_of(llvm::zip_equal(own, terms), [&](const auto &pair) {
          const auto &[x, y] = pair;
          return x.atom == y.atom &&
                 x.coefficient * by == y.coefficient * times;
        });
    if (!same) continue;
    if (by < 0) times = -times, by = -by;
    const FormId rest =
        f_.pool.linear(fixed, table_.constant(map_.results()[j]));
    if (times < 0) std::swap(lower, upper);
    TileResultBounds bounds{j, std::nullopt, std::nullopt};
    // A bound outside of the shape is left out: the shape cuts there anyway.
    if (lower) {
      const FormId least =
          f_.add(f_.ceilDiv(f_.scale(*lower, times), by), rest);
      if (f_.bounds(least).upper > 0) bounds.lower = least;
    }
    if (upper) {
      const FormId greatest =
          f_.add(f_.floorDiv(f_.scale(*upper, times), by), rest);
      const auto end = variables_.shapeEnds()[j];
      if (!end || f_.bounds(f_.sub(greatest, *end)).lower < -1)
        bounds.upper = greatest;
    }
    found_.push_back(bounds);
    return true;
  }
  return false;
}

/// Whether a result, or another constraint, names a variable of the form whose
/// value is not one of the run.
bool Constraints::isUsed(FormId form, size_t constraint) const {
  bool is = false;
  table_.visitVariables(form, [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) is |= uses_.dimensions[id.index];
    if (id.kind == VariableKind::Runtime) return;
    for (const auto &[known, count] : uses_.atoms)
      is |= table_.atom(known).asVariable() == id;
    for (const Constraint &other : map_.constraints())
      if (other.form != map_.constraints()[constraint].form)
        table_.visitVariables(other.form, [&](VariableId v) { is |= v == id; });
  });
  return is;
}

/// Whether results use one digit of the parent alone, the quotient by the
/// divisor.
bool Constraints::isOneQuotient(FormId parent, int64_t divisor) const {
  size_t digits = 0;
  bool isQuotient = false;
  for (const auto &[id, count] : uses_.atoms) {
    const Atom &digit = table_.atom(id);
    if (digit.kind != AtomKind::Digit || variables_.isSingle(id) ||
        table_.terms(digit.a) != table_.terms(parent))
      continue;
    ++digits;
    isQuotient |= digit.stride == divisor && digit.modulus == 0;
  }
  return isQuotient && digits == 1;
}

/// Adds that a remainder has these values.
bool Constraints::addRemainder(const Atom &digit, Interval values,
                               size_t constraint) {
  values = values.intersect({0, digit.modulus - 1});
  if (values.isEmpty()) return conditions_.fail();
  if (isUsed(digit.a, constraint)) {
    if (!isOneQuotient(digit.a, digit.modulus)) return conditions_.fail();
    runs_.restrict({digit.a, digit.modulus, values});
    return true;
  }
  // Some value of what no result uses has to have such a remainder.
  const RunSum sum = runs_.sumOf(digit.a);
  if (runs_.hasFailed() || sum.widestGap(f_) > 1) return conditions_.fail();
  conditions_.addGate(quotientsOf(f_, sum, 0, digit.modulus, values).isAny);
  return true;
}

/// Whether the form has values that a tensor has for each of several points of
/// a tile. No form of a tile says for which of them a constraint holds.
bool Constraints::isRead(FormId form) {
  bool is = false;
  table_.visitVariables(form, [&](VariableId id) {
    if (id.kind != VariableKind::Runtime) return;
    for (const FormId index : map_.runtime()[id.index].index)
      is |= !variables_.areSingle(index);
  });
  return is;
}

bool Constraints::add(size_t number, const Constraint &constraint) {
  conditions_.blame(constraint.form);
  if (isRead(constraint.form)) return conditions_.fail();
  llvm::SmallVector<Term, 4> terms;
  FormId least = f_.number(table_.constant(constraint.form));
  FormId greatest = least;
  for (const Term &term : table_.terms(constraint.form)) {
    if (variables_.isSingle(term.atom)) {
      const FormId value =
          f_.scale(variables_.valueAt(term.atom), term.coefficient);
      least = f_.add(least, value);
      greatest = f_.add(greatest, value);
    } else if (isUnused(term, number)) {
      const Run run = runs_.runOf(term.atom);
      if (!f_.isNumber(run.gap, 1)) return conditions_.fail();
      const FormId last = f_.add(run.first, f_.shift(run.cut, -1));
      const bool rises = term.coefficient > 0;
      least = rises ? f_.add(least, run.first) : f_.sub(least, last);
      greatest = rises ? f_.add(greatest, last) : f_.sub(greatest, run.first);
    } else {
      terms.push_back(term);
    }
  }
  const Interval &bounds = constraint.bounds;
  std::optional<FormId> lower, upper;  // of the terms alone
  if (bounds.hasLower()) lower = f_.sub(f_.number(bounds.lower), greatest);
  if (bounds.hasUpper()) upper = f_.sub(f_.number(bounds.upper), least);
  if (terms.empty()) {
    if (lower) conditions_.addGate(f_.step(f_.scale(*lower, -1)));
    if (upper) conditions_.addGate(f_.step(*upper));
    return true;
  }
  if (addBounds(terms, lower, upper)) return true;
  const Atom &atom = table_.atom(terms[0].atom);
  if (terms.size() > 1 || atom.kind != AtomKind::Digit || atom.stride != 1 ||
      atom.modulus == 0 || terms[0].coefficient != 1 || least != greatest ||
      !f_.isNumber(least))
    return conditions_.fail();
  return addRemainder(atom, bounds + Interval::point(-f_.valueOf(least)),
                      number);
}

/// Adds a gate for a dimension whose bounds are narrower than the root, unless
/// the shape cuts it.
bool Constraints::addNarrow(uint32_t number, const TileDimension &dimension) {
  std::optional<AtomId> atom;
  for (const auto &[id, count] : uses_.atoms)
    if (table_.atom(id).asVariable() ==
        VariableId{VariableKind::Dimension, number})
      atom = id;
  if (atom && runs_.isCutByShape(*atom)) return true;
  if (!f_.isNumber(dimension.stride) && dimension.bounds.lower > 0)
    return conditions_.fail();
  conditions_.addGate(f_.step(f_.shift(variables_.countOf(dimension), -1)));
  return true;
}

}  // namespace

std::optional<llvm::SmallVector<TileResultBounds, 2>> constrained(
    TileVariables &variables, const TileUses &uses, AtomRuns &runs,
    TileConditions &conditions) {
  TileForms &f = variables.forms();
  const IndexingMap &map = variables.map();
  Constraints constraints(variables, uses, runs, conditions);
  for (FormId form : variables.sizeGates()) conditions.addGate(f.step(form));
  if (!map.results().empty()) conditions.blameResult(0);
  for (auto [k, dimension] : llvm::enumerate(variables.dimensions()))
    if (dimension.isNarrow() && !constraints.addNarrow(k, dimension))
      return std::nullopt;
  for (auto [i, constraint] : llvm::enumerate(map.constraints()))
    if (!variables.isEnd(i) && !constraints.add(i, constraint))
      return std::nullopt;
  return constraints.take();
}

}  // namespace indexical
