// The body of a kernel: what a compiler fuses into one launch.
//
//   f { a = f32[8,16] parameter(0)
//       e = f32[8,16] exponential(a)          instructions  e, t
//       t = f32[16,8] transpose(e), …         roots         t, e
//       ROOT r = (f32[16,8], f32[8,16]) tuple(t, e) }
//
// The body of a fusion is the computation that it calls, less its parameters.
// An instruction that is not a fusion is a body of its own: its operands are
// outside, as parameters are.
#ifndef INDEXICAL_COST_LAUNCH_FUSION_BODY_H
#define INDEXICAL_COST_LAUNCH_FUSION_BODY_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"

namespace indexical {

/// An instruction whose results are results of the body, upstream of tuples.
struct BodyRoot {
  InstructionId instruction;
  /// Which of its leaves are which results of the kernel.
  struct Result {
    LeafId leaf, result;
  };
  llvm::SmallVector<Result, 1> results;
};

class FusionBody {
 public:
  /// Returns the body of a kernel, or nothing if the computation of a fusion is
  /// not in the file.
  static std::optional<FusionBody> of(const Module &module,
                                      ComputationId computation,
                                      InstructionId instruction);

  /// Returns the instruction that is the kernel: a fusion, or any other one.
  const Instruction &kernel() const { return *kernel_; }
  bool isFusion() const { return isFusion_; }
  /// Returns the computation that holds the body's instructions, and its
  /// number.
  const Computation &computation() const { return *computation_; }
  ComputationId number() const { return number_; }

  const Instruction &at(InstructionId i) const {
    return computation_->instructions[i];
  }
  bool contains(InstructionId i) const {
    return i >= first_ && i - first_ < static_cast<int32_t>(position_.size()) &&
           position_[i - first_] >= 0;
  }
  /// Returns the instructions that the roots need, each after its operands. The
  /// tuple of the roots is not one of them.
  llvm::ArrayRef<InstructionId> instructions() const { return instructions_; }
  /// Returns the instructions of the body that use instruction `i`, without the
  /// tuple of the roots.
  llvm::ArrayRef<InstructionId> users(InstructionId i) const {
    return users_[position_[i - first_]];
  }
  /// Returns the roots in the order of the results. An instruction whose leaf
  /// is twice a result is two roots.
  llvm::ArrayRef<BodyRoot> roots() const { return roots_; }
  bool isRoot(InstructionId i) const;

  /// Return the arrays of the kernel's operands, or of its results.
  llvm::ArrayRef<ArrayShape> operands() const;
  llvm::ArrayRef<ArrayShape> results() const;

 private:
  FusionBody() = default;
  void findRoots();
  void findInstructions();

  const Instruction *kernel_ = nullptr;
  const Computation *computation_ = nullptr;
  ComputationId number_;
  InstructionId root_;
  bool isFusion_ = false;
  std::vector<BodyRoot> roots_;
  std::vector<InstructionId> instructions_;
  /// For each instruction from `first_` on: its position in instructions_, or
  /// -1.
  std::vector<int32_t> position_;
  InstructionId first_{0};
  std::vector<llvm::SmallVector<InstructionId, 2>> users_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_FUSION_BODY_H
