#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/same/values/value_programs.h"
#include "tests/support/random_body.h"

namespace indexical::testing {

using Kind = Node::Kind;

namespace {

/// The node with other operands, of its sizes or, of an op that keeps sizes, of
/// others.
NodePtr withOperands(const Node &node, std::vector<NodePtr> operands) {
  Node made = node;
  made.operands = std::move(operands);
  return shared(std::move(made));
}

/// The first of both, by a constant.
NodePtr selected(const NodePtr &taken, const NodePtr &other) {
  Node node = nodeOf(Kind::Select, taken->sizes, {taken, other});
  node.number = 1;
  return shared(std::move(node));
}

bool isRing(Numbers numbers) { return numbers != Numbers::Float; }

bool isElementwise(const Node &t) {
  return t.kind == Kind::Add || t.kind == Kind::Subtract ||
         t.kind == Kind::Multiply || t.kind == Kind::Negate ||
         t.kind == Kind::Maximum || t.kind == Kind::Select;
}

bool isMove(const Node &t) {
  return t.kind == Kind::Transpose || t.kind == Kind::Reshape ||
         t.kind == Kind::Reverse || t.kind == Kind::Slice ||
         t.kind == Kind::Broadcast;
}

//===-- Laws --------------------------------------------------------------===//

/// move(f(a, b)) as f(move(a), move(b)).
NodePtr pushed(const Node &move) {
  const NodePtr &inner = move.operands[0];
  if (!isMove(move) || !isElementwise(*inner)) return nullptr;
  std::vector<NodePtr> operands;
  for (const NodePtr &operand : inner->operands)
    operands.push_back(withOperands(move, {operand}));
  Node made = *inner;
  made.sizes = move.sizes, made.layout = move.layout;
  made.operands = std::move(operands);
  return shared(std::move(made));
}

/// join(f(a, b), f(c, d)) as f(join(a, c), join(b, d)).
NodePtr joinedInside(const Node &join) {
  if (join.kind != Kind::Concatenate) return nullptr;
  const NodePtr &first = join.operands[0];
  if (!isElementwise(*first)) return nullptr;
  std::vector<NodePtr> operands;
  for (size_t k = 0; k < first->operands.size(); ++k) {
    std::vector<NodePtr> parts;
    for (const NodePtr &each : join.operands) {
      if (each->kind != first->kind || each->number != first->number)
        return nullptr;
      parts.push_back(each->operands[k]);
    }
    operands.push_back(joined(parts, join.number));
  }
  Node made = *first;
  made.sizes = join.sizes, made.layout = join.layout;
  made.operands = std::move(operands);
  return shared(std::move(made));
}

/// There and back.
NodePtr aroundOf(Random &random, const NodePtr &x) {
  const size_t rank = x->sizes.size();
  switch (random.in(0, 4)) {
    case 0: {
      const Sizes there = random.permutation(rank);
      Sizes back(rank);
      for (size_t k = 0; k < rank; ++k) back[there[k]] = k;
      return transposed(transposed(x, there), back);
    }
    case 1:
      return reshaped(
          reshaped(x, programs::factored(random, countOf(x->sizes))), x->sizes);
    case 2: {
      if (rank == 0) return nullptr;
      const Sizes along = {random.in(0, rank - 1)};
      return reversed(reversed(x, along), along);
    }
    case 3: {
      if (rank == 0) return nullptr;
      const int64_t k = random.in(0, rank - 1);
      Sizes starts(rank, 0), limits = x->sizes, strides(rank, 1);
      const NodePtr both = joined({filled(x->sizes, 7), x}, k);
      starts[k] = x->sizes[k];
      limits[k] = both->sizes[k];
      return sliced(both, starts, limits, strides);
    }
    default: {
      if (rank == 0) return nullptr;
      const NodePtr wide =
          padded(x, Sizes(rank, 1), Sizes(rank, 0), Sizes(rank, 0), scalar(5));
      return sliced(wide, Sizes(rank, 1), wide->sizes, Sizes(rank, 1));
    }
  }
}

/// Returns the term rewritten by a law of dot or reduce, or null for any other
/// op.
NodePtr turned(Random &random, const Node &t) {
  if (t.kind == Kind::Dot)
    return transposed(multiplied(transposed(t.operands[1], {1, 0}),
                                 transposed(t.operands[0], {1, 0})),
                      {1, 0});
  if (t.kind != Kind::Sum && t.kind != Kind::Largest) return nullptr;
  // The operand is transposed so that the kept dimensions keep their order.
  const NodePtr &x = t.operands[0];
  Sizes order = random.permutation(x->sizes.size()), kept, dimensions;
  for (size_t k = 0; k < x->sizes.size(); ++k)
    if (!llvm::is_contained(t.first, static_cast<int64_t>(k)))
      kept.push_back(k);
  size_t next = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    if (llvm::is_contained(t.first, order[k]))
      dimensions.push_back(k);
    else
      order[k] = kept[next++];
  }
  return reducedBy(t.kind, transposed(x, order), t.operands[1], dimensions);
}

/// Returns the term rewritten by a random law of rings, or null if the law does
/// not fit.
NodePtr inRing(Random &random, const NodePtr &node) {
  const Node &t = *node;
  switch (random.in(0, 6)) {
    case 0:
      if (t.kind != Kind::Multiply) return nullptr;
      for (int k : {0, 1})
        if (const Node &sum = *t.operands[k]; sum.kind == Kind::Add)
          return binary(
              Kind::Add,
              binary(Kind::Multiply, sum.operands[0], t.operands[1 - k]),
              binary(Kind::Multiply, sum.operands[1], t.operands[1 - k]));
      return nullptr;
    case 1:
      if (t.kind != Kind::Add && t.kind != Kind::Multiply) return nullptr;
      if (t.operands[0]->kind != t.kind) return nullptr;
      return binary(t.kind, t.operands[0]->operands[0],
                    binary(t.kind, t.operands[0]->operands[1], t.operands[1]));
    case 2:
      if (t.kind == Kind::Subtract)
        return binary(Kind::Add, t.operands[0], negated(t.operands[1]));
      if (t.kind == Kind::Negate)
        return binary(Kind::Multiply, t.operands[0], filled(t.sizes, -1));
      return nullptr;
    case 3:
      return binary(Kind::Add, node, filled(t.sizes, 0));
    case 4:
      return binary(Kind::Multiply, filled(t.sizes, 1), node);
    case 5:
      if (t.kind == Kind::Add && t.operands[0] == t.operands[1])
        return binary(Kind::Multiply, t.operands[0], filled(t.sizes, 2));
      return binary(Kind::Subtract, binary(Kind::Add, node, node), node);
    default:
      if (t.kind != Kind::Sum || t.operands[0]->kind != Kind::Add)
        return nullptr;
      return binary(
          Kind::Add,
          reducedBy(Kind::Sum, t.operands[0]->operands[0], t.operands[1],
                    t.first),
          reducedBy(Kind::Sum, t.operands[0]->operands[1], scalar(0), t.first));
  }
}

NodePtr lawAt(Random &random, const NodePtr &node, Numbers numbers) {
  const Node &t = *node;
  switch (random.in(0, isRing(numbers) ? 7 : 5)) {
    case 0:
      return t.operands.size() == 1 ? pushed(t) : nullptr;
    case 1:
      return joinedInside(t);
    case 2:
      return aroundOf(random, node);
    case 3:
      return turned(random, t);
    case 4:
      if (t.kind != Kind::Add && t.kind != Kind::Multiply) return nullptr;
      return binary(t.kind, t.operands[1], t.operands[0]);
    case 5:
      return selected(node, filled(t.sizes, 9));
    default:
      return inRing(random, node);
  }
}

//===-- Near-laws ---------------------------------------------------------===//

NodePtr nearLawAt(Random &random, const NodePtr &node, Numbers numbers) {
  const Node &t = *node;
  Node made = t;
  auto done = [&] { return shared(made); };
  switch (t.kind) {
    case Kind::Parameter:
    case Kind::Bitcast:
    case Kind::Copy:
    case Kind::Other:
      return nullptr;
    case Kind::Constant:
      made.number += random.oneIn(2) ? 1 : -1;
      return done();
    case Kind::Subtract:
      if (random.oneIn(2)) {
        std::swap(made.operands[0], made.operands[1]);
        return done();
      }
      return binary(Kind::Add, t.operands[0], t.operands[1]);
    case Kind::Add:
    case Kind::Multiply:
      if (!isRing(numbers) && t.operands[0]->kind == t.kind)
        // No law of floats.
        return binary(
            t.kind, t.operands[0]->operands[0],
            binary(t.kind, t.operands[0]->operands[1], t.operands[1]));
      if (random.oneIn(2))
        return binary(t.kind == Kind::Add ? Kind::Multiply : Kind::Add,
                      t.operands[0], t.operands[1]);
      made.operands[1] = made.operands[0];
      return done();
    case Kind::Negate:
      return t.operands[0];
    case Kind::Maximum:
      made.kind = Kind::Add;
      return done();
    case Kind::Select:
      made.number = 1 - t.number;
      return done();
    case Kind::Transpose: {
      // The inverse permutation, which differs from three dimensions on.
      Sizes back(t.first.size());
      for (size_t k = 0; k < back.size(); ++k) back[t.first[k]] = k;
      const NodePtr other = transposed(t.operands[0], back);
      return other->sizes == t.sizes ? other : nullptr;
    }
    case Kind::Reshape:
      if (t.operands[0]->sizes.empty()) return nullptr;
      made.operands[0] = reversed(t.operands[0], {0});
      return done();
    case Kind::Reverse:
      if (t.first.size() != 1) return nullptr;
      made.first[0] = (made.first[0] + 1) % t.sizes.size();
      return done();
    case Kind::Slice: {
      if (t.first.empty()) return nullptr;
      const size_t k = random.in(0, t.first.size() - 1);
      const int64_t by = random.oneIn(2) ? 1 : -1;
      made.first[k] += by;
      made.second[k] += by;
      if (made.first[k] < 0 || made.second[k] > t.operands[0]->sizes[k])
        return nullptr;
      return done();
    }
    case Kind::Broadcast: {
      const auto &from = t.operands[0]->sizes;
      if (from.size() != 1 || t.sizes.size() < 2) return nullptr;
      made.first[0] = (made.first[0] + 1) % t.sizes.size();
      return t.sizes[made.first[0]] == from[0] ? done() : nullptr;
    }
    case Kind::Pad: {
      const size_t k = random.in(0, t.first.size() - 1);
      std::swap(made.first[k], made.second[k]);
      return done();
    }
    case Kind::Concatenate:
      std::reverse(made.operands.begin(), made.operands.end());
      return done()->operands[0]->sizes == done()->operands[1]->sizes ? done()
                                                                      : nullptr;
    case Kind::Sum:
    case Kind::Largest: {
      const size_t rank = t.operands[0]->sizes.size();
      if (t.first.size() != 1 || rank < 2) return nullptr;
      const NodePtr other =
          reducedBy(t.kind, t.operands[0], t.operands[1],
                    {static_cast<int64_t>((t.first[0] + 1) % rank)});
      return other->sizes == t.sizes ? other : nullptr;
    }
    case Kind::Dot:
      made.operands[0] = reversed(t.operands[0], {1});
      return done();
  }
  return nullptr;
}

/// The tree with a node replaced, wherever it is used.
NodePtr replaced(const NodePtr &tree, const NodePtr &node, const NodePtr &by) {
  if (tree == node) return by;
  std::vector<NodePtr> operands;
  bool changed = false;
  for (const NodePtr &operand : tree->operands) {
    operands.push_back(replaced(operand, node, by));
    changed |= operands.back() != operand;
  }
  return changed ? withOperands(*tree, std::move(operands)) : tree;
}

using Rewrite = NodePtr (*)(Random &, const NodePtr &, Numbers);

NodePtr somewhere(Random &random, const NodePtr &term, Numbers numbers,
                  Rewrite rewrite) {
  const std::vector<NodePtr> nodes = nodesOf(term);
  const NodePtr &node = nodes[random.in(0, nodes.size() - 1)];
  const NodePtr by = rewrite(random, node, numbers);
  if (!by || by->sizes != node->sizes) return nullptr;
  NodePtr made = replaced(term, node, by);
  return nodesOf(made).size() <= 60 ? made : nullptr;
}

}  // namespace

NodePtr randomTerm(Random &random, Numbers numbers) {
  using Body = programs::RandomBody;
  programs::BodyOptions options;
  options.ops = {&Body::add,     &Body::subtract,  &Body::multiply,
                 &Body::negate,  &Body::transpose, &Body::reshape,
                 &Body::reverse, &Body::slice,     &Body::concatenate,
                 &Body::pad,     &Body::sum,       &Body::dot};
  if (numbers != Numbers::Real)
    options.ops.insert(options.ops.end(), {&Body::maximum, &Body::largest});
  options.sizes = {2, 3, 4};
  options.leastRank = 1;
  options.mostElements = 48;
  options.anyOneIn = 2;
  options.others = programs::OtherOperands::Parts;
  options.movesIntegers = false;
  Body body(random, {}, options);
  for (int64_t n = random.in(1, 3); n > 0; --n)
    body.parameter({randomSizes(random, options)});
  body.ops(random.in(3, 9));
  return body.last();
}

NodePtr byLaw(Random &random, const NodePtr &term, Numbers numbers) {
  return somewhere(random, term, numbers, lawAt);
}

NodePtr byNearLaw(Random &random, const NodePtr &term, Numbers numbers) {
  return somewhere(random, term, numbers, nearLawAt);
}

}  // namespace indexical::testing
