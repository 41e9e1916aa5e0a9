// Systems: conjunctions of constraints over numbered variables.
//
// Every query about maps becomes a query about a system: the variables of one
// or more maps side by side, without kinds, and constraints on them. Do
// (d0) -> (d0 * 2) and (d0) -> (d0 + 3), on [0, 9], read a common element?
//
//   x0 in [0, 9], x1 in [0, 9], x0 * 2 - x1 - 3 in [0, 0]      has a point?
//
// A *set* is a system that was simplified: an IndexingMap whose dimensions are
// the variables, with `outputs` for results.
#ifndef INDEXICAL_EXACT_SYSTEM_H
#define INDEXICAL_EXACT_SYSTEM_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// Returns the number of a variable among dimensions, then ranges, then runtime
/// variables.
size_t flatNumber(const IndexingMap &map, VariableId id);

/// Returns whether a variable is multiplied with another, or divides it.
bool isSemiAffine(const ExpressionTable &table);
/// Visits the variables in divisors. Their bounds keep the divisors from being
/// 0.
void visitDivisors(const ExpressionTable &table,
                   llvm::function_ref<void(VariableId)> visit);
/// Returns for each of the `count` variables of a table, which has dimensions
/// only, whether it is in a divisor.
llvm::SmallVector<bool, 16> variablesThatDivide(const ExpressionTable &table,
                                                size_t count);

class System {
 public:
  using Forms = llvm::SmallVector<FormId, 8>;

  ExpressionPool pool;
  llvm::SmallVector<Interval, 8> box;
  llvm::SmallVector<Constraint, 8> constraints;
  Forms outputs;

  /// Adds a variable.
  FormId add(Interval bounds);
  /// Adds a variable for each variable of the map.
  Forms addVariables(const IndexingMap &map);
  /// Requires the map's bounds and constraints, with `values` in the place of
  /// its variables, and returns its results and members. If a value is a
  /// variable, the bounds restrict the variable itself.
  Forms addMap(const IndexingMap &map, llvm::ArrayRef<FormId> values);
  /// Returns forms of the map with `values` in the place of its variables,
  /// without requiring its domain.
  Forms import(const IndexingMap &map, llvm::ArrayRef<FormId> values,
               llvm::ArrayRef<FormId> forms);
  void require(FormId form, Interval bounds);

  /// Returns the set, or an error if arithmetic leaves 64 bits or bounds do not
  /// keep a divisor from being 0.
  absl::StatusOr<IndexingMap> simplified();

 private:
  void boundDivisors(const IndexingMap &map, Forms &values);
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_SYSTEM_H
