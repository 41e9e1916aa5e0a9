// Values of cells in one run on random numbers.
//
//   x = u8 200, y = u8 100       x + y = 44
//   a = f32 1.5, b = f32 0.1     a * b lies in [0.14999, 0.15001]
//
// Integers are themselves, and wrap. A float is a span that holds its value
// whatever the order of a sum and the rounding of each step. Two values are
// different if they are different integers, or spans that do not meet: then an
// execution shows the difference. A value that is not followed has none, and
// shows nothing.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELL_VALUES_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELL_VALUES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "tests/same/partitioned/runs/cells.h"

namespace indexical {

/// Whether values of the type are real numbers.
bool isReal(ElementType type);
/// Returns the ring in which terms of the type are computed.
TermRing ringOf(ElementType type);

/// Returns the integer of the type that equals `value` modulo 2^bits: 255 is -1
/// as an s8 and 255 as a u8. A pred is 0 or 1.
int64_t wrapped(int64_t value, ElementType type);

/// Returns the number of an integer of the type: 255 is -1 as a u8, too, so
/// that all representatives of an element modulo 2^bits are one.
TermNumber integerNumber(int64_t value, ElementType type);

/// Returns an element of a literal, whose bytes begin with the lowest.
DeviceCell literalCell(ElementType type, llvm::ArrayRef<uint8_t> bytes);

/// Sets the value of a cell to an integer as a float of the type, if that
/// is not too large.
void setValueOf(DeviceCell &cell, int64_t value, ElementType type);

/// Sets the value of a cell to a random number of the type. Each run has
/// numbers of its own: of both signs, all negative, all positive, small ones,
/// the least and the largest…
void setRandomValue(DeviceCell &cell, ElementType type, uint64_t random,
                    int64_t run);

/// Whether both have values, and these are different.
bool valuesDiffer(const DeviceCell &a, const DeviceCell &b, ElementType type);

/// Sets the value of an elementwise op's result to what it computes of its
/// operands, if all of them have values and the op is followed. It is known if
/// all operands are known integers.
void setComputedValue(DeviceCell &result, const Op &op, ElementType type,
                      llvm::ArrayRef<const DeviceCell *> operands);

/// Functions that fold values of one type: `add`, `multiply`, `maximum`,
/// `minimum`, `and`, `or`.
class ValueFold {
 public:
  ValueFold(llvm::StringRef name, ElementType type)
      : name_(name), type_(type) {}
  void add(const DeviceCell &cell);
  /// Adds the product of two cells.
  void addProduct(const DeviceCell &a, const DeviceCell &b);
  /// Sets the value of a cell to that of all that was added. It is known if all
  /// of these are known integers.
  void set(DeviceCell &cell) const;

 private:
  const llvm::StringRef name_;
  const ElementType type_;
  bool isFirst_ = true, isKnown_ = true, hasValue_ = true;
  int64_t value_ = 0;
  double lower_ = 0, upper_ = 0;
  int64_t steps_ = 0;
  double largest_ = 0;  // of all partial sums, in any order
};

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_CELL_VALUES_H
