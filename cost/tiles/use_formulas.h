// The elements that an instruction uses, as formulas of symbolic sizes.
//
//   t = f32[4,?] transpose(x), x: f32[?,4]      rt0 the size 0 of x
//     size      rt0 * 4          distinct  rt0 * 4       bytes  rt0 * 16
//     reads     rt0 * 4          box       [0, rt0 - 1] x [0, 3]
//
// The figures are those of cost/use/utilization.h. A formula is exact for
// all sizes, or missing. It is found if the elements are one tile of the
// operand (tile.h), and each index of the result reads equally many.
//
// Law (tests/documents/open_use_test.cc): with the sizes of a run, each formula
// is the figure of the program in which they are written.
#ifndef INDEXICAL_COST_TILES_USE_FORMULAS_H
#define INDEXICAL_COST_TILES_USE_FORMULAS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// Part of a result: a tile at a place, or all of it.
struct AskedShare {
  llvm::SmallVector<int64_t, 4> tile, at;  ///< empty: all of the result
};

struct UseFormulas {
  /// A map without dimensions, whose runtime variables are the sizes.
  IndexingMap sizes;
  std::optional<FormId> size, distinct, bytes, reads;
  /// The least and the greatest index in each dimension of the operand; empty
  /// if it is not known, or if the operand is a scalar.
  llvm::SmallVector<std::pair<FormId, FormId>, 4> box;

  std::string str(FormId formula) const { return sizes.str(formula); }
  /// Returns the value of the formula for these sizes, in the order of the
  /// variables; nothing if it leaves 64 bits.
  std::optional<int64_t> at(FormId formula,
                            llvm::ArrayRef<int64_t> values) const;
};

/// Returns the formulas of what an instruction uses of an operand leaf. Unknown
/// formulas are missing: all of them if the instruction has several results.
absl::StatusOr<UseFormulas> useFormulasOf(ProgramIndexing &maps,
                                          ComputationId computation,
                                          InstructionId instruction,
                                          LeafId operandLeaf,
                                          const AskedShare &share = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_USE_FORMULAS_H
