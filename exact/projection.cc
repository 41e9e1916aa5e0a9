#include "indexical/exact/projection.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "indexical/exact/elimination.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

// Every pair of constraints becomes one: more than a few are not worth it.
constexpr size_t kMostTogether = 4;

absl::Status leaves64Bits() {
  return absl::OutOfRangeError(
      "arithmetic leaves the range of 64-bit integers");
}

bool isEquation(const Constraint &c) { return c.bounds.isPoint(); }

/// The constraint `coefficient * x + rest` in `bounds` on the variable x that
/// is projected out.
struct Occurrence {
  int64_t coefficient;
  FormId rest;
  Interval bounds;
};

/// Whether the form has the variable, also inside of one of its atoms.
bool names(const ExpressionTable &table, FormId form, uint32_t variable) {
  const auto terms = table.terms(form);
  if (table.isSumOfVariables(form))
    return llvm::any_of(terms, [&](const Term &term) {
      return table.atom(term.atom).variable().index == variable;
    });
  bool found = false;
  table.visitVariables({form},
                       [&](VariableId id) { found |= id.index == variable; });
  return found;
}

/// The constraints on `variable`, each linear in it. Nothing if the variable is
/// inside of an atom.
std::optional<llvm::SmallVector<Occurrence, 4>> occurrencesOf(
    System &system, uint32_t variable) {
  llvm::SmallVector<Occurrence, 4> found;
  for (const Constraint &c : system.constraints) {
    if (!names(system.pool, c.form, variable)) continue;
    llvm::SmallVector<Term, 8> terms(system.pool.terms(c.form)), rest;
    int64_t coefficient = 0;
    for (const Term &term : terms) {
      const Atom &atom = system.pool.atom(term.atom);
      const auto id = atom.asVariable();
      if (id && id->index == variable) {
        coefficient = term.coefficient;
        continue;
      }
      for (const FormId operand : atom.operands())
        if (names(system.pool, operand, variable)) return std::nullopt;
      rest.push_back(term);
    }
    if (coefficient)
      found.push_back({coefficient,
                       system.pool.form(rest, system.pool.constant(c.form)),
                       c.bounds});
  }
  return found;
}

/// Adds that c * x + rest is in [low, high] for some x in `x`: there is a
/// multiple of c between low - rest and high - rest, and neither is too far.
/// False if a bound leaves 64 bits.
bool projectFromOne(System &system, Occurrence o, Interval x) {
  const auto multiples = x.scaled(o.coefficient);
  const auto far = multiples ? o.bounds.minus(*multiples) : std::nullopt;
  if (!far) return false;
  o.coefficient = std::abs(o.coefficient);
  ExpressionPool &pool = system.pool;
  system.require(o.rest, *far);
  if (!o.bounds.isFinite()) return true;
  auto width = checkedSub(o.bounds.upper, o.bounds.lower);
  if (!width || *width >= o.coefficient - 1) return width.has_value();
  FormId toHigh = pool.linear({{o.rest, -1}}, o.bounds.upper);
  system.require(pool.digit(toHigh, 1, o.coefficient), {0, *width});
  return true;
}

/// Factors 1 and -1: every lower end is at most every upper end.
void projectFromSeveral(System &system, llvm::ArrayRef<Occurrence> occurrences,
                        Interval x) {
  ExpressionPool &pool = system.pool;
  // x >= form + shift, x <= form + shift.
  struct End {
    FormId form;
    int64_t shift;
  };
  llvm::SmallVector<End, 6> lower, upper;
  FormId zero = pool.constantForm(0);
  if (x.hasLower()) lower.push_back({zero, x.lower});
  if (x.hasUpper()) upper.push_back({zero, x.upper});
  for (const Occurrence &o : occurrences) {
    // x = value - rest, or x = rest - value.
    FormId form = o.coefficient > 0 ? pool.scale(o.rest, -1) : o.rest;
    const auto value = o.bounds.scaled(o.coefficient);
    if (!value) return pool.setOverflowed(true);
    if (value->hasLower()) lower.push_back({form, value->lower});
    if (value->hasUpper()) upper.push_back({form, value->upper});
  }
  for (const End &low : lower)
    for (const End &high : upper) {
      FormId gap = pool.sub(high.form, low.form);
      auto least = checkedSub(low.shift, high.shift);
      if (!least) return pool.setOverflowed(true);
      if (pool.isConstant(gap) && pool.constant(gap) >= *least) continue;
      system.require(gap, {*least, Interval::kInfinity});
    }
}

/// Whether the variable is gone: no constraint has it any more.
bool projectOut(System &system, uint32_t variable) {
  auto occurrences = occurrencesOf(system, variable);
  const Interval x = system.box[variable];
  if (!occurrences || x.isEmpty()) return false;
  if (occurrences->size() == 1) {
    if (!projectFromOne(system, (*occurrences)[0], x)) return false;
  } else if (!occurrences->empty()) {
    bool unit = llvm::all_of(*occurrences, [](const Occurrence &o) {
      return std::abs(o.coefficient) == 1;
    });
    if (!unit || occurrences->size() > kMostTogether) return false;
    projectFromSeveral(system, *occurrences, x);
  }
  if (!occurrences->empty())
    llvm::erase_if(system.constraints, [&](const Constraint &c) {
      return names(system.pool, c.form, variable);
    });
  system.box[variable] = Interval::point(0);
  return true;
}

}  // namespace

absl::StatusOr<Projection> resultsOf(const IndexingMap &set) {
  Projection projection;
  if (set.isKnownEmpty()) {
    projection.set = set;
    return projection;
  }
  System system;
  auto boundsOf = [&](VariableId id) { return set.variable(id).bounds; };
  FormBounds bounds(set.expressions(), boundsOf);
  System::Forms known;
  for (FormId form : set.results()) known.push_back(system.add(bounds(form)));
  llvm::SmallVector<bool, 16> unknown(known.size(), false);
  auto variables = system.addVariables(set);
  unknown.resize(unknown.size() + variables.size(), true);
  auto results = system.addMap(set, variables);
  Elimination elimination(system, unknown);
  for (size_t i = 0; i < results.size(); ++i)
    elimination.equate(results[i], known[i]);
  elimination.solve();
  if (elimination.overflowed()) return leaves64Bits();
  System left = elimination.result();
  // Simplified in between, because redundant constraints are in the way.
  auto simple = left.simplified();
  INDEXICAL_RETURN_IF_ERROR(simple.status());
  llvm::SmallVector<uint32_t, 4> unwanted(elimination.freeVariables().begin(),
                                          elimination.freeVariables().end());
  for (bool again = true; again && !simple->isKnownEmpty();) {
    again = false;
    System next;
    auto same = next.addVariables(*simple);
    next.addMap(*simple, same);
    llvm::erase_if(unwanted, [&](uint32_t variable) {
      bool gone = projectOut(next, variable);
      again |= gone;
      return gone;
    });
    if (next.pool.overflowed()) return leaves64Bits();
    if (!again) break;
    simple = next.simplified();
    INDEXICAL_RETURN_IF_ERROR(simple.status());
  }
  projection.plain = unwanted.empty();
  if (simple->isKnownEmpty()) {
    projection.set = *simple;
    projection.plain = true;
    return projection;
  }
  // The last system has only the results, and the variables that are left.
  System last;
  llvm::SmallVector<FormId, 16> values(simple->dimensions().size(),
                                       last.pool.constantForm(0));
  for (uint32_t i = 0; i < known.size(); ++i)
    values[i] = last.add(Interval::all());
  for (uint32_t i : unwanted) values[i] = last.add(Interval::all());
  last.addMap(*simple, values);
  INDEXICAL_ASSIGN_OR_RETURN(projection.set, last.simplified());
  return projection;
}

absl::StatusOr<IndexingMap> withSolvedEquations(const IndexingMap &set) {
  if (llvm::none_of(set.constraints(), isEquation)) return set;
  System system, equations;
  auto variables = system.addVariables(set);
  System::Forms forms;
  for (const Constraint &c : set.constraints()) forms.push_back(c.form);
  forms = system.import(set, variables, forms);
  for (size_t i = 0; i < forms.size(); ++i)
    if (!isEquation(set.constraints()[i]))
      system.require(forms[i], set.constraints()[i].bounds);
  auto results = system.import(set, variables, set.results());
  Elimination elimination(system,
                          llvm::SmallVector<bool, 16>(variables.size(), true));
  for (size_t i = 0; i < forms.size(); ++i)
    if (isEquation(set.constraints()[i]))
      elimination.equate(forms[i], system.pool.constantForm(
                                       set.constraints()[i].bounds.lower));
  elimination.solve();
  System solved;
  llvm::SmallVector<FormId, 16> values;
  for (FormId form : results) values.push_back(elimination.value(form));
  const System &left = elimination.result();
  if (elimination.overflowed()) return leaves64Bits();
  // The free variables alone.
  llvm::SmallVector<FormId, 16> kept(left.box.size(),
                                     solved.pool.constantForm(0));
  for (uint32_t i : elimination.freeVariables())
    kept[i] = solved.add(left.box[i]);
  auto replace = [&](VariableId id) { return kept[id.index]; };
  ExpressionImport import(left.pool, solved.pool, replace);
  for (const Constraint &c : left.constraints)
    solved.require(import(c.form), c.bounds);
  for (FormId form : values) solved.outputs.push_back(import(form));
  return solved.simplified();
}

absl::StatusOr<IndexingMap> withoutDetermined(const IndexingMap &set) {
  if (llvm::none_of(set.constraints(), isEquation)) return set;
  System system;
  auto variables = system.addVariables(set);
  system.addMap(set, variables);
  bool changed = false;
  for (uint32_t i = 0; i < variables.size(); ++i) {
    auto occurrences = occurrencesOf(system, i);
    if (occurrences && occurrences->size() == 1 &&
        std::abs((*occurrences)[0].coefficient) == 1 &&
        (*occurrences)[0].bounds.isPoint() && projectOut(system, i))
      changed = true;
  }
  if (system.pool.overflowed()) return leaves64Bits();
  if (!changed) return set;
  return system.simplified();
}

}  // namespace indexical
