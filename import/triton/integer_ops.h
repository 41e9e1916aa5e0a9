// Ops of integers, traced: arith, whose integers become terms, and XLA's
// indexing maps; private to import/triton.
//
//   %2 = arith.muli %0, %c64 : i32     mul(term(%0), 64)
#ifndef INDEXICAL_IMPORT_TRITON_INTEGER_OPS_H
#define INDEXICAL_IMPORT_TRITON_INTEGER_OPS_H

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "indexical/import/triton/traced_values.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical::triton {

class IntegerOps : public TracedValues {
 protected:
  using TracedValues::TracedValues;

  void traceArith(mlir::Operation &op);
  /// Returns the meaning that is `yes` if the condition holds, else `no`.
  /// Returns nothing if the two are not alike.
  Meaning chosen(TermId condition, const Meaning &yes, const Meaning &no);
  /// Traces an indexing map `#xla.indexing_map<"…">` of the op's operands.
  void traceIndexing(mlir::Operation &op);

 private:
  void traceArithmetic(mlir::Operation &op, kernels::TermKind kind);
  /// Sets the result to a comparison of two integers, signed if `kind` is.
  void setLess(mlir::Operation &op, kernels::TermKind kind, TermId a, TermId b);
  void traceConstant(mlir::arith::ConstantOp op);
  void traceCompare(mlir::arith::CmpIOp op);
  void traceCast(mlir::Operation &op, kernels::TermKind extension);
  void traceSelect(mlir::Operation &op);
  bool isProgramAlone(TermId id);
  std::optional<TermId> ofForm(const IndexingMap &map, FormId form,
                               const TermList &operands);
  std::optional<TermId> ofAtom(const IndexingMap &map, const Atom &atom,
                               const TermList &operands);
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_INTEGER_OPS_H
