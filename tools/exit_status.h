// What a command's end means to its caller.
#ifndef INDEXICAL_TOOLS_EXIT_STATUS_H
#define INDEXICAL_TOOLS_EXIT_STATUS_H

namespace indexical {

enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,  ///< or the input could not be read, or the output written
  kWrongWords = 2,
  kDifferent = 3,  ///< equal
  kAbove = 3,      ///< report
  kUndecided = 4,  ///< equal, count
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_EXIT_STATUS_H
