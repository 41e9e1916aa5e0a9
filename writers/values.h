// The result of `--values`, for people and for tools.
//
//   result 0: first: multiply(x[i, j], y[i, j]), second: add(x[i, j], y[i, j])
//
//   "values": [{"result": 0, "first": "multiply(…)", "second": "add(…)"}]
#ifndef INDEXICAL_WRITERS_VALUES_H
#define INDEXICAL_WRITERS_VALUES_H

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/values/sameness.h"

namespace indexical {

/// Writes a line for each result whose values are not known to be equal.
void writeValues(const ValueEquality &values, llvm::raw_ostream &os);
/// Writes the laws that dropped an operand, with their instructions.
void writeLost(const ValueEquality &values, llvm::raw_ostream &os);
void writeLost(const ValueEquality &values, llvm::json::OStream &json);
/// Writes the member `terms` of an open object: the verdict, the laws, and a
/// witness of numbers.
void writeTerms(SameVerdict verdict, const ValueEquality &values,
                llvm::json::OStream &json);
/// Writes what would decide an undecided verdict, a line each, or as the member
/// `decided_by`. Writes nothing if there is nothing.
void writeDeciders(llvm::ArrayRef<std::string> deciders, llvm::raw_ostream &os);
void writeDeciders(llvm::ArrayRef<std::string> deciders,
                   llvm::json::OStream &json);
/// Returns the word of the key `answer`, which knows no other reads.
llvm::StringRef answerWord(SameVerdict verdict);
/// Writes these results as the member `values` of an open object, or nothing if
/// all values are equal.
void writeValues(const ValueEquality &values, llvm::json::OStream &json);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_VALUES_H
