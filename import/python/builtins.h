// The table of functions that kernels can call; private to import/python.
#ifndef INDEXICAL_IMPORT_PYTHON_BUILTINS_H
#define INDEXICAL_IMPORT_PYTHON_BUILTINS_H

#include "llvm/ADT/StringRef.h"

namespace indexical::python {

/// Returns whether the table has the function: `tl.load`.
bool isBuiltin(llvm::StringRef name);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_BUILTINS_H
