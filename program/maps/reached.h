// Holds the leaves that a pass has reached so far, each with its relation to
// the leaf at which the pass began: private to program/.
#ifndef INDEXICAL_PROGRAM_MAPS_REACHED_H
#define INDEXICAL_PROGRAM_MAPS_REACHED_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

/// The relation between two leaves.
struct Reached {
  IndexingRelation relation;
  std::optional<Limit> limit;  ///< the first that was met on the way
};

/// The leaves of an instruction that were reached, by number. A way touches few
/// of the thousands that a tuple may have.
class ReachedLeaves {
 public:
  using Entry = std::pair<LeafId, Reached>;

  bool empty() const { return entries_.empty(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  /// Null if the leaf was not reached.
  Reached *find(LeafId leaf) {
    auto at = place(leaf);
    return at != entries_.end() && at->first == leaf ? &at->second : nullptr;
  }
  /// Adds the leaf if it is not there.
  Reached &operator[](LeafId leaf) {
    auto at = place(leaf);
    if (at == entries_.end() || at->first != leaf)
      at = entries_.insert(at, {leaf, Reached()});
    return at->second;
  }
  void clear() { entries_.clear(); }

 private:
  llvm::SmallVector<Entry, 1>::iterator place(LeafId leaf) {
    return std::lower_bound(
        entries_.begin(), entries_.end(), leaf,
        [](const Entry &entry, LeafId number) { return entry.first < number; });
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
  /// By instruction.
  llvm::DenseMap<int32_t, size_t> numbers_;
  std::deque<std::pair<InstructionId, ReachedLeaves>> entries_;
};

/// Adds to a relation. If the relation then has too many pieces or constraints,
/// it becomes one covering map, and `limit` says which of the two were too
/// many. If `limit` says something before the call, fewer pieces are too many,
/// so that the relation is a box in the end.
absl::Status unite(IndexingRelation &into, const IndexingRelation &other,
                   std::optional<LimitKind> &limit);

/// Returns the relation without expressions that are too large (cover.cc). If
/// there is one, `limit` says so unless it says something before.
absl::StatusOr<IndexingRelation> withoutLargeExpressions(
    const IndexingRelation &relation, std::optional<LimitKind> &limit);

/// Returns `before` composed with what an instruction reads, as a pass goes on:
/// with values that are known (`folded`), one variable for each value, few
/// ranges, and without expressions that are too large, of which `limit` says
/// so.
absl::StatusOr<IndexingRelation> stepped(
    const IndexingRelation &before, const IndexingRelation &relation,
    ResultSide side,
    llvm::function_ref<
        absl::StatusOr<IndexingRelation>(const IndexingRelation &)>
        folded,
    const Budget &budget, std::optional<LimitKind> &limit);

/// Returns the identity at which a pass begins. A variable that has one value
/// is written as that value.
absl::StatusOr<IndexingRelation> startOf(const ArrayShape &shape);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_REACHED_H
