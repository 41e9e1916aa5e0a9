// Movement: the reason for a copy.
//
//   HloModule step, input_output_alias={ {0}: (0, {}, may-alias) }
//   ENTRY e { a = f32[8,4]{1,0} parameter(0)    donated
//             b = f32[8,4]{1,0} parameter(1)    not donated
//             c = f32[8,4]{1,0} copy(b)    b is not donated
//             d = f32[8,4]{0,1} copy(a)    another layout, for r
//             ROOT r = f32[4,4] dot(d, c), … }
//
// A reason is given for copies alone, and only if the module states it. It does
// not say whether the copy can be removed: a value may be overwritten and read
// later.
#ifndef INDEXICAL_COST_LAUNCH_MOVEMENT_H
#define INDEXICAL_COST_LAUNCH_MOVEMENT_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"

namespace indexical {

enum class CopyCause : uint8_t {
  None,          ///< it is not a copy, or the module does not say
  LayoutChange,  ///< the result has another layout, for the kernel that reads
                 ///< it
  NotDonated,    ///< of a parameter of the entry whose memory no result takes
  LoopOperand,   ///< the copy is an operand of a loop
};

struct CopyReason {
  CopyCause cause = CopyCause::None;
  /// The instruction that reads the copy, of a change of layout; else empty.
  llvm::StringRef reader = "";
};

/// Returns the cause in words: `copy of a parameter that is not donated`…;
/// empty for None.
llvm::StringRef wordsOf(CopyCause cause);

/// Returns whether a result takes the memory of an array of the entry, which is
/// given by the number of the parameter and that of its array, depth first.
using IsDonated = llvm::function_ref<bool(int64_t parameter, LeafId leaf)>;

/// Finds the reasons of a module's copies.
class CopyReasons {
 public:
  /// Makes a finder for the copies of a module, which must outlive it.
  explicit CopyReasons(const Module &module) : module_(module) {}

  CopyReason of(ComputationId computation, InstructionId instruction,
                IsDonated isDonated);

 private:
  const std::vector<std::vector<InstructionId>> &usersIn(
      ComputationId computation);
  /// Calls `visit` with each instruction that gets the array, until it returns
  /// true.
  void visitReaders(ComputationId computation, InstructionId instruction,
                    llvm::function_ref<bool(InstructionId)> visit);

  const Module &module_;
  llvm::DenseMap<int32_t, std::vector<std::vector<InstructionId>>> users_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_MOVEMENT_H
