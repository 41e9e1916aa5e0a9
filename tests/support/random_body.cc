#include "tests/support/random_body.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing::programs {

using Kind = Node::Kind;
using Body = RandomBody;

std::vector<BodyOp> BodyOptions::allOps() {
  return {&Body::negate,       &Body::add,
          &Body::transpose,    &Body::reshape,
          &Body::broadcast,    &Body::reverse,
          &Body::slice,        &Body::pad,
          &Body::concatenate,  &Body::sum,
          &Body::product,      &Body::product,
          &Body::dynamicSlice, &Body::dynamicUpdateSlice,
          &Body::gather,       &Body::conditional,
          &Body::conditional,  &Body::start,
          &Body::loop,         &Body::scan,
          &Body::call,         &Body::call,
          &Body::call};
}

Sizes randomSizes(Random &random, const BodyOptions &options) {
  Sizes sizes;
  for (int64_t rank = random.in(options.leastRank, options.mostRank); rank > 0;
       --rank)
    sizes.push_back(options.sizes[random.in(0, options.sizes.size() - 1)]);
  while (countOf(sizes) > options.mostElements)
    *std::max_element(sizes.begin(), sizes.end()) /= 2;
  return sizes;
}

Sizes factored(Random &random, int64_t count, int64_t mostRank) {
  Sizes sizes(random.in(count > 1, mostRank), 1);
  for (int64_t p = 2; count > 1; ++p)
    for (; count % p == 0; count /= p)
      sizes[random.in(0, sizes.size() - 1)] *= p;
  return sizes;
}

namespace {

bool isIntegral(const NodePtr &node) { return node->type == "s32"; }

Array arrayOf(const NodePtr &node) { return {node->sizes, isIntegral(node)}; }

NodePtr typed(Node node, const Array &array) {
  node.type = array.integral ? "s32" : "";
  return shared(std::move(node));
}

}  // namespace

//===-- Adding ------------------------------------------------------------===//

NodePtr Body::put(NodePtr node) {
  nodes.push_back(node);
  values.push_back(node);
  return node;
}

NodePtr Body::aside(NodePtr node) {
  nodes.push_back(node);
  values.insert(values.begin(), node);
  return node;
}

NodePtr Body::apart(Node node) {
  nodes.push_back(shared(std::move(node)));
  return nodes.back();
}

int64_t Body::kept(NodePtr node) {
  const Sizes &sizes = node->sizes;
  if (static_cast<int64_t>(sizes.size()) > options.highestRank ||
      countOf(sizes) > options.mostElements ||
      llvm::any_of(sizes, [](int64_t size) { return size < 1; }))
    return 0;
  put(std::move(node));
  return 1;
}

NodePtr Body::other(const std::string &opcode, const Array &result,
                    std::vector<NodePtr> operands,
                    const std::string &attributes) {
  return typed(otherOf(opcode, result.sizes, std::move(operands), attributes),
               result);
}

NodePtr Body::parameter(const Array &array) {
  Node node = nodeOf(Kind::Parameter, array.sizes, {});
  node.number = parameterCount++;
  return put(typed(std::move(node), array));
}

std::vector<Array> Body::parameters() const {
  std::vector<Array> all;
  for (const NodePtr &node : nodes)
    if (node->kind == Kind::Parameter) all.push_back(arrayOf(node));
  return all;
}

void Body::ops(int64_t count) {
  // A body has fewer ops if nothing fits.
  for (int64_t tries = 40 * count; count > 0 && tries > 0; --tries)
    count -= (this->*options.ops[random.in(0, options.ops.size() - 1)])();
}

std::vector<Array> Body::root() {
  std::vector<NodePtr> leaves = {last()};
  isTuple = random.oneIn(3);
  if (isTuple)
    for (int64_t i = random.in(0, 2); i > 0; --i)
      leaves.push_back(values[random.in(0, values.size() - 1)]);
  std::vector<Array> arrays;
  for (const NodePtr &leaf : leaves) arrays.push_back(arrayOf(leaf));
  if (isTuple)
    tuple(tupleShape(arrays), "tuple", leaves, "");
  else
    nodes.push_back(copied(leaves[0], leaves[0]->layout));
  return arrays;
}

void Body::rootLike(llvm::ArrayRef<Array> leaves) {
  tuple(tupleShape(leaves), "tuple", allLike(leaves), "");
}

void Body::rootPredicate() {
  Node node =
      otherOf("compare", {}, {indices({}), indices({})}, ", direction=LT");
  node.type = "pred";
  apart(std::move(node));
}

//===-- Operands ----------------------------------------------------------===//

NodePtr Body::pick(int64_t leastRank, bool integral) {
  for (int i = 0; i < 12; ++i) {
    const NodePtr &value = random.oneIn(options.anyOneIn)
                               ? values[random.in(0, values.size() - 1)]
                               : last();
    if (isIntegral(value) == integral &&
        static_cast<int64_t>(value->sizes.size()) >= leastRank)
      return value;
  }
  if (options.others != OtherOperands::Constants) return nullptr;
  Sizes sizes = randomSizes(random, options);
  while (static_cast<int64_t>(sizes.size()) < leastRank) sizes.push_back(2);
  return like({sizes, integral});
}

NodePtr Body::like(const Array &array) {
  std::vector<NodePtr> fitting, larger;
  for (const NodePtr &value : values) {
    if (isIntegral(value) != array.integral) continue;
    if (value->sizes == array.sizes) fitting.push_back(value);
    if (countOf(value->sizes) >= countOf(array.sizes)) larger.push_back(value);
  }
  const bool isShared = options.others != OtherOperands::Parameters;
  if (!fitting.empty() && !random.oneIn(isShared ? 4 : 2))
    return fitting[random.in(0, fitting.size() - 1)];
  if (options.others == OtherOperands::Parameters) {
    parameter(array);
    std::rotate(values.begin(), values.end() - 1, values.end());
    return values.front();
  }
  if (options.others == OtherOperands::Parts && !larger.empty()) {
    NodePtr part = larger[random.in(0, larger.size() - 1)];
    const int64_t all = countOf(part->sizes), count = countOf(array.sizes);
    if (all > count) {
      part = aside(reshaped(part, {all}));
      part = aside(sliced(part, {0}, {count}, {1}));
    }
    return aside(reshaped(part, array.sizes));
  }
  if (array.integral) return indices(array.sizes);
  return aside(broadcasted(scalar(), array.sizes, {}));
}

std::vector<NodePtr> Body::allLike(llvm::ArrayRef<Array> arrays) {
  std::vector<NodePtr> all;
  for (const Array &array : arrays) all.push_back(like(array));
  return all;
}

/// The library follows the values of some of these ops.
NodePtr Body::computedIndex() {
  static const char *const kOps[] = {
      "negate",  "abs",      "add",    "maximum",   "subtract",
      "minimum", "multiply", "divide", "remainder", "clamp"};
  const int64_t op = random.in(0, 9);
  std::vector<NodePtr> operands = {indices({})};
  for (int64_t more = op < 2 ? 0 : op < 9 ? 1 : 2; more > 0; --more)
    operands.push_back(indices({}));
  return aside(other(kOps[op], {{}, true}, operands, ""));
}

NodePtr Body::indices(const Sizes &sizes) {
  const Array integers = {sizes, true};
  if (options.others != OtherOperands::Constants) return like(integers);
  const int64_t kind = random.in(0, 3);
  if (kind > 1)
    for (const NodePtr &value : values)
      if (isIntegral(value) && value->sizes == sizes && random.oneIn(2))
        return value;
  if (!sizes.empty()) {
    if (random.oneIn(2))
      return aside(other("iota", integers, {},
                         ", iota_dimension=" +
                             std::to_string(random.in(0, sizes.size() - 1))));
    return aside(broadcasted(indices({}), sizes, {}));
  }
  if (kind == 3) return computedIndex();
  if (kind == 1) {
    const int64_t at = random.in(0, 3);
    const NodePtr part = aside(sliced(indices({4}), {at}, {at + 1}, {1}));
    return aside(reshaped(part, {}));
  }
  Node constant = nodeOf(Kind::Constant, {}, {});
  constant.number = random.in(-2, 5);
  return aside(typed(std::move(constant), integers));
}

std::vector<NodePtr> Body::withStarts(std::vector<NodePtr> operands,
                                      size_t rank) {
  for (size_t k = 0; k < rank; ++k) operands.push_back(indices({}));
  return operands;
}

//===-- Ops ---------------------------------------------------------------===//

int64_t Body::combined(Kind kind) {
  const NodePtr x = pick(0, integral(3));
  return x ? kept(binary(kind, x, like(arrayOf(x)))) : 0;
}

int64_t Body::reshape() {
  const NodePtr x = pick(0, integral(4));
  if (!x) return 0;
  return kept(reshaped(
      x, factored(random, countOf(x->sizes), options.highestRank - 1)));
}

int64_t Body::transpose() {
  const NodePtr x = pick(2);
  return x ? kept(transposed(x, random.permutation(x->sizes.size()))) : 0;
}

int64_t Body::broadcast() {
  const NodePtr x = pick();
  if (!x) return 0;
  const int64_t rank = x->sizes.size();
  Sizes sizes, dimensions;
  for (int64_t k = 0; k <= rank; ++k) {
    if (random.oneIn(rank + 1)) sizes.push_back(random.in(1, 4));
    if (k == rank) break;
    dimensions.push_back(sizes.size());
    sizes.push_back(x->sizes[k]);
  }
  return kept(broadcasted(x, sizes, dimensions));
}

int64_t Body::reverse() {
  const NodePtr x = pick(1, integral(4));
  if (!x) return 0;
  const int64_t rank = x->sizes.size();
  const int64_t least = !random.oneIn(8);
  return kept(reversed(x, random.subset(rank, random.in(least, rank))));
}

int64_t Body::slice() {
  const NodePtr x = pick(1, integral(4));
  if (!x) return 0;
  Sizes starts, limits, strides;
  for (int64_t size : x->sizes) {
    starts.push_back(random.oneIn(2) ? 0 : random.in(0, size - 1));
    limits.push_back(random.oneIn(2) ? size
                                     : random.in(starts.back() + 1, size));
    strides.push_back(random.oneIn(2) ? 1 : random.in(1, 3));
  }
  return kept(sliced(x, starts, limits, strides));
}

int64_t Body::pad() {
  const NodePtr x = pick(1);
  if (!x) return 0;
  Sizes low, high, interior;
  for (int64_t size : x->sizes) {
    interior.push_back(random.oneIn(3) ? random.in(1, 2) : 0);
    const int64_t inner = size + (size - 1) * interior.back();
    low.push_back(random.oneIn(3) ? 0 : random.in(-1, 2));
    const int64_t end = random.oneIn(3) ? 0 : random.in(-1, 2);
    high.push_back(std::max(end, 1 - inner - low.back()));
  }
  return kept(padded(x, low, high, interior,
                     options.padsWithZero ? nullptr : scalar()));
}

int64_t Body::concatenate() {
  const NodePtr x = pick(1);
  if (!x) return 0;
  const int64_t dimension = random.in(0, x->sizes.size() - 1);
  std::vector<NodePtr> parts = {x};
  for (int64_t more = random.in(1, random.oneIn(4) ? 2 : 1); more > 0; --more) {
    Sizes sizes = x->sizes;
    // A part is no larger than what it is a part of.
    if (random.oneIn(2))
      sizes[dimension] = random.in(
          1, options.others == OtherOperands::Parts ? sizes[dimension] : 4);
    if (countOf(x->sizes) + countOf(sizes) > options.mostElements) return 0;
    parts.insert(random.oneIn(2) ? parts.begin() : parts.end(),
                 like(std::move(sizes)));
  }
  return kept(joined(std::move(parts), dimension));
}

int64_t Body::reduced(Kind kind) {
  const NodePtr x = pick(1);
  if (!x) return 0;
  const int64_t rank = x->sizes.size();
  const int64_t least = random.in(0, 1);
  return kept(reducedBy(kind, x, scalar(),
                        random.subset(rank, random.in(least, rank))));
}

int64_t Body::dot() {
  const NodePtr x = pick(2);
  if (!x || x->sizes.size() != 2) return 0;
  return kept(multiplied(x, like({x->sizes[1], random.in(1, 4)})));
}

int64_t Body::produced(const NodePtr &x, const Product &product) {
  std::vector<NodePtr> operands = {x};
  for (const Product::Operand &operand : product.others) {
    if (countOf(operand.sizes) > options.mostElements) return 0;
    operands.push_back(like({operand.sizes, operand.integral}));
  }
  return kept(
      other(product.opcode, {product.result}, operands, product.attributes));
}

int64_t Body::reduceWindow() {
  const NodePtr x = pick(1);
  return x ? produced(x, randomReduceWindow(x->sizes, random)) : 0;
}

int64_t Body::product() {
  const NodePtr x = pick(1);
  const auto product =
      x ? randomProduct(x->sizes, random) : std::optional<Product>();
  return product ? produced(x, *product) : 0;
}

int64_t Body::dynamicSlice() {
  const NodePtr x = pick(1, integral(4));
  if (!x) return 0;
  Sizes sizes;
  for (int64_t size : x->sizes) sizes.push_back(random.in(1, size));
  return kept(other("dynamic-slice", {sizes, isIntegral(x)},
                    withStarts({x}, sizes.size()),
                    ", dynamic_slice_sizes=" + braces(sizes)));
}

int64_t Body::dynamicUpdateSlice() {
  const NodePtr x = pick(1);
  if (!x) return 0;
  const size_t rank = x->sizes.size();
  NodePtr update;
  for (const NodePtr &value : values) {
    bool fits = !isIntegral(value) && value->sizes.size() == rank;
    for (size_t k = 0; fits && k < rank; ++k)
      fits = value->sizes[k] <= x->sizes[k];
    if (fits && random.oneIn(2)) update = value;
  }
  if (!update || random.oneIn(3)) {
    Sizes sizes;
    for (int64_t size : x->sizes) sizes.push_back(random.in(1, size));
    update = like(std::move(sizes));
  }
  return kept(other("dynamic-update-slice", arrayOf(x),
                    withStarts({x, update}, rank), ""));
}

int64_t Body::gather() {
  // One index a row of the result, along dimension 0.
  const NodePtr x = pick(1, integral(4));
  if (!x) return 0;
  const NodePtr rows = indices({random.in(1, 4)});
  Sizes sizes = x->sizes, slices = x->sizes, offsets;
  sizes[0] = rows->sizes[0];
  slices[0] = 1;
  for (size_t k = 1; k < sizes.size(); ++k) offsets.push_back(k);
  return kept(other("gather", {sizes, isIntegral(x)}, {x, rows},
                    ", offset_dims=" + braces(offsets) +
                        ", collapsed_slice_dims={0}, start_index_map={0}, "
                        "index_vector_dim=1, slice_sizes=" +
                        braces(slices)));
}

}  // namespace indexical::testing::programs
