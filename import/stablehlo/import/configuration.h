// Configurations: text that distinguishes ops whose descriptors are equal but
// whose values are not.
//
//   %c = stablehlo.compare LT, %a, %b        "comparison_direction=…<LT>"
//   %e = math.exp %x fastmath<fast>          "math.exp;fastmath=…<fast>"
//
// As in import/hlo/configuration.h, what program/values/op_identity.h lists is
// left out. If several ops of MLIR share a kind, the text has the op's name.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_CONFIGURATION_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_CONFIGURATION_H

#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeRange.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns the direction of HLO's comparison that computes what the op does, or
/// "" if there is none.
llvm::StringRef comparisonOf(mlir::Operation *op);

/// Returns the configuration of `op`. `described` is its descriptor, and `kind`
/// the kind that the descriptor will get.
std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind);

/// Returns the part of a configuration that names those of the element types of
/// which shapes say less than the text (program/values/op_identity.h), or "".
std::string elementTypesOf(mlir::TypeRange types);

/// Returns whether running the op may read or write more than its operands, so
/// that it may give something new every time: an op on memory, an op that is
/// not known and has no operands, or no results. Other ops that are not known
/// are functions of their operands if `areUnknownPure`, unless their regions
/// have effects.
bool mayHaveEffects(mlir::Operation *op, bool areUnknownPure);
/// Returns whether the op is not known, and has no operands or no results.
bool isUnknownEffect(mlir::Operation *op);
/// Returns whether a call of a function that is only declared can be for nothing
/// but its effects, or for the contents of memory. Any other one is taken to
/// compute its results from its operands, as an op that is not known is.
bool mayBeForEffects(mlir::Operation &call);

/// The item of the configuration of an op that may have effects, before the
/// digest of its module.
inline constexpr llvm::StringLiteral kEffectsOfModule =
    "has_side_effect = true;module=";
/// That of an op whose effect depends on nothing but its operands.
inline constexpr llvm::StringLiteral kEffectOfOperands =
    "has_side_effect = true";

/// Returns a digest of the module's text. Effects are in one order in modules
/// of one text; of others this is not known.
std::string digestOfModule(mlir::Operation *module);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_CONFIGURATION_H
