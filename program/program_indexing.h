// Maps of a program: of each instruction, and composed through computations.
//
//   ProgramIndexing maps(module);
//   // What leaf 0 of instruction i reads of its operand leaf 1; a fusion or
//   // call is composed through its computation.
//   auto reads = maps.instruction(c, i, Direction::OutputToInput, 0, 1);
//   // What leaf 0 of the root reads of leaf 0 of parameter 2.
//   auto read = maps.computation(c, Direction::OutputToInput, 0, 2, 0);
//   // What leaf 0 of `from` reads of leaf 0 of `to`, through all paths.
//   auto along = maps.between(c, from, 0, to, 0, Direction::OutputToInput);
//
// Runtime variables: `RuntimeSource::tensor` is a number in `values()`, which
// says which instruction's element it is, and on which way through calls. The
// number of a collective is that of its first result.
// Variables whose source is a constant or an iota are folded, clamp kept.
//
// Law (tests/program/program_test.cc): the composed relation is the union over
// all paths of the relational products, by enumeration.
#ifndef INDEXICAL_PROGRAM_PROGRAM_INDEXING_H
#define INDEXICAL_PROGRAM_PROGRAM_INDEXING_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"
#include "indexical/program/callees.h"
#include "indexical/program/program.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

/// Where a call was made: an instruction of a computation of the module.
struct CallSite {
  int32_t computation = 0, instruction = 0;
  int32_t called = 0;  ///< which of the computations that it names
  bool operator<(const CallSite &o) const {
    return std::tie(computation, instruction, called) <
           std::tie(o.computation, o.instruction, o.called);
  }
  bool operator==(const CallSite &o) const {
    return std::tie(computation, instruction, called) ==
           std::tie(o.computation, o.instruction, o.called);
  }
};

/// One array leaf that a running program computes.
struct Value {
  int32_t computation = 0, instruction = 0, result = 0;
  /// The way to it from the computation that was asked about, outermost first.
  llvm::SmallVector<CallSite, 2> calls;
  bool operator<(const Value &o) const;
};

/// A result's leaf, and a leaf of an operand or of a parameter.
struct LeafPair {
  int64_t result = 0;
  int32_t parameter = 0;  ///< its number, where the leaf is a parameter's
  int64_t leaf = 0;       ///< of the parameter, or the operand leaf
};

/// What was too large, so that a cover took its place (docs/limits.md).
enum class LimitKind : uint8_t {
  Pieces,       ///< of a relation
  Constraints,  ///< of all its pieces
  Terms,        ///< of one expression
};

/// Where an answer became a cover because it was too large: at the instruction
/// on the way through which it grew beyond the limit.
struct Limit {
  LimitKind kind = LimitKind::Pieces;
  int32_t computation = 0, instruction = 0;
};
/// `what is read through it takes more than 64 maps, and one map covers them`.
std::string reasonOf(LimitKind kind);

/// Which variables are written by cases.
enum class Cases : uint8_t {
  Computed,    ///< those whose value is computed
  AllClamped,  ///< and those that are clamped: below, inside and above
};

class ProgramIndexing {
 public:
  /// `module` must outlive it, and so must the prover: with one, of pieces that
  /// meet where ways do those go that are there twice (simplifier/merge.h).
  /// Where the budget's stop is reached, it has no more answers.
  explicit ProgramIndexing(const Module &module, Prover *prover = nullptr,
                           const Budget &budget = {});
  ~ProgramIndexing();

  const Module &module() const { return module_; }
  const Budget &budget() const { return budget_; }

  /// All answers: a relation whose runtime variables' sources are numbers of
  /// `value()`. Leaves are counted as in formats.md.
  absl::StatusOr<IndexingRelation> instruction(int32_t computation,
                                               int32_t instruction,
                                               Direction direction,
                                               int64_t result,
                                               int64_t operandLeaf);
  absl::StatusOr<IndexingRelation> computation(int32_t computation,
                                               Direction direction,
                                               int64_t rootLeaf,
                                               int32_t parameter,
                                               int64_t parameterLeaf);
  /// The pairs of which an instruction's own maps can have any, by result: of
  /// an op that only hands its operands on, such as a tuple, one a result.
  std::vector<LeafPair> instructionPairs(int32_t computation,
                                         int32_t instruction);
  /// Those of a computation's root and parameters, by result.
  absl::StatusOr<std::vector<LeafPair>> computationPairs(int32_t computation);
  absl::StatusOr<IndexingRelation> between(int32_t computation, int32_t from,
                                           int64_t fromLeaf, int32_t to,
                                           int64_t toLeaf, Direction direction);
  /// What `from` reads of each of the leaves, on ways that end at the first of
  /// them. Only what lies on these ways is looked at.
  absl::StatusOr<std::vector<IndexingRelation>> until(
      int32_t computation, Leaf from, llvm::ArrayRef<Leaf> leaves);
  /// The first limit that made a cover of what `until` says of one of the
  /// leaves; nothing if there is none, or if `until` has an error.
  std::optional<Limit> limitUntil(int32_t computation, Leaf from,
                                  llvm::ArrayRef<Leaf> leaves);

  /// The leaves whose elements an instruction reads because it names a size
  /// that was set from them (size_reads.cc).
  std::vector<Leaf> sizeSources(int32_t computation, int32_t instruction);

  const Value &value(int64_t number) const { return values_[number]; }
  /// The number of a value, a new one where it has none.
  int64_t numberOf(const Value &value);
  /// The relation, whose sources are numbers of `value()`, with every runtime
  /// variable replaced that is a known element of a constant or an iota, clamp
  /// kept. Sizes stay as they are.
  absl::StatusOr<IndexingRelation> withKnownValues(
      const IndexingRelation &relation);
  /// The relation, whose sources are numbers of `value()`, with every runtime
  /// variable that is computed of others written by cases: of x[i], the row i
  /// where i is not negative, i + n below, both clamped. A piece becomes at
  /// most 4; a variable for which it would be more stays.
  IndexingRelation byCases(const IndexingRelation &relation,
                           Cases which = Cases::Computed);

 private:
  struct State;
  absl::StatusOr<IndexingRelation> pruned(
      absl::StatusOr<IndexingRelation> answer);

  const Module &module_;
  Prover *prover_;
  Budget budget_;
  std::vector<Value> values_;
  std::map<Value, int64_t> numbers_;
  std::unique_ptr<State> state_;
};

/// Every index of the shape to itself, as it is asked about: not simplified.
IndexingMap identityOf(const ArrayShape &shape);
/// Whether a map takes every index of the shape, all of whose sizes are known,
/// to itself; the index of a dimension of one element may be that number.
bool isIdentity(const IndexingMap &map, const ArrayShape &shape);

/// One map instead of the pieces, a superset: the pieces' hull. Exact where the
/// relation is exact and has at most one piece.
absl::StatusOr<IndexingRelation> coverOf(const IndexingRelation &relation);

/// `coverOf` of an answer in both directions, `reads` from `from` to `to`: what
/// was merged in one of them makes covers of both, and each stays the other's
/// transpose.
absl::Status coverBothWays(IndexingRelation &reads, IndexingRelation &users,
                           const ArrayShape &from, const ArrayShape &to);

/// Makes two covers of the same answer each other's transposes: as they are,
/// where they are seen to be so, else the boxes around what is read.
absl::Status turnAround(IndexingRelation &reads, IndexingRelation &users,
                        const ArrayShape &from, const ArrayShape &to);

/// The relation with every expression of more than `most` written terms given
/// up: a result becomes a range variable over its bounds, a constraint goes. A
/// cover where that happens. Transposes and reshapes whose cuts do not align
/// can double an expression's text at every step. `givenUp` becomes true where
/// there is one.
absl::StatusOr<IndexingRelation> withoutLargeExpressions(
    const IndexingRelation &relation, int64_t most, bool &givenUp);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_PROGRAM_INDEXING_H
