// What LLVM's parser of text goes on with although it is wrong, and does not
// survive; the fuzzer found it (tests/fuzz/llvm_fuzz.cc).
//
//   store i32 1, ptr %9223372036854775807     a number of more than 32 bits
//   asm "", "=@r"()                           a constraint that has no length
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/llvm/module.h"

namespace indexical::compiled {

using llvm::StringRef;

namespace {

/// Whether LLVM's reader of constraints finds the letters that it takes for
/// there: `@3abc` has so many, `^ab` has two.
bool areConstraintsWhole(StringRef text) {
  for (size_t at = 0; at < text.size(); ++at) {
    size_t wanted = 0;
    if (text[at] == '^') wanted = 2;
    if (text[at] == '@') {
      if (at + 1 >= text.size() || !llvm::isDigit(text[at + 1])) return false;
      wanted = 1 + static_cast<size_t>(text[at + 1] - '0');
    }
    if (at + wanted >= text.size() && wanted > 0) return false;
  }
  return true;
}

}  // namespace

absl::Status checkText(StringRef text) {
  constexpr size_t kMostDigits = 9;
  uint32_t line = 1;
  size_t begin = 0;  // of the line
  // Strings behind the last `asm`: the code, then the constraints.
  int strings = -1;
  auto wrong = [&](size_t at, StringRef what) {
    return errorAt({line, static_cast<uint32_t>(at - begin + 1)},
                   absl::StrCat("this is not LLVM IR: ", what.str()));
  };
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ';') {  // a comment
      while (at + 1 < text.size() && text[at + 1] != '\n') ++at;
      continue;
    }
    if (c == '"') {
      const size_t end = text.find('"', at + 1);
      if (end == StringRef::npos) return absl::OkStatus();
      const StringRef inside = text.slice(at + 1, end);
      if (strings >= 0 && ++strings == 2) {
        if (!areConstraintsWhole(inside))
          return wrong(at, "a constraint of assembly has no end");
        strings = -1;
      }
      for (size_t k = at; k < end; ++k)
        if (text[k] == '\n') {
          ++line;
          begin = k + 1;
        }
      at = end;
      continue;
    }
    if (c == '\n') {
      ++line;
      begin = at + 1;
      continue;
    }
    const bool isSign = StringRef("%@#^").contains(c);
    const bool isWord = llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
    if (!isSign && !isWord) continue;
    size_t end = at + 1;
    while (end < text.size() &&
           (llvm::isAlnum(text[end]) || StringRef("_.$-").contains(text[end])))
      ++end;
    const StringRef word = text.slice(at, end);
    if (word == "asm") strings = 0;
    // The digits of a value's number, or of a label.
    const StringRef digits =
        word.drop_front(isSign ? 1 : 0).take_while([](char d) {
          return llvm::isDigit(d);
        });
    const bool isLabel = end < text.size() && text[end] == ':';
    if (digits.size() > kMostDigits && (isSign || isLabel))
      return wrong(at, "a value's number is too large");
    at = end - 1;
  }
  return absl::OkStatus();
}

}  // namespace indexical::compiled
