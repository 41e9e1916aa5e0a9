// Configurations: text that distinguishes ops whose descriptors are equal but
// whose values are not.
//
//   %c = stablehlo.compare LT, %a, %b        "comparison_direction=…<LT>"
//   %e = math.exp %x fastmath<fast>          "math.exp;fastmath=…<fast>"
//
// As in hlo/configuration.h, attributes that only describe the text, the
// compilation or the place of the run are left out, and so are names of
// functions. If several ops of MLIR share a kind, the text has the op's name.
#ifndef INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
#define INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H

#include <string>

#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns the configuration of `op`. `described` is its descriptor, and `kind`
/// the kind that the descriptor will get.
std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
