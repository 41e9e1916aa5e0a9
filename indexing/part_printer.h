// The text of sums with positive parts, as minima and maxima.
//
//   d0 - max(d0 - 5, 0)                       min(d0, 5)
//   max(d0 - d1, 0) + d1 + 3                  max(d0 + 3, d1 + 3)
//   max(d0, 0) - max(d0 - 5, 0)               min(max(d0, 0), 5)
//
// S + c * max(F, 0) is S - c * X + c * max(F + X, X) for any X. The shortest
// text of several X is written. Read again, it is the same form: min(a, b) is
// a - max(a - b, 0), and max(a, b) is b + max(a - b, 0).
#ifndef INDEXICAL_INDEXING_PART_PRINTER_H
#define INDEXICAL_INDEXING_PART_PRINTER_H

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"

namespace indexical {

/// Returns the text of a form of the table of which a term is a positive part.
using TextOfParts = llvm::function_ref<std::string(FormId)>;
/// Returns the text of a form of which no term is one. Forms inside of its
/// atoms are those of the function: each is written once, however many texts
/// are tried around it.
using TextOfPlain = llvm::function_ref<std::string(const ExpressionTable &,
                                                   FormId, TextOfParts inside)>;

/// Returns the text of a form of which a term is a positive part.
/// `mostArguments` is how many a function may have, at least 2.
std::string textOfParts(const ExpressionTable &table, FormId form,
                        size_t mostArguments, TextOfPlain plain);

/// Returns whether the text is one function and its arguments, and no more.
bool isOneCall(const std::string &text);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_PART_PRINTER_H
