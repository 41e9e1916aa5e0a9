// Random programs of ops that move elements, rewrites of them as a compiler
// does, and mutations by one number.
//
//   slice(concatenate(p0, p1))     rewritten  slice(p1)
//                                  mutated    slice(concatenate(p0, p1)), one
//                                             element later
//
// The reads of a program are found by moving the names of elements through the
// program, one by one, as tests/oracle/ defines each op. Nothing here knows
// what a map is.
#ifndef INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H
#define INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H

#include <cstdint>
#include <vector>

#include "tests/support/op_trees.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// Returns a tree of some ops over one or two parameters.
NodePtr randomProgram(Random &random);

/// Returns the tree rewritten at one random place into the same function, or
/// null if no rewrite fits there.
NodePtr rewritten(Random &random, const NodePtr &program);

/// Returns the tree with one number of one random op changed and all sizes the
/// same, or null if the op has no such number.
NodePtr mutated(Random &random, const NodePtr &program);

/// One element of the result: an element of a parameter, or padding.
struct Moved {
  int64_t parameter = -1;
  int64_t element = 0;  ///< its place, row by row
  bool operator==(const Moved &other) const {
    return parameter == other.parameter && element == other.element;
  }
};

/// Returns the elements of the result, row by row.
std::vector<Moved> evaluate(const NodePtr &program);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H
