#include <new>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/command/output.h"
#include "indexical/command/run.h"
#include <unistd.h>

namespace {

/// Ends the process if the system refuses memory or a thread. Must not allocate
/// memory.
[[noreturn]] void endFor(llvm::StringRef reason) {
  for (llvm::StringRef part : {llvm::StringRef("indexical: error: "), reason,
                               llvm::StringRef("\n")}) [[maybe_unused]]
    auto written = write(STDERR_FILENO, part.data(), part.size());
  _exit(indexical::kWrongInput);
}
[[noreturn]] void endWithoutMemory() { endFor("there is no more memory"); }

}  // namespace

int main(int argc, char **argv) {
  std::set_new_handler(endWithoutMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endWithoutMemory(); });
  // LLVM reports a fatal error if it cannot start a thread.
  llvm::install_fatal_error_handler(
      [](void *, const char *reason, bool) { endFor(reason); });
  if (argc == 2 && llvm::StringRef(argv[1]) == indexical::kReadBytecode)
    return indexical::runBytecodeReader();
  // This program reads bytecode in a second process, which may crash.
  indexical::setReaderProgram(
      {llvm::sys::fs::getMainExecutable(
           argv[0], reinterpret_cast<void *>(&endWithoutMemory)),
       {indexical::kReadBytecode}});
  if (!llvm::outs().is_displayed())
    llvm::outs().SetBufferSize(indexical::kOutputBuffer);
  return indexical::runIndexical(argc, argv, llvm::outs(), llvm::errs());
}
