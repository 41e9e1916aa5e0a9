// Loops and branches of scf and affine in one form, which is HLO's.
//
//   %r = scf.for %i = %lo to %hi step %by iter_args(%a = %x) -> (T) { … %y }
//
//   %n, %r = scf.while (%i = %lo, %a = %x) {
//     %c = arith.cmpi slt, %i, %hi
//     scf.condition(%c) %i, %a
//   } do { … scf.yield %i + %by, %y }
//
// scf.forall is such loops in each other: an iteration inserts what its thread
// inserts at the end, and a read of a shared output sees the content before the
// loop. Threads whose slices meet have no order in MLIR either. A while whose
// first region computes what it passes on computes it again in its second
// region, and once more behind the loop. Bounds and conditions of affine become
// ops of arith.
//
// scf.parallel and affine.parallel, whose iterations have no order, are a
// reduction of linalg over their counters, if their bounds are numbers and they
// reduce scalars.
//
// Loops over memory (memref) stay as they are: they are opaque.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOOP_FORMS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOOP_FORMS_H

#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace indexical {

/// Returns whether an `scf.while` passes what it carries on to both of its
/// regions, and to its results.
bool isPlainWhile(mlir::Operation *op);

/// Gives the loops of the module that form.
class LoopForms {
 public:
  explicit LoopForms(mlir::ModuleOp module);
  LoopForms(const LoopForms &) = delete;
  ~LoopForms();

 private:
  /// Ops that were replaced. They live on, so that none that is new has the
  /// address of one that has a name in the text.
  std::vector<mlir::Operation *> replaced_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOOP_FORMS_H
