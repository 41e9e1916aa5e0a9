// Answers that depend on open sizes case by case.
//
// A start index of a slice of 3 out of ? is clamped to a bound that is known at
// run time only. There is a piece for an index within the bound, and one for an
// index beyond it:
//
//   (d0){rt0, rt1} -> (d0 + rt1),     rt1 - rt0 in [-inf, -3]
//   (d0){rt0, rt1} -> (d0 + rt0 - 3), rt1 - rt0 in [-2, inf]
//
// With n such questions there are 2^n variants. The pieces of two variants are
// disjoint, since every question has one answer.
#ifndef INDEXICAL_OPS_CORE_VARIANTS_H
#define INDEXICAL_OPS_CORE_VARIANTS_H

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

/// One answer to each question.
using Variant = llvm::SmallVector<bool, 6>;

/// Returns whether there are few enough variants for a piece each.
inline bool areFewVariants(size_t questions) { return questions <= 6; }

/// Calls `visit(variant)` for every variant, until one of them fails.
template <typename Visit>
absl::Status forEachVariant(size_t questions, Visit visit) {
  Variant variant(questions, false);
  while (true) {
    if (auto status = visit(variant); !status.ok()) return status;
    size_t i = 0;
    while (i < questions && variant[i]) variant[i++] = false;
    if (i == questions) return absl::OkStatus();
    variant[i] = true;
  }
}

/// Returns the maps that `make(variant, builder)` builds, one for each variant.
/// Requires areFewVariants(questions).
template <typename Make>
Answer ofVariants(size_t questions, Make make) {
  IndexingRelation relation;
  auto status = forEachVariant(questions, [&](const Variant &variant) {
    IndexingMapBuilder builder;
    make(variant, builder);
    return addPiece(relation, builder);
  });
  if (!status.ok()) return status;
  return relation;
}

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_VARIANTS_H
