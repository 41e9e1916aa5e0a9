// A module whose instructions have nothing to share.
//
//   %a = f32[64,128] add(%x, %y)     u1 { p0 = f32[65,128] parameter(0) …
//   %b = f32[64,128] add(%a, %y)       ROOT r = f32[65,128] add(p0, p1) }
//                                    u2 { p0 = f32[66,128] parameter(0) …
//
// Inside a compiler an instruction is asked about once, of a module in which no
// other is like it. Each instruction of a real module becomes a computation of
// its own, with a size that no other has.
#ifndef INDEXICAL_BENCHMARKS_ALL_DIFFERENT_H
#define INDEXICAL_BENCHMARKS_ALL_DIFFERENT_H

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace indexical {

/// Both texts have the same instructions in the same order.
struct Units {
  std::string asTheyAre;
  std::string allDifferent;
  size_t instructions = 0;  ///< of the module that the texts hold
  size_t leftOut = 0;       ///< those of which no size could be changed
};

/// The instructions of the module that read something, but for calls, loops and
/// branches; with the computation of each fusion. Other computations that are
/// named are not there, so that reducers are not looked into.
absl::StatusOr<Units> unitsOf(const std::string &text);

}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_ALL_DIFFERENT_H
