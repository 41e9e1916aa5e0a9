#include "indexical/same/partitioned/partitioned_equality.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/same/partitioned/device_terms.h"
#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/local_modules.h"
#include "indexical/same/partitioned/moved_arrays.h"
#include "indexical/same/partitioned/obstacles.h"

namespace indexical {
namespace {

constexpr int64_t kMostCompared = 4096;
/// The pieces of arrays that are followed before terms are made, and after.
constexpr int64_t kFewPieces = 1 << 20, kManyPieces = 1 << 24;

/// Returns the instruction that stands in the way of a result that is not
/// equal.
std::optional<PartitionedObstacle> obstacleOf(const Program &local,
                                              const DeviceTerms &terms,
                                              bool isDifferent) {
  const Stacker::Cause *cause =
      terms.causes.empty() ? nullptr : &terms.causes.front();
  // An instruction that is not followed decides nothing of a difference.
  if (terms.parting && (isDifferent || !cause))
    return obstacleIn(
        local, /*module=*/1,
        {terms.parting->computation, terms.parting->instruction,
         "the first module computes its operands, but not its value"},
        terms.parting->device);
  if (!cause) return std::nullopt;
  return obstacleIn(local, /*module=*/1, *cause, /*device=*/0);
}

void addResults(const Program &global, const Program &local,
                const DeviceTerms &terms, const EntryArrays &entry,
                PartitionedEquality &equality) {
  for (size_t r = 0; r < entry.results.size(); ++r) {
    PartitionedResult &result = equality.results.emplace_back();
    result.result = LeafId(r);
    Verdict &verdict = result.verdict;
    verdict.reason = entry.missing.empty() ? terms.reason : entry.missing;
    if (terms.ofWhole && terms.results.empty())
      result.because =
          obstacleIn(global, /*module=*/0, *terms.ofWhole, /*device=*/0);
    if (r >= terms.results.size()) continue;
    const TermsOfResult &said = terms.results[r];
    if (said.isEqual) {
      verdict.answer = Verdict::Same;
    } else if (said.witness) {
      verdict.answer = Verdict::Different;
      verdict.witness = said.witness;
    } else {
      verdict.reason = said.reason;
    }
    if (!said.isEqual)
      result.because = obstacleOf(local, terms, said.witness.has_value());
  }
}

}  // namespace

absl::StatusOr<PartitionedEquality> comparePartitioned(
    const Program &global, const Program &local,
    const PartitionedOptions &options) {
  for (const Program *program : {&global, &local})
    if (program->modules.size() != 1 || program->modules[0].entry < 0)
      return absl::InvalidArgumentError("one module with an entry is compared");
  if (options.areLocal.value_or(meanLocal(global, local, options)))
    return compareLocal(global, local, options);
  INDEXICAL_ASSIGN_OR_RETURN(EntryArrays entry,
                             entryArraysOf(global, local, options));
  PartitionedEquality equality;
  equality.devices = entry.devices.all();
  equality.replicas = entry.devices.replicas;
  equality.shardings = entry.shardings;
  if (entry.missing.empty() && entry.devices.all() > kMostCompared)
    entry.missing = "there are more than 4096 devices";
  DeviceTerms terms;
  if (entry.missing.empty()) {
    // Many pieces are followed only if terms do not say it: these take as long
    // for 4,096 devices as for 4, where no device has offsets of its own.
    const auto areMoved = [&](int64_t most) {
      if (!moveAlike(global, local, options, entry, most)) return false;
      terms = DeviceTerms();
      terms.results.push_back({/*isEqual=*/true, "", std::nullopt});
      return true;
    };
    if (!areMoved(kFewPieces)) {
      terms = compareAsTerms(global, local, options, entry);
      if (terms.results.size() == 1 && !terms.results[0].isEqual &&
          !terms.results[0].witness)
        areMoved(kManyPieces);
    }
  }
  if (options.stop && options.stop->isReached()) return options.stop->status();
  addResults(global, local, terms, entry, equality);
  auto effect = effectOf(global, /*module=*/0);
  if (!effect) effect = effectOf(local, /*module=*/1);
  for (PartitionedResult &result : equality.results) {
    if (!effect || !result.verdict.isSame()) continue;
    result.verdict.doubt("an op has effects, which are not compared");
    result.because = effect;
  }
  if (terms.areDrawn) equality.forAny.push_back("rng");
  sumUp(global, local, equality);
  return equality;
}

}  // namespace indexical
