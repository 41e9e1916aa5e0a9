#include "indexical/exact/exact_prover.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/closed_form.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// When there are as many answers, all are forgotten.
constexpr size_t kMostRemembered = 10'000;

/// Equal maps are so whatever their variables are called, but the name says
/// which variable one without a source is.
bool namesMatter(const IndexingMap &map) {
  return llvm::any_of(map.runtime(), [](const RuntimeVariable &v) {
    return v.source.kind == RuntimeSource::Kind::None;
  });
}

/// Whether all points of the box can be visited in so many operations, without
/// solving equations.
bool hasFewPoints(const IndexingMap &set, int64_t operations) {
  VariableBounds box;
  for (const Variable &v : set.dimensions())
    box.variables[0].push_back(v.bounds);
  const PointScan scan(set.expressions(), set.constraints());
  auto count = scan.pointCount(box, operations);
  return count && scan.cost(*count) < operations;
}

}  // namespace

bool ExactProver::isEmpty(const IndexingMap &map) {
  if (map.isKnownEmpty()) return true;
  const IndexingMap set = asSet(map);
  const int64_t operations =
      options_.operationsOr(ExactOptions::kUsualOperations);
  // Mostly a corner is in it.
  if (sampleInClosedForm(set).found == Sample::Found::Point) return false;
  if (options_.enumeration && hasFewPoints(set, operations / 2)) {
    auto simple = simplify(set);
    Meter meter(options_, ExactOptions::kUsualOperations);
    const Sample sample =
        simple.ok() ? Enumeration(*simple, meter).sample() : Sample();
    if (sample.found != Sample::Found::Unknown)
      return sample.found == Sample::Found::Nothing;
  }
  // The results do not matter to this query, and would only add unknowns.
  auto domain = withBody(
      map, [](IndexingMapBuilder &, MapBody &body) { body.results.clear(); });
  if (!domain.ok()) return false;
  auto decision = indexical::isEmpty(IndexingRelation(*domain), options_);
  return decision.ok() && decision->answer == Answer::Yes;
}

std::optional<IndexingRelation> ExactProver::find(const IndexingMap &a,
                                                  const IndexingRelation &b) {
  auto left = indexical::difference(IndexingRelation(a), b, options_);
  if (!left.ok() || left->precision() != Precision::Exact) return std::nullopt;
  return *std::move(left);
}

std::optional<IndexingRelation> ExactProver::difference(
    const IndexingMap &a, const IndexingRelation &b) {
  if (namesMatter(a) || llvm::any_of(b.pieces(), namesMatter))
    return find(a, b);
  Question question{a};
  question.insert(question.end(), b.pieces().begin(), b.pieces().end());
  auto known = known_.find(question);
  if (known != known_.end()) return known->second;
  if (known_.size() == kMostRemembered) known_.clear();
  return known_[std::move(question)] = find(a, b);
}

}  // namespace indexical
