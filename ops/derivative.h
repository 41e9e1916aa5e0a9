// What an op does with derivatives, one pair of leaves at a time.
//
//   multiply f32[4], f32[4]     of operand 0     carried
//   floor f32[4]                of operand 0     zero
//   compare f32[4], f32[4]      of operand 0     zero: its result is a pred
//   sort f32[4], f32[4]         result 1, keys   zero: keys decide an order
//   custom-call f32[4]          of operand 0     unknown
//
// A derivative goes from floats to floats: the values of integers and
// predicates do not change with a small step, and so they carry none. An op
// whose result is constant between some places (floor, sign) has the derivative
// zero wherever it has one. This is what automatic differentiation takes it to
// be, too.
//
// Law (tests/program/derivative_reads_test.cc): where a step of an operand's
// element changes an element of the result by about as much, the pair is not
// zero.
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

/// What is known of the computation that an op applies to elements.
enum class AppliedBody : uint8_t {
  None,   ///< it applies none, or nothing is known of it
  Plain,  ///< one sum, product, maximum or minimum of its two arguments
  Last,   ///< its second argument alone: an update takes the place
};

/// Whether elements of the type carry derivatives: floats and complex numbers.
/// A type that is not known does.
bool carriesDerivatives(ElementType type);

/// Returns what result leaf `result` does with derivatives of operand leaf
/// `operand`. An op that runs computations on its operands, as a call or a loop
/// does, carries what these carry. Requires leaves of the op.
Derivative derivativeOf(const Op &op, int64_t result, int64_t operand,
                        AppliedBody body = AppliedBody::None);

}  // namespace indexical

#endif  // INDEXICAL_OPS_DERIVATIVE_H
