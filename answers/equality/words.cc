#include "indexical/answers/equality/words.h"

#include "indexical/answers/words.h"

namespace indexical {

llvm::StringRef equalityWord(Answer answer) {
  switch (answer) {
    case Answer::Yes:
      return "equal";
    case Answer::No:
      return "different";
    case Answer::Undecided:
      return "undecided";
  }
  return "";
}

llvm::StringRef methodName(bool byTerms, Engine engine) {
  return byTerms ? "terms" : engineName(engine);
}

std::string reasonOf(const LeafEquality &leaf) {
  return leaf.doubt == Doubt::None ? leaf.decision.reason : wordsOf(leaf.doubt);
}

}  // namespace indexical
