#include "tests/exact/moving_programs.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace indexical::testing {
namespace {

using Kind = Node::Kind;

Sizes indexAt(const Sizes &sizes, int64_t position) {
  Sizes index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; position /= sizes[i])
    index[i] = position % sizes[i];
  return index;
}

int64_t placeInMemory(const Node &node, const Sizes &index) {
  int64_t place = 0, stride = 1;
  for (int64_t d : node.layout) {
    place += index[d] * stride;
    stride *= node.sizes[d];
  }
  return place;
}

std::string listOf(const Sizes &values) {
  std::string text;
  for (int64_t v : values)
    text += (text.empty() ? "" : ",") + std::to_string(v);
  return text;
}

std::string shapeOf(const Node &node) {
  std::string layout =
      node.sizes.empty() ? "" : "{" + listOf(node.layout) + "}";
  return "f32[" + listOf(node.sizes) + "]" + layout;
}

std::string attributesOf(const Node &node) {
  auto dimensions = [](const Sizes &d) {
    return ", dimensions={" + listOf(d) + "}";
  };
  switch (node.kind) {
    case Kind::Transpose:
    case Kind::Broadcast:
    case Kind::Reverse:
      return dimensions(node.first);
    case Kind::Concatenate:
      return dimensions({node.number});
    case Kind::Slice: {
      std::string text;
      for (size_t i = 0; i < node.first.size(); ++i)
        text += (i ? ", [" : "[") + std::to_string(node.first[i]) + ":" +
                std::to_string(node.second[i]) + ":" +
                std::to_string(node.third[i]) + "]";
      return ", slice={" + text + "}";
    }
    case Kind::Pad: {
      std::string text;
      for (size_t i = 0; i < node.first.size(); ++i)
        text += (i ? "x" : "") + std::to_string(node.first[i]) + "_" +
                std::to_string(node.second[i]) + "_" +
                std::to_string(node.third[i]);
      return ", padding=" + text;
    }
    default:
      return "";
  }
}

const char *opcodeOf(Kind kind) {
  switch (kind) {
    case Kind::Parameter:
      return "parameter";
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
  }
  return "";
}

/// Returns the operand and its element that an index of the result is, or
/// nothing if the index is padding.
std::optional<std::pair<size_t, Sizes>> movedFrom(const Node &node,
                                                  const Sizes &index) {
  const Sizes &from = node.operands[0]->sizes;
  Sizes at(from.size());
  switch (node.kind) {
    case Kind::Reshape:
      at = indexAt(from, positionOf(node.sizes, index));
      break;
    case Kind::Bitcast: {
      int64_t place = placeInMemory(node, index);
      for (int64_t d : node.operands[0]->layout) {
        at[d] = place % from[d];
        place /= from[d];
      }
      break;
    }
    case Kind::Transpose:
      for (size_t i = 0; i < at.size(); ++i) at[node.first[i]] = index[i];
      break;
    case Kind::Broadcast:
      for (size_t k = 0; k < at.size(); ++k) at[k] = index[node.first[k]];
      break;
    case Kind::Reverse:
      at = index;
      for (int64_t d : node.first) at[d] = from[d] - 1 - at[d];
      break;
    case Kind::Slice:
      for (size_t i = 0; i < at.size(); ++i)
        at[i] = node.first[i] + index[i] * node.third[i];
      break;
    case Kind::Pad:
      for (size_t i = 0; i < at.size(); ++i) {
        int64_t offset = index[i] - node.first[i], step = node.third[i] + 1;
        if (offset < 0 || offset % step || offset / step >= from[i])
          return std::nullopt;
        at[i] = offset / step;
      }
      break;
    case Kind::Concatenate: {
      at = index;
      for (size_t k = 0; k < node.operands.size(); ++k) {
        int64_t size = node.operands[k]->sizes[node.number];
        if (at[node.number] < size) return std::pair(k, at);
        at[node.number] -= size;
      }
      break;
    }
    case Kind::Copy:
    case Kind::Parameter:
      at = index;
      break;
  }
  return std::pair(size_t{0}, at);
}

}  // namespace

int64_t countOf(const Sizes &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

Sizes rowMajor(size_t rank) {
  Sizes layout(rank);
  for (size_t i = 0; i < rank; ++i) layout[i] = rank - 1 - i;
  return layout;
}

int64_t positionOf(const Sizes &sizes, const Sizes &index) {
  int64_t position = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    position = position * sizes[i] + index[i];
  return position;
}

void collect(const NodePtr &node, std::vector<NodePtr> &nodes) {
  if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return;
  for (const NodePtr &operand : node->operands) collect(operand, nodes);
  nodes.push_back(node);
}

std::vector<Sizes> parametersOf(const NodePtr &program) {
  std::vector<NodePtr> nodes;
  collect(program, nodes);
  std::vector<Sizes> parameters;
  for (const NodePtr &node : nodes)
    if (node->kind == Kind::Parameter) {
      parameters.resize(std::max<size_t>(parameters.size(), node->number + 1),
                        Sizes{1});
      parameters[node->number] = node->sizes;
    }
  return parameters;
}

std::string hloOf(const NodePtr &program,
                  const std::vector<Sizes> &parameters) {
  std::vector<NodePtr> nodes;
  collect(program, nodes);
  std::vector<std::string> names(nodes.size());
  std::string text = "HloModule m\n\nENTRY e {\n  zero = f32[] constant(0)\n";
  for (size_t i = 0; i < parameters.size(); ++i) {
    Node node;
    node.sizes = parameters[i];
    node.layout = rowMajor(node.sizes.size());
    text += "  p" + std::to_string(i) + " = " + shapeOf(node) + " parameter(" +
            std::to_string(i) + ")\n";
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = *nodes[i];
    if (node.kind == Kind::Parameter) {
      names[i] = "p" + std::to_string(node.number);
      continue;
    }
    names[i] = opcodeOf(node.kind) + ("." + std::to_string(i));
    text += i + 1 == nodes.size() ? "  ROOT " : "  ";
    text += names[i] + " = " + shapeOf(node) + " " + opcodeOf(node.kind) + "(";
    for (size_t k = 0; k < node.operands.size(); ++k)
      text += (k ? ", " : "") +
              names[std::find(nodes.begin(), nodes.end(), node.operands[k]) -
                    nodes.begin()];
    if (node.kind == Kind::Pad) text += ", zero";
    text += ")" + attributesOf(node) + "\n";
  }
  return text + "}\n";
}

std::vector<Moved> evaluate(const NodePtr &program) {
  if (program->kind == Kind::Parameter) {
    std::vector<Moved> own;
    for (int64_t i = 0; i < countOf(program->sizes); ++i)
      own.push_back({program->number, indexAt(program->sizes, i)});
    return own;
  }
  std::vector<std::vector<Moved>> operands;
  for (const NodePtr &operand : program->operands)
    operands.push_back(evaluate(operand));
  std::vector<Moved> result;
  for (int64_t i = 0; i < countOf(program->sizes); ++i) {
    auto from = movedFrom(*program, indexAt(program->sizes, i));
    result.push_back(
        from ? operands[from->first][positionOf(
                   program->operands[from->first]->sizes, from->second)]
             : Moved());
  }
  return result;
}

}  // namespace indexical::testing
