#include "indexical/indexing/budget.h"

#include <cstddef>

#include "llvm/Support/Compiler.h"
#include "llvm/Support/Process.h"

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/allocator_interface.h>
#endif

namespace indexical {
namespace {

size_t heapBytes() {
#if LLVM_ADDRESS_SANITIZER_BUILD
  return __sanitizer_get_current_allocated_bytes();
#else
  return llvm::sys::Process::GetMallocUsage();
#endif
}

}  // namespace

bool Stop::isReached() const {
  if (cause_.load(std::memory_order_relaxed) != Cause::None) return true;
  if (pollsLeft_.load(std::memory_order_relaxed) > 0 &&
      pollsLeft_.fetch_sub(1) == 1)
    reach(Cause::Asked);
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
    reach(Cause::Deadline);
  if (memory_ && heapBytes() > *memory_) reach(Cause::Memory);
  return cause_.load(std::memory_order_relaxed) != Cause::None;
}

absl::Status Stop::status() const {
  switch (cause_.load()) {
    case Cause::None:
      return absl::OkStatus();
    case Cause::Asked:
      return absl::CancelledError("the call was interrupted");
    case Cause::Deadline:
      return absl::DeadlineExceededError("the deadline was reached");
    case Cause::Memory:
      return absl::ResourceExhaustedError("the limit of memory was reached");
  }
  return absl::OkStatus();
}

}  // namespace indexical
