// Systems: conjunctions of constraints over numbered variables.
//
// Whatever is asked of maps becomes a question of a system: the variables of
// one or more maps side by side, without kinds, and what must hold of them. Do
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

/// The number of a variable, kinds one behind the other.
size_t flatNumber(const IndexingMap &map, VariableId id);

/// Whether a variable is multiplied with another, or divides it.
bool isSemiAffine(const ExpressionTable &table);
/// The variables in divisors: their bounds keep these from being 0.
void visitDivisors(const ExpressionTable &table,
                   llvm::function_ref<void(VariableId)> visit);
/// The same by number, of so many.
llvm::SmallVector<bool, 16> variablesThatDivide(const ExpressionTable &table,
                                                size_t count);

class System {
 public:
  using Forms = llvm::SmallVector<FormId, 8>;

  ExpressionPool pool;
  llvm::SmallVector<Interval, 8> box;
  llvm::SmallVector<Constraint, 8> constraints;
  Forms outputs;

  /// A new variable.
  FormId add(Interval bounds);
  /// New variables for all of a map's.
  Forms addVariables(const IndexingMap &map);
  /// What the map's results are where its variables are `values`; its bounds
  /// and constraints must hold. Bounds of a value that is a variable are those
  /// of the variable from here on.
  Forms addMap(const IndexingMap &map, llvm::ArrayRef<FormId> values);
  /// The same of any forms of the map alone, without its domain.
  Forms import(const IndexingMap &map, llvm::ArrayRef<FormId> values,
               llvm::ArrayRef<FormId> forms);
  void require(FormId form, Interval bounds);

  /// The set. An error where arithmetic leaves 64 bits, or bounds do not keep a
  /// divisor from being 0.
  absl::StatusOr<IndexingMap> simplified();

 private:
  void boundDivisors(const IndexingMap &map, Forms &values);
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_SYSTEM_H
