// How ProgramIndexing finds its answers, and what it has found: private to
// program/.
//
//   passes.cc   one instruction after another: from a root down to the
//               parameters, or from a parameter up to the root
//   merged_variables.cc  one runtime variable for one value
//   program_graph.h  who uses whom, which follows from the module alone
//   leaf_uses.cc  which leaves of an instruction can read which: of thousands
//               in a tuple, a call or a loop mostly one reads one
//   calls.cc    what lies behind fusions, calls and branches, callees first
//   loops.cc    what a while reads, whatever the number of its trips
//   counted_loops.cc  what it reads where these are counted
//   scans.cc    what a scan reads, its body composed with itself
//   size_reads.cc  what is read because a size is named
//   scattered.cc  what a scatter reads where values of its indices are known
#ifndef INDEXICAL_PROGRAM_STATE_H
#define INDEXICAL_PROGRAM_STATE_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/alike_computations.h"
#include "indexical/program/callees.h"
#include "indexical/program/closure.h"
#include "indexical/program/program_graph.h"
#include "indexical/program/program_indexing.h"
#include "indexical/program/shapes.h"

namespace indexical {

/// A computation in one direction: (root leaf, parameter, its leaf) ->
/// relation; what is not there is not read.
using Whole = std::map<std::tuple<int64_t, int32_t, int64_t>, IndexingRelation>;

/// Adds to a relation. If the relation then has too many pieces or constraints,
/// it becomes one covering map, and `limit` says which of the two were too
/// many. If `limit` says something before the call, fewer pieces are too many,
/// so that the relation is a box in the end.
absl::Status unite(IndexingRelation &into, const IndexingRelation &other,
                   std::optional<LimitKind> &limit);

/// The relation between two leaves.
struct Reached {
  IndexingRelation relation;
  std::optional<Limit> limit;  ///< the first that was met on the way
};

/// The leaves of an instruction that were reached, by number. A way touches few
/// of the thousands that a tuple may have.
class ReachedLeaves {
 public:
  using Entry = std::pair<int64_t, Reached>;

  bool empty() const { return entries_.empty(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  /// Null if the leaf was not reached.
  Reached *find(int64_t leaf) {
    auto at = place(leaf);
    return at != entries_.end() && at->first == leaf ? &at->second : nullptr;
  }
  /// Adds the leaf if it is not there.
  Reached &operator[](int64_t leaf) {
    auto at = place(leaf);
    if (at == entries_.end() || at->first != leaf)
      at = entries_.insert(at, {leaf, Reached()});
    return at->second;
  }
  void clear() { entries_.clear(); }

 private:
  llvm::SmallVector<Entry, 1>::iterator place(int64_t leaf) {
    return std::lower_bound(entries_.begin(), entries_.end(), leaf,
                            [](const Entry &entry, int64_t number) {
                              return entry.first < number;
                            });
  }
  llvm::SmallVector<Entry, 1> entries_;  // by leaf
};

/// The instructions that were reached in a pass: a pass from one leaf touches
/// few of those that a computation may have. References stay valid.
class ReachedInstructions {
 public:
  bool has(InstructionId instruction) const {
    return numbers_.count(instruction);
  }
  /// Adds the instruction if it is not there.
  ReachedLeaves &operator[](InstructionId instruction) {
    auto [number, isNew] = numbers_.try_emplace(instruction, entries_.size());
    if (isNew) entries_.emplace_back(instruction, ReachedLeaves());
    return entries_[number->second].second;
  }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  llvm::DenseMap<int32_t, size_t> numbers_;
  std::deque<std::pair<InstructionId, ReachedLeaves>> entries_;
};

/// The pairs for which an instruction can have maps.
struct ReadPairs {
  using Pair = std::pair<int64_t, int64_t>;
  std::vector<Pair> byResult;   ///< (result, operand leaf), sorted
  std::vector<Pair> byOperand;  ///< (operand leaf, result), sorted
};

/// Whether only boxes around what is read are left to be made (turnAround), so
/// that the users need not be known.
bool endsInBoxes(const Reached &reads, const ArrayShape &from,
                 const ArrayShape &to);

/// An element from which a size that an instruction names was set, or the whole
/// leaf if it is not known how the size is made.
struct SizeRead {
  /// Which elements of the instruction's results read it.
  enum class Place : uint8_t {
    Scalar,    ///< the result, which is the size
    Listed,    ///< the element of the result that is the dimension's size
    Anywhere,  ///< any may
  };
  Place place = Place::Anywhere;
  int64_t dimension = 0;
  InstructionLeaf leaf;
  std::optional<std::vector<int64_t>> index;
};

/// The size reads of a computation.
struct SizeReads {
  std::map<int32_t, std::vector<SizeRead>> reads;  ///< by instruction
  /// By the leaf that is read: instructions, and which of their reads it is.
  std::map<std::pair<int32_t, int64_t>, std::vector<std::pair<int32_t, size_t>>>
      users;
};

/// Returns the other direction of what was reached on the way from `from` to
/// `to`, if that is exact, its indices are variables, each of them used once
/// and over its whole dimension, and the other direction needs one range at
/// most:
///
///   f32[4,8] reads of f32[16,8]    (d0, d1)[s0] -> (s0, d1), s0 in [0, 15]
///   the other direction            (d0, d1)[s0] -> (s0, d1), s0 in [0, 3]
///
/// Returns nothing otherwise.
std::optional<IndexingRelation> converseOfVariables(const Reached &reads,
                                                    const ArrayShape &from,
                                                    const ArrayShape &to);

/// Makes the two directions each other's transposes if one is limited
/// (turnAround). `reads` goes from `from` to `to`.
absl::Status settle(Reached &reads, Reached &users, const ArrayShape &from,
                    const ArrayShape &to);

/// Returns the identity at which a pass begins. A variable that has one value
/// is written as that value.
absl::StatusOr<IndexingRelation> startOf(const ArrayShape &shape);

/// The reads of a while: of each leaf of its state, of the leaves of its
/// operands. The operands are the state itself, which comes first, and the
/// values that the body captures.
struct Loop {
  std::vector<bool> passes;  ///< a result that the body leaves as it is
  std::vector<BoxRow> rows;  ///< the leaves after any number of trips
  BoxRow condition;          ///< what the condition reads of the first state
};

/// A while whose condition compares a counter with a number, and nothing else.
struct CountedLoop {
  int64_t leaf = 0;  ///< of the state, the counter
  Value value;       ///< the same in the body, at the begin of a trip
  int64_t first = 0, step = 0, trips = 0;
  /// Numbers that are passed to condition and body, the same in every trip.
  std::map<Value, int64_t> numbers;
  /// The operand leaves that the counter and the condition depend on.
  std::set<int64_t> control;

  /// Returns the counter's values at the begin of trips. Requires trips > 0.
  Interval values() const {
    const int64_t last = first + step * (trips - 1);
    return {std::min(first, last), std::max(first, last)};
  }
};

/// The reads of a leaf of a counted loop's state, if they have a closed form.
struct CountedReads {
  bool isKnown = false;
  /// By operand leaf, output to input and input to output.
  std::map<int64_t, std::pair<IndexingRelation, IndexingRelation>> reads;
};

/// Returns the relation with one variable for each value: one for i in
/// dynamic-slice(p, i, i).
absl::StatusOr<IndexingRelation> withVariablesMerged(
    const IndexingRelation &relation);
/// Like withVariablesMerged, and simplified if anything was merged.
absl::StatusOr<IndexingRelation> withOneVariableEach(
    const IndexingRelation &relation);

/// The answers that were worked out already, and the passes over a computation.
struct ProgramIndexing::State {
  /// [i][l]: the relation between leaf l of instruction i and the leaf asked
  /// about.
  using Leaves = ReachedInstructions;

  explicit State(ProgramIndexing &owner)
      : owner(owner), module(owner.module_), graph(module) {}

  // leaf_uses.cc
  /// Returns null if any result may read any operand leaf. Requires that the
  /// computations that the instruction calls are solved.
  const ReadPairs *pairsOf(ComputationId c, InstructionId i);
  std::optional<ReadPairs> findPairs(ComputationId c, InstructionId i);
  using Visit = llvm::function_ref<absl::Status(int64_t)>;
  /// Visits the operand leaves that a result may read, or the results that may
  /// read an operand leaf, in order.
  absl::Status forOperands(ComputationId c, InstructionId i, int64_t result,
                           Visit visit);
  absl::Status forResults(ComputationId c, InstructionId i, int64_t leaf,
                          Visit visit);
  /// Returns the number of a value in the owner's table.
  int64_t number(Value value);
  /// Returns the sizes of a computation, followed through it.
  ProgramShapes &programShapesOf(ComputationId c);
  ProgramShapes *shapesOfCallee(ComputationId c);

  // calls.cc
  absl::Status prepareCallees(ComputationId c);
  /// Prepares the callees of one of the computation's instructions alone.
  absl::Status prepareCallees(ComputationId c, const Instruction &instruction);
  bool isSolved(ComputationId c) const {
    return solved.count({c, Direction::OutputToInput});
  }
  absl::Status solve(ComputationId c);
  absl::Status solveItself(ComputationId c);
  absl::StatusOr<IndexingRelation> throughCallee(
      ComputationId c, InstructionId i, const Callee &callee,
      Direction direction, int64_t rootLeaf, const OperandLeaf &operand);
  absl::StatusOr<IndexingRelation> throughCallees(
      ComputationId c, InstructionId i, llvm::ArrayRef<Callee> callees,
      Direction direction, int64_t result, int64_t leaf);
  IndexingRelation lifted(const IndexingRelation &relation, ComputationId c,
                          InstructionId i, const Callee &callee);
  /// Returns the number of a value of the callee, as the caller sees it.
  int64_t behindCall(int64_t value, ComputationId c, InstructionId i,
                     const Callee &callee);

  /// The use of an instruction's maps. If they are listed, their sources are
  /// among the instruction's operands. On a way, sizes are as the computation
  /// knows them.
  enum class Asked : uint8_t { OnAWay, Listed };

  // loops.cc
  absl::StatusOr<IndexingRelation> withDevices(const Box &box,
                                               Direction direction,
                                               ComputationId c, InstructionId i,
                                               const Callee &body);
  absl::StatusOr<IndexingRelation> throughLoop(ComputationId c, InstructionId i,
                                               const Callee &body,
                                               Direction direction,
                                               int64_t result, int64_t leaf,
                                               Asked asked);
  absl::StatusOr<IndexingRelation> withinLoopSizes(
      ComputationId c, InstructionId i, Direction direction, int64_t result,
      int64_t leaf, const IndexingRelation &relation, Asked asked);
  const Loop &loopOf(ComputationId c, InstructionId i, const Callee &body);
  BoxRow boxesOf(ComputationId c, int64_t rootLeaf,
                 llvm::ArrayRef<int64_t> numbers);
  Loop findLoop(ComputationId c, InstructionId i, const Callee &body,
                llvm::ArrayRef<int64_t> numbers,
                llvm::ArrayRef<int64_t> tested);

  // counted_loops.cc
  const std::optional<CountedLoop> &countedLoopOf(ComputationId c,
                                                  InstructionId i,
                                                  const Callee &body);
  const CountedReads &countedReadsOf(ComputationId c, InstructionId i,
                                     const Callee &body, int64_t result);

  // scans.cc
  absl::StatusOr<IndexingRelation> throughScan(ComputationId c, InstructionId i,
                                               const Callee &body,
                                               Direction direction,
                                               int64_t result, int64_t leaf);

  // size_reads.cc
  bool namesSizes(ComputationId c);
  std::vector<SizeRead> findSizeReads(ComputationId c, InstructionId i);
  const std::vector<SizeRead> &sizeReadsOf(ComputationId c, InstructionId i);
  const SizeReads &allSizeReads(ComputationId c);
  absl::StatusOr<IndexingRelation> sizeEdge(ComputationId c, InstructionId i,
                                            Direction direction, int64_t result,
                                            const SizeRead &read);
  absl::Status stepToSize(ComputationId c, const Reached &before,
                          InstructionId i, Direction direction, int64_t result,
                          const SizeRead &read, Reached &into);

  // scattered.cc
  /// Returns what the scatter reads of its indices, or of the input that it
  /// updates, or nothing if known values say no more than the op itself.
  absl::StatusOr<std::optional<IndexingRelation>> ofScatter(ComputationId c,
                                                            InstructionId i,
                                                            Direction direction,
                                                            int64_t result,
                                                            int64_t leaf);
  bool rewritesItself(ComputationId c, InstructionId i, int64_t result);

  // passes.cc
  absl::StatusOr<IndexingRelation> edge(ComputationId c, InstructionId i,
                                        Direction direction, int64_t result,
                                        int64_t leaf,
                                        Asked asked = Asked::OnAWay);
  absl::StatusOr<IndexingRelation> throughInstruction(
      ComputationId c, InstructionId i, Direction direction, int64_t result,
      int64_t leaf, Asked asked);
  absl::StatusOr<IndexingRelation> ownMaps(ComputationId c, InstructionId i,
                                           Direction direction, int64_t result,
                                           int64_t leaf,
                                           Asked asked = Asked::OnAWay);
  absl::StatusOr<IndexingRelation> mapHandingOn(const Instruction &instruction,
                                                Direction direction,
                                                int64_t result, int64_t leaf);
  absl::StatusOr<IndexingRelation> startAt(ComputationId c,
                                           InstructionId instruction,
                                           int64_t leaf);
  std::optional<Expr> knownSize(Value value, int64_t dimension,
                                IndexingMapBuilder &b);
  enum class Known : uint8_t { Elements, ElementsAndSizes };
  absl::StatusOr<IndexingRelation> folded(const IndexingRelation &relation,
                                          Known what = Known::ElementsAndSizes);
  absl::Status step(ComputationId c, const Reached &before, InstructionId i,
                    Direction direction, int64_t result, int64_t leaf,
                    Reached &into);
  absl::Status addThrough(ComputationId c, InstructionId i,
                          const Reached &before,
                          const IndexingRelation &relation,
                          const ArrayShape &start, Direction direction,
                          Reached &into);
  absl::StatusOr<Leaves> backward(ComputationId c, InstructionId from,
                                  int64_t leaf, InstructionId stop);
  /// Goes along needed instructions (null: all), down to the ends and not
  /// behind them. Computations that are called on the way are solved when they
  /// are met.
  absl::StatusOr<Leaves> backward(
      ComputationId c, InstructionLeaf from, const std::vector<bool> *needed,
      const std::set<std::pair<int32_t, int64_t>> &ends);
  absl::StatusOr<Leaves> forward(ComputationId c, InstructionId from,
                                 int64_t leaf, InstructionId stop);
  /// Returns the relations between `from` and each of the leaves, on ways that
  /// end at the first of these leaves. Sets `needed` to the instructions that
  /// can lie on one.
  absl::StatusOr<std::vector<Reached>> until(Leaf from,
                                             llvm::ArrayRef<Leaf> leaves,
                                             std::vector<bool> &needed);
  /// Returns the first limit within the solved computation `c` and those that
  /// it calls, or nothing if there is none. A computation that is not in the
  /// module, as in a snippet, has none.
  std::optional<Limit> limitWithin(ComputationId c) const;
  /// Gives `c` the first limit of its callees unless it has one of its own.
  void noteLimitOfCallees(ComputationId c);

  ProgramIndexing &owner;
  const Module &module;
  const ProgramGraph graph;
  std::map<std::pair<int32_t, int32_t>, std::optional<ReadPairs>> pairs;
  std::map<std::pair<int32_t, Direction>, Whole> solved;
  std::map<int32_t, Limit> limits;  ///< the first of a computation or callees
  AlikeComputations alike;          ///< whose maps name no values
  /// The number of maps of ops met so far that name values, of their
  /// computation.
  int64_t mapsWithValues = 0;
  std::set<int32_t> prepared;
  llvm::DenseSet<const Instruction *> preparedInstructions;
  /// By body, condition or -1, and the operand leaves that are passed to each.
  std::map<
      std::tuple<int32_t, int32_t, std::vector<int64_t>, std::vector<int64_t>>,
      Loop>
      loops;
  /// The loops of instructions that were asked about.
  std::map<std::pair<int32_t, int32_t>, const Loop *> loopAt;
  /// Counted loops, nothing for a loop that is not counted; and the reads of
  /// their leaves.
  std::map<std::pair<int32_t, int32_t>, std::optional<CountedLoop>> counted;
  std::map<std::tuple<int32_t, int32_t, int64_t>, CountedReads> countedReads;
  /// By scatter and result: whether each update reads what it overwrites.
  std::map<std::tuple<int32_t, int32_t, int64_t>, bool> rewrites;
  /// The maps of ops by descriptor, pair and direction, their sources as
  /// numbers of operands. Equal ops are one object, and most of a program's
  /// have been met before.
  using OfOp = std::pair<const void *, int64_t>;
  llvm::DenseMap<OfOp, IndexingRelation> ofOps;
  /// Identities by sizes: those with which passes begin, and those of ops.
  /// Leaves of the same sizes share one map, even the thousands of a tuple.
  struct SizesHash {
    size_t operator()(llvm::ArrayRef<int64_t> sizes) const {
      return llvm::hash_combine_range(sizes.begin(), sizes.end());
    }
  };
  using BySizes = std::unordered_map<llvm::SmallVector<int64_t, 6>,
                                     IndexingRelation, SizesHash>;
  BySizes starts, handedOn;
  /// The edges of one computation, which passes for several leaves meet again.
  std::map<std::tuple<int32_t, Direction, int64_t, int64_t, Asked>,
           IndexingRelation>
      edges;
  std::map<int32_t, std::unique_ptr<ProgramShapes>> shapes;
  std::map<int32_t, bool> namingSizes;
  std::map<int32_t, SizeReads> sizeReads;
  const std::vector<SizeRead> noSizeReads;
  std::set<int32_t> shapesInWork;
  int32_t edgesOf = -1;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_STATE_H
