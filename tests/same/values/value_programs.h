// Random programs that compute, rewrites of them by laws, and rewrites that
// only look like laws.
//
//   multiply(x, add(y, z))    by a law    add(multiply(x, y), multiply(x, z))
//   subtract(x, y)            by none     subtract(y, x)
//
// Programs are run number by number, in one of three arithmetics: integers that
// wrap, floats that round, and a field in which all laws of real numbers hold.
// Ops read what tests/oracle/ defines. Nothing here knows what a map or a term
// of the library is.
#ifndef INDEXICAL_TESTS_SAME_VALUES_VALUE_PROGRAMS_H
#define INDEXICAL_TESTS_SAME_VALUES_VALUE_PROGRAMS_H

#include <cstdint>
#include <vector>

#include "tests/support/op_trees.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// The numbers of a program.
enum class Numbers {
  S32,    ///< integers modulo 2^32
  U8,     ///< integers modulo 2^8
  Float,  ///< f32, rounded after each op; the order of a sum does not count
  Real,   ///< f32 as real numbers: run in the field of 2^61 - 1 elements
};

/// Returns a tree of some ops over up to three parameters.
NodePtr randomTerm(Random &random, Numbers numbers);

/// Returns the tree rewritten at one random place by a law of these numbers, or
/// null if the law that is drawn does not fit.
NodePtr byLaw(Random &random, const NodePtr &term, Numbers numbers);

/// Returns the tree with one random op changed so that all sizes stay: swapped,
/// regrouped, another constant, start, dimension or kind. Returns null if the
/// change that is drawn does not fit. The result may be the same function by
/// chance, which an execution shows.
NodePtr byNearLaw(Random &random, const NodePtr &term, Numbers numbers);

/// `f32`, as the numbers are written in HLO.
const char *typeOf(Numbers numbers);

/// Random data of each parameter.
using Data = std::vector<std::vector<uint64_t>>;
Data randomData(Random &random, const std::vector<Sizes> &parameters,
                Numbers numbers);
/// Returns the result, row by row.
std::vector<uint64_t> run(const NodePtr &term, const Data &data,
                          Numbers numbers);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_VALUES_VALUE_PROGRAMS_H
