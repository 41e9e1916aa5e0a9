#include "indexical/exact/pairs.h"

#include <utility>

#include "indexical/exact/elimination.h"
#include "indexical/exact/projection.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {

absl::Status Ranks::add(const IndexingRelation &relation) {
  for (const IndexingMap &piece : relation.pieces()) {
    if (piece.isKnownEmpty()) continue;
    Ranks own;
    own.index = piece.dimensions().size();
    own.element = piece.results().size();
    own.collectives.assign(piece.collectives().begin(),
                           piece.collectives().end());
    if (index < 0) *this = own;
    if (own.index != index || own.element != element)
      return absl::InvalidArgumentError(
          "maps of " + std::to_string(index) + " dimensions and " +
          std::to_string(element) + " results cannot be compared with " +
          "one of " + std::to_string(own.index) + " and " +
          std::to_string(own.element));
    if (own.collectives != collectives)
      return absl::InvalidArgumentError(
          "maps that pass different collectives cannot be compared");
  }
  return absl::OkStatus();
}

absl::Status Pairs::build(Places places) {
  for (const IndexingRelation *relation : relations_)
    INDEXICAL_RETURN_IF_ERROR(ranks_.add(*relation));
  for (const IndexingRelation *relation : relations_) {
    auto &regions = regions_.emplace_back();
    for (const IndexingMap &piece : relation->pieces()) {
      auto region = regionOf(piece, parameters_, places);
      if (region.ok()) region = withSolvedEquations(*region);
      if (!region.ok()) {
        INDEXICAL_RETURN_IF_ERROR(StopScope::check());
        overflow_ = std::string(region.status().message());
        return absl::OkStatus();
      }
      if (!region->isKnownEmpty()) regions.push_back(*std::move(region));
    }
  }
  return absl::OkStatus();
}

Decision undecided(const Engines &engines, std::string reason) {
  Decision decision;
  decision.engine = engines.engine();
  decision.reason = std::move(reason);
  return decision;
}

Decision decisionOf(const Sample &refuting, const Engines &engines,
                    const Pairs &pairs) {
  Decision decision;
  decision.engine = engines.engine();
  if (refuting.found == Sample::Found::Unknown) {
    decision.reason = engines.reason();
  } else if (refuting.found == Sample::Found::Nothing) {
    decision.answer = Answer::Yes;
  } else {
    decision.answer = Answer::No;
    decision.witness = pairs.witness(refuting.point);
  }
  return decision;
}

Sample sampleResults(llvm::ArrayRef<IndexingMap> regions, Engines &engines) {
  bool unknown = false;
  for (const IndexingMap &region : regions) {
    Sample sample = engines.sample(region);
    if (sample.found == Sample::Found::Nothing) continue;
    if (sample.found == Sample::Found::Point)
      if (auto results = resultsAt(region, sample.point))
        return Sample::of(std::move(*results));
    unknown = true;
  }
  return unknown ? Sample() : Sample::nothing();
}

std::optional<Meeting> meet(const IndexingMap &a, const IndexingMap &b,
                            llvm::ArrayRef<size_t> equal) {
  System both;
  auto first = both.addVariables(a), second = both.addVariables(b);
  auto x = both.addMap(a, first), y = both.addMap(b, second);
  llvm::SmallVector<bool, 16> unknown(first.size(), false);
  unknown.resize(first.size() + second.size(), true);
  Elimination elimination(both, unknown);
  for (size_t i : equal) elimination.equate(y[i], x[i]);
  elimination.solve();
  Meeting meeting;
  for (FormId form : x) meeting.a.push_back(elimination.value(form));
  for (FormId form : y) meeting.b.push_back(elimination.value(form));
  meeting.system = elimination.result();
  if (elimination.overflowed()) return std::nullopt;
  return meeting;
}

void addReadings(const Parameters &parameters, llvm::ArrayRef<int64_t> index,
                 llvm::ArrayRef<int64_t> values,
                 llvm::SmallVectorImpl<Reading> &readings) {
  for (size_t k = 0; k < parameters.size(); ++k) {
    const auto &parameter = parameters[k];
    Reading reading{&parameter.variable, std::nullopt, values[k]};
    auto value = [&](VariableId id) { return index[id.index]; };
    if (!parameter.variesWithRanges) {
      Evaluation evaluate(parameter.owner->expressions(), value);
      Values place;
      for (FormId form : parameter.variable.index)
        if (auto at = evaluate(form)) place.push_back(*at);
      if (place.size() == parameter.variable.index.size())
        reading.place = std::move(place);
    }
    readings.push_back(std::move(reading));
  }
}

bool areConsistent(llvm::ArrayRef<Reading> readings) {
  for (size_t i = 0; i < readings.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Reading &a = readings[i], &b = readings[j];
      if (a.variable->source.kind == RuntimeSource::Kind::None ||
          !(a.variable->source == b.variable->source) ||
          (a.place && b.place && *a.place != *b.place))
        continue;
      if (a.place && b.place && a.variable == b.variable && a.value == b.value)
        continue;
      // Within both clamps a value is the element itself.
      auto isElement = [](const Reading &r) {
        const Interval &clamp = r.variable->bounds;
        return !r.variable->clamped ||
               (clamp.lower < r.value && r.value < clamp.upper);
      };
      if (!a.place || !b.place || a.value != b.value || !isElement(a) ||
          !isElement(b))
        return false;
    }
  return true;
}

}  // namespace indexical
