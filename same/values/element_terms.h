// The elements of a module's results, as functions of its parameters.
//
//   t = f32[3,2] transpose(p), dimensions={1,0}
//   ROOT r = f32[6] reshape(t)
//   at(0, (i), i in [0, 5])    p[i mod 2, i floordiv 2]
//
// An element is followed from the result up: its index is a map of the indices
// of the result, which ops that move elements compose with their own. Calls
// and fusions are looked into. An op that is not known by element (a sort, a
// loop, a convolution) is an array of its own, made of whole operands.
//
// A reduction adds variables to the maps of all that is below it. So a
// reduction that stands below several others is an array of its own, too, and
// is followed separately. So is an array that is read by a very large map.
// Arrays that both modules have are then equal.
//
// An index is a number that an expression gives: an iota, what integer ops make
// of it, and a comparison of two, which splits the region. A loop whose
// condition is known is run. A sort is a function of whole lines, whichever
// dimension these lie along. Windows and convolutions are reductions, and one
// of several values at once is one of tuples.
//
// A concatenation or padding gives elements of one operand or another, by the
// index. Then the answer for the whole region is its parts, for which the
// caller asks again. So two modules that split it in different places are
// compared in the parts of both.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_TERMS_H
#define INDEXICAL_SAME_VALUES_ELEMENT_TERMS_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/custom_elements.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"
#include "indexical/same/terms/program_terms.h"
#include "indexical/same/values/element_pieces.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/open_sizes.h"
#include "indexical/same/values/reducers.h"

namespace indexical {

class ElementTerms {
 public:
  /// Makes the terms of a module's elements. `numbers[p]` is the number by
  /// which parameter p is known; if empty, its own. Elements are unknown when
  /// the meter has nothing left. Reductions below `levels` others are arrays.
  /// The module begins at `entry`, if that is given, whose parameters may be
  /// anything.
  ElementTerms(const Module &module, ElementTable &table, TermTable &arrays,
               llvm::ArrayRef<int32_t> numbers, int levels, Meter &meter,
               const Budget &budget,
               std::optional<ComputationId> entry = std::nullopt);
  ElementTerms(const ElementTerms &) = delete;

  /// A result leaf of an instruction, in a computation as it is called: the
  /// entry is frame 0.
  struct Site {
    int32_t frame;
    InstructionId instruction;
    LeafId leaf;
    bool operator<(const Site &o) const {
      return std::tie(frame, instruction, leaf) <
             std::tie(o.frame, o.instruction, o.leaf);
    }
  };
  Site rootSite(LeafId result) const {
    return {0, module_.computations[entry_].root, result};
  }

  /// Takes lists of integers for expressions of the index, and splits regions
  /// where these are others: index_tables.h.
  void readTables() { readsTables_ = true; }
  /// Takes the updates of a scatter one after the other, if they are few, and
  /// not as a reduction over them.
  void followUpdates() { followsUpdates_ = true; }
  /// Takes the order of the file for that of ops with effects.
  void takeFileOrder() { inFileOrder_ = true; }

  /// Returns the element of a leaf of the root at each index of the region,
  /// which is a map of its indices to themselves. Returns nothing if the region
  /// falls into `parts()`.
  std::optional<ElementId> at(LeafId result, const IndexingMap &region) {
    return at(rootSite(result), region);
  }
  std::optional<ElementId> at(Site site, const IndexingMap &region);
  llvm::ArrayRef<IndexingMap> parts() const { return parts_; }
  /// Returns the site at which the region of the last call fell into parts():
  /// that of the call, or one of which each element is passed on as it is. A
  /// part need not begin further up.
  Site splitSite() const { return splitSite_; }
  /// Returns whether a reduction became an array because it is below too many
  /// others.
  bool isShallow() const { return isShallow_; }
  /// Returns whether a scatter had so few updates that `followUpdates` changes
  /// it.
  bool hasFewUpdates() const { return hasFewUpdates_; }
  /// Returns whether the result rests on the order of updates that land on one
  /// element, which compilers leave open.
  bool ordersUpdates() const { return ordersUpdates_; }
  /// Returns the element at all indices, with cases where it falls into parts;
  /// nothing if there are too many of these.
  std::optional<ElementId> wholeArray(Site site);

  /// Returns the value that the site passes on: the root of a call, the
  /// argument of a parameter, an element of a tuple.
  Site originOf(Site site);
  std::vector<Site> operandSites(Site site) const;
  const Instruction &instruction(Site site) const;
  /// Returns the effects of one execution: ProgramTerms::effects().
  std::vector<TermId> effects() { return terms().effects(); }
  const Computation &computation(Site site) const {
    return module_.computations[frames_[site.frame].computation];
  }
  const ArrayShape &shapeOf(Site site) const;
  /// Returns a size of a leaf of the root, if it follows from what parameters
  /// say.
  std::optional<SizeSum> sizeOfResult(LeafId result, int64_t dimension);
  /// Returns the sizes of parameters that the entry forces to be others.
  std::vector<std::pair<SaidNumber, SizeSum>> forcedSizes();
  /// Returns the value of a leaf of the root as an array, in the table of
  /// arrays.
  std::optional<TermId> arrayOf(LeafId result);

  /// From now on what begins a reduction is left out if it changes nothing: a 0
  /// of a sum, which is then either zero if it is one of -0 alone.
  void leaveOutNeutral() { leavesOutNeutral_ = true; }

  /// Returns the region of all indices of the shape.
  static IndexingMap regionOf(const ArrayShape &shape);

  /// An instruction at which a law dropped an operand.
  struct Lost {
    std::string law, computation, instruction, opcode;
    int32_t line = 0;
    /// The leaves that the operands read and the result does not.
    std::vector<ParameterLeaf> parameters;
    bool operator<(const Lost &o) const {
      return std::tie(line, instruction, law, computation) <
             std::tie(o.line, o.instruction, o.law, o.computation);
    }
  };
  const std::set<Lost> &lost() const { return lost_; }

 private:
  /// A computation as it is called.
  struct Frame {
    ComputationId computation;
    llvm::SmallVector<CallSite, 2> calls;
    int32_t caller = -1;          ///< the frame of the call
    std::vector<Site> arguments;  ///< by leaf of the parameters
    /// Whether its values are others in each trip of a loop around it, so that
    /// they are not arrays of the module.
    bool isTrip = false;
    /// Whether it computes scalars, each of which is an array over the index of
    /// an iteration; and the loops whose body it is.
    bool isLifted = false;
    const BodyLoops *loops = nullptr;
  };
  struct Key {
    int32_t frame;
    InstructionId instruction;
    LeafId leaf;
    int level;
    IndexingMap map;
    bool operator==(const Key &o) const {
      return frame == o.frame && instruction == o.instruction &&
             leaf == o.leaf && level == o.level && map == o.map;
    }
  };
  struct KeyHash {
    size_t operator()(const Key &key) const;
  };
  using Pieces = ElementPieces;
  using Relations =
      std::map<std::pair<int64_t, int64_t>, std::optional<IndexingRelation>>;
  struct OpHash {
    size_t operator()(const Op &op) const { return op.hash(); }
  };
  // These return an element, or kParts: `parts_` says into which regions it
  // falls.
  ElementId elementAt(Site site, const IndexingMap &map);
  ElementId compute(Site site, const IndexingMap &map);
  ElementId operandAt(Site site, size_t operand, const IndexingMap &map);
  ElementId parameterAt(Site site, const IndexingMap &map);
  ElementId callAt(Site site, const IndexingMap &map);
  ElementId elementwiseAt(Site site, const IndexingMap &map);
  /// Returns the bits of an element as a number of another type.
  ElementId bitsAt(Site site, const IndexingMap &map);
  /// Returns the function of a map, of the elements of all operands.
  ElementId mappedAt(Site site, const IndexingMap &map);
  /// Returns whether each is an integer that is known, or an index.
  bool isOfNumbers(llvm::ArrayRef<ElementId> operands, const IndexingMap &map);
  /// Returns an element of a constant that is known.
  ElementId literalAt(const Op &op, const IndexingMap &map);
  // Of sizes that are open (open_values.cc).
  /// Returns whether an op with open sizes is followed by element. Its
  /// definition's conditions on sizes hold: else the module does not run.
  bool isFollowedWithOpenSizes(const Instruction &instruction) const;
  /// Returns the sizes of the entry, or null within another computation.
  OpenSizes *openSizes(Site site);
  /// Returns the number that a size is: nothing if it is not known.
  std::optional<ElementId> sizeOf(Site site, int64_t dimension);
  ElementId numberOf(const SizeSum &sum);
  /// Returns the size of an op's tensor: an operand, or behind these a result.
  std::optional<ElementId> ofOwnSize(Site site, int64_t tensor,
                                     int64_t dimension);
  /// Returns a size that is asked for, or one of a list of sizes.
  ElementId sizeAt(Site site, const NullaryOp &size, const IndexingMap &map);
  ElementId indexAt(Site site, const IndexingMap &map);
  /// Returns the index that an entry of a list of integers is; nothing if the
  /// list is none of indices.
  std::optional<ElementId> tableAt(const ConstantOp &list,
                                   const IndexingMap &map);
  ElementId movedAt(Site site, const IndexingMap &map);
  ElementId reducedAt(Site site, const IndexingMap &map);
  // Members for a reduction whose function is not one op (reduced_tuples.cc).
  ElementId reducedByFunctionAt(Site site, const IndexingMap &map);
  /// Returns what the function gives for the initial values and one element.
  ElementId reducedOnceAt(Site site, const IndexingMap &map);
  /// Returns a function of the elements in their order.
  ElementId reducedInOrderAt(Site site, const IndexingMap &map);
  /// Returns the function of so many values; null if it is not followed.
  Reducer *reducerOf(ComputationId computation, size_t count);
  /// Returns the number or the index that an argmax picks.
  ElementId pickedAt(Site site, const IndexingMap &map);
  ElementId contractedAt(Site site, const IndexingMap &map);
  ElementId convolvedAt(Site site, const IndexingMap &map);
  ElementId windowAt(Site site, const IndexingMap &map);
  ElementId sortedAt(Site site, const IndexingMap &map);
  // Members for a scatter (scattered_elements.cc).
  class Scatter;
  ElementId scatteredAt(Site site, const IndexingMap &map);
  /// Returns the function of the updates that are at the index, one by one:
  /// if their places are known, or if there is one update. Returns nothing
  /// otherwise, as the two below do if an update is not known.
  std::optional<ElementId> scatteredOneByOne(Site site, Scatter &scatter,
                                             const Computation &function,
                                             const IndexingMap &map);
  /// Returns the reduction of all updates at the index.
  std::optional<ElementId> reducedUpdatesAt(Site site, Scatter &scatter,
                                            const Op &reducer,
                                            const IndexingMap &map);
  /// Returns the last update at the index, or the operand.
  std::optional<ElementId> lastUpdateAt(Site site, Scatter &scatter,
                                        const IndexingMap &map);
  /// Returns a select, or `then` if there is no condition.
  ElementId chosenAt(std::optional<ElementId> condition, ElementId then,
                     ElementId otherwise);
  ElementId loopAt(Site site, const IndexingMap &map);
  /// Returns what a conditional gives: the element of the branch that is known
  /// to be taken, or a choice of those of both.
  ElementId branchesAt(Site site, const IndexingMap &map);
  ElementId selectedAt(Site site, const IndexingMap &map);
  std::optional<ElementId> branchAt(Site site, int32_t branch,
                                    const IndexingMap &map);
  ElementId arrayAt(Site site, const IndexingMap &map);
  // Elements of ops that are loops around a body, and of values in the body
  // (element_bodies.cc).
  /// Returns the loops that the op is, with the sizes of its shapes, some of
  /// which may be open; null if it is not one.
  const BodyLoops *loopsOf(const Op &op);
  ElementId bodyAt(Site site, const BodyLoops &loops, const IndexingMap &map);
  ElementId combinedAt(Site site, const BodyLoops &loops,
                       const IndexingMap &map);
  int32_t frameOfBody(Site site, const BodyLoops &loops,
                      llvm::ArrayRef<Site> parameters);
  ElementId generatedAt(Site site, const BodyLoops &loops,
                        const IndexingMap &map);
  ElementId iterationIndex(size_t loop, ElementType type,
                           const IndexingMap &iteration);
  ElementId liftedAt(Site site, const IndexingMap &iteration);
  ElementId bodyArgumentAt(Site site, const IndexingMap &iteration);
  ElementId extractedAt(Site site, const IndexingMap &iteration);
  ElementId knownAt(Site site, const IndexingMap &map);
  ElementId wholeAt(Site site, const IndexingMap &map);

  using ReducedBody = ElementInRegion;
  /// Returns the reduction over new variables of these sizes. `body` is given
  /// maps to the index of the result, with the indices of the reduced
  /// dimensions behind it.
  ElementId reduceOver(const Op &op, const ArrayShape &result,
                       llvm::ArrayRef<int64_t> sizes, const IndexingMap &map,
                       std::optional<ElementId> init, ReducedBody body);
  ElementId reduceInOrder(const Op &op, const ArrayShape &result,
                          llvm::ArrayRef<int64_t> sizes,
                          llvm::ArrayRef<size_t> order, const IndexingMap &map,
                          std::optional<ElementId> init, ReducedBody body);
  /// Overload over the ranges of `added`, a map from an index of the result.
  /// `body` is given maps to its results.
  ElementId reduceThrough(const Op &op, const IndexingMap &added,
                          const IndexingMap &map, std::optional<ElementId> init,
                          ReducedBody body);
  /// Returns the sum of products of elements of both operands. `places[k]` goes
  /// from the index that `reduce` gives its body to that of operand k.
  ElementId sumOfProducts(
      Site site, llvm::ArrayRef<IndexingMap> places,
      llvm::function_ref<ElementId(const Op &sum, ReducedBody body)> reduce);

  const std::optional<IndexingRelation> &relationOf(const Op &op,
                                                    int64_t result,
                                                    int64_t operand);
  std::optional<llvm::ArrayRef<IndexingMap>> placedPieces(Site site,
                                                          size_t operand);
  IndexingMap withNumbers(Site site, const IndexingMap &piece);
  /// Returns the product, with its runtime variables named by the elements that
  /// they are. Returns nothing if these are not known, and an empty map with
  /// `parts_` if they fall into parts. `iteration`, if not null, is that in
  /// which the elements are scalars.
  std::optional<IndexingMap> composed(Site site, const IndexingMap &map,
                                      const IndexingMap &piece,
                                      const IndexingMap *iteration = nullptr);
  /// Returns the map with an index in place of its runtime variable `i`, where
  /// `from` gives that index; an empty map with `parts_` if it is clamped in a
  /// part of the region.
  std::optional<IndexingMap> withIndex(const IndexingMap &map, size_t i,
                                       const IndexingMap &from);
  ProgramTerms &terms();
  /// Returns the frame of a computation that the instruction calls with these
  /// arguments; nothing if calls are nested too deep.
  std::optional<int32_t> newFrame(Site caller, const Callee &callee,
                                  llvm::ArrayRef<Site> operands);
  /// Returns the frame of the computation that a call or a fusion runs; nothing
  /// if it is not known.
  std::optional<int32_t> frameOfCall(Site site);
  /// Returns the argument that a parameter of a called computation is.
  std::optional<Site> argumentOf(Site site) const;
  /// Returns for each parameter the number of leaves of those before it. Each
  /// of thousands of parameters is asked for.
  llvm::ArrayRef<size_t> firstLeavesOf(ComputationId computation) const;
  /// Returns the state of a loop after its last trip, or nothing if its
  /// condition is not known, or there are many trips.
  const std::optional<std::vector<Site>> &stateAfter(Site site);
  /// Returns the integer that a scalar is, if it is a literal.
  std::optional<int64_t> scalarAt(Site site);
  /// Returns the number that the element is at each index of the map's domain,
  /// as a map of one result; nothing if it is not made of indices, or leaves
  /// its type.
  std::optional<IndexingMap> integerAt(ElementId id, const IndexingMap &map);
  /// Returns the result of an op of indices, or nothing if it is not one.
  std::optional<ElementId> ofIndices(const Op &op,
                                     llvm::ArrayRef<ElementId> operands,
                                     const IndexingMap &map);
  std::optional<ElementId> comparedIndices(llvm::StringRef direction,
                                           llvm::ArrayRef<ElementId> operands,
                                           const IndexingMap &map);
  bool isOfRealNumbers(TermId term);
  /// Returns the smaller or the larger of two indices.
  std::optional<ElementId> chosenIndex(llvm::StringRef direction, ElementId a,
                                       ElementId b, const IndexingMap &map);
  ElementId split(llvm::ArrayRef<IndexingMap> maps);
  ElementId unknown() { return table_.unknown(); }

  const Module &module_;
  ComputationId entry_;
  ElementTable &table_;
  TermTable &arrays_;
  const std::vector<int32_t> numbers_;
  Meter &meter_;
  const Budget budget_;
  std::optional<ProgramTerms> terms_;
  std::optional<OpenSizes> openSizes_;
  std::deque<Frame> frames_;
  std::map<std::tuple<int32_t, InstructionId, int32_t>, int32_t> callees_;
  std::unordered_map<Key, ElementId, KeyHash> memo_;
  std::map<std::tuple<int32_t, InstructionId, LeafId>, ElementId> wholes_;
  std::unordered_map<Op, Relations, OpHash> relations_;
  std::map<std::tuple<int32_t, InstructionId, size_t>, std::vector<IndexingMap>>
      placed_;
  std::unordered_map<Op, Op, OpHash> scalars_;
  std::unordered_map<Op, std::optional<BodyLoops>, OpHash> sizedLoops_;
  std::vector<IndexingMap> parts_;
  Site splitSite_ = {};
  bool passesOn_ = false;  ///< the site that fell into parts is further down
  /// The element of an operand that is the op's, at the same indices.
  ElementId passedOn(ElementId element) {
    passesOn_ = element == kParts;
    return element;
  }
  bool isBelowLevels() {
    isShallow_ |= level_ >= levels_;
    return level_ >= levels_;
  }

  const int levels_;
  bool isShallow_ = false;
  bool followsUpdates_ = false, hasFewUpdates_ = false, ordersUpdates_ = false;
  bool readsTables_ = false, inFileOrder_ = false;
  bool leavesOutNeutral_ = false;
  int level_ = 0;  ///< so many reductions stand above
  std::map<std::pair<int32_t, InstructionId>, std::optional<std::vector<Site>>>
      loops_;
  std::map<ComputationId, std::optional<Reducer>> reducers_;
  std::set<Lost> lost_;
  std::set<TermId> seenReal_;  // terms of real numbers alone
  /// By computation: for each parameter, the number of leaves before it.
  mutable std::map<ComputationId, std::vector<size_t>> firstLeaves_;
};

/// Returns whether the op reduces tuples of values, in any order; and whether
/// each tuple counts once, however often it occurs.
bool reducesTogether(const Op &op);
bool reducesSetTogether(const Op &op);

/// Returns whether a reduction, which HLO and linalg run in any order, may give
/// the op its operands in either one: of an op that commutes, and of a maximum
/// or minimum of floats. Of these, two zeros of different signs come in any
/// order.
bool reducesInAnyOrder(const Op &op);

/// Returns the op of a value of a reducer of `count` values, if the result is
/// one op of both of its arguments, which reductions run in any order
/// (reducesInAnyOrder). Returns nothing for any other reducer, such as a
/// remainder.
std::optional<Op> opOfReducer(const Computation &reducer, size_t value = 0,
                              size_t count = 1);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_TERMS_H
