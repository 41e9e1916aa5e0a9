// Steps on several threads, taken in their order.
//
//   owners   of each step, its worker                       0 0 1 1 0
//   make     is called on the worker's thread, for the      ab  cd  e
//            steps of a run
//   take     is called here, step after step, with the      a b c d e
//            result of make; it returns false to end
//
// Each worker does its runs in their order, and waits if it is far ahead of the
// taker, so that little is kept. Threads meet once for each run, since waking a
// thread takes longer than most steps.
#ifndef INDEXICAL_ANSWERS_ORDERED_H
#define INDEXICAL_ANSWERS_ORDERED_H

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include "indexical/indexing/deep_stack.h"

namespace indexical {

/// The largest number of steps in a run.
inline constexpr size_t kLongestRun = 256;

/// Returns the length of the runs of steps that any worker may own: each of
/// `jobs` workers has several runs, since some steps take longer than others.
inline size_t runLength(size_t steps, size_t jobs) {
  return std::clamp<size_t>(steps / (jobs * 8), 1, kLongestRun);
}

/// Consecutive steps with one owner.
struct StepRun {
  size_t begin, end;
  uint32_t owner;
};

inline std::vector<StepRun> runsOf(llvm::ArrayRef<uint32_t> owners) {
  std::vector<StepRun> runs;
  for (size_t step = 0; step < owners.size(); ++step) {
    const bool goesOn = !runs.empty() && runs.back().owner == owners[step] &&
                        step - runs.back().begin < kLongestRun;
    if (goesOn)
      runs.back().end = step + 1;
    else
      runs.push_back({step, step + 1, owners[step]});
  }
  return runs;
}

template <typename Made>
class Ordered {
 public:
  explicit Ordered(llvm::ArrayRef<StepRun> runs)
      : runs_(runs), ring_(std::min(runs.size(), kWindow)) {}

  /// Called by a worker before `put`: waits for room. Returns false if no more
  /// results are wanted.
  bool waitForRoom(size_t run) {
    std::unique_lock<std::mutex> lock(mutex_);
    room_.wait(lock, [&] {
      return isEnded_ || runs_[run].begin < runs_[taken_].begin + kWindow;
    });
    return !isEnded_;
  }
  void put(size_t run, std::vector<Made> made) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ring_[run % ring_.size()] = std::move(made);
    if (run == taken_) ready_.notify_one();
  }

  /// Called by the taker: passes results to `take`, step by step.
  void takeAll(llvm::function_ref<bool(size_t step, Made made)> take) {
    bool wantsMore = true;
    for (size_t run = 0; run < runs_.size() && wantsMore; ++run) {
      std::vector<Made> made = next(run);
      for (size_t i = 0; i < made.size() && wantsMore; ++i)
        wantsMore = take(runs_[run].begin + i, std::move(made[i]));
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    isEnded_ = true;
    room_.notify_all();
  }

 private:
  /// The number of steps that workers may be ahead.
  static constexpr size_t kWindow = 2048;

  std::vector<Made> next(size_t run) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<Made> &slot = ring_[run % ring_.size()];
    ready_.wait(lock, [&] { return !slot.empty(); });
    if (run + 1 < runs_.size()) taken_ = run + 1;
    room_.notify_all();
    return std::exchange(slot, {});
  }

  const llvm::ArrayRef<StepRun> runs_;
  std::mutex mutex_;
  std::condition_variable room_, ready_;
  std::vector<std::vector<Made>> ring_;  ///< empty: not made
  size_t taken_ = 0;                     ///< the run that is waited for
  bool isEnded_ = false;
};

template <typename Made>
void inOrder(llvm::ArrayRef<uint32_t> owners,
             llvm::function_ref<Made(size_t worker, size_t step)> make,
             llvm::function_ref<bool(size_t step, Made made)> take) {
  if (owners.empty()) return;
  const uint32_t workers = *llvm::max_element(owners) + 1;
  const std::vector<StepRun> runs = runsOf(owners);
  Ordered<Made> ordered(runs);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(workers));
  for (uint32_t worker = 0; worker < workers; ++worker)
    pool.async([&, worker] {
      withDeepStack([&] {
        for (size_t run = 0; run < runs.size(); ++run) {
          const auto [begin, end, owner] = runs[run];
          if (owner != worker) continue;
          if (!ordered.waitForRoom(run)) return;
          std::vector<Made> made;
          made.reserve(end - begin);
          for (size_t step = begin; step < end; ++step)
            made.push_back(make(worker, step));
          ordered.put(run, std::move(made));
        }
      });
    });
  ordered.takeAll(take);
  pool.wait();
}

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_ORDERED_H
