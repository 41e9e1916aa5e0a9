// The ops of VHLO. A row holds the versions of an op that are read alike.
//
//   {"gather", 1, 1, kGather, assembleGather}
//   {"gather", 2, 2, kGatherBatched, assembleGather}
//
//   "vhlo.gather_v1"(%x, %i) <{collapsed_slice_dims = …, offset_dims = …, …}>
//   "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<…>, …}
//
// An op of VHLO has every attribute of its version, even if StableHLO leaves
// the attribute out, and each is of the simplest kind: a number, a list of
// numbers, a string. A row lists them in the order of their names, since
// bytecode writes their values in that order, without names.
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_OPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/vhlo/fields.h"

namespace indexical::vhlo {

struct Row {
  llvm::StringLiteral name;  ///< `gather`, in VHLO and in StableHLO
  unsigned first, last;      ///< versions
  llvm::ArrayRef<Field> fields = {};
  /// Makes one attribute of the fields that are its parts; null for none.
  Assemble assemble = nullptr;
  /// The op that it becomes; "" for the op of the same name in StableHLO.
  llvm::StringLiteral target = "";
};

/// Returns all rows, ordered by name and version.
llvm::ArrayRef<Row> rows();

/// Returns the row of `gather_v2`, say, or null if there is none.
const Row *findRow(llvm::StringRef nameAndVersion);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_OPS_H
