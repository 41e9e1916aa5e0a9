// Random programs, a part of which says what each device computes, and their
// partitioned forms.
//
//   whole  x0 = s32[4,2] parameter(0)
//          x1 = s32[2,2] custom-call(x0), … "SPMDFullToShardShape"
//          x2 = s32[2,2] all-reduce(x1), …
//          x3 = s32[4,2] custom-call(x2), … "SPMDShardToFullShape"
//   parts  x0 = s32[2,2] parameter(0)
//          x1 = s32[2,2] all-reduce(x0), …
#ifndef TESTS_SHARDING_MANUAL_PROGRAMS_H
#define TESTS_SHARDING_MANUAL_PROGRAMS_H

#include <cstdint>
#include <string>

#include "tests/same/partitioned/partitioned_programs.h"

namespace indexical::testing {

/// Returns a random program. Its devices are `tiles` manual ones, each `copies`
/// times.
PartitionedPrograms randomManual(Random &random, int64_t tiles, int64_t copies);

/// Returns the whole program of randomManual() with a `sdy.manual_computation`.
/// If `isFree`, the axis of copies is none of its manual axes.
std::string shardyTextOf(const StepProgram &program, bool isFree);

}  // namespace indexical::testing

#endif  // TESTS_SHARDING_MANUAL_PROGRAMS_H
