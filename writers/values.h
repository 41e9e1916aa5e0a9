// The text of what `--values` finds.
//
//   result 0: first: multiply(x[i, j], y[i, j]), second: add(x[i, j], y[i, j])
#ifndef INDEXICAL_WRITERS_VALUES_H
#define INDEXICAL_WRITERS_VALUES_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/same/values/sameness.h"

namespace indexical {

/// Returns `1 column` or `2 columns`.
inline std::string counted(int64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

/// Writes a line for each result whose values are not known to be equal.
void writeValues(const ValueEquality &values, llvm::raw_ostream &os);
/// Writes the laws that dropped an operand, with their instructions.
void writeLost(const ValueEquality &values, llvm::raw_ostream &os);
/// Writes what would decide an undecided verdict, a line each.
void writeDeciders(llvm::ArrayRef<std::string> deciders, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_VALUES_H
