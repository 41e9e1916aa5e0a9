// Composition of maps, before any simplification.
//
//   first   (d0) -> (d0 floordiv 8, d0 mod 8), d0 in [0, 31]
//   second  (d0, d1) -> (d0 * 8 + d1), d0 in [0, 3], d1 in [0, 7]
//   product (d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), d0 in [0, 31],
//           d0 floordiv 8 in [0, 3], d0 mod 8 in [0, 7]
//
// The product is handed out in parts, so that simplifier/ can go on with them;
// its `compose` is what callers want.
//
// Law (tests/simplifier/simplifier_test.cc, by enumeration): it is the
// relational product, and every runtime variable keeps its own source, whose
// index follows.
#ifndef INDEXICAL_INDEXING_COMPOSITION_H
#define INDEXICAL_INDEXING_COMPOSITION_H

#include "absl/status/status.h"
#include "llvm/ADT/SmallVector.h"

#include "indexing/expression.h"
#include "indexing/indexing_map.h"

namespace indexical {

/// A map taken apart: variables, and expressions in a pool that may grow.
struct MapParts {
  ExpressionPool pool;
  llvm::SmallVector<Variable, 4> dimensions;
  llvm::SmallVector<Variable, 2> ranges;
  llvm::SmallVector<RuntimeVariable, 0> runtime;
  llvm::SmallVector<FormId, 4> results;  // and, behind them, the members
  llvm::SmallVector<int64_t, 0> collectives;
  llvm::SmallVector<Constraint, 4> constraints;
  /// Forms that are canonical on the box of the variables as they are given.
  llvm::SmallVector<FormId, 4> canonical;
};

/// Which of two composed maps is on the result's side: the first, where maps go
/// from outputs to inputs, the second, where they go the other way. Members are
/// seen from there.
enum class ResultSide : uint8_t { First, Second };

/// Requires empty parts and a map that is not known to be empty.
void takeApart(const IndexingMap &map, MapParts &parts);

/// The relational product: `first` maps a to b, `second` b to c. Ranges are the
/// second's, then the first's; runtime variables likewise. An error where the
/// number of `first`'s results is not that of `second`'s dimensions. Requires
/// empty parts and maps that are not known to be empty.
absl::Status composeParts(const IndexingMap &first, const IndexingMap &second,
                          ResultSide side, MapParts &parts);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_COMPOSITION_H
