#include "indexical/indexing/deep_stack.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "indexical/indexing/stop_scope.h"
#include <pthread.h>

namespace indexical {
namespace {

/// The ends of a thread's stack, found when the thread first calls hasStack().
struct StackEnd {
  uintptr_t lowest = 0, highest = 0;
  /// The thread must do with the stack it has: there is no other thread to be
  /// had, or nothing is known of the stack.
  bool isAll = false;

  StackEnd() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
      isAll = true;
      return;
    }
    void *address = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
      lowest = reinterpret_cast<uintptr_t>(address);
      highest = lowest + size;
    }
    pthread_attr_destroy(&attributes);
  }
};

StackEnd &stackEnd() {
  thread_local StackEnd end;
  return end;
}

/// What a thread does, and what ends the work of the thread that starts it.
struct Work {
  llvm::function_ref<void()> call;
  const Stop *stop = StopScope::current();
};

void *callWork(void *given) {
  const Work &work = *static_cast<Work *>(given);
  const StopScope scope(work.stop);
  work.call();
  return nullptr;
}

/// Starts a thread with a deep stack that does the work, or returns nothing if
/// there is none to be had.
std::optional<pthread_t> beginThread(Work &work) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) return std::nullopt;
  const bool isRunning =
      pthread_attr_setstacksize(&attributes, kDeepStack) == 0 &&
      pthread_create(&thread, &attributes, callWork, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (!isRunning) return std::nullopt;
  return thread;
}

}  // namespace

bool hasStack(size_t bytes) {
  const StackEnd &end = stackEnd();
  if (end.isAll) return true;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  // Outside of the ends, the caller has made a stack of its own, of unknown
  // size.
  return here >= end.lowest && here < end.highest && here - end.lowest >= bytes;
}

void withDeepStack(llvm::function_ref<void()> call) {
  Work work{call};
  if (const auto thread = beginThread(work)) {
    pthread_join(*thread, nullptr);
    return;
  }
  StackEnd &end = stackEnd();
  const bool wasAll = std::exchange(end.isAll, true);
  call();
  end.isAll = wasAll;
}

void inParallel(size_t workers, size_t steps,
                llvm::function_ref<void(size_t worker, size_t step)> work) {
  std::atomic<size_t> next{0};
  auto doSteps = [&](size_t worker) {
    for (size_t step = next++; step < steps; step = next++) work(worker, step);
  };
  workers = std::max<size_t>(1, std::min(workers, steps));
  std::vector<std::function<void()>> own(workers);
  std::vector<Work> calls;
  for (size_t worker = 0; worker < workers; ++worker) {
    own[worker] = [&, worker] { doSteps(worker); };
    calls.push_back({own[worker]});
  }
  std::vector<pthread_t> threads;
  for (size_t worker = 1; worker < workers; ++worker)
    if (const auto thread = beginThread(calls[worker]))
      threads.push_back(*thread);
  withDeepStack(calls[0].call);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

}  // namespace indexical
