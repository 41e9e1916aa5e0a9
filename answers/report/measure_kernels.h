// Measures every kernel of a program, on several threads.
//
//   program   entry: k, l, c        three sites
//   threads   k on one, l and c on another
//   kernels   k, l, c, in this order, whichever was measured first
//
// A kernel whose maps fail is left out, with a warning; the others stand.
#ifndef INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the launch of a module's kernels: the one that is requested, else
/// that of XLA if the module is scheduled. Instructions of a module that is not
/// scheduled are not kernels yet, and get linear threads.
inline LaunchModel launchOf(const Module &module,
                            std::optional<LaunchModel> asked) {
  return asked.value_or(module.isScheduled ? LaunchModel::Xla
                                           : LaunchModel::Linear);
}

/// Measurements that were made beforehand, of calls whose kernels are not HLO
/// (triton_kernels.h).
class KnownCosts {
 public:
  virtual ~KnownCosts() = default;
  /// Returns the measurement of the instruction at the site, or null if it is
  /// not known beforehand. Several threads may call it at once.
  virtual std::shared_ptr<const Measurement> at(
      size_t module, const KernelSite &site) const = 0;
};

/// A device, and what says that it is this one.
struct TargetDevice {
  const Device *device = nullptr;  ///< null: nothing says one
  std::string target;              ///< `sm_8.0`, `gfx942`; "": it was named
  /// The source of the target, and what else it may be: `sm_9.0 in the file's
  /// name, as h200`; "": the device was named, or is the default one.
  std::string why;
};

/// The devices of modules that are one answer.
struct ModuleDevices {
  /// The one that all modules have, or the first that one of them says; null:
  /// none says one.
  TargetDevice first;
  /// That of each module, where two say different ones. A module that says none
  /// has the first one's device, and no reason.
  std::vector<TargetDevice> each;

  const Device &of(size_t module) const {
    return module < each.size() ? *each[module].device : *first.device;
  }
};

/// The device on which the kernels of a program are launched, and how.
struct LaunchQuestion {
  /// Null: the one that the program was compiled for, else defaultDevice().
  const Device *device = nullptr;
  std::optional<LaunchModel> launch;  ///< nothing: the usual one (launchOf)
  /// A map (th_x, th_y, th_z, bl_x, bl_y, bl_z)[loops] to the result, in place
  /// of the launch's.
  std::optional<IndexingMap> threads;

  /// Returns the launch of a module's kernels on that device.
  LaunchChoice choice(const Module &module, const Device &on) const {
    LaunchChoice choice;
    if (launchOf(module, launch) == LaunchModel::Xla && !threads)
      choice.xla = &on;
    return choice;
  }
};

/// A program, and the devices that its kernels run on.
struct DeviceProgram {
  DeviceProgram() = default;
  /// Takes the program over.
  DeviceProgram(Program owned)
      : program(std::make_shared<const Program>(std::move(owned))) {}
  DeviceProgram(std::shared_ptr<const Program> shared)
      : program(std::move(shared)) {}

  std::shared_ptr<const Program> program;
  ModuleDevices devices = {};
  /// The file of each module, of a program in several files.
  std::vector<std::string> files = {};
  /// Null: a call whose kernel is not HLO shows the sizes of its arrays.
  std::shared_ptr<const KnownCosts> known = nullptr;
};

/// Returns the kernels of all modules, in the order of their sites. If the call
/// is ended, returns those that were measured before. All devices are set.
absl::StatusOr<std::vector<KernelCost>> costsOf(const DeviceProgram &of,
                                                const LaunchQuestion &question,
                                                const Ask &ask);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H
