// One of two modules that are compared: its maps and its terms.
#ifndef INDEXICAL_SAME_EQUALITY_SIDE_H
#define INDEXICAL_SAME_EQUALITY_SIDE_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/parameters_below.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/loop_leaves.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/values/known_values.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/terms/program_terms.h"

namespace indexical {

/// A leaf of a parameter of the entry.
struct EntryLeaf {
  int32_t parameter;
  LeafId leaf;
  ArrayShape shape;
};

/// Leaves of an entry by what they read.
using SharedLeaves = std::map<TermId, std::vector<Leaf>>;

/// A size of a parameter's leaf, counted as in `Side::parameters()`.
struct ParameterSize {
  size_t leaf;
  int64_t dimension;
  bool operator<(const ParameterSize &o) const {
    return std::tie(leaf, dimension) < std::tie(o.leaf, o.dimension);
  }
};

/// An open size, and the number or the other size that it must be equal to.
struct ForcedSize {
  ParameterSize size;
  std::optional<int64_t> number;
  std::optional<ParameterSize> other;
};

/// Sizes that are known to be equal to other sizes or to numbers. A size is the
/// term of its tensor, and a dimension.
struct KnownSizes {
  using Size = std::pair<TermId, int64_t>;
  std::map<Size, Size> others;
  std::map<Size, int64_t> numbers;
  bool empty() const { return others.empty() && numbers.empty(); }
};

class Side {
 public:
  /// With `inFileOrder` ops with effects take place in that order.
  Side(const Module &module, int32_t number, TermTable &table,
       llvm::ArrayRef<int32_t> parameters, const Budget &budget,
       bool inFileOrder);

  const Computation &entry() const {
    return module_.computations[module_.entry];
  }
  ShapeList results() const {
    return entry().instructions[entry().root].shape.leaves();
  }
  const std::vector<EntryLeaf> &parameters() const { return parameters_; }
  /// Returns the term that a leaf of the root, or of a parameter, reads.
  TermId readsOf(LeafId result) const {
    return terms_.of({entry().root, result}).reads;
  }
  TermId readsOf(const EntryLeaf &parameter) const {
    return terms_.of({entry().parameters[parameter.parameter], parameter.leaf})
        .reads;
  }

  /// Returns the terms of the parameters' leaves that the result may depend on,
  /// followed through loops by leaf (loop_leaves.h), sorted.
  std::vector<TermId> parametersBelow(LeafId result);
  /// Returns the terms of the leaves that the result depends on.
  std::set<TermId> below(LeafId result);
  /// Returns the leaves that read one of these terms and are met first on each
  /// path from the result down.
  SharedLeaves frontier(LeafId result, const std::set<TermId> &terms);

  /// Returns whether it is known exactly what a leaf of the entry reads of the
  /// operands of its instruction.
  bool isExact(Leaf leaf);
  /// Returns what the result reads of the leaves, by their terms.
  absl::StatusOr<std::map<TermId, IndexingRelation>> reads(
      LeafId result, const SharedLeaves &leaves);
  /// Returns the relation with terms in place of its sources and collectives,
  /// so that relations of two modules can be compared.
  absl::StatusOr<IndexingRelation> traced(const IndexingRelation &relation);
  /// Forgets the sources of a result, so that the answer for the next one does
  /// not name them.
  void forgetSources() { unknownSources_.clear(); }
  /// Returns the open sizes of parameters that ops of the entry force to be a
  /// number, or to be equal to another size.
  std::vector<ForcedSize> forcedSizes() const;
  void setKnownSizes(const KnownSizes &sizes) { sizes_ = sizes; }
  /// Returns the relation with computed and clamped variables written by cases.
  IndexingRelation byCases(const IndexingRelation &relation) {
    return maps_.byCases(relation, Cases::AllClamped);
  }

  /// Returns why a difference from this relation would show nothing; None if it
  /// would.
  Doubt doubtOf(const IndexingRelation &relation) const;
  /// Returns the instruction because of which it is not known what the result
  /// reads of the leaves.
  EqualityObstacle because(LeafId result, const SharedLeaves &leaves,
                           Doubt doubt);

  /// Returns the instructions from the root to the parameter along which the
  /// witness's element is read; without a witness, any element.
  std::vector<std::string> way(LeafId result, const EntryLeaf &to,
                               const PairWitness *reads);

 private:
  absl::StatusOr<IndexingMap> trace(const IndexingMap &map);
  absl::StatusOr<IndexingMap> withKnownSizes(IndexingMap map) const;
  TermId collectiveOf(int64_t value);
  /// Visits the leaves that the result depends on, down to those at which
  /// `visit` returns false.
  void walk(LeafId result, llvm::function_ref<bool(Leaf)> visit) {
    walk(result, visit, nullptr);
  }
  /// Overload; with `loops` only those operands of a loop that its result
  /// depends on.
  void walk(LeafId result, llvm::function_ref<bool(Leaf)> visit,
            LoopLeaves *loops);
  EqualityObstacle at(ComputationId computation, InstructionId instruction,
                      std::string reason);
  std::optional<EqualityObstacle> inexactIn(ComputationId computation,
                                            int32_t depth, int64_t &steps);
  std::optional<EqualityObstacle> inexactAt(ComputationId computation,
                                            InstructionId instruction,
                                            LeafId result, int32_t depth,
                                            int64_t &steps);
  bool wayFrom(InstructionLeaf leaf, const EntryLeaf &to,
               const IndexingRelation &soFar, const PairWitness *reads,
               std::vector<std::string> &names, int64_t &steps);

  const Module &module_;
  const int32_t number_;
  TermTable &table_;
  ProgramIndexing maps_;
  ProgramTerms terms_;
  LoopLeaves loops_;
  OperandLeafLists lists_;                ///< of the entry
  std::optional<ParametersBelow> below_;  ///< once it is asked for
  std::vector<EntryLeaf> parameters_;
  /// By term: a value of `maps_` that has it.
  std::map<TermId, int64_t> unknownSources_;
  KnownSizes sizes_;
};

/// An element of a term. movedFrom() returns the element with the same value
/// upstream of ops that only move elements. `bounds` are those of the index's
/// variables.
struct MovedTerm {
  TermId term;
  llvm::SmallVector<Expr, 4> index;
};
MovedTerm movedFrom(const TermTable &table, MovedTerm element,
                    IndexBounds bounds, IndexingMapBuilder &builder);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_SIDE_H
