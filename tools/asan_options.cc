// The options of the address sanitizer for all programs of the project.
#include "llvm/Support/Compiler.h"

#if LLVM_ADDRESS_SANITIZER_BUILD
/// The archives of LLVM are not instrumented, but its headers are (.bazelrc).
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
#endif
