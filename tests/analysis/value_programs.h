// Random programs that compute, rewrites of them by laws, and rewrites that
// only look like laws.
//
//   multiply(x, add(y, z))    by a law    add(multiply(x, y), multiply(x, z))
//   subtract(x, y)            by none     subtract(y, x)
//
// Programs are run number by number, in one of three arithmetics: integers that
// wrap, floats that round, and a field in which all laws of real numbers hold.
// Nothing here knows what a map or a term of the library is.
#ifndef INDEXICAL_TESTS_ANALYSIS_VALUE_PROGRAMS_H
#define INDEXICAL_TESTS_ANALYSIS_VALUE_PROGRAMS_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

/// The numbers of a program.
enum class Numbers {
  S32,    ///< integers modulo 2^32
  U8,     ///< integers modulo 2^8
  Float,  ///< f32, rounded after each op; the order of a sum does not count
  Real,   ///< f32 as real numbers: run in the field of 2^61 - 1 elements
};

using Extents = std::vector<int64_t>;

struct Term;
using TermPtr = std::shared_ptr<const Term>;

/// One op. Trees share nodes.
struct Term {
  enum class Kind {
    Parameter,  ///< `number`
    Constant,   ///< `number`, a scalar
    Add,
    Subtract,
    Multiply,
    Negate,
    Maximum,
    Select,     ///< by a constant, `number`
    Transpose,  ///< `first`: the operand's dimensions
    Reshape,
    Reverse,      ///< `first`: dimensions
    Slice,        ///< starts, limits, strides
    Broadcast,    ///< `first`: those of the result that are the operand's
    Pad,          ///< low, high, with the second operand
    Concatenate,  ///< `number`: the dimension
    Sum,          ///< `first`: dimensions; begun with the second operand
    Largest,      ///< the same with maximum
    Dot,          ///< [a, b] and [b, c]
  };
  Kind kind = Kind::Parameter;
  Extents sizes;
  std::vector<TermPtr> operands;
  Extents first, second, third;
  int64_t number = 0;
};

/// Returns a tree of some ops over up to three parameters.
TermPtr randomTerm(Random &random, Numbers numbers);

/// Returns the tree rewritten at one random place by a law of these numbers, or
/// null if the law that is drawn does not fit.
TermPtr byLaw(Random &random, const TermPtr &term, Numbers numbers);

/// Returns the tree with one random op changed so that all sizes stay: swapped,
/// regrouped, another constant, start, dimension or kind. Returns null if the
/// change that is drawn does not fit. The result may be the same function by
/// chance, which an execution shows.
TermPtr byNearLaw(Random &random, const TermPtr &term, Numbers numbers);

/// Returns the parameters of both terms.
std::vector<Extents> parametersOf(const TermPtr &first, const TermPtr &second);

std::string hloOf(const TermPtr &term, const std::vector<Extents> &parameters,
                  Numbers numbers);

/// Random data of each parameter.
using Data = std::vector<std::vector<uint64_t>>;
Data randomData(Random &random, const std::vector<Extents> &parameters,
                Numbers numbers);
/// Returns the result, row by row.
std::vector<uint64_t> run(const TermPtr &term, const Data &data,
                          Numbers numbers);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ANALYSIS_VALUE_PROGRAMS_H
