// Measures every kernel of a program, on several threads.
//
//   program   entry: k, l, c        three sites
//   threads   k on one, l and c on another
//   kernels   k, l, c, in this order, whichever was measured first
//
// A kernel whose maps fail is left out, with a warning; the others stand.
#ifndef INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the launch of a module's kernels: the one that is asked for, else
/// that of XLA if the module is scheduled. What is not scheduled are no kernels
/// yet, and goes by linear threads.
inline LaunchModel launchOf(const Module &module,
                            std::optional<LaunchModel> asked) {
  return asked.value_or(module.isScheduled ? LaunchModel::Xla
                                           : LaunchModel::Linear);
}

/// Measurements that were made beforehand, of calls whose kernels are no HLO
/// (triton_kernels.h).
class KnownCosts {
 public:
  virtual ~KnownCosts() = default;
  /// Returns the measurement of the instruction at the site, or null if it is
  /// not known beforehand. Several threads may call it at once.
  virtual std::shared_ptr<const Measurement> at(
      size_t module, const KernelSite &site) const = 0;
};

/// On which device the kernels of a program are launched, and how.
struct LaunchQuestion {
  const Device *device = &defaultDevice();
  /// That of each module, where modules were compiled for several. Empty:
  /// `device` for all.
  std::vector<const Device *> devices = {};
  std::optional<LaunchModel> launch;  ///< nothing: the usual one (launchOf)
  /// A map (th_x, th_y, th_z, bl_x, bl_y, bl_z)[loops] to the result, in place
  /// of the launch's.
  std::optional<IndexingMap> threads;
  /// Null: a call whose kernel is no HLO shows the sizes of its arrays.
  const KnownCosts *known = nullptr;

  const Device &deviceOf(size_t module) const {
    return module < devices.size() ? *devices[module] : *device;
  }
  /// `number` is that of the module.
  LaunchChoice choice(const Module &module, size_t number) const {
    LaunchChoice choice;
    if (launchOf(module, launch) == LaunchModel::Xla && !threads)
      choice.xla = &deviceOf(number);
    return choice;
  }
};

/// Returns the kernels of all modules, in the order of their sites. If the call
/// is ended, returns those that were measured before.
absl::StatusOr<std::vector<KernelCost>> costsOf(const Program &program,
                                                const LaunchQuestion &question,
                                                const Ask &ask);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_MEASURE_KERNELS_H
