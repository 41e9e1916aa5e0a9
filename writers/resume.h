// The output that an earlier call over several files left in the file of `-o`,
// if the call was ended by Ctrl-C, a deadline, or a machine that stopped.
//
//   {…,"file":"a.hlo","kind":"kernel",…}
//   {…,"file":"a.hlo","kind":"summary",…,"wasted_bytes":98304}
//   {…,"file":"b.hlo","error":{…}}
//   {…,"file":"c.hlo","kind":"kernel",…                    (the end)
//
// Lines stand in the order of the files, so the output is a beginning of the
// whole. The last file may be cut anywhere: it is done again, with all files
// after it. The sums of the others are read from the numbers at the ends of
// their summaries, so that the last line, `total`, has the sums of all files.
#ifndef INDEXICAL_WRITERS_RESUME_H
#define INDEXICAL_WRITERS_RESUME_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/writers/result.h"

namespace indexical {

/// A sum over several files. Whatever one file says is added as it was written,
/// so that a call that is resumed adds the same numbers.
struct FileSum {
  std::string name;
  int64_t integer = 0;
  std::optional<double> number = std::nullopt;
};
/// Adds a sum to those of its name.
void addSum(const ItemSum &sum, std::vector<FileSum> &sums);

struct Resumed {
  size_t bytes = 0;   ///< bytes of the output that are kept
  size_t files = 0;   ///< the number of files that are done
  size_t failed = 0;  ///< the number of these that failed
  std::vector<FileSum> sums;
  bool hasSummary = false;  ///< of a file that is done; it may have no sums
};

/// Returns an error if the lines are not those of a call over `paths`. A line
/// names its file under `key`.
absl::StatusOr<Resumed> findResumed(llvm::StringRef output,
                                    llvm::ArrayRef<std::string> paths,
                                    llvm::StringRef key = "file");

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_RESUME_H
