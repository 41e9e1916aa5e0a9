// Cells: the known facts about one element on one device.
//
//   y[3] on device 1 = x[6] + x[7]     reads {x 6, x 7}
//   p = partition-id on device 1       reads {}, the integer 1
//   s = sum over devices of y[3]       reads what all of them read
//
// A cell has the elements of parameters that it depends on, as a number of an
// interned set; the number of its term (term_numbers.h); and its value in one
// run on random numbers of the types, if it is followed (cell_values.h). Two
// cells with one number are computed in the same way. Two cells with different
// values are different. Of others nothing is known.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELLS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELLS_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/descriptor.h"
#include "indexical/ops/shape.h"
#include "tests/same/partitioned/runs/term_numbers.h"

namespace indexical {

using SetId = uint32_t;
using CellElementId = uint32_t;

/// The values that a float can have in a run: all orders of a sum and all ways
/// to round it lie within. Only a number that is not computed has equal ends.
struct Span {
  float lower, upper;
};

struct DeviceCell {
  SetId reads = 0;  ///< 0: nothing
  /// The value is the same in every run.
  bool isKnown = false;
  bool hasValue = false;
  /// Whether it is a number if the parameters are: infinity is none, and rings
  /// do not hold of it.
  bool isFinite = true;
  union {
    int64_t value = 0;  ///< of an integer
    Span span;          ///< of a float
  };
  TermNumber number;
};

/// One array of one device, row major.
struct CellArray {
  ArrayShape shape;
  std::vector<DeviceCell> cells;
};
using CellArrayPtr = std::shared_ptr<const CellArray>;

/// Returns the cell of a known integer: of a constant, an iota…
DeviceCell integerCell(int64_t value);
/// Returns the cell of that integer as a number of the type.
DeviceCell constantCell(int64_t value, ElementType type);
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
  SetId single(CellElementId element);
  /// Returns the union of sets, of which usually few are different.
  SetId unite(llvm::ArrayRef<SetId> sets);
  /// Returns the elements of a set, sorted.
  llvm::ArrayRef<CellElementId> elements(SetId set) const { return sets_[set]; }
  /// Returns how many elements unions have gone through so far: their cost.
  int64_t work() const { return work_; }

 private:
  SetId intern(std::vector<CellElementId> elements);

  std::vector<std::vector<CellElementId>> sets_;
  std::unordered_multimap<uint64_t, SetId> byHash_;
  std::unordered_map<uint64_t, SetId> pairs_;
  std::vector<SetId> scratch_;
  std::vector<uint64_t> marks_;  // of each element, the last union that had it
  uint64_t epoch_ = 0;
  int64_t work_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELLS_H
