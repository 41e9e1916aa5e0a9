// Budget: how much work a query may take, and when a whole call ends.
//
//   Stop stop;
//   stop.endAfter(std::chrono::seconds(10));
//   ExactOptions options;
//   options.operations = 50'000;  // for each question; else its usual number
//   options.stop = &stop;
//   auto decision = areEqual(a, b, options);
//
//   the work takes 50,000 operations   undecided: "the budget … ended"
//   ten seconds are over               an error, DEADLINE_EXCEEDED
//
// The two are separate. Operations are counted, so an answer is the same on
// every machine, whatever else runs there. A deadline, a limit of memory or
// Ctrl-C depends on the machine, so it never alters an answer: calls in
// progress then end with an error, and complete answers remain.
//
// Every entry point that may work for long takes a Budget, by itself or as the
// base of its options, and passes it on.
//
// Law (tests/indexing/budget_test.cc, tests/exact/stop_test.cc): a question
// that is stopped after any number of its polls gives an error or the answer
// that it gives without a stop.
#ifndef INDEXICAL_INDEXING_BUDGET_H
#define INDEXICAL_INDEXING_BUDGET_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace indexical {

/// Ends calls. Several threads may share one. Once it is reached it stays so.
class Stop {
 public:
  enum class Cause : uint8_t { None, Asked, Deadline, Memory };

  /// Ends calls now. A handler of signals may do this.
  void ask() { reach(Cause::Asked); }
  void endAfter(std::chrono::steady_clock::duration time) {
    deadline_ = std::chrono::steady_clock::now() + time;
  }
  /// Ends calls if the process' heap has more bytes than this.
  void limitMemory(size_t bytes) { memory_ = bytes; }
  /// Ends calls at the n-th poll from here, n >= 1: for tests.
  void endAtPoll(int64_t n) { pollsLeft_ = n; }

  /// Returns whether calls have to end. Looks at the clock and at the memory.
  bool isReached() const;
  /// Returns why calls have to end: CANCELLED, DEADLINE_EXCEEDED or
  /// RESOURCE_EXHAUSTED; OK if they need not.
  absl::Status status() const;

 private:
  void reach(Cause cause) const {
    Cause none = Cause::None;
    cause_.compare_exchange_strong(none, cause);
  }

  mutable std::atomic<Cause> cause_{Cause::None};
  mutable std::atomic<int64_t> pollsLeft_{0};
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::optional<size_t> memory_;
};

struct Budget {
  /// The number of operations for one question, of about 50 ns each. If not
  /// set, the question has its usual number, which its header gives.
  std::optional<int64_t> operations;
  /// Must outlive the call. Null: nothing ends the call.
  const Stop *stop = nullptr;

  int64_t operationsOr(int64_t usual) const {
    return operations.value_or(usual);
  }
  /// Returns an error if the call has to end. To be called between steps, and
  /// before an answer is given.
  absl::Status check() const {
    return stop && stop->isReached() ? stop->status() : absl::OkStatus();
  }
};

/// Counts the operations of one query.
class Meter {
 public:
  explicit Meter(int64_t operations, const Stop *stop = nullptr)
      : left_(operations), stop_(stop) {}
  Meter(const Budget &budget, int64_t usual)
      : Meter(budget.operationsOr(usual), budget.stop) {}

  /// Takes so many operations. Returns false, and for good, if there are not
  /// that many left, or if the call ends.
  bool spend(int64_t operations) {
    left_ = left_ >= operations ? left_ - operations : -1;
    if (stop_ && left_ >= 0) poll(operations);
    return left_ >= 0;
  }
  int64_t left() const { return left_; }
  const Stop *stop() const { return stop_; }

 private:
  // About a fifth of a millisecond.
  static constexpr int64_t kBetweenPolls = 4096;

  void poll(int64_t operations) {
    untilPoll_ -= std::min(operations, kBetweenPolls);
    if (untilPoll_ > 0) return;
    untilPoll_ = kBetweenPolls;
    if (stop_->isReached()) left_ = -1;
  }

  int64_t left_;
  const Stop *stop_;
  int64_t untilPoll_ = kBetweenPolls;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_BUDGET_H
