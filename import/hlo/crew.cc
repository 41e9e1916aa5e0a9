#include "indexical/import/hlo/crew.h"

#include "indexical/indexing/deep_stack.h"

namespace indexical {

void Crew::doSteps(std::unique_lock<std::mutex> &lock) {
  while (next_ < count_) {
    const size_t step = next_++;
    const auto work = work_;
    lock.unlock();
    work(step);
    lock.lock();
    if (--open_ == 0) done_.notify_one();
  }
}

void Crew::forEach(size_t count, llvm::function_ref<void(size_t)> work) {
  std::unique_lock<std::mutex> lock(mutex_);
  work_ = work;
  next_ = 0;
  count_ = open_ = count;
  begun_.notify_all();
  doSteps(lock);
  done_.wait(lock, [this] { return open_ == 0; });
}

void Crew::serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!isEnded_) {
    doSteps(lock);
    begun_.wait(lock, [this] { return isEnded_ || next_ < count_; });
  }
}

void Crew::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  isEnded_ = true;
  begun_.notify_all();
}

// A thread that cannot be had is not waited for: others do its steps.
void withCrew(size_t size, llvm::function_ref<void(Crew &)> work) {
  Crew crew(size);
  inParallel(size, size, [&](size_t, size_t step) {
    if (step > 0) return crew.serve();
    work(crew);
    crew.end();
  });
}

}  // namespace indexical
