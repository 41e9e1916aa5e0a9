#include "indexical/answers/equality/equality.h"

#include <utility>

#include "indexical/exact/exact.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/relation.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {

absl::StatusOr<const Module *> onlyModule(const Program &program) {
  if (program.modules.size() != 1)
    return errorAt({1, 1}, "one module can be compared; there are " +
                               std::to_string(program.modules.size()));
  return &program.modules[0];
}

absl::StatusOr<EqualityAnswer> equalityOf(const Program &first,
                                          const Program &second,
                                          const EqualityQuestion &question,
                                          const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const Module *before, onlyModule(first));
  INDEXICAL_ASSIGN_OR_RETURN(const Module *after, onlyModule(second));
  EqualityAnswer found;
  SamenessOptions options(ask.budget);
  options.values = question.values;
  if (options.values) options.values->asksSolver = true;
  options.parameters = question.parameters;
  options.progress = question.progress;
  options.jobs = ask.jobs;
  if (question.explain) {
    options.certificates = &found.certificates;
    options.jobs = 1;  // certificates come in the order of the results
  }
  auto same = compare(*before, *after, options);
  if (!same.ok()) {
    // If the modules do not fit each other, the error is in the second one.
    if (isPartitioned(*after) && !isPartitioned(*before))
      ask.messages.note({},
                        "the second module is partitioned: --partitioned "
                        "compares it with the whole one");
    if (after->entry < 0) return same.status();
    return withPlace(same.status(), after->computations[after->entry].place);
  }
  found.same = *std::move(same);
  if (found.same.reads.answer != Answer::Yes) found.certificates.clear();
  return found;
}

absl::StatusOr<EqualityAnswer> equalityOfMaps(
    const std::optional<IndexingMap> &first,
    const std::optional<IndexingMap> &second, const EqualityQuestion &question,
    const Ask &ask) {
  EqualityAnswer found;
  found.isOfMaps = true;
  ModuleEquality &reads = found.same.reads;
  LeafEquality &pair = reads.leaves.emplace_back();
  if (!first || !second) {
    pair.decision.reason = "a map is not known: it is `UNDEFINED`";
    reads.answer = Answer::Undecided;
    return found;
  }
  ExactOptions options(ask.budget);
  if (question.explain) options.certificates = &found.certificates;
  INDEXICAL_ASSIGN_OR_RETURN(
      pair.decision,
      areEqual(IndexingRelation(*first), IndexingRelation(*second), options));
  reads.answer = pair.decision.answer;
  reads.engine = pair.decision.engine;
  if (reads.answer != Answer::Yes) found.certificates.clear();
  if (reads.answer != Answer::Undecided)
    found.same.verdict.answer =
        reads.answer == Answer::Yes ? Verdict::Same : Verdict::Different;
  return found;
}

}  // namespace indexical
