// A check says whether a claim about one program is proved or violated: that
// its accesses stay in their arrays, that nothing is written twice without an
// order.
//
//   97 programs of 1024, mask element < 98432, buffer of 98432
//     inBounds     proved
//   the same without the mask
//     inBounds     violated: OutOfBounds, program (96, 0, 0) accesses element
//                  98432 at t0 = 128
//   the same, and the size of the buffer is an argument
//     inBounds     undecided, "the size of the buffer is not known"
//
// A proof holds for every execution of the program, and a violation has a
// witness. A claim is undecided if the budget does not suffice, or if it
// depends on values that are unknown at compile time. If an answer holds only
// for some sizes or values, these are in `where`.
//
// A hazard is one more Check, with a kind of witness of its own. Two programs
// are compared by a Verdict (same/verdict/verdict.h).
#ifndef INDEXICAL_PROGRAM_CHECK_CHECK_H
#define INDEXICAL_PROGRAM_CHECK_CHECK_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/program/check/witness.h"

namespace indexical {

struct Check {
  /// The worse of two answers is the greater.
  enum Answer : uint8_t { Proved, Undecided, Violated };

  Answer answer = Proved;
  std::string reason;  ///< of an undecided one
  /// Conditions under which the answer holds. Empty: it holds always.
  std::vector<std::string> where = {};
  std::optional<Witness> witness = {};  ///< of a violated one

  static Check undecided(std::string reason) {
    return {Undecided, std::move(reason)};
  }
  static Check violated(Witness witness) {
    return {Violated, "", {}, std::move(witness)};
  }
  /// Takes the other check if it is worse, so that this one speaks for both.
  void take(Check other) {
    if (other.answer > answer) *this = std::move(other);
  }
};

/// Returns `proved`, `undecided` or `violated`.
llvm::StringRef wordOf(Check::Answer answer);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_CHECK_CHECK_H
