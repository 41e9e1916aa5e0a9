// Verdicts, checks and witnesses as text: of modules, partitions, dumps and
// kernels alike. The words of answers are in same/verdict/verdict.h, and the
// keys in answers/verdict/keys.h.
//
//   verdictText(kernel's)    same values, by reassociate
//   verdictText(a dump's)    undecided: a dump has 2 modules, …
//   checkText(bounds)        violated: program (96, 0, 0) at (128) takes
//                            element 98432 of 98432
//   witnessText(numbers)     at index (0), x[0] = 2, y[0] = -1: 3 and -3
#ifndef INDEXICAL_WRITERS_VERDICT_H
#define INDEXICAL_WRITERS_VERDICT_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/check/check.h"
#include "indexical/program/check/witness.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

/// How much of a verdict its line says.
enum class VerdictLine : uint8_t {
  Short,  ///< the reason and what is taken for granted: more has its own lines
  Whole,  ///< the witness, or else the reason, and the laws, too
};
/// Returns the line of a verdict, which begins with these words.
std::string verdictText(llvm::StringRef words, const Verdict &verdict,
                        VerdictLine line = VerdictLine::Short);
/// Returns what an answer takes for granted, as the end of its line: `, if `f`
/// has no effects`. Returns "" if that is nothing.
std::string assumedText(llvm::ArrayRef<std::string> assumed);

/// Returns the answer of a check, with its witness or its reason. `array` names
/// the array of the witness.
std::string checkText(const Check &check, llvm::StringRef array = "");

/// Returns what a witness shows. `array` names its array, for kinds that name
/// one.
std::string witnessText(const Witness &witness, llvm::StringRef array = "");
/// Returns the element of a witness out of bounds, and the size of its buffer:
/// `256 of 200`, or `-1, before the buffer`.
std::string outsideText(const Witness &witness);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_VERDICT_H
