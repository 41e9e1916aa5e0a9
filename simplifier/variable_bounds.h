// The bounds of a map's variables: an interval each.
//
//   VariableBounds box;
//   box.variables[0] = {{0, 3}, {0, 7}};  // d0 in [0, 3], d1 in [0, 7]
//   Interval d1 = box[{VariableKind::Dimension, 1}];  // [0, 7]
#ifndef INDEXICAL_SIMPLIFIER_VARIABLE_BOUNDS_H
#define INDEXICAL_SIMPLIFIER_VARIABLE_BOUNDS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// Bounds, by kind and number.
struct VariableBounds {
  llvm::SmallVector<Interval, 6> variables[3];
  Interval &operator[](VariableId id) {
    return variables[static_cast<int>(id.kind)][id.index];
  }
  const Interval &operator[](VariableId id) const {
    return variables[static_cast<int>(id.kind)][id.index];
  }
  bool operator==(const VariableBounds &o) const {
    return variables[0] == o.variables[0] && variables[1] == o.variables[1] &&
           variables[2] == o.variables[2];
  }
  /// Returns whether a variable has no value.
  bool isEmpty() const {
    return llvm::any_of(variables, [](const auto &kind) {
      return llvm::any_of(
          kind, [](const Interval &bounds) { return bounds.isEmpty(); });
    });
  }
};

/// Intervals as a domain of indexing/fold.h, of variables in a box.
struct IntervalsInBox : IntervalArithmetic {
  const VariableBounds &box;
  Interval variable(VariableId id) const { return box[id]; }
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_VARIABLE_BOUNDS_H
