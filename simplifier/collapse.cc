#include "simplifier/collapse.h"

#include "simplifier/enumeration.h"
#include "simplifier/scan.h"

namespace indexical {
namespace {

// 64 million points and parts, about a nanosecond each (scan.h).
constexpr int64_t kMostOperations = 2'000'000;
constexpr int64_t kMostPoints = 1 << 20;

}  // namespace

llvm::SmallVector<FormId, 4> collapsed(CanonicalForms &forms,
                                       const VariableBounds &box,
                                       llvm::ArrayRef<Constraint> constraints,
                                       llvm::ArrayRef<FormId> results) {
  ExpressionPool &pool = forms.pool();
  Attempt attempt(pool);
  llvm::SmallVector<FormId, 4> simple(results), differences;
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 4> suggestions;
  bool areUnique = true;
  for (FormId &form : simple) {
    suggestions.emplace_back();
    if (forms.isPlain(form)) continue;
    suggestions.back() = forms.suggestions(form);
    if (suggestions.back().empty()) return {};
    areUnique &= suggestions.back().size() == 1;
    differences.push_back(pool.sub(form, suggestions.back()[0]));
    form = suggestions.back()[0];
  }
  if (differences.empty() || attempt.failed()) return {};
  Budget budget(kMostOperations);
  // Wherever the constraints hold.
  auto areZero = [&](llvm::ArrayRef<FormId> all) {
    PointScan scan(pool, constraints, all);
    const auto points = scan.pointCount(box, kMostPoints);
    return points && budget.spend(scan.cost(*points)) &&
           scan.areZero(box).value_or(false);
  };
  if (areZero(differences)) return simple;
  if (areUnique) return {};
  // A few points left it open which.
  for (size_t i = 0; i < results.size(); ++i) {
    if (suggestions[i].empty()) continue;
    auto found = llvm::find_if(suggestions[i], [&](FormId suggestion) {
      return areZero({pool.sub(results[i], suggestion)});
    });
    if (found == suggestions[i].end() || attempt.failed()) return {};
    simple[i] = *found;
  }
  return simple;
}

}  // namespace indexical
