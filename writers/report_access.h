// Words about a read or write of a kernel, for people.
//
//   t = f32[128,64] transpose(p)    reads   p f32[64,128]
//                                   writes  result 0 f32[128,64]
#ifndef INDEXICAL_WRITERS_REPORT_ACCESS_H
#define INDEXICAL_WRITERS_REPORT_ACCESS_H

#include <cstdint>
#include <string>

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/sums.h"
#include "indexical/writers/report.h"

namespace indexical {

/// Returns `p`, the array that is read, or `result 2`.
std::string arrayText(const ReportView &view, const AccessRow &row);
/// Returns the shape of the array, with its layout.
std::string shapeText(const AccessRow &row);
/// Returns the recommendation for the access, or "" if none is known.
std::string remedyText(const ReportView &view, const AccessRow &row);

/// Returns `88%`, `1.2%`, or `-` if the whole is not positive.
std::string percentText(int64_t part, int64_t whole);
/// Returns the bytes, or their bounds: `8 B to 4 kB`.
std::string wastedText(const TrafficSums &sums);
std::string movedText(const TrafficSums &sums);
/// Per cent of what is wasted or moved; `-` if either is known by its bounds
/// alone.
std::string wastedPercent(const TrafficSums &part, const TrafficSums &whole);
std::string movedPercent(const TrafficSums &part, const TrafficSums &whole);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_REPORT_ACCESS_H
