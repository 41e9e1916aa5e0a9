// Steps on several threads, taken in their order.
//
//   owners   of each step, its worker                       0 1 0 1
//   make     is called on the worker's thread               a   b   c   d
//   take     is called here, step after step, with what     a b c d
//            was made; false: that is enough
//
// Each worker does its steps in their order, and waits where it is far ahead of
// what was taken, so that little is kept.
#ifndef INDEXICAL_TOOLS_ORDERED_H
#define INDEXICAL_TOOLS_ORDERED_H

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include "indexical/indexing/deep_stack.h"

namespace indexical {

template <typename Made>
class Ordered {
 public:
  explicit Ordered(size_t steps) : steps_(steps), ring_(kWindow) {}

  /// A worker calls it before `put`: waits for room. False where no more is
  /// wanted.
  bool waitForRoom(size_t step) {
    std::unique_lock<std::mutex> lock(mutex_);
    room_.wait(lock, [&] { return isEnded_ || step < taken_ + kWindow; });
    return !isEnded_;
  }
  void put(size_t step, Made made) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ring_[step % kWindow] = std::move(made);
    if (step == taken_) ready_.notify_one();
  }

  /// The taker calls it: hands on what was put, step by step.
  void takeAll(llvm::function_ref<bool(size_t step, Made made)> take) {
    bool wantsMore = true;
    for (size_t step = 0; step < steps_ && wantsMore; ++step) {
      std::optional<Made> made;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        std::optional<Made> &slot = ring_[step % kWindow];
        ready_.wait(lock, [&] { return slot.has_value(); });
        made = std::move(slot);
        slot.reset();
        taken_ = step + 1;
        // Not after every step: to wake somebody takes longer than a step.
        if (taken_ % kBatch == 0) room_.notify_all();
      }
      wantsMore = take(step, *std::move(made));
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    isEnded_ = true;
    room_.notify_all();
  }

 private:
  static constexpr size_t kWindow = 2048, kBatch = 256;

  const size_t steps_;
  std::mutex mutex_;
  std::condition_variable room_, ready_;
  std::vector<std::optional<Made>> ring_;
  size_t taken_ = 0;
  bool isEnded_ = false;
};

template <typename Made>
void inOrder(llvm::ArrayRef<uint32_t> owners,
             llvm::function_ref<Made(size_t worker, size_t step)> make,
             llvm::function_ref<bool(size_t step, Made made)> take) {
  uint32_t workers = 0;
  for (uint32_t owner : owners) workers = std::max(workers, owner + 1);
  Ordered<Made> ordered(owners.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(workers));
  for (uint32_t worker = 0; worker < workers; ++worker)
    pool.async([&, worker] {
      withDeepStack([&] {
        for (size_t step = 0; step < owners.size(); ++step) {
          if (owners[step] != worker) continue;
          if (!ordered.waitForRoom(step)) return;
          ordered.put(step, make(worker, step));
        }
      });
    });
  ordered.takeAll(take);
  pool.wait();
}

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_ORDERED_H
