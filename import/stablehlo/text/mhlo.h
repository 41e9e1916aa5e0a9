// MHLO, the elder of StableHLO, in the words of StableHLO:
//
//   %1 = "mhlo.abs"(%0) : …                 "stablehlo.abs"
//   %2 = mhlo.erf %1 : …                    chlo.erf
//   precision = #mhlo<precision HIGH>       #stablehlo<precision HIGH>
//   !mhlo.async_bundle<A, tensor<4xf32>>    !stablehlo.future<tensor<4xf32>>
//   mhlo.fusion, mhlo.copy, mhlo.sharding   as they are
//
// The ops that both have, have one syntax and one meaning. MHLO's own ops are a
// dialect of their own (dialect/neighbours.td), and attributes that StableHLO
// lacks stay text. For a bundle only the results count: its operands and its
// context are never read.
//
// Source: mlir-hlo, `mhlo/IR/hlo_ops.td`, `mhlo/IR/hlo_ops_attrs.td`.
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_MHLO_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_MHLO_H

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/text/edits.h"

namespace indexical {

/// Returns what the op `mhlo.NAME` is called here, by NAME alone:
/// `stablehlo.abs`, `chlo.erf`, or "" if it is MHLO's own.
/// `isStablehlo` says whether StableHLO has an op of that name.
std::string nameOfMhloOp(llvm::StringRef name,
                         llvm::function_ref<bool(llvm::StringRef)> isStablehlo);

/// Renames the ops, attributes and types of MHLO that StableHLO has, too.
void renameMhlo(TextEdits &edits,
                llvm::function_ref<bool(llvm::StringRef)> isStablehlo);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_MHLO_H
