// The report of a profile: measured times beside predicted ones.
//
//   profile h: 1 of 8 GPUs ran kernels (mi300x), 75 kernels, 3881 us, busy …
//   16 modules, 11 ran; 98.8% of the time has an instruction, 1.2% has none
#ifndef INDEXICAL_WRITERS_PROFILE_H
#define INDEXICAL_WRITERS_PROFILE_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/report/profile_times.h"

namespace indexical {

struct ReportView;

/// Writes the members `profile` and `unattributed` of the document.
void writeProfileHead(const ProfileTimes &times, llvm::json::OStream &json);
/// Writes the keys that a profile adds to a kernel.
void writeProfileKernel(const ProfileTimes &times, const KernelCost &kernel,
                        llvm::json::OStream &json);
/// Writes the keys that are columns of a table.
void writeProfileColumns(const ProfileTimes &times, const KernelCost &kernel,
                         llvm::json::OStream &json);
/// Returns the columns of writeProfileColumns().
std::vector<llvm::StringRef> profileColumns();

/// Returns picoseconds as microseconds, exactly: `12133.585`.
std::string exactMicroseconds(int64_t picoseconds);

/// Writes the table for people.
void writeProfileText(const ReportView &view, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_PROFILE_H
