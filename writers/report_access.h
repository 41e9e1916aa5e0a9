// Words about a read or write of a kernel, for people.
//
//   t = f32[128,64] transpose(p)    reads   p f32[64,128]
//                                   writes  result 0 f32[128,64]
#ifndef INDEXICAL_WRITERS_REPORT_ACCESS_H
#define INDEXICAL_WRITERS_REPORT_ACCESS_H

#include <string>

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/writers/report.h"

namespace indexical {

/// Returns `p`, the array that is read, or `result 2`.
std::string arrayText(const ReportView &view, const AccessRow &row);
/// Returns the shape of the array, with its layout.
std::string shapeText(const AccessRow &row);
/// Returns what would mend the access, or "" if nothing is known to.
std::string remedyText(const ReportView &view, const AccessRow &row);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_REPORT_ACCESS_H
