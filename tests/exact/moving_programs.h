// Random programs of ops that move elements, rewrites of them as a compiler
// does, and mutations by one number.
//
//   slice(concatenate(p0, p1))     rewritten  slice(p1)
//                                  mutated    slice(concatenate(p0, p1)), one
//                                             element later
//
// The reads of a program are found by moving the names of elements through the
// program, one by one. Nothing here knows what a map is.
#ifndef INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H
#define INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

using Sizes = std::vector<int64_t>;

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// One op. Trees share nodes.
struct Node {
  enum class Kind {
    Parameter,  ///< `number`
    Reshape,
    Bitcast,      ///< keeps the place in memory
    Copy,         ///< into another layout
    Transpose,    ///< `first`: the operand's dimensions
    Broadcast,    ///< `first`: those of the result that are the operand's
    Reverse,      ///< `first`: dimensions
    Slice,        ///< starts, limits, strides
    Pad,          ///< low, high, interior
    Concatenate,  ///< `number`: the dimension
  };
  Kind kind = Kind::Parameter;
  Sizes sizes;
  Sizes layout;  ///< minor to major
  std::vector<NodePtr> operands;
  Sizes first, second, third;
  int64_t number = 0;
};

/// Returns a tree of some ops over one or two parameters.
NodePtr randomProgram(Random &random);

/// Returns the tree rewritten at one random place into the same function, or
/// null if no rewrite fits there.
NodePtr rewritten(Random &random, const NodePtr &program);

/// Returns the tree with one number of one random op changed and all sizes the
/// same, or null if the op has no such number.
NodePtr mutated(Random &random, const NodePtr &program);

/// Returns the program as a module of HLO. `parameters` has the parameters of
/// the program and of the one that it is compared with.
std::string hloOf(const NodePtr &program, const std::vector<Sizes> &parameters);

/// Returns the sizes of the parameters that the program may have.
std::vector<Sizes> parametersOf(const NodePtr &program);

/// One element of the result: an element of a parameter, or padding.
struct Moved {
  int64_t parameter = -1;
  Sizes element;
  bool operator==(const Moved &other) const {
    return parameter == other.parameter && element == other.element;
  }
};

/// Returns the elements of the result, row by row.
std::vector<Moved> evaluate(const NodePtr &program);

/// Returns the number of elements.
int64_t countOf(const Sizes &sizes);
/// Returns the layout whose first dimension is the major one.
Sizes rowMajor(size_t rank);
/// Returns the position of an element, row by row.
int64_t positionOf(const Sizes &sizes, const Sizes &index);
/// Adds the nodes of a tree to `nodes`, operands first, each once.
void collect(const NodePtr &node, std::vector<NodePtr> &nodes);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H
