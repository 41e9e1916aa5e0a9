// The keys of layouts (answers/fields.h), as docs/keys.md has them.
//
// An entry is the subject of one object: a layout, one of its sums, a bit of a
// parity.
#ifndef INDEXICAL_ANSWERS_LAYOUT_KEYS_H
#define INDEXICAL_ANSWERS_LAYOUT_KEYS_H

#include <cstdint>
#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/layout/layout.h"
#include "indexical/answers/layout/listing.h"

namespace indexical {

/// The answer about layouts: one of these, the others are null.
struct LayoutsEntry {
  const LayoutPair *pair = nullptr;
  const LayoutListing *listing = nullptr;
  const SuitedMemories *memories = nullptr;
};

struct LayoutEntry {
  const DescribedLayout &of;
  const LayoutListing::Listed *listed = nullptr;  ///< if a file names it

  const layouts::Layout &layout() const { return of.layout; }
};
struct UnknownLayoutEntry {
  const LayoutListing::Listed *listed;
};
struct ListedMoveEntry {
  const LayoutListing &in;
  const LayoutListing::Moved *moved;
};

struct SpaceEntry {
  const layouts::Space &space;
  Interval bounds = {};  ///< of an output
  /// An offset has no size.
  bool isSized() const { return space.size != 0; }
};
struct SumEntry {
  const layouts::Layout &layout;
  const layouts::Sum &sum;
};
struct DigitEntry {
  const layouts::Layout &layout;
  const layouts::Digit &digit;
};
struct ParityEntry {
  const layouts::Layout &layout;
  const layouts::Parity &parity;
};
struct BitEntry {
  const layouts::Layout &layout;
  int64_t input, bit;
};

template <>
KeyList<LayoutsEntry> keysOf<LayoutsEntry>();
template <>
KeyList<LayoutEntry> keysOf<LayoutEntry>();
template <>
KeyList<UnknownLayoutEntry> keysOf<UnknownLayoutEntry>();
template <>
KeyList<ListedMoveEntry> keysOf<ListedMoveEntry>();
template <>
KeyList<layouts::MemorySearch> keysOf<layouts::MemorySearch>();
template <>
KeyList<layouts::FoundMemory> keysOf<layouts::FoundMemory>();
template <>
KeyList<SpaceEntry> keysOf<SpaceEntry>();
template <>
KeyList<SumEntry> keysOf<SumEntry>();
template <>
KeyList<DigitEntry> keysOf<DigitEntry>();
template <>
KeyList<ParityEntry> keysOf<ParityEntry>();
template <>
KeyList<BitEntry> keysOf<BitEntry>();
template <>
KeyList<layouts::Equality> keysOf<layouts::Equality>();
template <>
KeyList<LayoutMove> keysOf<LayoutMove>();
template <>
KeyList<LayoutAccess> keysOf<LayoutAccess>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> layoutTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_LAYOUT_KEYS_H
