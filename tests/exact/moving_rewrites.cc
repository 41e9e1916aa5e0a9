#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/exact/moving_programs.h"
#include "tests/support/random_body.h"

namespace indexical::testing {
namespace {

using Kind = Node::Kind;

constexpr int64_t kMostElements = 400;

Sizes composed(const Sizes &first, const Sizes &then) {
  Sizes both;
  for (int64_t d : then) both.push_back(first[d]);
  return both;
}

/// Returns a rewrite of the op itself, or null if the rewrite that was drawn
/// does not fit.
NodePtr rewrite(Random &random, const Node &node) {
  if (node.operands.empty()) return nullptr;
  const NodePtr &x = node.operands[0];
  const size_t rank = node.sizes.size();
  const bool isRowMajor =
      node.layout == rowMajor(rank) && x->layout == rowMajor(x->sizes.size());
  switch (node.kind) {
    case Kind::Reshape:
      if (x->kind == Kind::Reshape) return reshaped(x->operands[0], node.sizes);
      if (isRowMajor && random.oneIn(2))
        return shared(nodeOf(Kind::Bitcast, node.sizes, {x}));
      return reshaped(
          reshaped(x, programs::factored(random, countOf(x->sizes))),
          node.sizes);
    case Kind::Transpose: {
      if (x->kind == Kind::Transpose && random.oneIn(2))
        return transposed(x->operands[0], composed(x->first, node.first));
      if (x->kind == Kind::Broadcast && random.oneIn(2)) {
        // The operand's dimensions, in the order that they have now.
        Sizes permutation, dimensions;
        for (size_t i = 0; i < rank; ++i)
          for (size_t k = 0; k < x->first.size(); ++k)
            if (x->first[k] == node.first[i]) {
              permutation.push_back(k);
              dimensions.push_back(i);
            }
        return broadcasted(transposed(x->operands[0], permutation), node.sizes,
                           dimensions);
      }
      if (x->kind == Kind::Reverse && random.oneIn(2)) {
        Sizes dimensions;
        for (size_t i = 0; i < rank; ++i)
          if (llvm::is_contained(x->first, node.first[i]))
            dimensions.push_back(i);
        return reversed(transposed(x->operands[0], node.first), dimensions);
      }
      Node bitcast = nodeOf(Kind::Bitcast, node.sizes, {x});
      for (size_t i = 0; i < rank; ++i)
        bitcast.layout[i] =
            std::find(node.first.begin(), node.first.end(), x->layout[i]) -
            node.first.begin();
      return shared(std::move(bitcast));
    }
    case Kind::Reverse:
      if (x->kind == Kind::Reverse && random.oneIn(2)) {
        Sizes once;
        std::set_symmetric_difference(node.first.begin(), node.first.end(),
                                      x->first.begin(), x->first.end(),
                                      std::back_inserter(once));
        return reversed(x->operands[0], once);
      }
      if (x->kind == Kind::Pad) {
        Sizes low = x->first, high = x->second;
        for (int64_t d : node.first) std::swap(low[d], high[d]);
        return padded(reversed(x->operands[0], node.first), low, high,
                      x->third);
      }
      if (node.first.empty()) return x;
      return reversed(reversed(x, {node.first[0]}),
                      Sizes(node.first.begin() + 1, node.first.end()));
    case Kind::Slice: {
      if (x->kind == Kind::Slice) {
        Sizes starts, limits, strides;
        for (size_t i = 0; i < rank; ++i) {
          starts.push_back(x->first[i] + node.first[i] * x->third[i]);
          strides.push_back(node.third[i] * x->third[i]);
          limits.push_back(starts[i] + (node.sizes[i] - 1) * strides[i] + 1);
        }
        return sliced(x->operands[0], starts, limits, strides);
      }
      if (x->kind == Kind::Concatenate) {
        // Each operand gives what is wanted of it, along the dimension.
        const int64_t d = x->number;
        std::vector<NodePtr> parts;
        int64_t begin = 0;
        for (const NodePtr &operand : x->operands) {
          const int64_t end = begin + operand->sizes[d];
          const int64_t stride = node.third[d];
          int64_t skipped = std::max<int64_t>(
              0, (begin - node.first[d] + stride - 1) / stride);
          int64_t from = node.first[d] + skipped * stride;
          int64_t to = std::min(node.second[d], end);
          if (from < to) {
            Sizes starts = node.first, limits = node.second;
            starts[d] = from - begin;
            limits[d] = to - begin;
            parts.push_back(sliced(operand, starts, limits, node.third));
          }
          begin = end;
        }
        return parts.size() == 1 ? parts[0] : joined(parts, d);
      }
      if (x->kind == Kind::Transpose) {
        Sizes starts(rank), limits(rank), strides(rank);
        for (size_t i = 0; i < rank; ++i) {
          starts[x->first[i]] = node.first[i];
          limits[x->first[i]] = node.second[i];
          strides[x->first[i]] = node.third[i];
        }
        return transposed(sliced(x->operands[0], starts, limits, strides),
                          x->first);
      }
      if (x->kind == Kind::Broadcast) {
        Sizes starts, limits, strides;
        for (int64_t d : x->first) {
          starts.push_back(node.first[d]);
          limits.push_back(node.second[d]);
          strides.push_back(node.third[d]);
        }
        return broadcasted(sliced(x->operands[0], starts, limits, strides),
                           node.sizes, x->first);
      }
      if (node.third != Sizes(rank, 1)) return nullptr;
      Sizes low, high;
      for (size_t i = 0; i < rank; ++i) {
        low.push_back(-node.first[i]);
        high.push_back(node.second[i] - x->sizes[i]);
      }
      return padded(x, low, high, Sizes(rank, 0));
    }
    case Kind::Pad: {
      // In two steps; or, of a slice, the whole of it cut by the pad.
      Sizes none(rank, 0), low = node.first, high = node.second;
      for (size_t i = 0; i < rank; ++i) {
        low[i] = std::max<int64_t>(low[i], 0);
        high[i] = std::max<int64_t>(high[i], 0);
      }
      Sizes lessLow = node.first, lessHigh = node.second;
      for (size_t i = 0; i < rank; ++i) {
        lessLow[i] -= low[i];
        lessHigh[i] -= high[i];
      }
      if (x->kind == Kind::Slice && x->third == Sizes(rank, 1) &&
          node.third == none && lessLow == none && lessHigh == none) {
        // Negative padding cuts off the elements that the slice leaves out. A
        // second pad then adds the padding.
        Sizes cutLow, cutHigh;
        for (size_t i = 0; i < rank; ++i) {
          cutLow.push_back(-x->first[i]);
          cutHigh.push_back(x->second[i] - x->operands[0]->sizes[i]);
        }
        return padded(padded(x->operands[0], cutLow, cutHigh, none), low, high,
                      none);
      }
      return padded(padded(x, lessLow, lessHigh, node.third), low, high, none);
    }
    case Kind::Concatenate: {
      if (node.operands.size() < 2) return nullptr;
      // The last two of them first.
      std::vector<NodePtr> rest(node.operands.begin(), node.operands.end() - 2);
      rest.push_back(joined({*(node.operands.end() - 2), node.operands.back()},
                            node.number));
      return joined(rest, node.number);
    }
    default:
      // Into another layout, and on from there.
      return copied(shared(node), random.permutation(rank));
  }
}

/// The tree with another node in place of one.
NodePtr replaced(const NodePtr &in, const NodePtr &node, const NodePtr &by) {
  if (in == node) return by;
  Node copy = *in;
  bool changed = false;
  for (NodePtr &operand : copy.operands) {
    NodePtr next = replaced(operand, node, by);
    changed |= next != operand;
    // A bitcast keeps places in memory, so its operand must keep its layout.
    if (in->kind == Kind::Bitcast && next->layout != operand->layout)
      next = copied(next, operand->layout);
    operand = std::move(next);
  }
  return changed ? shared(std::move(copy)) : in;
}

NodePtr mutation(Random &random, const Node &node) {
  Node copy = node;
  const int64_t rank = node.sizes.size();
  if (rank == 0) return nullptr;
  const int64_t i = random.in(0, rank - 1), j = random.in(0, rank - 1);
  const int64_t by = random.oneIn(2) ? 1 : -1;
  switch (node.kind) {
    case Kind::Slice:
      copy.first[i] += by;
      copy.second[i] += by;
      if (copy.first[i] < 0 || copy.second[i] > node.operands[0]->sizes[i])
        return nullptr;
      break;
    case Kind::Pad:
      copy.first[i] += by;
      copy.second[i] -= by;
      break;
    case Kind::Transpose:
      if (i == j || node.sizes[i] != node.sizes[j]) return nullptr;
      std::swap(copy.first[i], copy.first[j]);
      break;
    case Kind::Bitcast:
      std::swap(copy.layout[i], copy.layout[j]);
      break;
    case Kind::Broadcast:
      if (llvm::is_contained(node.first, j)) return nullptr;
      std::replace(copy.first.begin(), copy.first.end(), i, j);
      std::sort(copy.first.begin(), copy.first.end());
      for (size_t k = 0; k < copy.first.size(); ++k)
        if (node.sizes[copy.first[k]] != node.operands[0]->sizes[k])
          return nullptr;
      break;
    case Kind::Reverse:
      if (auto at = std::find(copy.first.begin(), copy.first.end(), i);
          at != copy.first.end()) {
        copy.first.erase(at);
      } else {
        copy.first.push_back(i);
        std::sort(copy.first.begin(), copy.first.end());
      }
      break;
    default:
      return nullptr;
  }
  return shared(std::move(copy));
}

bool isSmall(const NodePtr &program) {
  for (const NodePtr &node : nodesOf(program))
    if (llvm::any_of(node->sizes, [](int64_t size) { return size < 1; }) ||
        countOf(node->sizes) > kMostElements || node->sizes.size() > 6)
      return false;
  return true;
}

}  // namespace

NodePtr randomProgram(Random &random) {
  using Body = programs::RandomBody;
  programs::BodyOptions options;
  options.ops = {&Body::reshape,    &Body::transpose, &Body::broadcast,
                 &Body::reverse,    &Body::slice,     &Body::pad,
                 &Body::concatenate};
  options.sizes = {1, 2, 3, 4, 5};
  options.leastRank = 1;
  options.highestRank = 6;
  options.mostElements = kMostElements;
  options.anyOneIn = 6;
  options.others = programs::OtherOperands::Parts;
  options.padsWithZero = true;
  Body body(random, {}, options);
  for (int64_t n = random.in(1, 2); n > 0; --n)
    body.parameter({randomSizes(random, options)});
  body.ops(random.in(2, 7));
  return body.last();
}

NodePtr rewritten(Random &random, const NodePtr &program) {
  const std::vector<NodePtr> nodes = nodesOf(program);
  const NodePtr &node = nodes[random.in(0, nodes.size() - 1)];
  NodePtr by = rewrite(random, *node);
  if (!by) return nullptr;
  NodePtr result = replaced(program, node, by);
  return isSmall(result) && result->kind != Kind::Parameter ? result : nullptr;
}

NodePtr mutated(Random &random, const NodePtr &program) {
  const std::vector<NodePtr> nodes = nodesOf(program);
  const NodePtr &node = nodes[random.in(0, nodes.size() - 1)];
  NodePtr by = mutation(random, *node);
  return by ? replaced(program, node, by) : nullptr;
}

}  // namespace indexical::testing
