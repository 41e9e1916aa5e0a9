#include "indexical/exact/engines.h"

#include <algorithm>
#include <set>

#include "indexical/exact/closed_form.h"
#include "indexical/exact/isl.h"
#include "indexical/exact/projection.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical {
namespace {

using llvm::DynamicAPInt;

std::string ended() { return "the budget of operations ended"; }

/// Whether every variable is a result by itself: then each point has results of
/// its own.
bool givesItsPoints(const IndexingMap &set) {
  llvm::SmallVector<bool, 16> isGiven(set.dimensions().size(), false);
  for (FormId form : set.results())
    if (auto id = set.expressions().asVariable(form)) isGiven[id->index] = true;
  return llvm::all_of(isGiven, [](bool given) { return given; });
}

}  // namespace

llvm::StringRef engineName(Engine engine) {
  switch (engine) {
    case Engine::ClosedForm:
      return "closed form";
    case Engine::Sizes:
      return "sizes";
    case Engine::Enumeration:
      return "enumeration";
    case Engine::Isl:
      return "isl";
  }
  return "";
}

bool hasIsl() { return isl::isThere(); }

/// Calls `ask` with half of the operations that are left, if isl can be tried
/// afterwards, else with all of them.
void Engines::share(llvm::function_ref<void(Meter &)> ask) {
  const int64_t part =
      options_.isl && hasIsl() ? meter_.left() / 2 : meter_.left();
  Meter own(part, meter_.stop());
  ask(own);
  meter_.spend(part - std::max<int64_t>(0, own.left()));
}

/// Whether the prover of sizes shows that the set has no point. Only sets that
/// multiply or divide by unknown sizes are its concern.
bool Engines::isEmptyBySizes(const IndexingMap &set) {
  // An operation of the meter is as long as five of the prover.
  constexpr int64_t kEach = 5;
  if (!llvm::any_of(set.constraints(), [&](const Constraint &c) {
        return namesSizes(set.expressions(), c.form);
      }))
    return false;
  SizeBudget budget;
  budget.operations =
      std::min(budget.operations, kEach * std::max<int64_t>(meter_.left(), 0));
  meter_.spend(budget.operations / kEach);
  auto boundsOf = [&](VariableId id) { return set.variable(id).bounds; };
  SizeCertificate proof;
  if (!sizesRefute({set.expressions(), boundsOf, set.constraints()}, budget,
                   options_.certificates ? &proof : nullptr))
    return false;
  if (options_.certificates)
    for (std::string &line :
         proof.text([&](VariableId id) { return set.nameOf(id); }))
      options_.certificates->push_back(std::move(line));
  return true;
}

Sample Engines::sample(const IndexingMap &set) {
  using Found = Sample::Found;
  if (options_.closedForm || set.isKnownEmpty()) {
    Sample sample = sampleInClosedForm(set);
    if (sample.found != Found::Unknown) return sample;
  }
  if (options_.sizes && isEmptyBySizes(set)) {
    used(Engine::Sizes);
    return Sample::nothing();
  }
  if (options_.enumeration) {
    Sample sample;
    share([&](Meter &own) { sample = Enumeration(set, own).sample(); });
    if (sample.found != Found::Unknown) {
      used(Engine::Enumeration);
      return sample;
    }
  }
  if (options_.isl && hasIsl()) {
    Sample sample = isl::sample(set, meter_);
    if (sample.found != Found::Unknown) {
      used(Engine::Isl);
      return sample;
    }
  }
  noteReason(ended());
  return {};
}

Sample Engines::sample(System &system) {
  auto set = system.simplified();
  if (set.ok()) return sample(*set);
  noteReason(std::string(set.status().message()));
  return {};
}

std::optional<DynamicAPInt> Engines::countComponent(const IndexingMap &set) {
  if (options_.closedForm || set.constraints().empty())
    if (auto count = countInClosedForm(set)) return count;
  if (options_.enumeration)
    if (auto count = Enumeration(set, meter_).count()) {
      used(Engine::Enumeration);
      return count;
    }
  noteReason(ended());
  return std::nullopt;
}

std::optional<DynamicAPInt> Engines::count(const IndexingMap &given) {
  if (given.isKnownEmpty()) return DynamicAPInt(0);
  if (options_.sizes && isEmptyBySizes(given)) {
    used(Engine::Sizes);
    return DynamicAPInt(0);
  }
  DynamicAPInt product(1);
  auto set = withoutDetermined(given);
  if (!set.ok()) {
    noteReason(std::string(set.status().message()));
    return std::nullopt;
  }
  for (const Component &component : componentsOf(*set)) {
    auto count = countComponent(component.set);
    if (!count) return std::nullopt;
    product *= *count;
    if (product == 0) break;
  }
  return product;
}

std::optional<DynamicAPInt> Engines::countResults(const IndexingMap &set) {
  if (set.isKnownEmpty()) return DynamicAPInt(0);
  if (options_.sizes && isEmptyBySizes(set)) {
    used(Engine::Sizes);
    return DynamicAPInt(0);
  }
  DynamicAPInt product(1);
  for (const Component &component : componentsOf(set)) {
    auto count = countImage(component.set);
    if (!count) return std::nullopt;
    product *= *count;
    if (product == 0) break;
  }
  return product;
}

/// The number of different results of one component. A bijection has as many as
/// points. Those of a sum of variables follow from their steps. Else the
/// variables are eliminated and the points that are left counted, or all
/// results visited.
std::optional<DynamicAPInt> Engines::countImage(const IndexingMap &set) {
  if (set.results().empty()) {
    Sample any = sample(set);
    if (any.found == Sample::Found::Unknown) return std::nullopt;
    return DynamicAPInt(any.found == Sample::Found::Point ? 1 : 0);
  }
  if (options_.closedForm) {
    const ExpressionTable &table = set.expressions();
    if (set.constraints().empty() && set.results().size() == 1) {
      llvm::SmallVector<SumTerm, 4> terms;
      for (const Term &term : table.terms(set.results()[0]))
        if (table.atom(term.atom).kind == AtomKind::Variable)
          terms.push_back(
              {term.coefficient,
               set.variable(table.atom(term.atom).variable()).bounds});
      if (terms.size() == table.terms(set.results()[0]).size())
        if (auto count = countSums(terms)) return count;
    }
    if (givesItsPoints(set))
      if (auto count = this->count(set)) return count;
    auto image = resultsOf(set);
    if (image.ok() && image->plain)
      if (auto count = this->count(image->set)) return count;
  }
  if (options_.enumeration)
    if (auto count = enumerateResults(set)) return count;
  if (options_.isl && hasIsl())
    if (auto count = isl::countResults(set, meter_)) {
      used(Engine::Isl);
      return count;
    }
  noteReason(ended());
  return std::nullopt;
}

std::optional<DynamicAPInt> Engines::enumerateResults(const IndexingMap &set) {
  std::set<Values> found;
  bool done = visitResults(set, [&](Values result) {
    found.insert(std::move(result));
    return true;
  });
  if (!done) return std::nullopt;
  used(Engine::Enumeration);
  return DynamicAPInt(static_cast<int64_t>(found.size()));
}

bool Engines::visitResults(const IndexingMap &set,
                           llvm::function_ref<bool(Values)> visit) {
  PointValues values(set.expressions());
  // A result costs a place in a list beside its own computation.
  const int64_t cost = 4 + set.expressions().atomCount() + set.results().size();
  bool done = false;
  share([&](Meter &own) {
    done = Enumeration(set, own).visit([&](llvm::ArrayRef<int64_t> point) {
      if (!own.spend(cost) || !values.set(point)) return false;
      Values result;
      for (FormId form : set.results()) {
        auto value = values(form);
        if (!value) return false;
        result.push_back(*value);
      }
      return visit(std::move(result));
    });
  });
  return done;
}

}  // namespace indexical
