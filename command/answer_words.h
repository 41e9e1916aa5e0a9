// The words in which answers speak of memory and time, each with its meaning,
// for `help` and the man page. docs/maps.md has examples of them.
//
//   indexical help report    WORDS: moved, wasted, ideal, …
#ifndef INDEXICAL_COMMAND_ANSWER_WORDS_H
#define INDEXICAL_COMMAND_ANSWER_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct AnswerWord {
  llvm::StringRef word, meaning;
};

/// Returns the meaning of a word; empty if it is none of these.
llvm::StringRef meaningOfWord(llvm::StringRef word);
llvm::ArrayRef<AnswerWord> answerWords();

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_ANSWER_WORDS_H
