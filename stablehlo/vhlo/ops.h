// The ops of VHLO, a row for all versions of an op that are read alike.
//
//   {"gather", 1, 1, kGather, assembleGather}
//   {"gather", 2, 2, kGatherBatched, assembleGather}
//
//   "vhlo.gather_v1"(%x, %i) <{collapsed_slice_dims = …, offset_dims = …, …}>
//   "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<…>, …}
//
// An op of VHLO has every attribute that its version knows, also where
// StableHLO leaves it out, and each is of the simplest kind: a number, a list
// of numbers, a string. A row lists them. Their order is that of their names,
// since bytecode writes them without names in that order.
#ifndef INDEXICAL_STABLEHLO_VHLO_OPS_H
#define INDEXICAL_STABLEHLO_VHLO_OPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/stablehlo/vhlo/fields.h"

namespace indexical::vhlo {

struct Row {
  llvm::StringLiteral name;  ///< `gather`, of VHLO and of StableHLO
  unsigned first, last;      ///< versions
  llvm::ArrayRef<Field> fields = {};
  /// Makes one attribute out of the fields that are parts; null for none.
  Assemble assemble = nullptr;
  /// What the op becomes, where that is not the op of that name in StableHLO.
  llvm::StringLiteral target = "";
};

/// All of them, by name and version.
llvm::ArrayRef<Row> rows();

/// The row of `gather_v2`; null where there is none.
const Row *findRow(llvm::StringRef nameAndVersion);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_STABLEHLO_VHLO_OPS_H
