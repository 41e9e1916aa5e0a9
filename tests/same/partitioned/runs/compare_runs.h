// The answer of comparePartitioned, found by running both modules.
//
// GLOBAL runs on one device, LOCAL on all, on cells (cells.h): each element has
// what it reads, its term, and its value in a run on random numbers. A GLOBAL
// that says itself what each device computes runs on all, too (manual.cc). They
// are equal if all cells of the results have the same reads and terms, and
// different if a run gives different numbers: this is an oracle for answers by
// terms, with which it shares the arrays of the entries alone.
//
// If an integer of a parameter steers what is read, the modules are compared
// for some of its values: a difference then holds for that value, and no answer
// is Equal.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_COMPARE_RUNS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_COMPARE_RUNS_H

#include "absl/status/statusor.h"

#include "indexical/program/module/program.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

/// Requires modules that comparePartitioned takes. A witness is the least one
/// by result, device, index, parameter and element. What is undecided has a
/// reason, and an obstacle if there is one.
absl::StatusOr<PartitionedEquality> compareByRuns(
    const Program &global, const Program &local,
    const PartitionedOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_COMPARE_RUNS_H
