// The derivatives of ops, one pair of leaves at a time.
//
//   multiply f32[4], f32[4]     of operand 0     carried
//   floor f32[4]                of operand 0     zero
//   compare f32[4], f32[4]      of operand 0     zero: its result is a pred
//   sort f32[4], f32[4]         result 1, keys   zero: keys decide an order
//   custom-call f32[4]          of operand 0     unknown
//
// A derivative goes from floats to floats: the values of integers and
// predicates do not change with a small step, and so they carry none. An
// integer that holds the bits of a float does change:
//
//   bitcast-convert s32[4], f32[4]     moves bits of f32
//   slice s32[2], of these             bits of f32
//   and s32[2], of these               bits, changed
//   bitcast-convert f32[2], of bits of f32      carried
//   bitcast-convert f32[2], of changed bits     unknown
//   convert s32[4], f32[4]             no bits: the result is constant between
//                                      some places, as that of floor
//
// An op
// whose result is constant between some places (floor, sign) has the derivative
// zero wherever it has one. This is what automatic differentiation takes it to
// be, too.
//
// Law (tests/program/maps/derivative_reads_test.cc): where a step of an
// operand's element changes an element of the result by about as much, the pair
// is not zero.
#ifndef INDEXICAL_OPS_DERIVATIVE_H
#define INDEXICAL_OPS_DERIVATIVE_H

#include <cstdint>

#include "indexical/ops/descriptor.h"
#include "indexical/ops/shape.h"

namespace indexical {

enum class Derivative : uint8_t {
  Zero,     ///< no element of the pair has one
  Unknown,  ///< some of the elements that are read may have one
  Carried,  ///< each element that is read can have one
};

/// The known facts about the computation that an op applies to elements.
enum class AppliedBody : uint8_t {
  None,   ///< it applies none, or nothing is known of it
  Plain,  ///< one sum, product, maximum or minimum of its two arguments
  Last,   ///< its second argument alone: an update takes the place
};

/// The bits of floats that integers hold.
class HeldBits {
 public:
  /// Holds none.
  HeldBits() = default;
  /// Holds the bits of elements of a type, each as it is.
  static HeldBits of(ElementType type) {
    return HeldBits(1 + static_cast<uint8_t>(type));
  }
  /// Holds something that depends on bits of floats.
  static HeldBits changed() { return HeldBits(kChanged); }

  bool any() const { return number_ != 0; }
  bool areOf(ElementType type) const {
    return number_ == 1 + static_cast<uint8_t>(type);
  }
  bool areChanged() const { return number_ == kChanged; }
  /// Adds what other elements of the array hold. Returns whether this changes.
  bool add(HeldBits other) {
    const uint8_t before = number_;
    if (other.any() && other.number_ != number_)
      number_ = any() ? kChanged : other.number_;
    return number_ != before;
  }
  /// Returns a number that is equal for equal answers.
  int64_t number() const { return number_; }

 private:
  static constexpr uint8_t kChanged = 255;
  explicit HeldBits(uint8_t number) : number_(number) {}

  uint8_t number_ = 0;
};

/// Returns what result leaf `result`, which must be one of integers, holds
/// because of operand leaf `operand`; `held` is what that holds if its elements
/// are integers. Computations that an op runs (a call, a loop) or applies to
/// elements are left out. The result of an unknown op holds something if the
/// operand is a float or holds something.
HeldBits bitsThrough(const Op &op, int64_t result, int64_t operand,
                     HeldBits held);

/// Returns what a result leaf of floats does with derivatives that elements of
/// operand leaf `operand`, integers that hold these bits, carry.
Derivative derivativeOfBits(const Op &op, int64_t result, int64_t operand,
                            HeldBits held);

/// Returns whether elements of the type carry derivatives: floats and complex
/// numbers. A type that is not known does.
bool carriesDerivatives(ElementType type);

/// Returns what result leaf `result` does with derivatives of operand leaf
/// `operand`. An op that runs computations on its operands, as a call or a loop
/// does, carries what these carry. Requires leaves of the op.
Derivative derivativeOf(const Op &op, int64_t result, int64_t operand,
                        AppliedBody body = AppliedBody::None);

}  // namespace indexical

#endif  // INDEXICAL_OPS_DERIVATIVE_H
