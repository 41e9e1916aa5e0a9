// The words of answers, each with its meaning, for `help` and the man page: the
// values of keys that are words of a list, patterns, changes, verdicts, errors,
// and the words of texts. docs/maps.md has examples of some.
//
//   indexical help report      WORDS: moved, wasted, ideal, …
//   indexical help few lanes   a pattern: at most one lane of a warp …
//
// tests/command/answer_words_test.py takes the words from what commands print,
// and asks for each.
#ifndef INDEXICAL_COMMAND_ANSWER_WORDS_H
#define INDEXICAL_COMMAND_ANSWER_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct AnswerWord {
  llvm::StringRef word, meaning;
};

/// Returns the meaning of a word; empty if it is none of these. Upper and lower
/// case are the same, `_` may stand for a space, and parentheses or marks of
/// code around the word are passed over.
llvm::StringRef meaningOfWord(llvm::StringRef word);
llvm::ArrayRef<AnswerWord> answerWords();

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_ANSWER_WORDS_H
