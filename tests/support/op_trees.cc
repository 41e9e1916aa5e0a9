#include "tests/support/op_trees.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include "indexical/ops/families.h"
#include "tests/oracle/oracle.h"
#include "tests/support/shapes.h"

namespace indexical::testing {

using Kind = Node::Kind;

//===-- Making ------------------------------------------------------------===//

Node nodeOf(Kind kind, Sizes sizes, std::vector<NodePtr> operands) {
  Node node;
  node.kind = kind;
  node.layout = rowMajor(sizes.size());
  node.sizes = std::move(sizes);
  node.operands = std::move(operands);
  if (!node.operands.empty()) node.type = node.operands[0]->type;
  return node;
}

NodePtr shared(Node node) {
  return std::make_shared<const Node>(std::move(node));
}

NodePtr parameter(int64_t number, Sizes sizes) {
  Node node = nodeOf(Kind::Parameter, std::move(sizes), {});
  node.number = number;
  return shared(std::move(node));
}

NodePtr scalar(int64_t number) {
  Node node = nodeOf(Kind::Constant, {}, {});
  node.number = number;
  return shared(std::move(node));
}

NodePtr filled(Sizes sizes, int64_t number) {
  if (sizes.empty()) return scalar(number);
  return broadcasted(scalar(number), std::move(sizes), {});
}

NodePtr reshaped(NodePtr x, Sizes sizes) {
  return shared(nodeOf(Kind::Reshape, std::move(sizes), {std::move(x)}));
}

NodePtr transposed(NodePtr x, Sizes permutation) {
  Sizes sizes;
  for (int64_t d : permutation) sizes.push_back(x->sizes[d]);
  Node node = nodeOf(Kind::Transpose, std::move(sizes), {std::move(x)});
  node.first = std::move(permutation);
  return shared(std::move(node));
}

NodePtr broadcasted(NodePtr x, Sizes sizes, Sizes dimensions) {
  Node node = nodeOf(Kind::Broadcast, std::move(sizes), {std::move(x)});
  node.first = std::move(dimensions);
  return shared(std::move(node));
}

NodePtr reversed(NodePtr x, Sizes dimensions) {
  Node node = nodeOf(Kind::Reverse, x->sizes, {x});
  node.first = std::move(dimensions);
  return shared(std::move(node));
}

NodePtr sliced(NodePtr x, Sizes starts, Sizes limits, Sizes strides) {
  Sizes sizes;
  for (size_t k = 0; k < starts.size(); ++k)
    sizes.push_back((limits[k] - starts[k] + strides[k] - 1) / strides[k]);
  Node node = nodeOf(Kind::Slice, std::move(sizes), {std::move(x)});
  node.first = std::move(starts);
  node.second = std::move(limits);
  node.third = std::move(strides);
  return shared(std::move(node));
}

NodePtr padded(NodePtr x, Sizes low, Sizes high, Sizes interior,
               NodePtr padding) {
  if (low.empty()) return x;
  Sizes sizes;
  for (size_t k = 0; k < low.size(); ++k) {
    const int64_t size = x->sizes[k];
    sizes.push_back(low[k] + high[k] + size +
                    interior[k] * std::max<int64_t>(0, size - 1));
  }
  Node node = nodeOf(Kind::Pad, std::move(sizes), {std::move(x)});
  if (padding) node.operands.push_back(std::move(padding));
  node.first = std::move(low);
  node.second = std::move(high);
  node.third = std::move(interior);
  return shared(std::move(node));
}

NodePtr joined(std::vector<NodePtr> parts, int64_t dimension) {
  Sizes sizes = parts[0]->sizes;
  for (const NodePtr &part : llvm::drop_begin(parts))
    sizes[dimension] += part->sizes[dimension];
  Node node = nodeOf(Kind::Concatenate, std::move(sizes), std::move(parts));
  node.number = dimension;
  return shared(std::move(node));
}

NodePtr copied(NodePtr x, Sizes layout) {
  Node node = nodeOf(Kind::Copy, x->sizes, {x});
  node.layout = std::move(layout);
  return shared(std::move(node));
}

NodePtr negated(NodePtr x) {
  return shared(nodeOf(Kind::Negate, x->sizes, {x}));
}

NodePtr binary(Kind kind, NodePtr a, NodePtr b) {
  return shared(nodeOf(kind, a->sizes, {a, std::move(b)}));
}

NodePtr reducedBy(Kind kind, NodePtr x, NodePtr init, Sizes dimensions) {
  Sizes sizes;
  for (size_t k = 0; k < x->sizes.size(); ++k)
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(k)))
      sizes.push_back(x->sizes[k]);
  Node node = nodeOf(kind, std::move(sizes), {std::move(x), std::move(init)});
  node.first = std::move(dimensions);
  return shared(std::move(node));
}

NodePtr multiplied(NodePtr a, NodePtr b) {
  Sizes sizes = {a->sizes[0], b->sizes[1]};
  return shared(
      nodeOf(Kind::Dot, std::move(sizes), {std::move(a), std::move(b)}));
}

Node otherOf(std::string opcode, Sizes sizes, std::vector<NodePtr> operands,
             std::string attributes) {
  Node node = nodeOf(Kind::Other, std::move(sizes), std::move(operands));
  node.opcode = std::move(opcode);
  node.attributes = std::move(attributes);
  return node;
}

Sizes rowMajor(size_t rank) {
  Sizes layout(rank);
  for (size_t k = 0; k < rank; ++k) layout[k] = rank - 1 - k;
  return layout;
}

//===-- Looking -----------------------------------------------------------===//

std::vector<NodePtr> nodesOf(const NodePtr &root) {
  std::vector<NodePtr> nodes;
  std::set<const Node *> seen;
  std::function<void(const NodePtr &)> visit = [&](const NodePtr &node) {
    if (!seen.insert(node.get()).second) return;
    for (const NodePtr &operand : node->operands) visit(operand);
    nodes.push_back(node);
  };
  visit(root);
  return nodes;
}

std::vector<Sizes> parametersOf(llvm::ArrayRef<NodePtr> roots) {
  std::vector<Sizes> all;
  for (const NodePtr &root : roots)
    for (const NodePtr &node : nodesOf(root)) {
      if (node->kind != Kind::Parameter) continue;
      if (all.size() <= static_cast<size_t>(node->number))
        all.resize(node->number + 1, Sizes{1});
      all[node->number] = node->sizes;
    }
  return all;
}

//===-- Reads -------------------------------------------------------------===//

namespace {

ArrayShape shapeOf(const Node &node) {
  ArrayShape shape = f32(node.sizes);
  shape.layout.emplace().minorToMajor = node.layout;
  return shape;
}

template <typename OpType>
OpType opWithShapes(const Node &node) {
  std::vector<ArrayShape> operands;
  for (const NodePtr &operand : node.operands)
    operands.push_back(shapeOf(*operand));
  if (node.kind == Kind::Pad) operands.resize(2, f32({}));
  return withShapes<OpType>(operands, {shapeOf(node)});
}

Op opOf(const Node &node) {
  switch (node.kind) {
    case Kind::Parameter:
    case Kind::Constant:
      return opWithShapes<NullaryOp>(node);
    case Kind::Reshape:
      return opWithShapes<ReshapeOp>(node);
    case Kind::Bitcast:
      return opWithShapes<BitcastOp>(node);
    case Kind::Transpose: {
      auto op = opWithShapes<TransposeOp>(node);
      op.permutation = node.first;
      return op;
    }
    case Kind::Broadcast: {
      auto op = opWithShapes<BroadcastOp>(node);
      op.dimensions = node.first;
      return op;
    }
    case Kind::Reverse: {
      auto op = opWithShapes<ReverseOp>(node);
      op.dimensions = node.first;
      return op;
    }
    case Kind::Slice: {
      auto op = opWithShapes<SliceOp>(node);
      op.starts = node.first, op.limits = node.second, op.strides = node.third;
      return op;
    }
    case Kind::Pad: {
      auto op = opWithShapes<PadOp>(node);
      op.low = node.first, op.high = node.second, op.interior = node.third;
      return op;
    }
    case Kind::Concatenate: {
      auto op = opWithShapes<ConcatenateOp>(node);
      op.dimension = node.number;
      return op;
    }
    case Kind::Sum:
    case Kind::Largest: {
      auto op = opWithShapes<ReduceOp>(node);
      op.dimensions = node.first;
      return op;
    }
    case Kind::Dot: {
      auto op = opWithShapes<DotOp>(node);
      op.lhsContracting = {1}, op.rhsContracting = {0};
      return op;
    }
    case Kind::Other:
      llvm_unreachable("an op that is only written has no reads");
    default:
      return opWithShapes<ElementwiseOp>(node);
  }
}

}  // namespace

std::vector<Reads> readsOf(const Node &node) {
  return evaluate(opOf(node), OperandValues(node.operands.size() + 1))[0]
      .elements;
}

//===-- Text --------------------------------------------------------------===//

std::string listOf(llvm::ArrayRef<int64_t> values, const char *between) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? between : "") + std::to_string(values[i]);
  return text;
}

std::string braces(llvm::ArrayRef<int64_t> values) {
  return "{" + listOf(values) + "}";
}

namespace {

std::string shapeText(const Node &node, const char *type, bool hasLayouts) {
  if (!node.shape.empty()) return node.shape;
  std::string text =
      (node.type.empty() ? type : node.type) + "[" + listOf(node.sizes) + "]";
  if (hasLayouts && !node.sizes.empty()) text += braces(node.layout);
  return text;
}

std::string opcodeOf(const Node &node) {
  switch (node.kind) {
    case Kind::Parameter:
      return "parameter";
    case Kind::Constant:
      return "constant";
    case Kind::Reshape:
      return "reshape";
    case Kind::Bitcast:
      return "bitcast";
    case Kind::Copy:
      return "copy";
    case Kind::Transpose:
      return "transpose";
    case Kind::Broadcast:
      return "broadcast";
    case Kind::Reverse:
      return "reverse";
    case Kind::Slice:
      return "slice";
    case Kind::Pad:
      return "pad";
    case Kind::Concatenate:
      return "concatenate";
    case Kind::Add:
      return "add";
    case Kind::Subtract:
      return "subtract";
    case Kind::Multiply:
      return "multiply";
    case Kind::Negate:
      return "negate";
    case Kind::Maximum:
      return "maximum";
    case Kind::Select:
      return "select";
    case Kind::Sum:
    case Kind::Largest:
      return "reduce";
    case Kind::Dot:
      return "dot";
    case Kind::Other:
      return node.opcode;
  }
  return "";
}

std::string attributesOf(const Node &node) {
  const std::string dimensions = ", dimensions=" + braces(node.first);
  std::string text;
  switch (node.kind) {
    case Kind::Transpose:
    case Kind::Broadcast:
    case Kind::Reverse:
      return dimensions;
    case Kind::Concatenate:
      return ", dimensions={" + std::to_string(node.number) + "}";
    case Kind::Slice:
      for (size_t k = 0; k < node.first.size(); ++k)
        text += (k ? ", [" : "[") + std::to_string(node.first[k]) + ":" +
                std::to_string(node.second[k]) + ":" +
                std::to_string(node.third[k]) + "]";
      return ", slice={" + text + "}";
    case Kind::Pad:
      for (size_t k = 0; k < node.first.size(); ++k)
        text += (k ? "x" : "") + std::to_string(node.first[k]) + "_" +
                std::to_string(node.second[k]) + "_" +
                std::to_string(node.third[k]);
      return ", padding=" + text;
    case Kind::Sum:
      return dimensions + ", to_apply=sum";
    case Kind::Largest:
      return dimensions + ", to_apply=largest";
    case Kind::Dot:
      return ", lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    default:
      return "";
  }
}

}  // namespace

std::string computationOf(const std::string &head,
                          llvm::ArrayRef<NodePtr> nodes, const char *type) {
  auto has = [&](Kind kind) {
    return llvm::any_of(
        nodes, [&](const NodePtr &node) { return node->kind == kind; });
  };
  const bool hasLayouts =
      has(Kind::Bitcast) || llvm::any_of(nodes, [](const NodePtr &node) {
        return node->layout != rowMajor(node->sizes.size());
      });
  std::string text = head + " {\n";
  if (llvm::any_of(nodes, [](const NodePtr &node) {
        return node->kind == Kind::Pad && node->operands.size() == 1;
      }))
    text += "  zero = " + std::string(type) + "[] constant(0)\n";
  // A predicate has the shape of what it selects: scalars do for all.
  if (has(Kind::Select))
    text += "  yes = pred[] constant(true)\n  no = pred[] constant(false)\n";
  std::map<const Node *, std::string> names;
  std::set<int64_t> parameters;
  for (const NodePtr &node : nodes) {
    std::string &name = names[node.get()];
    const std::string opcode = opcodeOf(*node);
    std::vector<std::string> operands;
    if (node->kind == Kind::Parameter) {
      name = "p" + std::to_string(node->number);
      // Trees may have several nodes of one parameter.
      if (!parameters.insert(node->number).second) continue;
      operands = {std::to_string(node->number)};
    } else {
      name = opcode + "." + std::to_string(names.size());
    }
    if (node->kind == Kind::Constant)
      operands = {node->sizes.empty() ? std::to_string(node->number)
                                      : braces(node->first)};
    if (node->kind == Kind::Select) operands = {node->number ? "yes" : "no"};
    for (const NodePtr &operand : node->operands)
      operands.push_back(names.at(operand.get()));
    if (node->kind == Kind::Pad && operands.size() == 1)
      operands.push_back("zero");
    text += (node == nodes.back() ? "  ROOT " : "  ") + name + " = " +
            shapeText(*node, type, hasLayouts) + " " + opcode + "(" +
            llvm::join(operands, ", ") + ")" + attributesOf(*node) +
            node->attributes + "\n";
  }
  return text + "}\n";
}

std::string reducerOf(const char *name, const char *opcode, const char *type) {
  Node a = nodeOf(Kind::Parameter, {}, {}), b = a;
  b.number = 1;
  const NodePtr x = shared(a), y = shared(b);
  return computationOf(name, {x, y, shared(otherOf(opcode, {}, {x, y}, ""))},
                       type) +
         "\n";
}

std::string hloOf(const NodePtr &root, llvm::ArrayRef<Sizes> parameters,
                  const char *type) {
  std::vector<NodePtr> nodes;
  for (size_t p = 0; p < parameters.size(); ++p)
    nodes.push_back(parameter(p, parameters[p]));
  for (const NodePtr &node : nodesOf(root)) nodes.push_back(node);
  if (root->kind == Kind::Parameter)
    nodes.push_back(copied(root, root->layout));
  auto has = [&](Kind kind) {
    return llvm::any_of(
        nodes, [&](const NodePtr &node) { return node->kind == kind; });
  };
  std::string text = "HloModule m\n\n";
  if (has(Kind::Sum)) text += reducerOf("sum", "add", type);
  if (has(Kind::Largest)) text += reducerOf("largest", "maximum", type);
  return text + computationOf("ENTRY e", nodes, type);
}

}  // namespace indexical::testing
