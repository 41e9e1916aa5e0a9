// Configurations: text that distinguishes ops whose descriptors are equal but
// whose values are not.
//
//   %c = stablehlo.compare LT, %a, %b        "comparison_direction=…<LT>"
//   %e = math.exp %x fastmath<fast>          "math.exp;fastmath=…<fast>"
//
// As in hlo/configuration.h, what values/op_identity.h lists is left out. If
// several ops of MLIR share a kind, the text has the op's name.
#ifndef INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
#define INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H

#include <string>

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeRange.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns the configuration of `op`. `described` is its descriptor, and `kind`
/// the kind that the descriptor will get.
std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind);

/// Returns the part of a configuration that names those of the element types of
/// which shapes say less than the text (values/op_identity.h), or "".
std::string elementTypesOf(mlir::TypeRange types);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_CONFIGURATION_H
