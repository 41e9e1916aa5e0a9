#include "indexical/writers/kernel_witness.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/writers/equality_words.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr size_t kMostInputs = 4;

void factLine(StringRef label, const std::string &text, llvm::raw_ostream &os) {
  os << "  " << label;
  os.indent(10 - label.size()) << text << '\n';
}

/// `x[0] = -1, y[0] = -3, all others 1`
std::string inputsText(const Witness &of) {
  std::string text;
  for (auto [k, input] : llvm::enumerate(of.inputs)) {
    absl::StrAppend(&text, k == 0 ? "" : ", ");
    if (k == kMostInputs) return text + "…";
    absl::StrAppend(&text, input.name);
    if (!input.element.empty())
      absl::StrAppend(&text, "[", absl::StrJoin(input.element, ", "), "]");
    absl::StrAppend(&text, " = ", input.value);
  }
  if (of.others)
    absl::StrAppend(&text, text.empty() ? "" : ", ", "all others ", *of.others);
  return text;
}

/// `2 (line 10, program (0, 0, 0))`, or what was there.
std::string leftText(const Witness::Access &access) {
  if (access.program.empty())
    return absl::StrCat("what was there", access.value.empty() ? "" : ", ",
                        access.value);
  return absl::StrCat(access.value.empty() ? "stores to it" : access.value,
                      " (line ", access.line, ", program ",
                      tupleText(access.program), ")");
}

}  // namespace

bool isOfBothKernels(const Witness &witness) {
  return witness.kind == Witness::Kind::StoredOther ||
         witness.kind == Witness::Kind::NotStored;
}

void writeJudgeWitness(const Witness &witness, StringRef array,
                       llvm::ArrayRef<std::pair<std::string, int64_t>> sizes,
                       llvm::raw_ostream &os) {
  if (!sizes.empty())
    factLine("sizes",
             absl::StrJoin(sizes, ", ",
                           [](std::string *out, const auto &size) {
                             absl::StrAppend(out, size.first, " = ",
                                             size.second);
                           }),
             os);
  factLine(
      "element",
      absl::StrCat(absl::StrJoin(witness.element, ", "), " of ", array.str()),
      os);
  factLine("new", leftText(witness.first), os);
  factLine("old", leftText(witness.second), os);
  if (const std::string inputs = inputsText(witness); !inputs.empty())
    factLine("where", inputs, os);
}

void writeStoredOther(const Witness &witness, llvm::raw_ostream &os) {
  factLine("element",
           absl::StrCat(witness.element[0], " of result ", *witness.array), os);
  factLine("kernel",
           absl::StrCat(leftText(witness.first), ": ", witness.first.term), os);
  factLine("fusion",
           absl::StrCat(witness.second.value, ": ", witness.second.term), os);
  if (const std::string inputs = inputsText(witness); !inputs.empty())
    factLine("where", inputs, os);
}

}  // namespace indexical
