// Functions of Triton's libraries, in Triton's own language: those of
// `triton.language.standard` and of Inductor's `triton_helpers`.
//
//   tl.sigmoid(x)     1 / (1 + tl.exp(-x)), as written there
#ifndef INDEXICAL_IMPORT_PYTHON_PRELUDE_H
#define INDEXICAL_IMPORT_PYTHON_PRELUDE_H

#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/syntax.h"

namespace indexical::python {

/// Returns the library function of that name, or null.
const FunctionText *preludeFunction(llvm::StringRef name);
/// Returns whether a function is one of preludeFunction().
bool isPreludeFunction(const FunctionText *function);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_PRELUDE_H
