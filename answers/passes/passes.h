// Changes that passes of a compiler make: the dumps between them, each compared
// with the one before it.
//
//   m.0000.f.after_pipeline-start.before_algsimp.txt   t = transpose(p)
//   m.0001.f.after_algsimp.before_dce.txt              r = reshape(p)
//
//   passesOf(chain, read)   figures {2 dumps, 1 changed, 1 different}, first 0:
//                           algsimp, `different`, with the element that only
//                           one of them reads
//
// A dump is read when it is needed, by a function that each thread has for
// itself, so that a chain of any length takes the memory of two dumps per
// thread. If a dump cannot be read, its pairs are undecided.
#ifndef INDEXICAL_ANSWERS_PASSES_PASSES_H
#define INDEXICAL_ANSWERS_PASSES_PASSES_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/program/module/program.h"
#include "indexical/same/passes/compare_dumps.h"
#include "indexical/same/passes/dump_chain.h"

namespace indexical {

/// A dump with its text. The program is made when it is first needed.
class DumpText {
 public:
  virtual ~DumpText() = default;
  /// Returns the text, whose line numbers are those of the file.
  virtual llvm::StringRef text() const = 0;
  virtual absl::StatusOr<Program> program() const = 0;
};

/// Reads a dump, on one thread. Returns its text, even if that is not a valid
/// program. Returns an error, which says why, if there is no text.
using ReadDumpText =
    std::function<absl::StatusOr<std::shared_ptr<const DumpText>>(
        const Dump &)>;

/// Returns the answer of a word of `--only`: `different`, `undecided`,
/// `fewer-reads`, `other-reads` or `equal`; nothing for another word.
std::optional<Verdict::Answer> answerNamed(llvm::StringRef word);

struct PassesQuestion {
  /// If set, values are compared in addition to reads.
  std::optional<ValueOptions> values;
  /// The answers that are shown; pairs with other answers are only counted.
  /// Empty: all are shown.
  std::set<Verdict::Answer> only;
  /// Compares the compiled kernels of a dump, whose text is given, with the
  /// dump before them. Returns an error only if the budget's stop is reached.
  /// Null: kernels are not compared.
  std::function<absl::StatusOr<DumpComparison>(const Dump &before,
                                               llvm::StringRef compiled)>
      compiled;
  /// Called once for each dump that cannot be read, in their order. `text` is
  /// null if it has none.
  std::function<void(const Dump &dump, const DumpText *text,
                     const absl::Status &status)>
      mistake;
};

/// Numbers of pairs, by their verdicts.
struct ChainFigures {
  int64_t dumps = 0;
  int64_t changed = 0;     ///< pairs whose texts differ
  int64_t equal = 0;       ///< including identical texts
  int64_t fewerReads = 0;  ///< a law drops what is no longer read
  int64_t different = 0, undecided = 0;

  /// Returns the number of pairs whose texts differ and that are equal.
  int64_t changedEqual() const;
  int64_t pairs() const { return equal + fewerReads + different + undecided; }
};

/// The compared dumps of a chain, to which it refers.
struct PassesAnswer {
  const DumpChain *chain;
  /// `compared[i]` compares the dumps i and i + 1. It is shorter if the call
  /// was ended.
  std::vector<DumpComparison> compared;
  std::set<Verdict::Answer> only;  ///< of the question
  ChainFigures figures;
  std::optional<size_t> first;  ///< the first pair that is different
  bool hasMistakes = false;     ///< whether a dump could not be read

  bool isChosen(const DumpComparison &found) const {
    return only.empty() || only.count(found.verdict.answer) > 0;
  }
};

/// Returns the comparison of each dump of a chain with the next. Requires two
/// dumps at least. `reader` makes a function for each thread. Ask::itemDone is
/// called after each pair. If the budget's stop is reached, the answer has the
/// pairs before it.
PassesAnswer passesOf(const DumpChain &chain,
                      const std::function<ReadDumpText()> &reader,
                      const PassesQuestion &question = {}, const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PASSES_PASSES_H
