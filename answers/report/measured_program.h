// A program, the cost of each of its kernels, and the device: the subject of a
// report.
//
//   m.hlo            the program, 3 kernels, h100
//   host.xplane.pb   the program that it embeds, the kernels that it predicts,
//                    the GPU that ran them, and their measured times
//
// The type is the same for every kind of input; reportOf() (report.h) takes it.
#ifndef INDEXICAL_ANSWERS_REPORT_MEASURED_PROGRAM_H
#define INDEXICAL_ANSWERS_REPORT_MEASURED_PROGRAM_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/answers/report/profiled_program.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/profile/joined_profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A program with the cost of each kernel. All devices are set.
struct MeasuredProgram : DeviceProgram {
  std::vector<KernelCost> kernels = {};  ///< with their facts, in program order
  /// Whether every module is scheduled; std::nullopt for a single kernel.
  std::optional<bool> scheduled = {};
  /// Whether the instructions count as kernels, so that their times have a sum.
  /// A compiler will still fuse those of a module that is not scheduled.
  bool areKernels = true;
  /// Null unless the program is that of a profile.
  std::shared_ptr<const ProfiledProgram> profiled = nullptr;
  JoinedProfile joined = {};  ///< of `profiled`

  const Device &device() const { return *devices.first.device; }
};

/// Returns the program with its kernels measured. A device that the question
/// names is used for all modules. Kernels whose maps fail are left out, with a
/// warning. Returns an error if there are too many kernels to count, or if the
/// call is ended.
absl::StatusOr<MeasuredProgram> measure(DeviceProgram of,
                                        const LaunchQuestion &question,
                                        const Ask &ask = {});

/// Returns the program with kernels that are measured already, as those of
/// texts of Triton are (triton_kernels.h). Sets the default device if there is
/// none.
MeasuredProgram withCosts(DeviceProgram of, std::vector<KernelCost> kernels,
                          const LaunchQuestion &question);

/// Returns measure() of `read->program`, with the times of the profile. `of`
/// has the profile's device, and shares that program. Sorts the launches of the
/// profile. Also returns the errors of checkChoice().
absl::StatusOr<MeasuredProgram> measureProfile(
    DeviceProgram of, std::shared_ptr<ProfiledProgram> read,
    const LaunchQuestion &question, const JoinChoice &join,
    const Ask &ask = {});

struct OneKernel {
  size_t module = 0;
  KernelSite site;
  LaunchChoice launch;
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime = {};
};
/// Returns the program with one kernel, measured on the device of its module,
/// which is set. Returns an error if the kernel cannot be measured, or if no
/// read has one of the runtime variables.
absl::StatusOr<MeasuredProgram> measureOne(DeviceProgram of,
                                           const OneKernel &kernel,
                                           const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_MEASURED_PROGRAM_H
