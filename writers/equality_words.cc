#include "indexical/writers/equality_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/format.h"

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

llvm::StringRef equalityWord(PartitionedAnswer answer) {
  return equalityWord(answer == PartitionedAnswer::Equal ? Answer::Yes
                      : answer == PartitionedAnswer::Different
                          ? Answer::No
                          : Answer::Undecided);
}

void writeBecause(const EqualityObstacle &because, llvm::json::OStream &to) {
  to.attribute("module", because.module);
  to.attribute("computation", jsonString(because.computation));
  to.attribute("instruction", jsonString(because.instruction));
  to.attribute("line", because.line);
  to.attribute("reason", jsonString(because.reason));
}

std::string becauseText(const EqualityObstacle &because) {
  return "because of `" + because.instruction + "` (" + because.opcode +
         "), line " + std::to_string(because.line) + " of the " +
         kSides[because.module];
}

std::string tupleText(llvm::ArrayRef<int64_t> index) {
  auto numbers =
      llvm::map_range(index, [](int64_t v) { return std::to_string(v); });
  return "(" + llvm::join(numbers, ", ") + ")";
}

}  // namespace indexical
