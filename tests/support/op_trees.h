// Trees of HLO ops: made, written as text, and the elements that each op reads.
//
//   parameter(0, {4})                           p0 = f32[4] parameter(0)
//   sliced(parameter(0, {4}), {1}, {4}, {2})
//                                    f32[2] slice(p0), slice={[1:4:2]}
//     readsOf: {(0, 1)}, {(0, 3)}
//
// An op reads what its definition in tests/oracle/ reads. All random programs
// of HLO are made of such ops, by one generator (random_body.h), and written by
// one writer, computationOf().
#ifndef INDEXICAL_TESTS_SUPPORT_OP_TREES_H
#define INDEXICAL_TESTS_SUPPORT_OP_TREES_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "tests/oracle/tensor.h"

namespace indexical::testing {

using Sizes = llvm::SmallVector<int64_t, 6>;

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// One op. Trees share nodes.
struct Node {
  enum class Kind {
    Parameter,  ///< `number`
    Constant,   ///< `number`, a scalar; or `first`, a row
    // Ops that move elements.
    Reshape,
    Bitcast,      ///< keeps the place in memory
    Copy,         ///< into another layout
    Transpose,    ///< `first`: the operand's dimensions
    Broadcast,    ///< `first`: those of the result that are the operand's
    Reverse,      ///< `first`: dimensions
    Slice,        ///< starts, limits, strides
    Pad,          ///< low, high, interior; with the second operand, or with 0
    Concatenate,  ///< `number`: the dimension
    // Ops that compute.
    Add,
    Subtract,
    Multiply,
    Negate,
    Maximum,
    Select,   ///< by a constant, `number`
    Sum,      ///< `first`: dimensions; begun with the second operand
    Largest,  ///< the same with maximum
    Dot,      ///< [a, b] and [b, c]
    // An op that is only written.
    Other,  ///< `opcode`
  };
  Kind kind = Kind::Parameter;
  Sizes sizes;
  Sizes layout;  ///< minor to major
  std::vector<NodePtr> operands;
  Sizes first, second, third;
  int64_t number = 0;
  std::string type;   ///< `s32`; empty: the type of the text
  std::string shape;  ///< of a result that is no array: `(f32[2], s32[])`
  std::string opcode;
  std::string attributes;  ///< more of them, behind those of the kind
};

//===-- Making ------------------------------------------------------------===//

/// Returns an op with the row major layout.
Node nodeOf(Node::Kind kind, Sizes sizes, std::vector<NodePtr> operands);
NodePtr shared(Node node);

NodePtr parameter(int64_t number, Sizes sizes);
NodePtr scalar(int64_t number);
NodePtr filled(Sizes sizes, int64_t number);
NodePtr reshaped(NodePtr x, Sizes sizes);
NodePtr transposed(NodePtr x, Sizes permutation);
NodePtr broadcasted(NodePtr x, Sizes sizes, Sizes dimensions);
NodePtr reversed(NodePtr x, Sizes dimensions);
NodePtr sliced(NodePtr x, Sizes starts, Sizes limits, Sizes strides);
/// Returns the operand itself if it is a scalar: no text says that pad.
NodePtr padded(NodePtr x, Sizes low, Sizes high, Sizes interior,
               NodePtr padding = nullptr);
NodePtr joined(std::vector<NodePtr> parts, int64_t dimension);
NodePtr copied(NodePtr x, Sizes layout);
NodePtr negated(NodePtr x);
NodePtr binary(Node::Kind kind, NodePtr a, NodePtr b);
/// Returns a reduction; the kind is Sum or Largest.
NodePtr reducedBy(Node::Kind kind, NodePtr x, NodePtr init, Sizes dimensions);
NodePtr multiplied(NodePtr a, NodePtr b);
/// Returns an op that is only written, with these attributes (`, index=1`).
Node otherOf(std::string opcode, Sizes sizes, std::vector<NodePtr> operands,
             std::string attributes);

/// Returns the layout whose first dimension is the major one.
Sizes rowMajor(size_t rank);

//===-- Looking -----------------------------------------------------------===//

/// Returns the nodes of a tree, operands first, each once.
std::vector<NodePtr> nodesOf(const NodePtr &root);
/// Returns the sizes of the parameters that one of the trees has.
std::vector<Sizes> parametersOf(llvm::ArrayRef<NodePtr> roots);

/// Returns the elements of the operands that each element of the result reads,
/// row by row. Where Pad has no second operand, its padding is read there.
std::vector<Reads> readsOf(const Node &node);

//===-- Text --------------------------------------------------------------===//

/// `1,2`, `1x2`.
std::string listOf(llvm::ArrayRef<int64_t> values, const char *between = ",");
/// `{1,2}`.
std::string braces(llvm::ArrayRef<int64_t> values);

/// Returns the ops as a computation, in this order. The last one is the root.
/// Layouts are written where one of them is not row major, or a bitcast reads
/// them. `head` is a name, or `ENTRY` and a name.
///
///   computationOf("f", {x, reversed(x, {0})})
///     f {
///       p0 = f32[4] parameter(0)
///       ROOT reverse.2 = f32[4] reverse(p0), dimensions={0}
///     }
std::string computationOf(const std::string &head,
                          llvm::ArrayRef<NodePtr> nodes,
                          const char *type = "f32");
/// Returns the computation of two scalars that a reduction calls.
std::string reducerOf(const char *name, const char *opcode,
                      const char *type = "f32");

/// Returns the tree as a module of HLO with these parameters.
std::string hloOf(const NodePtr &root, llvm::ArrayRef<Sizes> parameters,
                  const char *type = "f32");

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_OP_TREES_H
