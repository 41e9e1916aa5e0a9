// The types of arguments, from their use in a function; private to
// import/python.
//
//   tl.load(x + o)      x is a pointer
//   n < 2.5             n is a float
#ifndef INDEXICAL_IMPORT_PYTHON_USES_H
#define INDEXICAL_IMPORT_PYTHON_USES_H

#include <map>
#include <set>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/module.h"

namespace indexical::python {

struct Uses {
  std::set<llvm::StringRef> pointers, floats;
};

/// Returns the function's parameters that are used as pointers, and those that
/// are compared with or divided by floats, also in functions that it calls.
Uses usesOf(const ModuleText &module, const FunctionText &function);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_USES_H
