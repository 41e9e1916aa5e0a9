// Integers of a computation that follow from an index, whatever the data is.
//
//   i = s32[8,1] iota(), iota_dimension=0
//   z = pred[8,1] compare(i, zeros), direction=LT
//   s = s32[8,1] select(z, add(i, eights), i)     what JAX writes for x[i]
//   c = s32[8,2] concatenate(s, p), dimensions={1}
//   element (d0, 0) of c    d0
//   element (d0, 1) of c    nothing: p's is not known
//
// A value is an expression of the index, and each step of it holds in its
// type: where a sum, a difference or a product can leave the type on the
// bounds of the index, it is not known. Comparisons, selections and bounds are
// known where intervals decide them; divisions, where the dividend cannot be
// negative and the divisor is a positive number.
//
// Law (tests/program/known_values_test.cc): a value that is known is that of
// every run, in integers of every width.
#ifndef INDEXICAL_PROGRAM_KNOWN_VALUES_H
#define INDEXICAL_PROGRAM_KNOWN_VALUES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/callees.h"
#include "indexical/program/program.h"

namespace indexical {

/// The values that an integral type holds, open where they are of 64 bits; all
/// for other types.
Interval valuesOf(ElementType type);
/// Whether a type has every value of another one.
bool holdsAll(ElementType type, ElementType from);

/// The index that `op` reads of its one operand under one element of its
/// result, where that is a single expression.
std::optional<llvm::SmallVector<Expr, 4>> movedIndex(
    const Op &op, llvm::ArrayRef<Expr> index, IndexingMapBuilder &builder);

/// Bounds of the variables of an index.
using IndexBounds = llvm::function_ref<Interval(VariableId)>;

/// The value of the element; nothing where it is not known.
std::optional<Expr> knownElement(const Computation &computation, Leaf leaf,
                                 llvm::ArrayRef<Expr> index,
                                 IndexingMapBuilder &builder,
                                 IndexBounds bounds);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_KNOWN_VALUES_H
