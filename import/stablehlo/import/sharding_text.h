// The text of a value's sharding in MLIR: private to import/.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_SHARDING_TEXT_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_SHARDING_TEXT_H

#include <string>

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace indexical {

/// Returns the sharding of an op's results: `mhlo.sharding` as it is, or that
/// of Shardy, with the mesh in place of its name:
///
///   sdy.mesh @m = <["x"=2]>
///   {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>}
///       #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>
///
/// Returns "" if there is none.
std::string shardingTextOf(mlir::Operation *op);
/// Returns the text of an attribute of an op of Shardy, with the mesh in the
/// place of its name.
std::string attributeTextOf(mlir::Attribute attribute, mlir::Operation *op);
/// Returns the text of the sharding of an argument of a function, or an empty
/// one if it has none.
std::string argumentShardingText(mlir::FunctionOpInterface function,
                                 unsigned argument);
/// Returns the shardings of all results of a function as that of a tuple, or an
/// empty text if one of them has none.
std::string resultShardingText(mlir::FunctionOpInterface function);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_SHARDING_TEXT_H
