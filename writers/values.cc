#include "indexical/writers/values.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/equality_words.h"
#include "indexical/writers/verdict.h"

namespace indexical {

namespace {

/// Returns `` `m` (multiply) at line 4 of the first: multiply(x[i], y[i])``.
std::string textOf(const DivergentValue &value, int side) {
  return "`" + value.instruction + "` (" + value.opcode + ") at line " +
         std::to_string(value.line) + " of the " + kSides[side] + ": " +
         value.term;
}

}  // namespace

void writeValues(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LeafValue &leaf : values.leaves) {
    if (leaf.isEqual) continue;
    os << "result " << leaf.result << ": ";
    if (!leaf.reason.empty())
      os << leaf.reason << '\n';
    else
      os << "first: " << leaf.terms[0] << ", second: " << leaf.terms[1] << '\n';
    if (leaf.witness) os << "  " << witnessText(*leaf.witness) << '\n';
    if (!leaf.divergence) continue;
    os << "  they part at\n";
    if (const auto &first = leaf.divergence->first)
      os << "    " << textOf(*first, 0) << '\n';
    os << "    " << textOf(leaf.divergence->second, 1) << '\n';
  }
  if (values.effect)
    os << becauseText(*values.effect) << ": " << values.effect->reason << '\n';
}

void writeDeciders(llvm::ArrayRef<std::string> deciders,
                   llvm::raw_ostream &os) {
  for (const std::string &each : deciders)
    os << "may be decided by " << each << '\n';
}

void writeLost(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LostRead &lost : values.lost)
    os << "by a law: " << lost.law << ", `" << lost.instruction << "` ("
       << lost.opcode << ") at line " << lost.line << " of the first"
       << (lost.parameters.empty() ? "" : " no longer reads ")
       << llvm::join(lost.parameters, ", ") << '\n';
}

}  // namespace indexical
