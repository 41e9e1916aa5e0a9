// The values that come from one value through moves and collectives alone:
// private to cost/communication/.
//
//   v = f32[4] exponential(x)              its own origin
//   g = f32[16] all-gather(v)              origin v
//   s = f32[8] slice(g), slice={[0:8]}     origin v
//   r = f32[8] negate(s)                   a reader of s; its own origin
//
// Fusions are entered: a parameter of a fusion is the operand, and its result
// the root of what it calls.
#ifndef INDEXICAL_COST_COMMUNICATION_RUNS_H
#define INDEXICAL_COST_COMMUNICATION_RUNS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"

namespace indexical {

/// An array leaf of an instruction, as one number for the module.
using LeafNumber = int32_t;

/// Numbers of all leaves of a module.
class Leaves {
 public:
  explicit Leaves(const Module &module);
  LeafNumber of(const Leaf &leaf) const {
    return first_[leaf.computation][leaf.instruction] +
           static_cast<LeafNumber>(leaf.leaf);
  }
  int32_t count() const { return count_; }
  const Leaf &place(LeafNumber leaf) const { return places_[leaf]; }

 private:
  std::vector<std::vector<LeafNumber>> first_;
  std::vector<Leaf> places_;
  int32_t count_ = 0;
};

/// A use of a leaf that ends a run.
struct LeafReader {
  ComputationId computation;
  InstructionId instruction;
  int32_t operand = 0;  ///< the operand leaf; -1: a result of the computation
};

/// How a leaf is composed of other leaves.
struct LeafStep {
  enum class Kind : uint8_t {
    Same,        ///< the leaf is the source
    Move,        ///< an op that only moves
    Reshape,     ///< a reshape of arrays in row-major order
    Collective,  ///< one operand of a collective, or several of one origin
  };
  Kind kind = Kind::Same;
  /// The operand leaves and their numbers. Sources of other origins hold no
  /// elements of the value.
  llvm::SmallVector<std::pair<LeafNumber, int32_t>, 1> sources;
};

/// The runs of a module.
class Runs {
 public:
  explicit Runs(const Module &module);

  const Leaves &leaves() const { return leaves_; }
  /// Returns the leaf that this one is moved from, or the leaf itself if it is
  /// computed.
  LeafNumber origin(LeafNumber leaf) const { return origin_[leaf]; }
  /// Returns how a leaf that is not its own origin is made.
  const LeafStep &step(LeafNumber leaf) const { return steps_[stepOf_[leaf]]; }

  /// A run: what comes from one origin through collectives.
  struct Run {
    LeafNumber origin = 0;
    /// Leaves behind a collective or on the way to one, sources first.
    std::vector<LeafNumber> leaves;
    /// Readers of leaves behind a collective.
    std::vector<std::pair<LeafNumber, LeafReader>> readers;
    /// Collectives (computation and instruction) and the operand leaves that
    /// are of this run.
    std::vector<std::pair<std::pair<ComputationId, InstructionId>,
                          std::vector<int32_t>>>
        collectives;
    bool moves = false;  ///< a move that is not a bijection is among them
  };
  const std::vector<Run> &runs() const { return runs_; }

 private:
  void visit(ComputationId computation);
  void visitInstruction(ComputationId computation, InstructionId instruction);
  bool enterFusion(ComputationId computation, InstructionId instruction);
  void setStep(LeafNumber leaf, LeafNumber origin, LeafStep step);
  void collect();

  const Module &module_;
  Leaves leaves_;
  std::vector<LeafNumber> origin_;
  std::vector<int32_t> stepOf_;
  std::vector<LeafStep> steps_;
  std::vector<int32_t> calls_;     ///< how often a computation is called
  std::vector<bool> isFused_;      ///< it is the body of an entered fusion
  std::vector<LeafNumber> order_;  ///< visited leaves, sources first
  /// Leaves, with the readers that do not only move them.
  std::vector<std::pair<LeafNumber, LeafReader>> uses_;
  std::vector<Run> runs_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_RUNS_H
