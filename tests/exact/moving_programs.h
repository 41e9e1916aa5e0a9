// Random programs of ops that move elements, rewrites of them as a compiler
// does, and mutations by one number.
//
//   slice(concatenate(p0, p1))     rewritten  slice(p1)
//                                  mutated    slice(concatenate(p0, p1)), one
//                                             element later
//
// What a program reads is found by moving the names of elements through it, one
// by one. None of it knows what a map is.
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

/// A tree of some ops over one or two parameters.
NodePtr randomProgram(Random &random);

/// A rewrite somewhere in the tree, after which it is the same function.
/// Nothing where none fits.
NodePtr rewritten(Random &random, const NodePtr &program);

/// One number of one op changed, all sizes the same. Nothing where none can be.
NodePtr mutated(Random &random, const NodePtr &program);

/// One module of HLO; `parameters` are those of the program that it is compared
/// with too.
std::string hloOf(const NodePtr &program, const std::vector<Sizes> &parameters);

/// The sizes of the parameters that the program may have.
std::vector<Sizes> parametersOf(const NodePtr &program);

/// What one element of the result is: an element of a parameter, or padding.
struct Moved {
  int64_t parameter = -1;
  Sizes element;
  bool operator==(const Moved &other) const {
    return parameter == other.parameter && element == other.element;
  }
};

/// Row by row.
std::vector<Moved> evaluate(const NodePtr &program);

/// The number of elements.
int64_t countOf(const Sizes &sizes);
/// The layout whose first dimension is the major one.
Sizes rowMajor(size_t rank);
/// The position of an element, row by row.
int64_t positionOf(const Sizes &sizes, const Sizes &index);
/// The nodes of a tree, operands first, each once.
void collect(const NodePtr &node, std::vector<NodePtr> &nodes);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_MOVING_PROGRAMS_H
