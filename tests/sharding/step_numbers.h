// An interpreter of the programs of partitioned_programs.h: every device has
// numbers. It shares no code with the library.
#ifndef TESTS_SHARDING_STEP_NUMBERS_H
#define TESTS_SHARDING_STEP_NUMBERS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/sharding/partitioned_programs.h"

namespace indexical::testing {

/// Numbers are modulo this.
constexpr int64_t kPrime = 1'000'003;
/// What padding holds, and what is computed of it: it may be anything, a NaN
/// too, so that no factor of zero makes it harmless.
constexpr int64_t kPoison = -1;

/// Returns the numbers of the last step on each device, of those that its
/// parameters have there. Nothing if the copies of an element are not the same
/// where parts become a whole.
std::optional<std::vector<Numbers>> numbersOf(
    const StepProgram &program,
    const std::vector<std::vector<Numbers>> &parameters);

}  // namespace indexical::testing

#endif  // TESTS_SHARDING_STEP_NUMBERS_H
