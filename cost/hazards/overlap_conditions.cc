// The values of runtime variables for which nothing is overwritten.
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/overlap.h"
#include "indexical/exact/isl.h"

namespace indexical {

/// Finds the roots of which several parameters are computed.
void OverlapQuestion::findRelations() {
  std::map<Value, Relation> byRoot;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (!parameters_[k].isNamed) continue;
    DerivedScalar derived = derivedScalar(flow_.module(), parameters_[k].base);
    Relation &relation = byRoot[derived.root];
    relation.values = derived.values;
    relation.members.push_back({k, std::move(derived)});
  }
  for (auto &[root, relation] : byRoot)
    if (relation.members.size() > 1) relations_.push_back(std::move(relation));
}

void OverlapQuestion::relate(System &system,
                             llvm::ArrayRef<FormId> parameters) const {
  for (const Relation &relation : relations_) {
    const FormId root = system.add(relation.values);
    for (const auto &[number, derived] : relation.members) {
      FormId form = formOf(derived, root, system.pool);
      if (const auto &only = parameters_[number].only)
        form = clampedForm(form, only->bounds, system.pool);
      system.require(system.pool.sub(parameters[number], form),
                     Interval::point(0));
    }
  }
}

/// Returns whether variables that are computed of each other may have values
/// that the conjunction allows.
bool OverlapQuestion::mayHold(llvm::ArrayRef<isl::BoundedSum> conjunction,
                              llvm::ArrayRef<size_t> named) {
  if (relations_.empty()) return true;
  System system;
  System::Forms parameters;
  for (const Parameter &parameter : parameters_)
    parameters.push_back(system.add(parameter.values));
  for (const isl::BoundedSum &sum : conjunction) {
    llvm::SmallVector<ScaledForm, 4> terms;
    for (size_t k = 0; k < named.size(); ++k)
      if (sum.coefficients[k] != 0)
        terms.push_back({parameters[named[k]], sum.coefficients[k]});
    system.require(system.pool.linear(terms, 0), sum.bounds);
  }
  relate(system, parameters);
  system.outputs.append(parameters.begin(), parameters.end());
  const auto set = system.simplified();
  return !set.ok() || samples_.resultsIn(*set).found != Sample::Found::Nothing;
}

void OverlapQuestion::findConditions(Overlaps &overlaps) {
  // A parameter that no condition can name may have any value.
  std::vector<size_t> named;
  std::vector<Interval> box;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (!parameters_[k].isNamed) continue;
    named.push_back(k);
    box.push_back(parameters_[k].values);
  }
  std::vector<IndexingMap> sets;
  for (const IndexingMap &set : sets_) {
    System system;
    const auto variables = system.addVariables(set);
    const auto results = system.addMap(set, variables);
    for (const size_t k : named) system.outputs.push_back(results[k]);
    auto projected = system.simplified();
    if (projected.ok()) sets.push_back(*std::move(projected));
  }
  Meter meter(samples_.budget(), ExactOptions::kUsualOperations);
  const auto outside = sets.size() == sets_.size()
                           ? isl::pointsOutside(box, sets, meter)
                           : std::nullopt;
  if (!outside) {
    overlaps.kind = Overlaps::Kind::Unknown;
    overlaps.reason =
        "the values for which nothing is overwritten are not found";
    return;
  }
  std::vector<bool> isUsed(named.size(), false);
  for (const auto &conjunction : *outside) {
    if (!mayHold(conjunction, named)) continue;
    HazardCondition condition;
    for (const isl::BoundedSum &sum : conjunction) {
      HazardConstraint constraint;
      size_t terms = 0;
      int64_t last = 0;
      for (size_t k = 0; k < named.size(); ++k) {
        const int64_t factor = sum.coefficients[k];
        if (factor == 0) continue;
        ++terms;
        last = factor;
        isUsed[k] = true;
        std::string &text = constraint.expression;
        if (text.empty())
          text = factor < 0 ? "-" : "";
        else
          text += factor < 0 ? " - " : " + ";
        text += nameOf(named[k]);
        if (factor != 1 && factor != -1)
          text += " * " + std::to_string(std::abs(factor));
      }
      constraint.bounds = sum.bounds;
      if (terms == 1 && last == 1)
        for (size_t k = 0; k < named.size(); ++k)
          if (sum.coefficients[k] != 0)
            constraint.bounds = constraint.bounds.intersect(box[k]);
      condition.push_back(std::move(constraint));
    }
    llvm::sort(condition, [](const auto &a, const auto &b) {
      return a.expression < b.expression;
    });
    overlaps.conditions.push_back(std::move(condition));
  }
  overlaps.kind = overlaps.conditions.empty() ? Overlaps::Kind::Always
                                              : Overlaps::Kind::Sometimes;
  llvm::sort(overlaps.conditions, [](const auto &a, const auto &b) {
    auto key = [](const HazardCondition &of) {
      std::vector<std::tuple<std::string, int64_t, int64_t>> all;
      for (const HazardConstraint &c : of)
        all.push_back({c.expression, c.bounds.lower, c.bounds.upper});
      return all;
    };
    return key(a) < key(b);
  });
  for (size_t k = 0; k < named.size(); ++k) {
    if (!isUsed[k]) continue;
    const Parameter &parameter = parameters_[named[k]];
    overlaps.runtime.push_back({nameOf(named[k]), parameter.values,
                                parameter.only.has_value(), parameter.base});
  }
}

}  // namespace indexical
