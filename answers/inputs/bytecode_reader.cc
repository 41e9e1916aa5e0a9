// The work of a reader program (bytecode.h).
#include <csignal>
#include <memory>
#include <string>

#include "llvm/Support/Compiler.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/deep_stack.h"
#include <sys/resource.h>
#include <unistd.h>

namespace indexical {
namespace {

/// Far more than reading takes, which is some tens of milliseconds for a
/// megabyte. Each megabyte adds one second.
constexpr unsigned kMostSeconds = 10;

/// Lets this process crash, or hang, without a trace, whatever its parent does
/// with signals.
void mayCrash() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
  for (int signal :
       {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGPIPE})
    std::signal(signal, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

/// Bytes of memory that reading bitcode may take: LLVM's reader takes what
/// damaged bytes say. Sanitizers reserve terabytes of addresses, of which they
/// use few.
constexpr bool kLimitsMemory =
    !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD;
constexpr rlim_t kMostMemory = rlim_t{4} << 30;

/// `M` and the module as text, or `E` and what is wrong.
std::string answerFor(llvm::StringRef bytes) {
  absl::StatusOr<std::string> text;
  if (kernels::isLlvmBitcode(bytes)) {
    rlimit most = {kMostMemory, kMostMemory};
    if (kLimitsMemory) setrlimit(RLIMIT_AS, &most);
    text = kernels::textOfBitcode(bytes);
  } else {
    const auto context = makeMlirContext();
    text = textOfTrustedBytecode(*context, bytes);
  }
  return text.ok() ? "M" + *text : "E" + std::string(text.status().message());
}

}  // namespace

int runBytecodeReader() {
  mayCrash();
  auto bytes = llvm::MemoryBuffer::getSTDIN();
  if (!bytes) return 1;
  if (!isMlirBytecode((*bytes)->getBuffer()) &&
      !kernels::isLlvmBitcode((*bytes)->getBuffer()))
    return 1;
  alarm(kMostSeconds + (*bytes)->getBufferSize() / (1 << 20));
  std::string answer =
      onDeepStack([&] { return answerFor((*bytes)->getBuffer()); });
  answer += '\0';
  std::error_code failed;
  llvm::raw_fd_ostream out("-", failed);
  if (failed) return 1;
  out << answer;
  out.flush();
  return out.has_error() ? 1 : 0;
}

}  // namespace indexical
