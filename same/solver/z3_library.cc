#include "indexical/same/solver/z3_library.h"

#include <dlfcn.h>

namespace indexical::solver {
namespace {

bool load(Z3Library &library) {
  // The name of its interface, which Debian's packages have had since 4.8.
  void *const handle = dlopen("libz3.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return false;
  bool hasAll = true;
#define INDEXICAL_Z3_FIND(name)                                             \
  library.name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  hasAll &= library.name != nullptr;
  INDEXICAL_Z3_FUNCTIONS(INDEXICAL_Z3_FIND)
#undef INDEXICAL_Z3_FIND
  return hasAll;
}

}  // namespace

const Z3Library *Z3Library::find() {
  static Z3Library library;
  static const bool isThere = load(library);
  return isThere ? &library : nullptr;
}

}  // namespace indexical::solver
