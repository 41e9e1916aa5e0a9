// Checks of a kernel: whether its accesses stay in their buffers, and whether
// no two programs write one element.
//
//   97 programs of 1024, mask element < 98432, buffer of 98432
//     inBounds       proved
//   the same without the mask
//     inBounds       violated: program 96 accesses element 98432 at t0 = 128
//   program * 512 + coordinate, tiles of 1024
//     writtenOnce    violated: programs 0 and 1 write element 512
//
// Answers are proofs for the whole launch, or name a program; what the budget
// does not suffice for, or what depends on values that are loaded, is
// undecided. Different arguments are taken to be different buffers.
//
// Law (tests/kernel/checks_test.cc, by enumeration): a proof holds for every
// program and tile; a witness does what it says.
#ifndef INDEXICAL_ANALYSIS_KERNEL_CHECKS_H
#define INDEXICAL_ANALYSIS_KERNEL_CHECKS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexical/analysis/kernel/thread_accesses.h"
#include "indexical/exact/exact.h"
#include "indexical/kernel/kernel.h"

namespace indexical::kernels {

/// The answer to a check. The worse of two answers is the greater.
enum class CheckAnswer : uint8_t { Proved, Undecided, Violated };
/// Returns `proved`, `undecided` or `violated`.
llvm::StringRef nameOf(CheckAnswer answer);

struct BoundsCheck {
  CheckAnswer answer = CheckAnswer::Proved;
  std::string reason;  ///< of an undecided one
  struct Witness {
    std::vector<int64_t> program, loops, tile;
    int64_t element = 0;
    /// Elements of the buffer. Nothing if that is not known: an element below 0
    /// is outside of any.
    std::optional<int64_t> size;
  };
  std::optional<Witness> witness;
};

struct OnceCheck {
  CheckAnswer answer = CheckAnswer::Proved;
  std::string reason;
  struct Witness {
    int64_t argument = 0, element = 0;
    std::vector<int64_t> first, second;  ///< programs
    std::vector<int64_t> lines;          ///< of the stores to that argument
  };
  std::optional<Witness> witness;
};

BoundsCheck inBounds(const KernelAccess &access, const BufferSizes &sizes,
                     const ExactOptions &options = {});
OnceCheck writtenOnce(const Kernel &kernel, const ExactOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_ANALYSIS_KERNEL_CHECKS_H
