#include "indexical/indexing/budget.h"

#include "llvm/Support/Process.h"

namespace indexical {

bool Stop::isReached() const {
  if (cause_.load(std::memory_order_relaxed) != Cause::None) return true;
  if (pollsLeft_.load(std::memory_order_relaxed) > 0 &&
      pollsLeft_.fetch_sub(1) == 1)
    reach(Cause::Asked);
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
    reach(Cause::Deadline);
  if (memory_ && llvm::sys::Process::GetMallocUsage() > *memory_)
    reach(Cause::Memory);
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
