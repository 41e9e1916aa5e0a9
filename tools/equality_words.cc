#include "indexical/tools/equality_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

std::string tupleText(llvm::ArrayRef<int64_t> index) {
  auto numbers =
      llvm::map_range(index, [](int64_t v) { return std::to_string(v); });
  return "(" + llvm::join(numbers, ", ") + ")";
}

}  // namespace indexical
