// Every thread of a small launch, one after another: the figures of keys.md,
// section 4, from sets of addresses.
//
// Shares no code with analysis/: maps are evaluated at points, elements are
// placed tile by tile, and bytes, sectors and lines are sets.
#ifndef INDEXICAL_TESTS_COST_MEMORY_SIMULATOR_H
#define INDEXICAL_TESTS_COST_MEMORY_SIMULATOR_H

#include <cstdint>
#include <functional>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical::testing {

struct Machine {
  int64_t warp = 32, sector = 32, line = 128, vectorBytes = 16;
};

struct Simulated {
  int64_t accesses = 0, activeLanes = 0, bytesUsed = 0, sectors = 0,
          sectorsFewest = 0, lines = 0, distinctSectors = 0, wastedBytes = 0,
          vector = 1;
  bool byEveryThread = false;
  std::string str() const;
};

/// Whether an address that all threads of a block read is one access of it.
enum class BlockReads : uint8_t { Once, EachWarp };

/// Returns the value of a runtime variable of a piece at a point of dimensions
/// and ranges, or nothing if the map does not hold there.
using RuntimeValue = std::function<std::optional<int64_t>(
    const IndexingMap &, uint32_t, llvm::ArrayRef<int64_t> dimensions,
    llvm::ArrayRef<int64_t> ranges)>;

/// Simulates vectors of the width `vector`, or of the width that keys.md
/// defines if it is 0.
Simulated simulate(const IndexingRelation &read, const ArrayShape &operand,
                   const IndexingMap &threads, const Machine &machine,
                   const RuntimeValue &runtime = nullptr, int64_t vector = 0,
                   BlockReads block = BlockReads::Once);

/// Simulates shared memory, one warp instruction after another. Returns the
/// largest number of different words of 4 bytes that 32 lanes ask of one of 32
/// banks. The result of `threads` is the number of an element of `bits` bits.
int64_t simulateBanks(const IndexingMap &threads, int64_t bits);

/// Calls `visit` with every thread and loop of one block that takes part, and
/// the index that the map has there.
using PointVisitor =
    std::function<void(const IndexingMap::Point &, llvm::ArrayRef<int64_t>)>;
void visitBlock(const IndexingMap &threads, llvm::ArrayRef<int64_t> block,
                const PointVisitor &visit);

/// Returns the bit at which the element begins.
int64_t bitAddress(const ArrayShape &shape, llvm::ArrayRef<int64_t> index);
/// Returns the bits of one element in memory.
int64_t elementBits(const ArrayShape &shape);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_MEMORY_SIMULATOR_H
