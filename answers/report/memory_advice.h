// Advice that memory allows: copies that may go, and kernels that may be one.
//
//   c = copy(p)      must stay, for p is read later: no advice
//   b = copy(q)      `donate` q: then it is needless
//   s = slice(p)     is overwritten before its reader runs: no `fuse`
//
// The elements that a kernel moves say what could replace it. Whether its
// source still holds the elements then is a question of order
// (cost/hazards/hazards.h).
#ifndef INDEXICAL_ANSWERS_REPORT_MEMORY_ADVICE_H
#define INDEXICAL_ANSWERS_REPORT_MEMORY_ADVICE_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "indexical/answers/report/avoidable.h"
#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/launch/array_flow.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct KernelCost;

class MemoryAdvice {
 public:
  /// The program must outlive the object.
  explicit MemoryAdvice(const Program &program) : program_(program) {}

  /// A kernel or a parameter, in its computation.
  using Partner = std::pair<ComputationId, InstructionId>;

  /// Drops the advice about the whole kernel if memory does not allow it, and
  /// says why; adds `donate` or `view` for a copy that may go so. `uses` are
  /// those of what it writes, and `partner` is what the advice is about.
  void check(const KernelCost &kernel, const ArrayUses &uses,
             const std::optional<Partner> &partner, Avoidable &found);
  /// Returns whether a kernel and the one that reads its result may be one.
  bool mayBeOne(const KernelCost &kernel, ComputationId ofReader,
                InstructionId reader);

 private:
  struct Known {
    MemoryMarks marks;
    std::optional<KernelJoins> joins;
    std::map<std::pair<int32_t, int32_t>, HazardPlace> copies;
    /// The numbers of parameters whose memory some copy is advised to take.
    std::set<int64_t> given;
    /// Kernels whose readers are advised to read the source itself.
    std::set<std::pair<int32_t, int32_t>> viewed;
  };
  Known &of(size_t module);
  bool readsViewed(Known &known, const KernelCost &kernel,
                   const Computation &own) const;

  const Program &program_;
  std::map<size_t, Known> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_MEMORY_ADVICE_H
