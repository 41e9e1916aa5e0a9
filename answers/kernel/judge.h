// A kernel judged by another kernel: does it do what that one does, at the
// sizes of the call?
//
//   kernel new.py --of=old.py --const=B=256 --of-const=B=128 --arg=n=1000
//     old        add of old.py, with its own constants and its own grid
//     verdict    same, different (with an element, and numbers) or undecided
//   without --arg=n
//     verdict    same for each n, the same under a condition, or different at
//                some n
//
// Both texts are read as `kernel` reads any: TTIR, TTGIR, Python, a record of
// tritonparse, LLVM's IR. Options about the new kernel also apply to the old
// one, if that has an argument or a constant of the name; `--of-grid`,
// `--of-const` and `--of-arg` override them. The grid of the old file comes
// before that of the new kernel's call.
#ifndef INDEXICAL_ANSWERS_KERNEL_JUDGE_H
#define INDEXICAL_ANSWERS_KERNEL_JUDGE_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/kernel_fusion.h"

namespace indexical {

/// The kernels of the file that `--of` names.
struct OldKernels {
  std::string path, name;
  std::vector<kernels::KernelSource> sources;
};

/// Reads the kernels that are the specification. Returns an error without a
/// place if the text cannot be read.
absl::StatusOr<OldKernels> readOldKernels(FusionSource::OfKernels of,
                                          const KernelQuestion &question,
                                          Messages &messages);

/// Judges a kernel that was read from the source with its values, and sets
/// `found.judge`. Where sizes have no value, it is judged for all of them
/// (judge_sizes.h), and `found` is that of a witness' sizes if there is one.
/// Returns an error if there is no such old kernel, if that cannot be read, or
/// if the arguments do not go with each other.
absl::Status judgeKernel(const OldKernels &old,
                         const kernels::KernelSource &source,
                         const KernelQuestion &question, const Budget &budget,
                         KernelFindings &found);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_JUDGE_H
