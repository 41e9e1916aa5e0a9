// What an earlier call over several files left in the file of `-o`, where it
// was ended: by Ctrl-C, a deadline, a machine that stopped.
//
//   {…,"file":"a.hlo","kind":"kernel",…}
//   {…,"file":"a.hlo","kind":"summary",…,"wasted_bytes":98304}
//   {…,"file":"b.hlo","error":{…}}
//   {…,"file":"c.hlo","kind":"kernel",…                    (the end)
//
// Lines stand in the order of the files, so what was written is a beginning of
// the whole. The last file may be cut anywhere: it is done again, and what is
// behind it. The sums of the others are taken over, from the integers at the
// ends of their summaries, so that the last line, `total`, has all of them.
#ifndef INDEXICAL_TOOLS_RESUME_H
#define INDEXICAL_TOOLS_RESUME_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct Resumed {
  size_t bytes = 0;   ///< of the output that stay
  size_t files = 0;   ///< that are done
  size_t failed = 0;  ///< of these
  std::vector<std::pair<std::string, int64_t>> sums;
  bool hasSummary = false;  ///< one of them, which may have no sums
};

/// An error where the lines are those of other files than `paths`, or none. A
/// line names its file under `key`.
absl::StatusOr<Resumed> findResumed(llvm::StringRef output,
                                    llvm::ArrayRef<std::string> paths,
                                    llvm::StringRef key = "file");

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_RESUME_H
