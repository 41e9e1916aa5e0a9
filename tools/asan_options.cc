// What every program of ours tells the address sanitizer.
#include "llvm/Support/Compiler.h"

#if LLVM_ADDRESS_SANITIZER_BUILD
/// LLVM's archives are not instrumented, but its headers are (.bazelrc).
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
#endif
