// The stop of this thread's work, for code that is not passed a Budget.
//
//   countImage(map, options)
//     StopScope scope(options.stop)
//     simplify(map)               of a map that takes seconds
//       StopScope::isReached()    leaves its loops, returns the stop's error
//
// Canonical forms are made everywhere, mostly in microseconds, by functions
// that take no options. Few maps take seconds. Entry points that have a Budget
// open a scope; the loops of the simplifier, and others that an input can make
// long, look at it. A loop that is left early leaves a wrong answer behind: the
// function that has the loop returns an error then. Threads on which the
// library goes on (deep_stack.h) take the scope with them.
//
// Law (tests/indexing/stop_scope_test.cc): within a scope whose stop is
// reached, simplify() returns the stop's error or the map that it returns
// without a scope.
#ifndef INDEXICAL_INDEXING_STOP_SCOPE_H
#define INDEXICAL_INDEXING_STOP_SCOPE_H

#include "absl/status/status.h"

#include "indexical/indexing/budget.h"

namespace indexical {

class StopScope {
 public:
  /// Until the object's end, `stop` ends the work of this thread. If it is
  /// null, the scope around this one, if there is any, goes on.
  explicit StopScope(const Stop *stop);
  ~StopScope();
  StopScope(const StopScope &) = delete;
  StopScope &operator=(const StopScope &) = delete;

  /// Returns what ends the work of this thread; null if nothing does.
  static const Stop *current();
  /// Returns whether the work of this thread has to end. Looks at the clock now
  /// and then only: it may be called every few microseconds.
  static bool isReached();
  /// Returns the stop's error if isReached() is true, or was within this scope.
  static absl::Status check();

 private:
  const Stop *around_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_STOP_SCOPE_H
