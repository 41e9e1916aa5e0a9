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

 private:
  const ExpressionTable &pool_;
  const VariableBounds &box_;
  llvm::ArrayRef<Constraint> constraints_;
  Meter meter_{kMostOperations};
};

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

}  // namespace

llvm::SmallVector<FormId, 4> collapsed(CanonicalForms &forms,
                                       const VariableBounds &box,
                                       llvm::ArrayRef<Constraint> constraints,
                                       llvm::ArrayRef<FormId> results,
                                       const DenseVariables &dense) {
  // A dense dimension is written as it was given, a dense range as it is.
  auto strideOf = [&](VariableId id) {
    auto step = id.kind == VariableKind::Dimension
                    ? dense.of(id)
                    : std::optional<DenseVariables::Step>();
    return step ? step->stride : 1;
  };
  ExpressionPool &pool = forms.pool();
  Attempt attempt(pool);
  llvm::SmallVector<FormId, 4> simple(results), differences;
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 4> suggestions;
  Look look(forms, box, constraints);
  auto areEqual = [&](FormId form, FormId other) {
    return look.areZero({pool.sub(form, other)}) && !attempt.failed();
  };
  auto dimensionAt = [&](size_t place) -> std::optional<VariableId> {
    if (place >= box.variables[0].size()) return std::nullopt;
    return VariableId{VariableKind::Dimension, static_cast<uint32_t>(place)};
  };

  // Sums of variables are replaced each by itself.
  for (size_t i = 0; i < results.size() && forms.facts.areEquations(); ++i) {
    auto own = dimensionAt(i);
    if (!forms.measures.isPlain(results[i]) || !own || box[*own].isPoint())
      continue;
    const FormId dimension = dense.given(forms, *own, pool.variable(*own));
    if (results[i] == dimension ||
        !forms.points.areAlike(results[i], dimension) ||
        !areEqual(results[i], dimension))
      continue;
    simple[i] = dimension;
  }
  const llvm::SmallVector<FormId, 4> plain = simple;

  // Results with digits are replaced all or none.
  bool areUnique = true;
  for (auto [i, form] : llvm::enumerate(simple)) {
    suggestions.emplace_back();
    if (forms.measures.isPlain(results[i])) continue;
    suggestions.back() = suggestionsFor(forms, form, strideOf);
    if (suggestions.back().empty()) return plain;
    // If several variables equal the result, the one in its own place comes
    // first.
    auto own = llvm::find_if(suggestions.back(), [&, place = i](FormId s) {
      return pool.terms(s).size() == 1 &&
             pool.atom(pool.terms(s)[0].atom).variable() == dimensionAt(place);
    });
    if (own != suggestions.back().end())
      std::rotate(suggestions.back().begin(), own, own + 1);
    areUnique &= suggestions.back().size() == 1;
    differences.push_back(pool.sub(form, suggestions.back()[0]));
    form = suggestions.back()[0];
  }
  if (differences.empty() || attempt.failed()) return plain;
  if (look.areZero(differences)) return simple;
  if (areUnique) return plain;
  // The points left it open which suggestion holds.
  for (size_t i = 0; i < results.size(); ++i) {
    if (suggestions[i].empty()) continue;
    auto found = llvm::find_if(suggestions[i], [&](FormId suggestion) {
      return areEqual(results[i], suggestion);
    });
    if (found == suggestions[i].end()) return plain;
    simple[i] = *found;
  }
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
