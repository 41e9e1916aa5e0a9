// The words of an answer to "are these two equal?", for keys and for text.
//
//   Answer::No                   different
//   kSides[0]                    first
#ifndef INDEXICAL_ANSWERS_EQUALITY_WORDS_H
#define INDEXICAL_ANSWERS_EQUALITY_WORDS_H

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/verdict/keys.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

/// Returns `equal`, `different` or `undecided`.
llvm::StringRef equalityWord(Answer answer);
/// Returns the method that decided: terms come before all engines.
llvm::StringRef methodName(bool byTerms, Engine engine);
/// Returns why the pair is undecided; empty if it is decided.
std::string reasonOf(const LeafEquality &leaf);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_EQUALITY_WORDS_H
