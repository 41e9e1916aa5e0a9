// Variables that are known mod n, in steps of n.
//
//   d0 in [0, 8], d0 mod 2 in [0, 0]:   d0 is q * 2, q in [0, 4], and
//   (d0 * 3) floordiv 2                 is (q * 6) floordiv 2, which is q * 3
//   (d0 + d1) mod 4, d1 in [0, 1]       is (q mod 2) * 2 + d1
//
// While a map is simplified, q stands in the variable's place, and is dense. A
// range variable may stay so. At the end a dimension is written as it was
// given: q is d0 floordiv 2, q * 2 is d0, and (q + d1) floordiv 4 is
// (d0 + d1 * 2) floordiv 8.
#ifndef INDEXICAL_SIMPLIFIER_DENSE_H
#define INDEXICAL_SIMPLIFIER_DENSE_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// The variable is stride * q + start; start is in [0, stride).
struct SteppedVariable {
  VariableId variable;
  int64_t stride = 1, start = 0;
  Interval given(Interval q) const { return q.affine(stride, start); }
  Interval dense(Interval x) const { return x.preimageOfMul(stride, start); }
};

class DenseVariables {
 public:
  size_t size() const { return steps_.size(); }
  void clear() { steps_.clear(); }
  /// Adds a step, which applies to the variable as the earlier steps made it.
  /// Returns false, and adds nothing, if the stride leaves 64 bits.
  bool add(const SteppedVariable &step);

  /// Returns the variable as it was before step number `from`; `dense` is the
  /// form that the later steps gave it.
  FormId given(ExpressionAlgebra &algebra, VariableId id, FormId dense,
               size_t from = 0) const;
  /// Returns all steps of the variable as one, or nothing if it has none.
  std::optional<SteppedVariable> of(VariableId id) const;

 private:
  llvm::SmallVector<SteppedVariable, 0> steps_;
};

/// Returns the steps of range variables and dimensions that follow from
/// residues among the constraints: (d0 * 4 + d1) mod 6 in [1, 1] leaves d1 in
/// steps of 2.
llvm::SmallVector<SteppedVariable, 4> stepsOf(
    const ExpressionTable &table, llvm::ArrayRef<Constraint> constraints);

/// Writes forms over dense dimensions as forms over those that were given.
class GivenDimensions : public ExpressionAlgebra {
 public:
  /// `box` has the dimensions as they were given.
  GivenDimensions(ExpressionPool &to, const DenseVariables &dense,
                  const VariableBounds &box)
      : to_(to), dense_(dense), box_(box) {}

  /// A dense dimension is written as its floor.
  FormId variable(VariableId id) override;
  FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) override;
  FormId digit(FormId form, int64_t stride, int64_t modulus) override;
  FormId product(FormId a, FormId b) override { return to_.product(a, b); }
  FormId quotient(FormId a, FormId b) override { return to_.quotient(a, b); }
  FormId remainder(FormId a, FormId b) override { return to_.remainder(a, b); }
  FormId positivePart(FormId form) override { return to_.positivePart(form); }
  /// Returns a constraint on a multiple of the form, if that multiple has no
  /// floors: d0 * 16 + q as d0 * 32 + d1. Returns the constraint itself
  /// otherwise.
  Constraint constraint(const Constraint &c);

 private:
  struct Multiple {
    FormId form;
    int64_t factor, added;
  };
  std::optional<Multiple> withoutFloors(FormId form);

  ExpressionPool &to_;
  const DenseVariables &dense_;
  const VariableBounds &box_;
  /// Atoms (x floordiv factor) mod n, or without the mod, of an x that is known
  /// to be `added` mod factor.
  llvm::SmallDenseMap<AtomId, Multiple, 4> steps_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_DENSE_H
