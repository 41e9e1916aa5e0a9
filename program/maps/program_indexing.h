// Maps of a program: of each instruction, and composed through computations.
//
//   ProgramIndexing maps(module);
//   // What leaf 0 of instruction i reads of its operand leaf 1; a fusion or
//   // call is composed through its computation.
//   auto reads =
//       maps.instruction({c, i}, LeafId(1), Direction::OutputToInput);
//   // What leaf 0 of the root reads of leaf 0 of parameter 2.
//   auto read = maps.computation(c, LeafId(0), ParameterLeaf{2},
//                                Direction::OutputToInput);
//   // What leaf 0 of `from` reads of leaf 0 of `to`, through all paths.
//   auto along = maps.between({c, from}, {c, to}, Direction::OutputToInput);
//
// Runtime variables: `RuntimeSource::tensor` is a number of `value()`, which
// says which instruction's element it is, and on which way through calls. The
// number of a collective is that of its first result. Variables whose source is
// a constant or an iota are folded, clamp kept.
//
// Law (tests/program/maps/program_test.cc): the composed relation is the union
// over all paths of the relational products, by enumeration.
#ifndef INDEXICAL_PROGRAM_MAPS_PROGRAM_INDEXING_H
#define INDEXICAL_PROGRAM_MAPS_PROGRAM_INDEXING_H

#include <cassert>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

/// A result's leaf, and a leaf of an operand or of a parameter.
struct LeafPair {
  LeafId result;
  int32_t parameter = 0;  ///< its number, where the leaf is a parameter's
  LeafId leaf;            ///< of the parameter, or of the operands
  bool operator<(const LeafPair &o) const {
    return std::tie(result, parameter, leaf) <
           std::tie(o.result, o.parameter, o.leaf);
  }
};

/// Pairs of a result's leaf and an operand's leaf, by result: those of a list,
/// or all that there are, which are counted and not listed.
class LeafPairs {
 public:
  /// Makes the pairs of `results` leaves with `operands` leaves each.
  LeafPairs(int64_t results, int64_t operands)
      : operands_(operands), count_(results * operands) {}
  explicit LeafPairs(std::vector<LeafPair> list)
      : list_(std::move(list)),
        count_(static_cast<int64_t>(list_.size())),
        isListed_(true) {}

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = LeafPair;
    using difference_type = int64_t;
    using pointer = const LeafPair *;
    using reference = const LeafPair &;

    const LeafPair &operator*() const {
      return pairs_->isListed_ ? pairs_->list_[at_] : pair_;
    }
    Iterator &operator++() {
      ++at_;
      if (++pair_.leaf == pairs_->operands_) {
        ++pair_.result;
        pair_.leaf = LeafId(0);
      }
      return *this;
    }
    bool operator==(const Iterator &o) const { return at_ == o.at_; }
    bool operator!=(const Iterator &o) const { return at_ != o.at_; }

   private:
    friend class LeafPairs;
    Iterator(const LeafPairs *pairs, int64_t at) : pairs_(pairs), at_(at) {}
    const LeafPairs *pairs_;
    int64_t at_;
    LeafPair pair_ = {LeafId(0), 0, LeafId(0)};
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, count_}; }
  int64_t size() const { return count_; }
  /// Returns whether these are the pairs of each result with each operand, in a
  /// type that lists none of them.
  bool areAll() const { return !isListed_; }
  bool empty() const { return count_ == 0; }

 private:
  std::vector<LeafPair> list_;
  int64_t operands_ = 0, count_;
  bool isListed_ = false;
};

/// The limit that was exceeded, so that the answer is a cover
/// (docs/internals/limits.md).
enum class LimitKind : uint8_t {
  Pieces,       ///< of a relation
  Constraints,  ///< of all its pieces
  Terms,        ///< of one expression
};

/// The instruction at which an answer became a cover: what is read through it
/// grew beyond the limit.
struct Limit {
  LimitKind kind = LimitKind::Pieces;
  ComputationId computation;
  InstructionId instruction;
};
/// Returns `what is read through it takes more than 64 maps, and one map covers
/// them`, or the like.
std::string reasonOf(LimitKind kind);

/// Which variables are written by cases.
enum class Cases : uint8_t {
  Computed,    ///< those whose value is computed
  AllClamped,  ///< and those that are clamped: below, inside and above
};

class ProgramIndexing {
 public:
  /// Answers for one module. `module` and the prover must outlive the object.
  /// With a prover, pieces that repeat the pairs of others are dropped where
  /// several paths from a result to an operand are united (simplifier/merge.h).
  /// Once the budget's stop is reached, there are no more answers.
  explicit ProgramIndexing(const Module &module, Prover *prover = nullptr,
                           const Budget &budget = {});
  /// Answers for the first module of a program that this object keeps. A
  /// program without a module has no computation to ask about.
  explicit ProgramIndexing(Program &&program, Prover *prover = nullptr,
                           const Budget &budget = {});
  /// A module without its program would lose the text that it views: pass
  /// `std::move(program)`, or a module that outlives the object.
  explicit ProgramIndexing(Module &&, Prover * = nullptr,
                           const Budget & = {}) = delete;
  ~ProgramIndexing();

  const Module &module() const { return module_; }
  const Budget &budget() const { return budget_; }

  /// Each answer is a relation whose runtime variables' sources are numbers of
  /// `value()`. Leaves are counted as in keys.md.
  ///
  /// Returns what a result's leaf reads of a leaf of its operands, or the other
  /// direction of it.
  absl::StatusOr<IndexingRelation> instruction(Leaf result, LeafId operandLeaf,
                                               Direction direction);
  /// Returns what a leaf of the root reads of a parameter's leaf, or the other
  /// direction of it.
  absl::StatusOr<IndexingRelation> computation(ComputationId computation,
                                               LeafId rootLeaf,
                                               ParameterLeaf parameter,
                                               Direction direction);
  /// Returns the pairs for which an instruction's own maps can have any pieces,
  /// by result. An op that only passes its operands on, such as a tuple, has
  /// one pair a result.
  std::vector<LeafPair> instructionPairs(ComputationId computation,
                                         InstructionId instruction);
  /// Returns the same pairs, without a list of them if these are all pairs. An
  /// op that sorts a thousand arrays has a million.
  LeafPairs pairsOf(ComputationId computation, InstructionId instruction);
  /// Returns the pairs of a leaf of the root and a leaf of a parameter for
  /// which a computation's maps can have any pieces, by result.
  absl::StatusOr<std::vector<LeafPair>> computationPairs(
      ComputationId computation);
  /// Returns what `from` reads of `to`, of the same computation, or the other
  /// direction of it.
  absl::StatusOr<IndexingRelation> between(Leaf from, Leaf to,
                                           Direction direction);
  /// Returns what `from` reads of each of the leaves, all of its computation,
  /// along the paths that end at the first of these leaves. Only instructions
  /// on such paths are looked at.
  absl::StatusOr<std::vector<IndexingRelation>> until(
      Leaf from, llvm::ArrayRef<Leaf> leaves);
  /// Returns the first limit that made a cover of what `until` returns for one
  /// of the leaves, or nothing if there is none or `until` has an error.
  std::optional<Limit> limitUntil(Leaf from, llvm::ArrayRef<Leaf> leaves);

  /// Returns the leaves whose elements an instruction reads because it names a
  /// size that was set from them (size_reads.cc).
  std::vector<Leaf> sizeSources(ComputationId computation,
                                InstructionId instruction);

  const Value &value(int64_t number) const {
    assert(number >= 0 && number < static_cast<int64_t>(values_.size()));
    return values_[number];
  }
  /// Returns the number of a value, a new one if it has none.
  int64_t numberOf(const Value &value);
  /// Returns the relation with every runtime variable replaced that is a known
  /// element of a constant or an iota; clamps are kept, and sizes stay as they
  /// are. The relation's sources must be numbers of `value()`.
  absl::StatusOr<IndexingRelation> withKnownValues(
      const IndexingRelation &relation);
  /// Returns the relation with every runtime variable that is computed of
  /// others written by cases: for x[i], the row i if i is not negative, i + n
  /// below, both clamped. A piece becomes at most 4; a variable that would need
  /// more stays. The relation's sources must be numbers of `value()`.
  IndexingRelation byCases(const IndexingRelation &relation,
                           Cases which = Cases::Computed);

 private:
  struct State;
  absl::StatusOr<IndexingRelation> pruned(
      absl::StatusOr<IndexingRelation> answer);

  std::unique_ptr<const Program> kept_;  // null: the caller keeps the module
  const Module &module_;
  Prover *prover_;
  Budget budget_;
  std::vector<Value> values_;
  std::map<Value, int64_t> numbers_;
  std::unique_ptr<State> state_;
};

/// Returns one map instead of the pieces, a superset: the pieces' hull. Exact
/// if the relation is exact and has at most one piece.
absl::StatusOr<IndexingRelation> coverOf(const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_PROGRAM_INDEXING_H
