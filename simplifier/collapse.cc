#include "indexical/simplifier/collapse.h"

#include <algorithm>
#include <optional>

#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/scan.h"

namespace indexical {
namespace {

// 64 million points and parts, about a nanosecond each (scan.h).
constexpr int64_t kMostOperations = 2'000'000;
constexpr int64_t kMostPoints = 1 << 20;

/// Looks at all points of a domain, within a budget.
class Look {
 public:
  Look(CanonicalForms &forms, const VariableBounds &box,
       llvm::ArrayRef<Constraint> constraints)
      : pool_(forms.pool()), box_(box), constraints_(constraints) {}

  /// Whether the forms are 0 wherever the constraints hold. Returns false if
  /// that costs too much.
  bool areZero(llvm::ArrayRef<FormId> forms) {
    PointScan scan(pool_, constraints_, forms);
    const auto points = scan.pointCount(box_, kMostPoints);
    return points && meter_.spend(scan.cost(*points)) &&
           scan.areZero(box_).value_or(false);
  }
  bool areEqual(FormId form, FormId other) {
    const FormId difference = pool_.sub(form, other);
    return isZeroByEquation(difference) || areZero({difference});
  }

 private:
  /// Whether the form is k * (x - n) for a constraint x in [n, n].
  bool isZeroByEquation(FormId form) const {
    const llvm::ArrayRef<Term> terms = pool_.terms(form);
    return llvm::any_of(constraints_, [&](const Constraint &c) {
      const llvm::ArrayRef<Term> known = pool_.terms(c.form);
      if (!c.bounds.isPoint() || known.empty() || known.size() != terms.size())
        return false;
      const __int128 k = terms[0].coefficient / known[0].coefficient;
      for (auto [x, y] : llvm::zip_equal(terms, known))
        if (x.atom != y.atom || x.coefficient != k * y.coefficient)
          return false;
      const __int128 value = __int128{c.bounds.lower} - pool_.constant(c.form);
      return pool_.constant(form) == -k * value;
    });
  }

  ExpressionPool &pool_;
  const VariableBounds &box_;
  llvm::ArrayRef<Constraint> constraints_;
  Meter meter_{kMostOperations};
};

}  // namespace

struct Collapse {
  CanonicalForms &forms;
  const VariableBounds &box;
  const DenseVariables &dense;
  Look look;
  /// A dense dimension is written as it was given, a dense range as it is.
  int64_t strideOf(VariableId id) const {
    const auto step = id.kind == VariableKind::Dimension
                          ? dense.of(id)
                          : std::optional<SteppedVariable>();
    return step ? step->stride : 1;
  }
};

namespace {

/// Returns forms that the result may equal at all points: a constant, or a
/// variable times its stride, or the negative of that, and a constant.
llvm::SmallVector<FormId, 2> suggestionsFor(
    CanonicalForms &forms, FormId result,
    llvm::function_ref<int64_t(VariableId)> strideOf) {
  ExpressionPool &pool = forms.pool();
  Facts &facts = forms.facts;
  // Digits of the index of an array hide no simpler form.
  auto isSettled = [&](const Term &term) {
    if (!isDigit(pool, term.atom)) return true;
    const FormId parent = pool.atom(term.atom).a;
    return pool.isSumOfVariables(parent) && pool.constant(parent) == 0 &&
           forms.measures.isRadix(parent);
  };
  if (!facts.areEquations() && llvm::all_of(pool.terms(result), isSettled))
    return {};
  // Without facts, bounds show that a result is constant, and no variable
  // equals a result that is narrower.
  const int64_t width = facts.bounds(result).count();
  llvm::SmallVector<ScaledForm, 8> variables;
  for (int kind = 0; kind < 3; ++kind)
    for (auto [i, range] : llvm::enumerate(facts.box().variables[kind])) {
      if (range.isPoint() || (facts.areNone() && range.count() > width))
        continue;
      const VariableId id{static_cast<VariableKind>(kind),
                          static_cast<uint32_t>(i)};
      for (int64_t factor : {strideOf(id), -strideOf(id)})
        variables.push_back({pool.variable(id), factor});
    }
  if (facts.areNone() && variables.empty()) return {};
  return forms.points.suggestions(result, variables);
}

/// Returns what a sum of variables may equal at all points, the best first: a
/// constant, the form `own`, a variable by itself, a multiple of a variable and
/// a constant. What is best depends on the domain and on `own` alone, and not
/// on the sum.
llvm::SmallVector<FormId, 4> formsOfOne(
    CanonicalForms &forms, FormId result, FormId own,
    llvm::function_ref<int64_t(VariableId)> strideOf) {
  ExpressionPool &pool = forms.pool();
  llvm::SmallVector<ScaledForm, 8> variables;
  for (int kind = 0; kind < 3; ++kind)
    for (auto [i, range] : llvm::enumerate(forms.facts.box().variables[kind])) {
      const VariableId id{static_cast<VariableKind>(kind),
                          static_cast<uint32_t>(i)};
      if (!range.isPoint())
        variables.push_back({pool.variable(id), strideOf(id)});
    }
  auto found = forms.points.multiples(result, variables);
  auto rank = [&](FormId form) {
    const bool isVariable = llvm::any_of(variables, [&](const ScaledForm &v) {
      return pool.terms(form).size() == 1 &&
             pool.terms(form)[0] ==
                 Term{pool.terms(v.form)[0].atom, v.coefficient};
    });
    return pool.isConstant(form) ? 0 : form == own ? 1 : isVariable ? 2 : 3;
  };
  llvm::stable_sort(found,
                    [&](FormId x, FormId y) { return rank(x) < rank(y); });
  return found;
}

/// Returns the results with variables and constants in place of those with
/// digits: of all of these or of none.
llvm::SmallVector<FormId, 4> withoutDigits(Collapse &known,
                                           llvm::ArrayRef<FormId> results) {
  CanonicalForms &forms = known.forms;
  auto strideOf = [&](VariableId id) { return known.strideOf(id); };
  ExpressionPool &pool = forms.pool();
  Attempt attempt(pool);
  const llvm::SmallVector<FormId, 4> given(results);
  llvm::SmallVector<FormId, 4> simple = given, differences;
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 4> suggestions;
  bool areUnique = true;
  for (auto [i, form] : llvm::enumerate(simple)) {
    suggestions.emplace_back();
    if (forms.measures.isPlain(results[i])) continue;
    suggestions.back() = suggestionsFor(forms, form, strideOf);
    if (suggestions.back().empty()) return given;
    areUnique &= suggestions.back().size() == 1;
    differences.push_back(pool.sub(form, suggestions.back()[0]));
    form = suggestions.back()[0];
  }
  if (differences.empty() || attempt.failed()) return given;
  if (known.look.areZero(differences)) return simple;
  if (areUnique) return given;
  // The points left it open which suggestion holds.
  for (size_t i = 0; i < results.size(); ++i) {
    if (suggestions[i].empty()) continue;
    auto found = llvm::find_if(suggestions[i], [&](FormId suggestion) {
      return known.look.areEqual(results[i], suggestion) && !attempt.failed();
    });
    if (found == suggestions[i].end()) return given;
    simple[i] = *found;
  }
  return simple;
}

/// Whether a result may be one of several equal sums of variables.
bool isOneOfSeveral(CanonicalForms &forms, FormId form) {
  return forms.measures.isPlain(form) && !forms.pool().isConstant(form) &&
         forms.facts.areEquations();
}

llvm::SmallVector<FormId, 4> withKnownValues(Collapse &known,
                                             llvm::ArrayRef<FormId> results) {
  CanonicalForms &forms = known.forms;
  llvm::SmallVector<FormId, 4> simple(results);
  for (FormId &form : simple) {
    if (!isOneOfSeveral(forms, form)) continue;
    const Interval bounds = forms.facts.bounds(form);
    if (bounds.isPoint()) form = forms.pool().constantForm(bounds.lower);
  }
  return simple;
}

/// Several variables can equal a sum of variables. Each is replaced by itself.
llvm::SmallVector<FormId, 4> asBestOfEqual(Collapse &known,
                                           llvm::ArrayRef<FormId> results) {
  CanonicalForms &forms = known.forms;
  Attempt attempt(forms.pool());
  auto strideOf = [&](VariableId id) { return known.strideOf(id); };
  llvm::SmallVector<FormId, 4> simple(results);
  for (auto [i, form] : llvm::enumerate(simple)) {
    if (!isOneOfSeveral(forms, form)) continue;
    FormId own = form;
    const VariableId id{VariableKind::Dimension, static_cast<uint32_t>(i)};
    if (i < known.box.variables[0].size() && !known.box[id].isPoint())
      own = known.dense.given(forms, id, forms.pool().variable(id));
    for (FormId best : formsOfOne(forms, form, own, strideOf)) {
      if (best != form &&
          (!known.look.areEqual(form, best) || attempt.failed()))
        continue;
      form = best;
      break;
    }
  }
  return simple;
}

// Name; example, and what its first result becomes; what it does.
constexpr CollapseRule kCollapseRules[] = {
    {"all digits are variables or constants",
     "(d0) -> ((d0 + 1) mod 2), domain: d0 in [10, 56], ((d0 * 3 + 4) floordiv "
     "2) mod 3 in [2, 2]",
     "1", withoutDigits},
    {"a sum that has one value",
     "(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 99999], rt0 in [0, 99999], d0 "
     "- rt0 in [0, 0]",
     "0", withKnownValues},
    {"the best of equal sums",
     "(d0, d1) -> (d1 * 3 + 5), domain: d0 in [5, 8], d1 in [0, 1], d0 - d1 * "
     "3 in [5, 5]",
     "d0", asBestOfEqual},
};

}  // namespace

llvm::ArrayRef<CollapseRule> collapseRules() { return kCollapseRules; }

llvm::SmallVector<FormId, 4> collapsed(CanonicalForms &forms,
                                       const VariableBounds &box,
                                       llvm::ArrayRef<Constraint> constraints,
                                       llvm::ArrayRef<FormId> results,
                                       const DenseVariables &dense) {
  Collapse known{forms, box, dense, Look(forms, box, constraints)};
  llvm::SmallVector<FormId, 4> simple(results);
  for (const CollapseRule &rule : kCollapseRules)
    simple = rule.what(known, simple);
  return simple;
}

llvm::SmallVector<Constraint, 2> pointsOf(
    CanonicalForms &forms, const VariableBounds &box,
    llvm::ArrayRef<Constraint> constraints) {
  Attempt attempt(forms.pool());
  Look look(forms, box, constraints);
  llvm::SmallVector<Constraint, 2> points = forms.points.suggestedValues();
  llvm::erase_if(points, [&](const Constraint &c) {
    return !look.areZero({forms.pool().shift(c.form, -c.bounds.lower)}) ||
           attempt.failed();
  });
  return points;
}

}  // namespace indexical
