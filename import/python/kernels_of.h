// The kernels of a module that was read; private to import/python.
#ifndef INDEXICAL_IMPORT_PYTHON_KERNELS_OF_H
#define INDEXICAL_IMPORT_PYTHON_KERNELS_OF_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/module.h"
#include "indexical/import/python/read.h"

namespace indexical::python {

/// Like readPython(), for a module that was read. Requires the stack that
/// readPython() runs on.
absl::StatusOr<std::vector<PythonKernel>> kernelsOf(
    const ModuleText &module, const PythonOptions &options);

/// Returns the expression of a text, or null if it is not one. The store must
/// outlive it.
const Node *expressionOf(llvm::StringRef text, ModuleText &store);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_KERNELS_OF_H
