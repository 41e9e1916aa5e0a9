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

llvm::StringRef nameOf(LaunchModel model);

/// The number with so many decimals, and no zeros at its end.
std::string decimal(double number, int decimals);
void writeNumber(llvm::json::OStream &json, llvm::StringRef name, double number,
                 int decimals);

/// `12.5 us`, `3.1 ms`.
std::string timeOf(double microseconds);

/// `predicted_us`, `share`, `limited_by`.
void writeTime(const MeasuredKernel &kernel, llvm::json::OStream &json);
/// Writes what a launch needs to move, what it takes ideally, and what is lost
/// against that as far as a time is predicted.
void writeIdeal(const MeasuredKernel &kernel, llvm::json::OStream &json);
/// Writes what the kernel's time is used for, and which kernels are alike.
void writeUse(const MeasuredKernel &kernel, llvm::json::OStream &json);
/// Writes why a copy is there, if the module says it.
void writeWhy(const MeasuredKernel &kernel, llvm::json::OStream &json);
/// `change of layout for dot.3`; empty if the module does not say why a kernel
/// is there.
std::string whyText(const MeasuredKernel &kernel);
/// `12.5 us, 3.1% of the time (memory), ideal 9 us`; empty where there is none.
std::string timeText(const MeasuredKernel &kernel);
/// Every part of it.
std::string timePartsText(const MeasuredKernel &kernel);

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
