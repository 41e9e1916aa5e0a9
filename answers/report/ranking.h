// The ranking: the change to make first. Kernels with one recommendation share
// a row, with their sums.
//
//   copy.28 and 27 more    11.0 ms avoidable: donate p0 and 27 more
//   concat and 7 more       1.2 ms avoidable: keep them as one array
//   gemm                    0 of 0.9 ms: it is at the roof
//
// Kernels are one change if they are alike and have the same advice. Those that
// only move data also are if one line of the source asks for them under one
// name: weights that each of eight modules joins, however many, are joined by
// one line.
//
// The rows stand in the order of what is avoidable, and the list ends at those
// that take less than 1% of the time. Text, page and documents show this list.
//
// Law (tests/answers/report/one_answer_test.py): the rows hold each kernel
// once, and their sums are those of the report.
#ifndef INDEXICAL_ANSWERS_REPORT_RANKING_H
#define INDEXICAL_ANSWERS_REPORT_RANKING_H

#include <cstddef>
#include <vector>

#include "indexical/answers/report/rows.h"

namespace indexical {

/// The part of the time below which no row is listed.
constexpr double kLittle = 0.01;

/// Returns the rows of kernels with those of one change as one row: the one
/// that comes first, with the sums of all.
std::vector<KernelRow> joinedByChange(const KernelNames &names,
                                      std::vector<KernelRow> rows);

/// Moves the rows that take little of the time of `sums` behind the others,
/// and returns the number of these. If nothing has a time, all stay.
size_t withoutLittle(const TrafficSums &sums, std::vector<KernelRow> &rows);

/// Returns whether all kernels of the row are alike, so that each takes the
/// same time.
bool areAlike(const KernelRow &row);

/// Returns how many kernels or parameters the advice of the row's kernels is
/// about.
size_t partnersOf(const KernelRow &row);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_RANKING_H
