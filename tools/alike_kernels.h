// Kernels that do the same, measured once.
//
//   a = f32[8,16] negate(x)    is measured
//   b = f32[8,16] negate(a)    is known: the same op
//   c = f32[4] dynamic-slice(a, i, j), …
//                              is measured, whatever was before: what it reads
//                              depends on values of its own
#ifndef INDEXICAL_TOOLS_ALIKE_KERNELS_H
#define INDEXICAL_TOOLS_ALIKE_KERNELS_H

#include <map>
#include <memory>
#include <tuple>

#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/launch/kernels.h"
#include "indexical/program/program.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

/// Of one choice of threads, which are not those of XLA's launches.
class AlikeKernels {
 public:
  /// What is kept for the kernels that do what this one does, null before one
  /// was measured. No place where others may do something else.
  std::shared_ptr<const Measurement> *placeOf(const Instruction &instruction,
                                              const KernelSite &site);

 private:
  struct Place {
    bool isShared = false;
    std::shared_ptr<const Measurement> kept;
  };
  /// All that a measurement depends on.
  using Key = std::tuple<const OpDescriptor *, int64_t, bool, llvm::StringRef,
                         llvm::StringRef>;
  std::map<Key, Place> places_;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_ALIKE_KERNELS_H
