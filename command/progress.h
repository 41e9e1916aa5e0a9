// A line on standard error that shows the progress of long work.
//
//   indexical: file 3 of 12, 41200 of 97000 instructions
//
// It appears on a terminal only, after a second, and goes when the work is
// done.
#ifndef INDEXICAL_COMMAND_PROGRESS_H
#define INDEXICAL_COMMAND_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "llvm/Support/raw_ostream.h"

namespace indexical {

class Progress {
 public:
  /// `prefix` is written before the numbers, and `what` is the unit.
  Progress(llvm::raw_ostream &os, bool enabled, size_t total,
           std::string prefix, std::string what)
      : os_(os),
        enabled_(enabled),
        total_(total),
        prefix_(std::move(prefix)),
        what_(std::move(what)) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() { clear(); }

  /// Counts one more as done.
  void step();
  /// Removes the line, so that other output can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  llvm::raw_ostream &os_;
  const bool enabled_;
  const size_t total_;
  const std::string prefix_, what_;
  size_t done_ = 0;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_PROGRESS_H
