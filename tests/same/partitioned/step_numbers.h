// An interpreter of the programs of partitioned_programs.h: every device has
// numbers. It shares no code with the library.
#ifndef TESTS_SHARDING_STEP_NUMBERS_H
#define TESTS_SHARDING_STEP_NUMBERS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/same/partitioned/partitioned_programs.h"

namespace indexical::testing {

/// Numbers are modulo this.
constexpr int64_t kPrime = 1'000'003;
/// The number of padding, and of everything that is computed from padding.
/// Padding may be anything, even a NaN, so a factor of zero does not remove it.
constexpr int64_t kPoison = -1;

/// Returns the numbers of the last step on each device, given those of the
/// parameters there. Returns nothing if parts become a whole and the copies of
/// an element differ.
std::optional<std::vector<Numbers>> numbersOf(
    const StepProgram &program,
    const std::vector<std::vector<Numbers>> &parameters);

}  // namespace indexical::testing

#endif  // TESTS_SHARDING_STEP_NUMBERS_H
