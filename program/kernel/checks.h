// Checks of a kernel: whether its accesses stay in their buffers, and whether
// no element is written twice without an order.
//
//   97 programs of 1024, mask element < 98432, buffer of 98432
//     inBounds       proved
//   the same without the mask
//     inBounds       violated: program 96 accesses element 98432 at t0 = 128
//   program * 512 + coordinate, tiles of 1024
//     writtenOnce    violated: programs 0 and 1 write element 512
//
// Answers are proofs for the whole launch, or name a program; what the budget
// does not suffice for, or what depends on values that are not known, is
// undecided. A value that is not known may be another one in each program and
// iteration. Different arguments are taken to be different buffers.
//
// Two programs have no order, and the threads of one program have none: nothing
// says which thread makes a store. So two stores of one element are a race but
// for one store that a loop makes again at the same coordinates of its tile.
// Atomic operations take turns with each other, and not with the stores of
// another program.
//
// Law (tests/cost/kernel/checks_test.cc, by enumeration): a proof holds for
// every program and tile; a witness does what it says.
#ifndef INDEXICAL_PROGRAM_KERNEL_CHECKS_H
#define INDEXICAL_PROGRAM_KERNEL_CHECKS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// How many elements the buffer of each argument has, if that is known.
using BufferSizes = std::vector<std::optional<int64_t>>;

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
    /// The values of the variables whose bounds the call gives, by name.
    std::vector<std::pair<std::string, int64_t>> runtime;
  };
  std::optional<Witness> witness;
};

/// A race has two writers of one element: two programs, one program, or the
/// store of one program and the atomic operation of another one.
enum class Race : uint8_t { Programs, Program, Atomic };
/// Returns `programs`, `program` or `atomic`.
llvm::StringRef nameOf(Race race);

struct OnceCheck {
  CheckAnswer answer = CheckAnswer::Proved;
  std::string reason;
  struct Writer {
    std::vector<int64_t> program, tile;
    int64_t line = 0;
  };
  struct Witness {
    Race race = Race::Programs;
    int64_t argument = 0, element = 0;
    Writer first, second;        ///< of a race with an atomic: the store first
    std::vector<int64_t> lines;  ///< of the stores to that argument
  };
  std::optional<Witness> witness;
};

BoundsCheck inBounds(const KernelAccess &access, const BufferSizes &sizes,
                     const ExactOptions &options = {});
OnceCheck writtenOnce(const TritonKernel &kernel,
                      const ExactOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_CHECKS_H
