// Values that a question gives to a kernel that was read: one program out of
// its grid, and values or bounds of the integers that it loads.
//
// A kernel loads `n`, and stores at `p + i` for each i of 4 with i < n. Its
// store is the map
//
//   (d0)[s0]{rt0} -> (s0), domain: …, s0 - rt0 in [-2147483651, -1]
//
// With 3 for `n` it is (d0)[s0] -> (s0) with s0 in [0, 2], and with -5..0 there
// is no map: no thread stores.
#ifndef INDEXICAL_ANSWERS_KERNEL_GIVEN_VALUES_H
#define INDEXICAL_ANSWERS_KERNEL_GIVEN_VALUES_H

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/cost/kernel/thread_listing.h"

namespace indexical {

/// Returns three numbers: those given, then `rest`. There are at most three.
std::array<int64_t, 3> threeOf(llvm::ArrayRef<int64_t> numbers, int64_t rest);

/// Returns the block and the thread of a text `BX,BY,BZ:TX,TY,TZ`, in which
/// numbers of 0 may be left out at the end; std::nullopt for another text.
std::optional<kernels::ThreadPlace> threadPlaceOf(llvm::StringRef text);

/// Narrows the maps of each access to the program and the values that the
/// question gives. Returns an error for a program out of the grid, a name that
/// no access has, and a value that its type never has.
absl::Status takeAsked(const KernelQuestion &question,
                       kernels::TritonKernel &kernel);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_GIVEN_VALUES_H
