// What a command's end means to its caller.
#ifndef INDEXICAL_TOOLS_EXIT_STATUS_H
#define INDEXICAL_TOOLS_EXIT_STATUS_H

namespace indexical {

enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,  ///< or the input could not be read, or the output written
  kWrongWords = 2,
  kDifferent = 3,  ///< equal, passes
  kAbove = 3,      ///< report
  kUndecided = 4,  ///< equal, count, passes
};

/// Returns the status of two inputs together: an error goes before all else,
/// and a difference before what is undecided.
inline int worseOf(int a, int b) {
  if (a == kDone || b == kDone) return a == kDone ? b : a;
  return a < b ? a : b;
}

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_EXIT_STATUS_H
