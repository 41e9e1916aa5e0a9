// Addresses: where in memory the elements of a tensor lie.
//
//   bf16[20,300]{1,0:T(8,128)}   element (i, j) begins at bit 16 * e,
//     e = (i floordiv 8) * 3072 + (j floordiv 128) * 1024
//         + (i mod 8) * 128 + j mod 128
//
// An element takes the bits of its layout, `E(n)`, else those of its type in
// whole bytes: s4 takes 8 bits, and 4 if the layout says `E(4)`. A buffer
// begins at a multiple of 256 bytes, so addresses count from 0.
//
// Law (tests/cost/memory/random_coalescing_test.cc): against a simulator that
// lays out tile after tile.
#ifndef INDEXICAL_OPS_ADDRESS_H
#define INDEXICAL_OPS_ADDRESS_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the number of bits that an element takes in memory, or 0 if its type
/// is not known.
int64_t storedBits(const ArrayShape &shape);

/// Returns the number of elements that the tensor has room for, padding of
/// tiles included. Returns nothing if that is not known or leaves 64 bits.
std::optional<int64_t> storedElements(const ArrayShape &shape);

/// Returns the map of an index to the number of elements before it in memory.
/// Returns an error if the layout is not followed (sizes that are not known,
/// tiles with `*`), or if the numbers leave 64 bits.
absl::StatusOr<IndexingMap> addressMap(const ArrayShape &shape);

}  // namespace indexical

#endif  // INDEXICAL_OPS_ADDRESS_H
