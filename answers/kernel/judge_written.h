// Elements that a judged kernel leaves unwritten, and elements that it loads
// before they are written; private to answers/kernel.
//
//   old   z[o] = x[o], below n      z is an output: old stores it, and loads
//                                   nothing of it
//   new   below n - 1               never written: violated, element n - 1 of z
//   new   z[o] = z[o] + x[o]        read before written: violated, element 0
//   new   z[o] = x[o], then a load of z[o], and z[o] = that * 2
//                                   both proved
//
// The content of an output before the launch is not an input of old. So a new
// kernel may load an element of it only if the same program has stored it
// before, or if `--zero` names the array. Scratch, which does not count, is an
// output in this sense.
//
// Law (tests/answers/kernel/judge_mutants_test.py, by an interpreter): a proof
// holds for all programs; an element of a witness is not written, or not yet.
#ifndef INDEXICAL_ANSWERS_KERNEL_JUDGE_WRITTEN_H
#define INDEXICAL_ANSWERS_KERNEL_JUDGE_WRITTEN_H

#include <string>
#include <utility>
#include <vector>

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/same/kernel/kernel_pair.h"

namespace indexical {

/// Two checks of the new kernel of a pair.
struct WrittenChecks {
  /// That it stores each element of the outputs that count: of those whose size
  /// is not known, each that old stores. The witness is NotStored: the array
  /// and the element.
  Check never;
  /// That each element of an output that it loads is one that the program has
  /// stored before. The witness is NotStored: the array, the element, and the
  /// program and the line of the load.
  Check before;
};

/// Answers for a pair. `sizes` are those of the new kernel's arrays, in
/// elements, and `ordered` is overwritten() of it: proved if it loads nothing
/// that it stores.
WrittenChecks checkWritten(const kernels::TritonKernel &first,
                           const kernels::TritonKernel &second,
                           const kernels::PairedArguments &arguments,
                           const kernels::BufferSizes &sizes,
                           const Check &ordered, const ExactOptions &options);

/// Like checkWritten(), of kernels that are read for all sizes (open_sizes.h).
/// `shapes` are those of the call, by argument. A check is never violated: the
/// sizes would not be known.
WrittenChecks checkWrittenAtAll(
    const kernels::TritonKernel &first, const kernels::TritonKernel &second,
    const kernels::PairedArguments &arguments,
    const std::vector<std::pair<std::string, std::string>> &shapes,
    const Check &ordered, const ExactOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_JUDGE_WRITTEN_H
