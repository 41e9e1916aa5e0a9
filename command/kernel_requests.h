// Requests for `kernel`, one a line of JSON: batches of verdicts.
//
//   {"id": "a", "new": "new.py", "old": "old.py#add", "arg": {"n": 1000}}
//   {"id": "b", "new": "import triton …", "old": "old.py", "grid": "cdiv(n, B)"}
//
// `new` and `old` are paths, or texts if they hold the end of a line. `id` is
// given back. Every other key is an option of the command, `_` in place of `-`:
// a text or a number; an object for NAME=VALUE; a list for an option that may
// be given several times. Options of the call hold of all requests.
#ifndef INDEXICAL_COMMAND_KERNEL_REQUESTS_H
#define INDEXICAL_COMMAND_KERNEL_REQUESTS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"

namespace indexical {

/// A line that was read.
struct KernelRequest {
  std::string id;
  Input input;                   ///< the new kernel
  std::string of;                ///< the file of the old one, or ""
  std::optional<Input> oldText;  ///< its text, if it is not a file
  KernelQuestion question;
};

/// Returns the options of a question; `of` is that of `--of`.
using OptionsOfKernel = llvm::function_ref<std::vector<Option>(
    KernelQuestion &question, std::string &of)>;

/// Reads a request. `question` has the options of the call. An error says what
/// is wrong; `id` is set if the line has one, whatever else is wrong.
absl::StatusOr<KernelRequest> readRequest(llvm::StringRef line,
                                          const KernelQuestion &question,
                                          OptionsOfKernel optionsOf,
                                          std::string &id);

/// Returns the status of a kernel that was found.
using StatusOfKernel =
    llvm::function_ref<int(const KernelFindings &found, bool isAsked)>;

/// Answers the requests of a file, `-` for standard input, in their order: a
/// document each, or several if there are several kernels. One that is wrong is
/// refused, and counts as undecided. A few hundred are in memory at once.
/// Returns the worst status, or an error if the file cannot be read, or the
/// output not written.
absl::StatusOr<int> answerRequests(const std::string &path,
                                   const KernelQuestion &question,
                                   OptionsOfKernel optionsOf,
                                   StatusOfKernel statusOf, size_t jobs,
                                   Call &call);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_KERNEL_REQUESTS_H
