// Cells: the known facts about one element on one device.
//
//   y[3] on device 1 = x[6] + x[7]     reads {x 6, x 7}
//   p = partition-id on device 1       reads {}, the integer 1
//   s = sum over devices of y[3]       reads what all of them read
//
// A cell has the elements of parameters that it depends on, as a number of an
// interned set; its integer, if that is known; and its value in a field of 2^61
// - 1 numbers, in which every element of a parameter is a fixed random number,
// and an op that is no ring operation is a random function of its operands. Two
// cells that are computed in the same way have the same number. Two cells with
// different numbers are computed differently. If no such function was on the
// way (`isFree`), they are different polynomials of the parameters.
#ifndef INDEXICAL_ANALYSIS_PARTITIONED_CELLS_H
#define INDEXICAL_ANALYSIS_PARTITIONED_CELLS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/descriptor.h"
#include "indexical/ops/shape.h"

namespace indexical {

using SetId = uint32_t;
using ElementId = uint32_t;

struct DeviceCell {
  SetId reads = 0;       ///< 0: nothing
  bool isKnown = false;  ///< `value` is its integer
  bool isFree = true;    ///< ring operations alone made it
  int64_t value = 0;
  uint64_t number = 0;
};

/// One array of one device, row major.
struct CellArray {
  ArrayShape shape;
  std::vector<DeviceCell> cells;
};
using CellArrayPtr = std::shared_ptr<const CellArray>;

/// Returns the cell of a known integer.
DeviceCell integerCell(int64_t value);
/// Returns the number of cells of an array of this shape; -1 if a size is not
/// known, or if there are more than 2^31.
int64_t cellCountOf(const ArrayShape &shape);
/// Moves an index to the next one in row-major order. Returns false, with the
/// index at zero, if it was the last one.
bool nextIndex(llvm::MutableArrayRef<int64_t> at,
               llvm::ArrayRef<int64_t> sizes);
/// Returns an array of this shape, with the cell `from(index)` at each index.
template <typename From>
CellArrayPtr cellArrayOf(const ArrayShape &shape, From from) {
  auto array = std::make_shared<CellArray>();
  array->shape = shape;
  const int64_t count = cellCountOf(shape);
  array->cells.reserve(count);
  Int64s at(shape.dimensions.size(), 0);
  for (int64_t e = 0; e < count; ++e) {
    array->cells.push_back(from(at));
    nextIndex(at, shape.dimensions);
  }
  return array;
}

/// Sets of elements, each once.
class ElementSets {
 public:
  ElementSets();
  SetId single(ElementId element);
  /// Returns the union of sets, of which usually few are different.
  SetId unite(llvm::ArrayRef<SetId> sets);
  /// Returns the elements of a set, sorted.
  llvm::ArrayRef<ElementId> elements(SetId set) const { return sets_[set]; }
  /// Returns how many elements unions have gone through so far: their cost.
  int64_t work() const { return work_; }

 private:
  SetId intern(std::vector<ElementId> elements);

  std::vector<std::vector<ElementId>> sets_;
  std::unordered_multimap<uint64_t, SetId> byHash_;
  std::unordered_map<uint64_t, SetId> pairs_;
  std::vector<SetId> scratch_;
  std::vector<uint64_t> marks_;  // of each element, the last union that had it
  uint64_t epoch_ = 0;
  int64_t work_ = 0;
};

/// Arithmetic modulo 2^61 - 1.
namespace field {
constexpr uint64_t kPrime = (uint64_t(1) << 61) - 1;
inline uint64_t add(uint64_t a, uint64_t b) {
  const uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}
inline uint64_t negate(uint64_t a) { return a == 0 ? 0 : kPrime - a; }
inline uint64_t multiply(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return add(static_cast<uint64_t>(product & kPrime),
             static_cast<uint64_t>(product >> 61));
}
/// Returns the inverse of a modulo 2^61 - 1: the b with multiply(a, b) = 1.
/// Requires a != 0.
uint64_t inverse(uint64_t a);
uint64_t of(int64_t value);
/// Returns a random number that depends on these two alone.
uint64_t random(uint64_t a, uint64_t b);
/// Returns mantissa * 2^exponent.
uint64_t scaled(int64_t mantissa, int64_t exponent);
}  // namespace field

/// An element of a literal: its value in the field, and its integer.
/// literalNumber() returns nothing unless the bytes are a finite float, or an
/// integer of at most 64 bits.
struct LiteralNumber {
  uint64_t number;
  std::optional<int64_t> integer;
};
std::optional<LiteralNumber> literalNumber(ElementType type,
                                           llvm::ArrayRef<uint8_t> bytes);

/// Returns the integer of the type that equals `value` modulo 2^bits: 255 is -1
/// as an s8 and 255 as a u8. A pred is 0 or 1.
int64_t wrapped(int64_t value, ElementType type);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_PARTITIONED_CELLS_H
