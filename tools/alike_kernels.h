// Kernels that do the same, measured once.
//
//   a = f32[8,16] negate(x)    is measured
//   b = f32[8,16] negate(a)    is known: the same op
//   c = f32[4] dynamic-slice(a, i, j), …
//   d = f32[4] dynamic-slice(b, k, 0), …
//                              are measured: they read at values of their own
//   e = f32[4] dynamic-slice(b, k, l), …
//                              is known from c: its values are not known, too
#ifndef INDEXICAL_TOOLS_ALIKE_KERNELS_H
#define INDEXICAL_TOOLS_ALIKE_KERNELS_H

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/launch/kernels.h"
#include "indexical/program/program.h"
#include "indexical/program/program_indexing.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

class AlikeKernels {
 public:
  /// What is kept for the kernels that do what this one does, null before one
  /// was measured. No place where others may do something else.
  std::shared_ptr<const Measurement> *placeOf(const Instruction &instruction,
                                              const KernelSite &site,
                                              LaunchModel model,
                                              ProgramIndexing &maps);

 private:
  using Kept = std::shared_ptr<const Measurement>;
  struct Place {
    bool isShared = false;
    Kept kept;
    /// Of a slice at offsets, by what is known of them.
    std::unordered_map<std::string, Kept> byOffsets;
  };
  /// All that a measurement depends on.
  using Key = std::tuple<const OpDescriptor *, int64_t, bool, LaunchModel, bool,
                         bool, llvm::StringRef, llvm::StringRef>;
  std::map<Key, Place> places_;
};

/// Texts of what they have: each is written once. Several threads ask.
class AlikeTexts {
 public:
  /// `part` is one of the kernel's measurement, which must outlive this: texts
  /// are found by where it stands.
  std::string of(const MeasuredKernel &kernel, const void *part,
                 llvm::function_ref<std::string()> write);

 private:
  std::mutex mutex_;
  std::unordered_map<const void *, std::string> texts_;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_ALIKE_KERNELS_H
