// A pass that writes maps into a module.
//
//   %r = linalg.transpose … {indexical.maps = [
//     {result = 0 : i64, operand = 0 : i64, precision = "exact",
//      maps = [#indexical.map<"(d0, d1) -> (d1, d0), domain: …">]}]}
//
// There is one entry for each pair of a result and an operand, even if nothing
// is read (`maps = []`). With `composed`, each function has the attribute
// instead, for its results and arguments. Regions of ops may hold thousands of
// scalar ops, so only those that have a tensor or a vector are annotated.
//
// With `arguments`, the function `main` (else the first public one) has these
// arguments: each a type, or a constant if sizes follow from its value. All
// sizes that follow are then known.
//
//   arguments={dense<3> : tensor<i64>, tensor<3x4xf32>}
//
// An op or function that cannot be understood stays as it is, with a warning. A
// call of such a function is a call of an unknown one.
#ifndef INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_ANNOTATE_H
#define INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_ANNOTATE_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace indexical {

std::unique_ptr<mlir::Pass> createAnnotateMapsPass();

/// Makes `-indexical-annotate-maps` known to tools.
void registerAnnotateMapsPass();

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_ANNOTATE_H
