// The words of an answer to "are these two equal?", for keys and for text.
//
//   Answer::No                   different
//   SameVerdict::OtherReads      equal
//   kSides[0]                    first
#ifndef INDEXICAL_ANSWERS_EQUALITY_WORDS_H
#define INDEXICAL_ANSWERS_EQUALITY_WORDS_H

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/same/equality/module_equality.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "indexical/same/values/sameness.h"

namespace indexical {

/// The names of the two that are compared.
inline constexpr const char *kSides[] = {"first", "second"};

/// Returns `equal`, `different` or `undecided`.
llvm::StringRef equalityWord(Answer answer);
llvm::StringRef equalityWord(PartitionedAnswer answer);
/// Returns the word of the key `answer`, which knows no other reads.
llvm::StringRef answerWord(SameVerdict verdict);
/// Returns the method that decided: terms come before all engines.
llvm::StringRef methodName(bool byTerms, Engine engine);
/// Returns why the pair is undecided; empty if it is decided.
std::string reasonOf(const LeafEquality &leaf);
/// Returns the side that reads the element of a witness.
const char *sideOf(const PairWitness &witness);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_EQUALITY_WORDS_H
