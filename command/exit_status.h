// The exit statuses of commands.
#ifndef INDEXICAL_COMMAND_EXIT_STATUS_H
#define INDEXICAL_COMMAND_EXIT_STATUS_H

namespace indexical {

enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,  ///< or the input cannot be read, or the output not written
  kWrongWords = 2,
  kDifferent = 3,  ///< equal, passes
  kAbove = 3,      ///< report
  kUndecided = 4,  ///< equal, count, passes
};

/// Returns the status of two inputs together. An error precedes any other
/// status, and a difference precedes an undecided answer.
inline int worseOf(int a, int b) {
  if (a == kDone || b == kDone) return a == kDone ? b : a;
  return a < b ? a : b;
}

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_EXIT_STATUS_H
