// What distinguishes an op's values and stands in no field of its descriptor.
//
//   %c = stablehlo.compare LT, %a, %b        "comparison_direction=…<LT>"
//   %e = math.exp %x fastmath<fast>          "math.exp;fastmath=…<fast>"
//
// As in hlo/configuration.h: attributes that say something of the text, of the
// compilation or of the place where the op runs are left out, as are names of
// functions. An op that shares its kind with others of MLIR says its name.
#ifndef INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
#define INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H

#include <string>

#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"

namespace indexical {

/// `described` is its descriptor, `kind` the kind that it gets.
std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
