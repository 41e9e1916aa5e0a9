#include "tests/analysis/value_terms.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing {

using Kind = Term::Kind;

int64_t extentOf(const Extents &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

std::vector<TermPtr> nodesOf(const TermPtr &term) {
  std::vector<TermPtr> nodes;
  std::set<const Term *> seen;
  std::function<void(const TermPtr &)> visit = [&](const TermPtr &node) {
    if (!seen.insert(node.get()).second) return;
    for (const TermPtr &operand : node->operands) visit(operand);
    nodes.push_back(node);
  };
  visit(term);
  return nodes;
}

namespace {

constexpr int64_t kMostElements = 48;

TermPtr make(Kind kind, Extents sizes, std::vector<TermPtr> operands,
             Extents first = {}, int64_t number = 0) {
  Term term;
  term.kind = kind;
  term.sizes = std::move(sizes);
  term.operands = std::move(operands);
  term.first = std::move(first);
  term.number = number;
  return std::make_shared<const Term>(std::move(term));
}

TermPtr binary(Kind kind, const TermPtr &a, const TermPtr &b) {
  return make(kind, a->sizes, {a, b});
}

TermPtr negated(const TermPtr &a) { return make(Kind::Negate, a->sizes, {a}); }

TermPtr scalar(int64_t number) {
  return make(Kind::Constant, {}, {}, {}, number);
}

TermPtr filled(const Extents &sizes, int64_t number) {
  if (sizes.empty()) return scalar(number);
  return make(Kind::Broadcast, sizes, {scalar(number)});
}

TermPtr transposed(const TermPtr &a, Extents permutation) {
  Extents sizes;
  for (int64_t k : permutation) sizes.push_back(a->sizes[k]);
  return make(Kind::Transpose, sizes, {a}, permutation);
}

TermPtr sliced(const TermPtr &a, Extents starts, Extents limits,
               Extents strides) {
  Term term;
  term.kind = Kind::Slice;
  for (size_t k = 0; k < starts.size(); ++k)
    term.sizes.push_back((limits[k] - starts[k] + strides[k] - 1) / strides[k]);
  term.operands = {a};
  term.first = std::move(starts);
  term.second = std::move(limits);
  term.third = std::move(strides);
  return std::make_shared<const Term>(std::move(term));
}

TermPtr padded(const TermPtr &a, Extents low, Extents high, int64_t with) {
  Term term;
  term.kind = Kind::Pad;
  for (size_t k = 0; k < low.size(); ++k)
    term.sizes.push_back(low[k] + a->sizes[k] + high[k]);
  term.operands = {a, scalar(with)};
  term.first = std::move(low);
  term.second = std::move(high);
  return std::make_shared<const Term>(std::move(term));
}

TermPtr joined(std::vector<TermPtr> parts, int64_t dimension) {
  Extents sizes = parts[0]->sizes;
  for (size_t k = 1; k < parts.size(); ++k)
    sizes[dimension] += parts[k]->sizes[dimension];
  return make(Kind::Concatenate, sizes, std::move(parts), {}, dimension);
}

TermPtr reducedBy(Kind kind, const TermPtr &a, const TermPtr &init,
                  Extents dimensions) {
  Extents sizes;
  for (size_t k = 0; k < a->sizes.size(); ++k)
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(k)))
      sizes.push_back(a->sizes[k]);
  return make(kind, sizes, {a, init}, std::move(dimensions));
}

/// The node with other operands, of its sizes or, of an op that keeps sizes, of
/// others.
TermPtr withOperands(const Term &node, std::vector<TermPtr> operands) {
  Term made = node;
  made.operands = std::move(operands);
  return std::make_shared<const Term>(std::move(made));
}

bool isRing(Numbers numbers) { return numbers != Numbers::Float; }

bool isElementwise(const Term &t) {
  return t.kind == Kind::Add || t.kind == Kind::Subtract ||
         t.kind == Kind::Multiply || t.kind == Kind::Negate ||
         t.kind == Kind::Maximum || t.kind == Kind::Select;
}

bool isMove(const Term &t) {
  return t.kind == Kind::Transpose || t.kind == Kind::Reshape ||
         t.kind == Kind::Reverse || t.kind == Kind::Slice ||
         t.kind == Kind::Broadcast;
}

Extents factored(Random &random, int64_t count) {
  Extents sizes;
  for (int64_t prime : {2, 3, 5, 7})
    while (count % prime == 0) {
      count /= prime;
      if (!sizes.empty() && random.oneIn(2))
        sizes.back() *= prime;
      else
        sizes.push_back(prime);
    }
  if (count > 1) sizes.push_back(count);
  return sizes;
}

Extents permuted(Random &random, size_t rank) {
  const auto order = random.permutation(rank);
  return {order.begin(), order.end()};
}

class Grower {
 public:
  Grower(Random &random, Numbers numbers) : random_(random), numbers_(numbers) {
    const int64_t count = random.in(1, 3);
    for (int64_t p = 0; p < count; ++p) {
      Extents sizes;
      for (int64_t k = random.in(1, 3); k-- > 0;)
        sizes.push_back(random.in(2, 4));
      terms_.push_back(make(Kind::Parameter, sizes, {}, {}, p));
    }
  }

  TermPtr grow() {
    const int64_t steps = random_.in(3, 9);
    for (int64_t n = 0; n < steps; ++n)
      if (TermPtr next = step(); next && extentOf(next->sizes) <= kMostElements)
        terms_.push_back(std::move(next));
    return terms_.back();
  }

 private:
  const TermPtr &any() {
    // The last ones, so that it becomes a tree and not many.
    const int64_t count = terms_.size();
    return terms_[random_.in(
        random_.oneIn(2) ? 0 : std::max<int64_t>(0, count - 2), count - 1)];
  }

  /// Another term of these sizes, whatever it takes.
  TermPtr like(const Extents &sizes) {
    std::vector<TermPtr> fitting;
    for (const TermPtr &term : terms_)
      if (term->sizes == sizes) fitting.push_back(term);
    if (!fitting.empty() && !random_.oneIn(4))
      return fitting[random_.in(0, fitting.size() - 1)];
    for (const TermPtr &term : terms_)
      if (extentOf(term->sizes) == extentOf(sizes) && term->sizes != sizes)
        return make(Kind::Reshape, sizes, {term});
    return filled(sizes, random_.in(-3, 3));
  }

  TermPtr step() {
    const TermPtr x = any();
    const size_t rank = x->sizes.size();
    switch (random_.in(0, 12)) {
      case 0:
        return binary(Kind::Add, x, like(x->sizes));
      case 1:
        return binary(Kind::Subtract, x, like(x->sizes));
      case 2:
        return binary(Kind::Multiply, x, like(x->sizes));
      case 3:
        return negated(x);
      case 4:
        if (numbers_ == Numbers::Real) return nullptr;
        return binary(Kind::Maximum, x, like(x->sizes));
      case 5:
        return transposed(x, permuted(random_, rank));
      case 6:
        return make(Kind::Reshape, factored(random_, extentOf(x->sizes)), {x});
      case 7:
        if (rank == 0) return nullptr;
        return make(Kind::Reverse, x->sizes, {x}, {random_.in(0, rank - 1)});
      case 8: {
        Extents starts, limits, strides;
        for (int64_t size : x->sizes) {
          starts.push_back(random_.in(0, size - 1));
          limits.push_back(random_.in(starts.back() + 1, size));
          strides.push_back(random_.in(1, 2));
        }
        return sliced(x, starts, limits, strides);
      }
      case 9: {
        if (rank == 0) return nullptr;
        const int64_t k = random_.in(0, rank - 1);
        const TermPtr other = random_.oneIn(2) ? x : like(x->sizes);
        return joined({x, other}, k);
      }
      case 10: {
        Extents low, high;
        for (size_t k = 0; k < rank; ++k) {
          low.push_back(random_.in(0, 1));
          high.push_back(random_.in(0, 1));
        }
        return rank ? padded(x, low, high, random_.in(0, 2)) : nullptr;
      }
      case 11: {
        if (rank == 0) return nullptr;
        const auto dimensions = random_.subset(rank, random_.in(1, rank));
        const Kind kind = numbers_ == Numbers::Real || random_.oneIn(2)
                              ? Kind::Sum
                              : Kind::Largest;
        return reducedBy(kind, x, scalar(random_.in(0, 2)),
                         {dimensions.begin(), dimensions.end()});
      }
      default: {
        if (rank != 2) return nullptr;
        const TermPtr other = like({x->sizes[1], random_.in(1, 3)});
        return make(Kind::Dot, {x->sizes[0], other->sizes[1]}, {x, other});
      }
    }
  }

  Random &random_;
  const Numbers numbers_;
  std::vector<TermPtr> terms_;
};

//===-- Laws --------------------------------------------------------------===//

/// move(f(a, b)) as f(move(a), move(b)).
TermPtr pushed(const Term &move) {
  const TermPtr &inner = move.operands[0];
  if (!isMove(move) || !isElementwise(*inner)) return nullptr;
  std::vector<TermPtr> operands;
  for (const TermPtr &operand : inner->operands)
    operands.push_back(withOperands(move, {operand}));
  Term made = *inner;
  made.sizes = move.sizes;
  made.operands = std::move(operands);
  return std::make_shared<const Term>(std::move(made));
}

/// join(f(a, b), f(c, d)) as f(join(a, c), join(b, d)).
TermPtr joinedInside(const Term &join) {
  if (join.kind != Kind::Concatenate) return nullptr;
  const TermPtr &first = join.operands[0];
  if (!isElementwise(*first)) return nullptr;
  std::vector<TermPtr> operands;
  for (size_t k = 0; k < first->operands.size(); ++k) {
    std::vector<TermPtr> parts;
    for (const TermPtr &each : join.operands) {
      if (each->kind != first->kind || each->number != first->number)
        return nullptr;
      parts.push_back(each->operands[k]);
    }
    operands.push_back(joined(parts, join.number));
  }
  Term made = *first;
  made.sizes = join.sizes;
  made.operands = std::move(operands);
  return std::make_shared<const Term>(std::move(made));
}

/// There and back.
TermPtr aroundOf(Random &random, const TermPtr &x) {
  const size_t rank = x->sizes.size();
  switch (random.in(0, 4)) {
    case 0: {
      const Extents there = permuted(random, rank);
      Extents back(rank);
      for (size_t k = 0; k < rank; ++k) back[there[k]] = k;
      return transposed(transposed(x, there), back);
    }
    case 1:
      return make(
          Kind::Reshape, x->sizes,
          {make(Kind::Reshape, factored(random, extentOf(x->sizes)), {x})});
    case 2: {
      if (rank == 0) return nullptr;
      const Extents along = {random.in(0, rank - 1)};
      return make(Kind::Reverse, x->sizes,
                  {make(Kind::Reverse, x->sizes, {x}, along)}, along);
    }
    case 3: {
      if (rank == 0) return nullptr;
      const int64_t k = random.in(0, rank - 1);
      Extents starts(rank, 0), limits = x->sizes, strides(rank, 1);
      const TermPtr both = joined({filled(x->sizes, 7), x}, k);
      starts[k] = x->sizes[k];
      limits[k] = both->sizes[k];
      return sliced(both, starts, limits, strides);
    }
    default: {
      if (rank == 0) return nullptr;
      const TermPtr wide = padded(x, Extents(rank, 1), Extents(rank, 0), 5);
      return sliced(wide, Extents(rank, 1), wide->sizes, Extents(rank, 1));
    }
  }
}

/// Returns the term rewritten by a law of dot or reduce, or null for any other
/// op.
TermPtr turned(Random &random, const Term &t) {
  if (t.kind == Kind::Dot)
    return transposed(make(Kind::Dot, {t.sizes[1], t.sizes[0]},
                           {transposed(t.operands[1], {1, 0}),
                            transposed(t.operands[0], {1, 0})}),
                      {1, 0});
  if (t.kind != Kind::Sum && t.kind != Kind::Largest) return nullptr;
  // The operand is transposed so that the kept dimensions keep their order.
  const TermPtr &x = t.operands[0];
  Extents order = permuted(random, x->sizes.size()), kept, dimensions;
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
TermPtr inRing(Random &random, const TermPtr &node) {
  const Term &t = *node;
  switch (random.in(0, 6)) {
    case 0:
      if (t.kind != Kind::Multiply) return nullptr;
      for (int k : {0, 1})
        if (const Term &sum = *t.operands[k]; sum.kind == Kind::Add)
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

TermPtr lawAt(Random &random, const TermPtr &node, Numbers numbers) {
  const Term &t = *node;
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
      return make(Kind::Select, t.sizes, {node, filled(t.sizes, 9)}, {}, 1);
    default:
      return inRing(random, node);
  }
}

//===-- Near-laws ---------------------------------------------------------===//

TermPtr nearLawAt(Random &random, const TermPtr &node, Numbers numbers) {
  const Term &t = *node;
  Term made = t;
  auto done = [&] { return std::make_shared<const Term>(made); };
  switch (t.kind) {
    case Kind::Parameter:
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
      Extents back(t.first.size());
      for (size_t k = 0; k < back.size(); ++k) back[t.first[k]] = k;
      const TermPtr other = transposed(t.operands[0], back);
      return other->sizes == t.sizes ? other : nullptr;
    }
    case Kind::Reshape:
      if (t.operands[0]->sizes.empty()) return nullptr;
      made.operands[0] =
          make(Kind::Reverse, t.operands[0]->sizes, {t.operands[0]}, {0});
      return done();
    case Kind::Reverse:
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
      const TermPtr other =
          reducedBy(t.kind, t.operands[0], t.operands[1],
                    {static_cast<int64_t>((t.first[0] + 1) % rank)});
      return other->sizes == t.sizes ? other : nullptr;
    }
    case Kind::Dot:
      made.operands[0] =
          make(Kind::Reverse, t.operands[0]->sizes, {t.operands[0]}, {1});
      return done();
  }
  return nullptr;
}

/// The tree with a node replaced, wherever it is used.
TermPtr replaced(const TermPtr &tree, const TermPtr &node, const TermPtr &by) {
  if (tree == node) return by;
  std::vector<TermPtr> operands;
  bool changed = false;
  for (const TermPtr &operand : tree->operands) {
    operands.push_back(replaced(operand, node, by));
    changed |= operands.back() != operand;
  }
  return changed ? withOperands(*tree, std::move(operands)) : tree;
}

using Rewrite = TermPtr (*)(Random &, const TermPtr &, Numbers);

TermPtr somewhere(Random &random, const TermPtr &term, Numbers numbers,
                  Rewrite rewrite) {
  const std::vector<TermPtr> nodes = nodesOf(term);
  const TermPtr &node = nodes[random.in(0, nodes.size() - 1)];
  const TermPtr by = rewrite(random, node, numbers);
  if (!by || by->sizes != node->sizes) return nullptr;
  TermPtr made = replaced(term, node, by);
  return nodesOf(made).size() <= 60 ? made : nullptr;
}

}  // namespace

TermPtr randomTerm(Random &random, Numbers numbers) {
  return Grower(random, numbers).grow();
}

TermPtr byLaw(Random &random, const TermPtr &term, Numbers numbers) {
  return somewhere(random, term, numbers, lawAt);
}

TermPtr byNearLaw(Random &random, const TermPtr &term, Numbers numbers) {
  return somewhere(random, term, numbers, nearLawAt);
}

}  // namespace indexical::testing
