#include "indexical/writers/equality_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {

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
