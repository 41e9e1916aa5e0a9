// Whether two programs, or two maps, are the same: the answer of `equal`.
//
//   before  ROOT t = f32[3,2] transpose(p), dimensions={1,0}
//   after   ROOT r = f32[3,2] reshape(p)
//
//   auto found = equalityOf(*before, *after);
//   bool differ = found->verdict() == Verdict::Different;  // true
//   auto index = found->same.reads.leaves[0].decision.witness->index;  // 0, 1
//
// Reads are always compared, and values if EqualityQuestion::values is set
// (same/values/sameness.h). comparePartitioned() compares a partitioned program
// with the whole one (same/partitioned/partitioned_equality.h).
#ifndef INDEXICAL_ANSWERS_EQUALITY_EQUALITY_H
#define INDEXICAL_ANSWERS_EQUALITY_EQUALITY_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/module/program.h"
#include "indexical/same/values/sameness.h"

namespace indexical {

struct EqualityQuestion {
  /// For each parameter of the first program, the number of the second one's
  /// that it is compared with. Empty: the same number.
  std::vector<int32_t> parameters;
  /// If set, programs are equal only if their values are, too.
  std::optional<ValueOptions> values;
  /// Whether to return certificates of why no symbolic size makes a difference.
  /// Only one thread is used then.
  bool explain = false;
  /// Called when a result is done, by one thread at a time.
  std::function<void(int64_t done, int64_t results)> progress;
};

struct EqualityAnswer {
  /// Whether two maps were compared: they have one pair, and only reads count.
  bool isOfMaps = false;
  Sameness same;
  /// The certificates of why no symbolic size makes a difference, if requested.
  std::vector<std::string> certificates;

  Verdict::Answer verdict() const { return same.verdict.answer; }
};

/// Returns the comparison of the entries of two programs of one module each.
/// Messages are about the second program. Returns an error if a program has
/// another number of modules, if the parameters or results differ in number,
/// element types or sizes (it has the place of the second entry), or if the
/// budget's stop is reached.
absl::StatusOr<EqualityAnswer> equalityOf(const Program &first,
                                          const Program &second,
                                          const EqualityQuestion &question = {},
                                          const Ask &ask = {});

/// Returns the comparison of the elements that two maps read. std::nullopt is
/// an unknown map, with which the answer is undecided. Uses only `explain` of
/// the question. Returns an error if the ranks differ, or if the budget's stop
/// is reached.
absl::StatusOr<EqualityAnswer> equalityOfMaps(
    const std::optional<IndexingMap> &first,
    const std::optional<IndexingMap> &second,
    const EqualityQuestion &question = {}, const Ask &ask = {});

/// Returns the only module of a program, or an error that names their number.
absl::StatusOr<const Module *> onlyModule(const Program &program);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_EQUALITY_EQUALITY_H
