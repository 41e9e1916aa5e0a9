// Bounds of expressions from the bounds of their variables, by interval
// arithmetic: sound, not tight (x - x is not seen to be 0; the simplifier's
// forms are tighter).
//
//   d0 in [0, 9], d1 in [0, 3]:  bounds of d0 * 4 + d1 floordiv 2 are [0, 37]
#ifndef INDEXICAL_INDEXING_BOUNDS_H
#define INDEXICAL_INDEXING_BOUNDS_H

#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"

namespace indexical {

class FormBounds {
 public:
  FormBounds(const ExpressionTable &table,
             llvm::function_ref<Interval(VariableId)> variable)
      : table_(table), variable_(variable) {}

  Interval operator()(FormId form);

  /// An error where the form, over finite bounds, can leave 64 bits, or where a
  /// divisor inside it can be zero or a modulus not positive.
  absl::Status check(FormId form);

 private:
  struct Entry {
    Interval bounds;
    bool known = false;
  };
  Interval atom(AtomId id);
  Interval wide(FormId form);

  const ExpressionTable &table_;
  llvm::function_ref<Interval(VariableId)> variable_;
  llvm::SmallVector<Entry, 16> atoms_;
  absl::Status status_;
};

/// Intervals that the map's results (not its members) are in wherever it holds:
/// those that it is known to have, or by its variables' bounds.
llvm::SmallVector<Interval, 4> boundsOfResults(const IndexingMap &map);

/// Whether the map is known to keep the result inside (resultBounds()), so that
/// no constraint has to ask for it. A result that is one variable is never
/// known to be inside: the constraint can tighten the variable's bounds.
bool isKnownInside(const IndexingMap &map, size_t result,
                   const Interval &bounds);

/// Whether `second` asks for nothing of `first`'s results: it has no
/// constraints, and they are known to be inside its dimensions, or bounds show
/// it. Requires as many results as dimensions.
bool asksForNothing(const IndexingMap &second, const IndexingMap &first);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_BOUNDS_H
