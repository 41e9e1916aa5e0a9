// May a value lie in the memory of the one that it is placed over? Not part of
// the public surface.
//
//   n = f32[4] negate(p)
//   d = f32[4] dynamic-update-slice(n, v, z)     over n
//   e = f32[4] exponential(n)                    reads n behind d
//
//   of d     an overlap with e: element 0, which d writes and e reads
//
// A value X overwrites elements of other values in its memory. A read of a
// value that is computed from X always comes after X. Any other read must come
// before X, or read elements that X does not write. Other values in the same
// memory may be written for certain between that value and X: then only the
// elements that they keep count.
#ifndef INDEXICAL_COST_HAZARDS_NODE_ANSWERS_H
#define INDEXICAL_COST_HAZARDS_NODE_ANSWERS_H

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/hazards/event_order.h"
#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/hazards/memory_flow.h"
#include "indexical/cost/hazards/node_answer.h"
#include "indexical/cost/hazards/overlap.h"
#include "indexical/cost/hazards/thread_access.h"

namespace indexical {

class NodeAnswers {
 public:
  NodeAnswers(const MemoryFlow &flow, ProgramIndexing &maps,
              ThreadAccesses &accesses, EventOrders &orders,
              OverlapSamples &samples);
  ~NodeAnswers();

  /// Returns the answer for a value, for reads of the values that are computed
  /// from `within`; -1: of all values in its memory.
  NodeAnswer of(int32_t node, int32_t within);
  /// A value that is read too late, and the event that reads it; std::nullopt
  /// if the node's own kernel does.
  struct LateRead {
    int32_t value = -1;
    std::optional<MemoryEvent> reader;
  };
  /// Returns an element of another array that the kernel of `node` would
  /// overwrite if its result lay there, and the answer without an order; `Safe`
  /// if it overwrites nothing. `isUpdate`: as an update of the array does.
  NodeAnswer overwriting(int32_t node, int32_t array, bool isUpdate);
  /// Returns the values that are read too late if `node` stays in its memory.
  std::vector<LateRead> readTooLate(int32_t node);

  const std::vector<int32_t> &membersOf(int32_t root);
  std::string nameOf(int32_t node) const {
    return flow_.instructionOf(flow_.nodes()[node]).name.str();
  }

 private:
  struct Candidate {
    int32_t value = -1;
    MemoryReader reader;
    EventOrder order = EventOrder::Open;
    std::vector<FramedAccess> kept;
    /// The value that rewrites the array for the reader, and is unordered with
    /// the value that is asked about; -1: there is none.
    int32_t maker = -1;

    /// Returns whether another order would be safe: the reader before the
    /// value, or the value before the maker.
    bool isOpen() const { return order == EventOrder::Open || maker >= 0; }
  };
  struct Candidates {
    std::vector<Candidate> later;
    std::vector<std::pair<int32_t, MemoryReader>> own;
    bool areBefore = false, areUnknown = false;
  };

  Candidates candidatesOf(int32_t node, int32_t within);
  void findQuiet();
  bool hasQuietBefore(int32_t node, int32_t within) const;
  bool addKept(int32_t node, int32_t value, std::vector<FramedAccess> &kept);
  int32_t makerOf(int32_t node, int32_t value);
  NeededOrder orderFor(int32_t node, const Candidate &candidate) const;
  /// Adds the elements of a copy that an update in place keeps, if the reader
  /// is the copy and only the update reads the copy's result.
  void addKeptOfCopy(const MemoryReader &reader,
                     std::vector<FramedAccess> &kept);
  FramedAccess writesOf(int32_t node);
  const ThreadAccess *movedBy(int32_t node);
  bool reducesLast(int32_t node, llvm::ArrayRef<int64_t> sizes) const;
  /// Returns the elements of a value that an event reads.
  std::vector<FramedAccess> readsOf(int32_t value, const MemoryReader &reader);
  void addOwn(int32_t node, const std::pair<int32_t, MemoryReader> &own,
              bool isForReason, OverlapQuestion &question,
              std::vector<int32_t> &values);
  std::optional<ThreadRule> ruleOf(int32_t node, LeafId other);
  bool isTooLarge(int32_t node) const;
  NodeAnswer tooLarge(int32_t node) const;
  HazardWitness witnessOf(int32_t node, int32_t value,
                          const MemoryReader *reader,
                          const FoundOverlap &found) const;
  bool writesTwice(int32_t node, NodeAnswer &answer);
  bool isCopyOfParent(int32_t node) const;
  bool writesBack(int32_t node) const;
  const ThreadAccess *changedBy(int32_t node);
  Overlaps withChanges(int32_t node, llvm::function_ref<Overlaps()> ask);
  bool isReadWith(int32_t node, const MemoryReader &reader);
  bool isUnchanged(int32_t node, int32_t value, const MemoryReader &reader);
  bool isSameArray(int32_t node, int32_t value);
  const ThreadAccess &keep(ThreadAccess access) {
    own_.push_back(std::move(access));
    return own_.back();
  }
  Leaf leafOf(const MemoryNode &node) const {
    return {flow_.frames()[node.frame].computation, node.instruction,
            node.leaf};
  }

  const MemoryFlow &flow_;
  ProgramIndexing &maps_;
  ThreadAccesses &accesses_;
  EventOrders &orders_;
  OverlapSamples &samples_;
  std::deque<ThreadAccess> own_;
  /// For the pairs of a value's own kernel: the reduction whose elements give
  /// the threads their index; null: a result gives it.
  std::vector<const ReduceOp *> folded_;
  std::vector<std::vector<int32_t>> members_;  // by root
  /// By root: the values that are read, without the quiet ones. A quiet value
  /// is read only by the kernel that overwrites it, in a memory that is a chain
  /// of such kernels: every value that is computed from it comes later.
  std::vector<std::vector<int32_t>> loud_;
  std::vector<bool> isQuiet_;
  /// The number of quiet values from the root on, the root included.
  std::vector<int32_t> quietUpTo_;
  std::map<std::pair<Leaf, Leaf>, bool> unchanged_;
  /// Null: not known, or all that is written.
  std::map<Leaf, const ThreadAccess *> changed_;
  /// Whether only elements count that a value may change, for the pairs of its
  /// parent.
  bool onlyChanged_ = false;
  class ArrayElements;
  ArrayElements *elementsOf(ComputationId computation);
  /// By computation.
  std::map<int32_t, std::unique_ptr<ArrayElements>> elements_;
  std::map<int32_t, int> spentQuestions_;
  /// The values of copies to the same layout, by frame and instruction.
  std::map<std::pair<int32_t, int32_t>, int32_t> copies_;
  bool areCopiesFound_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_NODE_ANSWERS_H
