// Threads that do one thing after another together.
//
//   withCrew(2, [&](Crew &crew) {
//     crew.forEach(9, …)    0 to 8, on two threads
//     join()                on one
//     crew.forEach(4, …)    0 to 3, on two threads
//   })
//
// Threads begin once: to begin one takes as long as to read 20 kB.
#ifndef INDEXICAL_IMPORT_HLO_CREW_H
#define INDEXICAL_IMPORT_HLO_CREW_H

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical {

class Crew {
 public:
  explicit Crew(size_t size) : size_(size) {}

  /// Returns the number of threads, the caller's among them.
  size_t size() const { return size_; }
  /// Calls the work with each number below `count`, on all threads at once, and
  /// returns when all is done.
  void forEach(size_t count, llvm::function_ref<void(size_t)> work);

 private:
  friend void withCrew(size_t size, llvm::function_ref<void(Crew &)> work);
  void serve();
  void end();
  void doSteps(std::unique_lock<std::mutex> &lock);

  const size_t size_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  llvm::function_ref<void(size_t)> work_;
  size_t next_ = 0, count_ = 0;  ///< of the steps, those taken
  size_t open_ = 0;              ///< steps that are not done
  bool isEnded_ = false;
};

/// Calls the work on a thread with a deep stack, and gives it a crew of `size`
/// threads.
void withCrew(size_t size, llvm::function_ref<void(Crew &)> work);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_CREW_H
