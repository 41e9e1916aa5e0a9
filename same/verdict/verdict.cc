#include "indexical/same/verdict/verdict.h"

namespace indexical {
namespace {

constexpr AnswerWords kAnswers[] = {
    {Verdict::Same, "equal", "equal", "equal in values (terms)"},
    {Verdict::FewerReads, "fewer reads", "fewer reads",
     "fewer reads, equal in values (terms)"},
    {Verdict::OtherReads, "equal, other reads", "equal",
     "equal in values, other reads (terms)"},
    {Verdict::More, "more", "more", "more in values"},
    {Verdict::Undecided, "undecided", "undecided", "undecided in values"},
    {Verdict::Less, "less", "less", "less in values"},
    {Verdict::Different, "different", "different", "different in values"},
};

/// The words of a level: of modules, and of what a kernel and its fusion share.
constexpr const char *kLevels[][2] = {{"tiles", "same tiles"},
                                      {"reads", "same elements"},
                                      {"values", "same values"}};

}  // namespace

const AnswerWords &wordsOf(Verdict::Answer answer) { return kAnswers[answer]; }

llvm::StringRef wordOf(Verdict::Answer answer) { return wordsOf(answer).word; }

llvm::StringRef wordOf(Level level) {
  return kLevels[static_cast<size_t>(level)][0];
}

llvm::StringRef sharedWord(const Verdict &verdict) {
  return verdict.isSame() ? kLevels[static_cast<size_t>(verdict.level)][1]
                          : wordOf(verdict.answer);
}

}  // namespace indexical
