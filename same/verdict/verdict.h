// A verdict: whether two programs are the same, and the conditions and laws on
// which that rests.
//
//   before   ROOT r = f32[8] add(add(x, y), z)
//   after    ROOT r = f32[8] add(x, add(y, z))
//
//   compare(before, after), values      level Values, answer Undecided,
//                                       decidedBy --float-laws=reassociate
//   the same with that law              level Values, answer Same,
//                                       laws reassociate
//
// One form serves modules (same/values/sameness.h), a module and what a
// partitioner made of it (same/partitioned), two dumps of a compiler
// (same/passes), and a kernel and its fusion (same/kernel). An answer is about
// a *level*, and each level implies those before it:
//
//   Tiles    each program of a kernel loads and stores the same elements
//   Reads    each element of a result depends on the same elements of the
//            parameters
//   Values   each element of a result is the same function of them
//
// An answer holds
//   where     these conditions on sizes and values hold,
//   by        these laws, and
//   assumed   these facts, which are not checked here.
//
// An answer `Same` with a condition is often called "the same where". An answer
// `Different` has a witness (program/check/witness.h), if numbers or an element
// were found. An answer `Undecided` has a reason, and may name what would
// decide it.
//
// The laws of answers:
//   Same, FewerReads, OtherReads   both compute the same. At Values the reads
//                                  may differ where a law drops one
//   More, Less                     of sets of elements: the first has more
//                                  than the second, or less
//   Different                      it is proved that they are not the same
#ifndef INDEXICAL_SAME_VERDICT_VERDICT_H
#define INDEXICAL_SAME_VERDICT_VERDICT_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/program/check/witness.h"

namespace indexical {

/// The subject of an answer. Each level implies those before it.
enum class Level : uint8_t { Tiles, Reads, Values };

struct Verdict {
  /// The worse of two answers is the greater.
  enum Answer : uint8_t {
    Same,
    FewerReads,  ///< the second reads a part of what the first reads
    OtherReads,  ///< neither reads a part of what the other reads
    More,        ///< the first has all that the second has, and more
    Undecided,
    Less,  ///< the first lacks something, and has nothing more
    Different,
  };

  Level level = Level::Reads;
  Answer answer = Undecided;
  std::string reason = {};  ///< of an undecided one
  /// Conditions under which the answer holds. Empty: it holds always.
  std::vector<std::string> where = {};
  std::vector<std::string> laws = {};  ///< by which values were compared
  /// The assumptions of a verdict that both are the same.
  std::vector<std::string> assumed = {};
  std::optional<Witness> witness = {};  ///< of a different one
  /// Options of the command that would, or may, decide an undecided verdict:
  /// `--float-laws=reassociate` (with it both are the same),
  /// `--ops with the line …` (with it both are the same), `--ops with a line
  /// for x` (an op that is not known), `--budget` (a larger one).
  std::vector<std::string> decidedBy = {};

  /// Returns whether both compute the same at this level.
  bool isSame() const { return answer <= OtherReads; }
  bool isDecided() const { return answer != Undecided; }
  bool isSameAt(Level least) const { return isSame() && level >= least; }

  /// Sets the final answer. Clears the reason, the witness and `decidedBy`,
  /// which belong to a weaker answer.
  void settle(Level at, Answer settled) {
    level = at;
    answer = settled;
    reason.clear();
    witness.reset();
    decidedBy.clear();
  }
  void differ(Witness shown) {
    settle(level, Different);
    witness = std::move(shown);
  }
  void doubt(std::string why) {
    settle(level, Undecided);
    reason = std::move(why);
  }
};

/// The words of an answer, one row each.
struct AnswerWords {
  Verdict::Answer answer;
  const char *word;    ///< `equal, other reads`
  const char *key;     ///< of the key `answer`, which knows no other reads
  const char *values;  ///< of a line about values
};
/// Returns the words of an answer.
const AnswerWords &wordsOf(Verdict::Answer answer);
/// Returns `equal`, `fewer reads`, `equal, other reads`, `more`, `undecided`,
/// `less` or `different`.
llvm::StringRef wordOf(Verdict::Answer answer);
/// Returns `tiles`, `reads` or `values`.
llvm::StringRef wordOf(Level level);
/// Returns `same tiles`, `same elements` or `same values`, or the word of an
/// answer that they are not the same.
llvm::StringRef sharedWord(const Verdict &verdict);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VERDICT_VERDICT_H
