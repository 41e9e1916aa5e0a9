#include "indexical/analysis/values/sameness.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// The verdict of modules whose values are equal.
SameVerdict verdictOfEqual(const ModuleEquality &reads) {
  if (reads.answer != Answer::No) return SameVerdict::Equal;
  const bool areFewer =
      llvm::all_of(reads.leaves, [](const LeafEquality &leaf) {
        return leaf.decision.answer == Answer::Yes ||
               (leaf.decision.answer == Answer::No && leaf.isFewer);
      });
  return areFewer ? SameVerdict::FewerReads : SameVerdict::OtherReads;
}

}  // namespace

llvm::StringRef wordOf(SameVerdict verdict) {
  switch (verdict) {
    case SameVerdict::Equal:
      return "equal";
    case SameVerdict::FewerReads:
      return "fewer reads";
    case SameVerdict::OtherReads:
      return "equal, other reads";
    case SameVerdict::Undecided:
      return "undecided";
    case SameVerdict::Different:
      return "different";
  }
  return "";
}

absl::StatusOr<Sameness> compare(const Module &first, const Module &second,
                                 const SamenessOptions &options) {
  Sameness same;
  INDEXICAL_ASSIGN_OR_RETURN(same.reads, compareReads(first, second, options));
  const Answer reads = same.reads.answer;
  if (!options.values && reads != Answer::No) {
    same.verdict =
        reads == Answer::Yes ? SameVerdict::Equal : SameVerdict::Undecided;
    return same;
  }
  auto values =
      compareValues(first, second, options.values.value_or(ValueOptions()),
                    options, &same.reads);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (!values.ok()) {
    // Results of other sizes, which reads can be compared of.
    if (options.values) return values.status();
    same.verdict = SameVerdict::Different;
    return same;
  }
  if (values->isEqual) {
    same.level = SameLevel::Values;
    same.verdict = verdictOfEqual(same.reads);
  } else if (!options.values) {
    // What a law drops may be what the reads differ in.
    same.verdict = values->isDifferent || !values->losesReads
                       ? SameVerdict::Different
                       : SameVerdict::Undecided;
  } else {
    same.level = SameLevel::Values;
    same.verdict =
        values->isDifferent ? SameVerdict::Different : SameVerdict::Undecided;
  }
  if (options.values || values->isEqual) same.values = *std::move(values);
  return same;
}

}  // namespace indexical
