// Accesses at loaded indices, as relations that hold for all values of these.
//
//   y[r] = x[clamp(i[r floordiv 4])][r mod 4]     x has 8 rows
//     from (program, j, v), with j = r floordiv 4 and v any integer of 32 bits
//     to   v * 4 + r mod 4 where v is in [0, 7], 28 + r mod 4 where it is above
//
// Element j of an array holds v: both are dimensions. Whatever the array holds,
// a program touches the elements of those (j, v) that it has. So two relations
// that are equal touch the same elements, and one that contains another touches
// all of its elements.
//
// Law (tests/command/kernel/compiled_gathers.test): a changed row, stride,
// clamp or element of the index is never the same.
#ifndef INDEXICAL_SAME_KERNEL_OPEN_INDICES_H
#define INDEXICAL_SAME_KERNEL_OPEN_INDICES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/ops/shape.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// A runtime variable of a map: an element of an argument of the kernel.
struct OpenIndex {
  int64_t argument = 0;
  /// From the map's dimensions, then its ranges, to the number of the element.
  IndexingMap position;
  /// The bits of the element, which are taken for a signed integer.
  int64_t bits = 0;
  /// The integer types of which the element is, one after another.
  llvm::SmallVector<ElementType, 4> types;
  /// The values of the variable; a clamped one has the nearest of these.
  Interval bounds;
  bool isClamped = false;
};

/// Returns the map from the dimensions and ranges of `map` to forms of it; none
/// may name a runtime variable. Returns std::nullopt if one does.
std::optional<IndexingMap> positionOf(const IndexingMap &map,
                                      llvm::ArrayRef<FormId> forms);

/// Returns the index that is loaded, for a variable of an access of the kernel.
/// Returns std::nullopt if it is another value.
std::optional<OpenIndex> loadedIndex(const TritonKernel &kernel,
                                     const IndexingMap &map,
                                     const RuntimeVariable &variable);

/// A part of an access: the arguments that hold its indices, in ascending
/// order, and the map with two dimensions for each behind its own.
struct OpenPart {
  std::vector<int64_t> arguments;
  std::vector<IndexingMap> maps;
};

/// Returns the map with dimensions in place of its runtime variables, each of
/// which has its index. Returns std::nullopt if two indices are of one
/// argument, or if a number leaves 64 bits.
std::optional<OpenPart> withDimensions(const IndexingMap &map,
                                       std::vector<OpenIndex> indices);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_OPEN_INDICES_H
