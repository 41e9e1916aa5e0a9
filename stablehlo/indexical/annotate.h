// A pass that writes maps into a module.
//
//   %r = linalg.transpose … {indexical.maps = [
//     {result = 0 : i64, operand = 0 : i64, precision = "exact",
//      maps = [#indexical.map<"(d0, d1) -> (d1, d0), domain: …">]}]}
//
// One entry a pair of a result and an operand, also where nothing is read
// (`maps = []`). With `composed`, each function gets the attribute instead, of
// its results and arguments. In the regions of ops, which may hold thousands of
// ops of scalars, those that have a tensor or a vector are annotated.
//
// With `arguments`, the function `main` (else the first public one) has these:
// a type each, or a constant where sizes follow from its value. All sizes that
// follow are then known.
//
//   arguments={dense<3> : tensor<i64>, tensor<3x4xf32>}
//
// What cannot be understood is left as it is, with a warning: an op, or a
// function, which is then taken for unknown where it is called.
#ifndef INDEXICAL_STABLEHLO_INDEXICAL_ANNOTATE_H
#define INDEXICAL_STABLEHLO_INDEXICAL_ANNOTATE_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace indexical {

std::unique_ptr<mlir::Pass> createAnnotateMapsPass();

/// Makes `-indexical-annotate-maps` known to tools.
void registerAnnotateMapsPass();

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_INDEXICAL_ANNOTATE_H
