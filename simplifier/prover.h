// Provers, which show what forms do not.
//
//   d0 in [0, 999], d0 mod 7 in [1, 1], d0 floordiv 7 in [3, 3],
//   d0 mod 5 in [0, 0]                                        has no point
//
// Bounds and forms decide most of simplification. For the rest, it and the code
// that unites the pieces of relations ask a prover that the caller passes. The
// prover in this header looks at boxes of points within a budget;
// exact/exact_prover.h knows more. A prover answers what it has proven, or that
// it has proven nothing.
//
// Law (tests/exact/prover_test.cc, by enumeration): what is said to be empty
// is; the difference is that of the sets of pairs.
#ifndef INDEXICAL_SIMPLIFIER_PROVER_H
#define INDEXICAL_SIMPLIFIER_PROVER_H

#include <cstdint>
#include <optional>

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {

class Prover {
 public:
  virtual ~Prover() = default;

  /// Returns true only if it is proven that the map has no pair, whatever
  /// values its runtime variables have within their bounds.
  virtual bool isEmpty(const IndexingMap &map) = 0;

  /// Returns exactly the pairs of `a` that are not in `b`, as disjoint pieces,
  /// or nothing if they cannot be found.
  virtual std::optional<IndexingRelation> difference(
      const IndexingMap &a, const IndexingRelation &b) = 0;
};

/// Bounds and enumeration: always there. It cannot take maps apart.
class EnumerationProver final : public Prover {
 public:
  /// `operations` is the budget of one question, at about 50 ns each.
  explicit EnumerationProver(int64_t operations = 10'000)
      : operations_(operations) {}
  bool isEmpty(const IndexingMap &map) override;
  std::optional<IndexingRelation> difference(
      const IndexingMap &, const IndexingRelation &) override {
    return std::nullopt;
  }

 private:
  int64_t operations_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PROVER_H
