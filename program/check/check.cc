#include "indexical/program/check/check.h"

namespace indexical {

llvm::StringRef wordOf(Check::Answer answer) {
  constexpr const char *kWords[] = {"proved", "undecided", "violated"};
  return kWords[answer];
}

}  // namespace indexical
