// A record of the rewrites that simplification made.
//
//   std::vector<Rewrite> rewrites;
//   SimplifyOptions options;
//   options.rewrites = &rewrites;
//   // (d0 * 8 + d1) floordiv 8 on d0 in [0, 3], d1 in [0, 7]
//   auto simple = simplify(map, options);
//
//   rewrites[0]
//     before    (d0 * 8 + d1) floordiv 8
//     after     d0
//     rule      an index, cut at its strides
//     because   d0 in [0, 3], d1 in [0, 7]
//
// Rewrites that were tried and not used are not in the record. A rewrite that
// was made twice is in it once. Nothing is recorded unless a record is
// requested.
//
// Law (tests/simplifier/explanation_test.cc, by enumeration): before and after
// have the same value at every point of the domain; new bounds and constraints
// hold there.
#ifndef INDEXICAL_SIMPLIFIER_EXPLANATION_H
#define INDEXICAL_SIMPLIFIER_EXPLANATION_H

#include <functional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// One rewrite. Expressions and bounds are as in the text of maps. A range that
/// has become dense (dense.h) keeps its old name. A dense dimension is written
/// as the floor that it is.
struct Rewrite {
  std::string rule;     ///< in words, the same for each use of a rule
  std::string before;   ///< an expression, or what is known: `d0 in [0, 9]`
  std::string after;    ///< what it is now; empty: nothing, it goes
  std::string because;  ///< the bounds that justify it; empty: none are needed
  bool operator==(const Rewrite &o) const {
    return rule == o.rule && before == o.before && after == o.after;
  }
};

/// Records rewrites of the forms of one table.
class Recorder {
 public:
  Recorder(const ExpressionTable &table,
           std::function<std::string(VariableId)> nameOf,
           std::vector<Rewrite> &rewrites)
      : table_(table), nameOf_(std::move(nameOf)), rewrites_(rewrites) {}

  void add(Rewrite rewrite);
  /// Records how constraints changed: those that are gone, and those that are
  /// new. Does nothing if none is gone.
  void addConstraints(llvm::ArrayRef<Constraint> before,
                      llvm::ArrayRef<Constraint> after);
  std::string text(FormId form) const;
  /// Returns the text of one constraint, or of several.
  std::string text(llvm::ArrayRef<Constraint> constraints) const;

  /// Returns a mark for forget(), which drops the rewrites recorded since then.
  size_t mark() const { return rewrites_.size(); }
  void forget(size_t mark) { rewrites_.resize(mark); }

  /// Nothing is recorded while a Pause lives.
  class Pause {
   public:
    explicit Pause(Recorder *recorder) : recorder_(recorder) {
      if (recorder_) ++recorder_->pauses_;
    }
    ~Pause() {
      if (recorder_) --recorder_->pauses_;
    }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;

   private:
    Recorder *recorder_;
  };

 private:
  const ExpressionTable &table_;
  std::function<std::string(VariableId)> nameOf_;
  std::vector<Rewrite> &rewrites_;
  int pauses_ = 0;
};

/// Records the rewrites that the proof step (proof.h) made.
void explainProof(const IndexingMap &before, const IndexingMap &after,
                  std::vector<Rewrite> &rewrites);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_EXPLANATION_H
