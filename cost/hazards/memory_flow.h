// The arrays of a module as values in memory: the writer and the readers of
// each, and the array whose memory it takes. Not part of the public surface.
//
//   n = f32[4] negate(p)                       value 1, memory of its own
//   d = f32[4] dynamic-update-slice(n, v, z)   value 2, in the memory of value 1
//   e = f32[4] exponential(n)                  reads value 1
//
// A value is a node. Its parent is the value whose memory it takes: the operand
// of an update, the value of the previous turn for a loop's carry, the aliased
// parameter for a result. Tuples, bitcasts and calls have no node of their own:
// they pass one on. Every computation that is called is followed once for each
// call, as a *frame*.
//
// An *event* is a kernel, or an asynchronous op, which reads and writes at any
// time from its start to its done. The values that a computation returns are
// read by an event at its end.
#ifndef INDEXICAL_COST_HAZARDS_MEMORY_FLOW_H
#define INDEXICAL_COST_HAZARDS_MEMORY_FLOW_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/hazards/hazards.h"
#include "indexical/program/module/memory_marks.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"

namespace indexical {

/// One run of a computation, on one path of calls.
struct MemoryFrame {
  ComputationId computation;
  int32_t caller = -1;  ///< its frame; -1: the entry
  InstructionId call;   ///< in the caller
  CallRole role = CallRole::Calls;
  int32_t depth = 0;
  bool isDead = false;  ///< in the body of a loop without trips
  llvm::SmallVector<CallSite, 2> calls;  ///< the path, outermost first
  std::vector<int32_t> first;            ///< by instruction, into `nodes`
  std::vector<int32_t> nodes;            ///< by leaf; -1: no array
};

/// The time from the start of `first` to the end of `last`, in one frame.
struct MemoryEvent {
  /// The number that stands for the end of a computation.
  static constexpr int32_t kEnd = INT32_MAX;
  int32_t frame = 0;
  int32_t first = 0, last = 0;  ///< instructions, or kEnd
  bool operator==(const MemoryEvent &o) const {
    return frame == o.frame && first == o.first && last == o.last;
  }
};

struct MemoryReader {
  MemoryEvent event;
  /// The leaf of the event's operands that is read; -1: all elements are read.
  int64_t operandLeaf = -1;
  /// The array that an event at the end reads, for messages: a result or a
  /// parameter.
  int32_t named = -1;
};

struct MemoryNode {
  int32_t frame = 0;
  InstructionId instruction;
  LeafId leaf;
  int32_t parent = -1;  ///< the node whose memory it takes; -1: it has its own
  /// The values of other branches, one of which it may be instead.
  llvm::SmallVector<int32_t, 0> others;
  /// Whether it is the parent at another time, and is not written.
  bool isSame = false;
  bool isConstant = false, isParameter = false;
  /// Whether its own kernel overwrites the operand as an update does: only the
  /// elements that are updated are written.
  bool isUpdate = false;
  /// Whether an attribute or a question states whose memory it takes.
  bool isMarked = false;
  bool isAsked = false;  ///< whether it is a question
  /// The leaf of the operands that the attribute or the question names.
  int64_t markedOperand = -1;
  /// Whether it is moved at the end of a computation, without an instruction.
  bool isMoved = false;
  PlaceKind kind = PlaceKind::Update;
  MemoryEvent writer;  ///< unless it is a parameter
  std::vector<MemoryReader> readers;
};

/// A copy of an array, to the same type and layout or to another one.
struct MemoryCopy {
  int32_t frame = 0;
  InstructionId instruction;
  int32_t node = -1, source = -1;
  bool isSameLayout = true, isRemoved = false, isAsync = false;
};

/// A leaf of a result that takes the memory of a leaf of an operand, because
/// both are one array of a computation that is called.
struct MemoryPassage {
  int32_t frame = 0;
  InstructionId instruction;
  LeafId result, operandLeaf;
  int32_t from = -1, to = -1;  ///< nodes: the operand's, the result's
  PlaceKind kind = PlaceKind::Call;
  /// Whether another carry, `taken`, already takes the array of this one.
  bool isTaken = false;
  int32_t taken = -1;
};

/// A constant that something would overwrite. As constants may not change, the
/// value begins in memory of its own.
struct ConstantWrite {
  /// The value that would lie in the constant: a result, or a parameter of a
  /// loop's body.
  int32_t constant = -1, value = -1;  ///< nodes
  /// The leaf of the operands that the constant is; -1: a loop would.
  int64_t operandLeaf = -1;
  PlaceKind kind = PlaceKind::Carry;
};

struct MemoryAlias {
  MemoryMarks::Result mark;
  int32_t from = -1, to = -1;
};

/// A variant of the module's memory: worlds differ in these points, and two of
/// them are compared.
struct MemoryWorld {
  std::set<std::pair<int32_t, int32_t>> removedCopies;  ///< by computation
  std::set<std::pair<int64_t, int64_t>> given;          ///< beside the marks
  std::optional<MemoryMarks::Operand> share;
  /// By computation: pairs of instructions. The first one runs before the
  /// second, whatever the schedule says.
  std::map<int32_t, std::vector<std::pair<int32_t, int32_t>>> orders;
  /// Results of kernels that begin in memory of their own, because the arrays
  /// that they overwrite are read too late: by frame, instruction and leaf.
  std::set<std::tuple<int32_t, int32_t, int64_t>> copied;
};

class MemoryFlow {
 public:
  /// Follows the entry of the module. The module and the marks must outlive the
  /// object.
  MemoryFlow(const Module &module, const MemoryMarks &marks,
             const MemoryWorld &world);

  const Module &module() const { return module_; }
  const MemoryWorld &world() const { return world_; }
  const std::vector<MemoryFrame> &frames() const { return frames_; }
  const std::vector<MemoryNode> &nodes() const { return nodes_; }
  const std::vector<MemoryCopy> &copies() const { return copies_; }
  const std::vector<MemoryPassage> &passages() const { return passages_; }
  const std::vector<ConstantWrite> &constantWrites() const {
    return constantWrites_;
  }
  const std::vector<MemoryAlias> &aliases() const { return aliases_; }
  /// Returns the nodes that are leaves of the entry's root.
  const std::vector<int32_t> &results() const { return results_; }
  /// Returns why the module is not analysed; "" if it is.
  const std::string &obstacle() const { return obstacle_; }

  const Computation &computationOf(int32_t frame) const {
    return module_.computations[frames_[frame].computation];
  }
  const Instruction &instructionOf(const MemoryNode &node) const {
    return computationOf(node.frame).instructions[node.instruction];
  }
  int32_t nodeAt(int32_t frame, InstructionId i, LeafId leaf) const {
    const MemoryFrame &of = frames_[frame];
    return of.nodes[of.first[i] + leaf];
  }
  /// Returns the value at the top of the chain of parents.
  int32_t rootOf(int32_t node) const;
  /// Returns whether the value is `of`, or is computed from it in the same
  /// memory.
  bool isDerived(int32_t value, int32_t of) const;
  /// Returns the done instruction of an asynchronous op that starts in the
  /// frame, or kEnd.
  int32_t doneOf(int32_t frame, InstructionId start) const {
    return findDone(frames_[frame].computation, start);
  }

 private:
  using Nodes = std::vector<int32_t>;

  int32_t newFrame(ComputationId computation, int32_t caller,
                   InstructionId call, CallRole role, int32_t called);
  int32_t newNode(int32_t frame, InstructionId i, LeafId leaf);
  Nodes follow(int32_t frame, const std::vector<Nodes> &arguments);
  void followInstruction(int32_t frame, InstructionId i);
  void kernel(int32_t frame, InstructionId i, MemoryEvent event,
              int64_t firstResult);
  void call(int32_t frame, InstructionId i, const Callee &callee,
            int64_t firstResult);
  void loop(int32_t frame, InstructionId i);
  void carry(int32_t frame, InstructionId i, int32_t body, LeafId leaf,
             int32_t parameter, int32_t root);
  void conditional(int32_t frame, InstructionId i);
  void placeBranches(int32_t frame, InstructionId i, LeafId leaf,
                     llvm::ArrayRef<int32_t> branches,
                     llvm::ArrayRef<int32_t> roots);
  void copy(int32_t frame, InstructionId i);
  void passages(int32_t frame, InstructionId i, PlaceKind kind,
                llvm::ArrayRef<int32_t> results);
  void alias();
  /// Returns a value in the memory of another one: a kernel writes it there, or
  /// it is moved there at the end of the frame.
  int32_t placeAt(int32_t value, int32_t memory, int32_t frame, PlaceKind kind);
  void read(int32_t node, MemoryReader reader);
  void number();

  OperandLeafLists &leavesOf(ComputationId computation);
  Nodes operandNodes(int32_t frame, InstructionId i);
  int32_t operandNode(int32_t frame, InstructionId i, LeafId leaf);
  int32_t findDone(ComputationId computation, InstructionId start) const;
  bool isWithin(int32_t frame, int32_t outer) const;

  const Module &module_;
  const MemoryMarks &marks_;
  const MemoryWorld world_;
  std::vector<MemoryFrame> frames_;
  std::vector<MemoryNode> nodes_;
  std::vector<MemoryCopy> copies_;
  std::vector<MemoryPassage> passages_;
  std::vector<MemoryAlias> aliases_;
  std::vector<ConstantWrite> constantWrites_;
  std::vector<int32_t> results_;
  std::vector<int32_t> enter_, leave_, roots_;  // by node
  std::map<int32_t, OperandLeafLists> leaves_;
  mutable std::map<int32_t, std::map<int32_t, int32_t>> dones_;
  std::multimap<std::pair<int32_t, int32_t>, const MemoryMarks::Operand *>
      operandMarks_;
  int64_t steps_ = 0;
  bool hasOthers_ = false;
  std::string obstacle_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_MEMORY_FLOW_H
