// Kernels that do the same work are measured once.
//
//   a = f32[8,16] negate(x)    is measured
//   b = f32[8,16] negate(a)    is known: the same op
//   c = f32[4] dynamic-slice(a, i, j), …
//   d = f32[4] dynamic-slice(b, k, 0), …
//                              are measured: they read at values of their own
//   e = f32[4] dynamic-slice(b, k, l), …
//                              is known from c: its values are not known, too
#ifndef INDEXICAL_ANSWERS_REPORT_ALIKE_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_ALIKE_KERNELS_H

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"

namespace indexical {

class AlikeKernels {
 public:
  /// Returns the place of the measurement that all kernels like this one share.
  /// It holds null until one of them is measured. Returns null if kernels that
  /// look like this one may do other work.
  std::shared_ptr<const Measurement> *placeOf(const Instruction &instruction,
                                              const KernelSite &site,
                                              LaunchModel model,
                                              ProgramIndexing &maps);

 private:
  using Kept = std::shared_ptr<const Measurement>;
  struct Entry {
    bool isShared = false;
    Kept kept;
    /// For slices at offsets, by what is known of the offsets.
    std::unordered_map<std::string, Kept> byOffsets;
  };
  /// Everything that a measurement depends on.
  using Key = std::tuple<const OpDescriptor *, int64_t, bool, LaunchModel, bool,
                         bool, llvm::StringRef, llvm::StringRef>;
  std::map<Key, Entry> places_;
};

/// The texts of measurements that kernels share: each is written once. Several
/// threads may use it at once.
class AlikeTexts {
 public:
  /// `part` is a part of the kernel's measurement. It must outlive this object,
  /// since texts are found by its address.
  std::string of(const KernelCost &kernel, const void *part,
                 llvm::function_ref<std::string()> write);

 private:
  std::mutex mutex_;
  std::unordered_map<const void *, std::string> texts_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_ALIKE_KERNELS_H
