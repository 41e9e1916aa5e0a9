// A pass that writes maps into a module.
//
//   %r = linalg.transpose … {indexical.maps = [
//     {result = 0 : i64, operand = 0 : i64, precision = "exact",
//      maps = [#indexical.map<"(d0, d1) -> (d1, d0), domain: …">]}]}
//
// One entry a pair of a result and an operand, also where nothing is read
// (`maps = []`). With `composed`, each function gets the attribute instead, of
// its results and arguments. Regions of linalg ops are left as they are.
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
