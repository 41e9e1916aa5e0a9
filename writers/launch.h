// The launch of kernels, for people and for tools (formats.md, section 4).
//
//   emitter transpose, grid 6 x 1 x 1, block 128 x 1 x 1,
//   shared 1 x 32 x 33 (4224 B, conflicts 1)
#ifndef INDEXICAL_WRITERS_LAUNCH_H
#define INDEXICAL_WRITERS_LAUNCH_H

#include <string>

#include "llvm/Support/JSON.h"

#include "indexical/answers/report/rows.h"

namespace indexical {

llvm::StringRef nameOf(LaunchModel model);

/// Returns the number with so many decimals, without zeros at its end.
std::string decimal(double number, int decimals);
void writeNumber(llvm::json::OStream &json, llvm::StringRef name, double number,
                 int decimals);

/// Returns a time as `12.5 us`, `3.1 ms`.
std::string timeOf(double microseconds);
/// Returns whether a launch may take longer than is predicted: of some bytes
/// only bounds are known, and the least count (Demand::isLeast).
bool isTimeAtLeast(const KernelCost &kernel);

/// Writes `predicted_us`, `share`, `limited_by`.
void writeTime(const KernelCost &kernel, llvm::json::OStream &json);
/// Writes the bytes that a launch needs to move, its ideal time, and the time
/// that is lost, if a time is predicted.
void writeIdeal(const KernelCost &kernel, llvm::json::OStream &json);
/// Writes the use of the kernel's time, and the kernels that are alike.
void writeUse(const KernelCost &kernel, llvm::json::OStream &json);
/// Writes why a copy exists, if the module gives the reason.
void writeWhy(const KernelCost &kernel, llvm::json::OStream &json);
/// Returns `change of layout for dot.3`, or "" if the module does not say why a
/// kernel exists.
std::string whyText(const KernelCost &kernel);
/// Returns `12.5 us, 3.1% of the time (memory), ideal 9 us`, or "" without a
/// time.
std::string timeText(const KernelCost &kernel);
/// Returns all parts of the time.
std::string timePartsText(const KernelCost &kernel);

/// Writes `launch`, `emitter`, `grid`, `block`, `shared`.
void writeLaunch(const KernelCost &kernel, llvm::json::OStream &json);

/// Writes `phase` of an access, if XLA launches the kernel.
void writePhase(const KernelCost &kernel, const Traffic &traffic,
                llvm::json::OStream &json);

/// Returns "" unless XLA launches the kernel.
std::string launchText(const KernelCost &kernel);

/// Returns the reason why the access has no figures.
std::string reasonOf(const KernelCost &kernel, const Traffic &traffic);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAUNCH_H
