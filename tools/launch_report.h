// How kernels are launched, for people and for tools (formats.md, section 4).
//
//   emitter transpose, grid 6 x 1 x 1, block 128 x 1 x 1,
//   shared 1 x 32 x 33 (4224 B, conflicts 1)
#ifndef INDEXICAL_TOOLS_LAUNCH_REPORT_H
#define INDEXICAL_TOOLS_LAUNCH_REPORT_H

#include <string>

#include "llvm/Support/JSON.h"

#include "indexical/tools/traffic_rows.h"

namespace indexical {

/// `launch`, `emitter`, `grid`, `block`, `shared`.
void writeLaunch(const MeasuredKernel &kernel, llvm::json::OStream &json);

/// `phase` of an access, where the launch is XLA's.
void writePhase(const MeasuredKernel &kernel, const Traffic &traffic,
                llvm::json::OStream &json);

/// Empty where the launch is not XLA's.
std::string launchText(const MeasuredKernel &kernel);

/// Why the access has no figures.
std::string reasonOf(const MeasuredKernel &kernel, const Traffic &traffic);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_LAUNCH_REPORT_H
