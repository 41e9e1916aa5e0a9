#include <algorithm>
#include <utility>

#include "tests/support/random_body.h"

namespace indexical::testing::programs {

using Body = RandomBody;

namespace {

template <typename Part>
const Part &oneOf(const std::vector<Part> &parts, Random &random) {
  return parts[random.in(0, parts.size() - 1)];
}

}  // namespace

NodePtr Body::tuple(const std::string &shape, const std::string &opcode,
                    std::vector<NodePtr> operands,
                    const std::string &attributes) {
  Node node = otherOf(opcode, {}, std::move(operands), attributes);
  node.shape = shape;
  return apart(std::move(node));
}

NodePtr Body::tupleOf(llvm::ArrayRef<Array> leaves) {
  return tuple(tupleShape(leaves), "tuple", allLike(leaves), "");
}

NodePtr Body::element(const NodePtr &tuple, size_t i, const Array &array) {
  return put(other("get-tuple-element", array, {tuple},
                   ", index=" + std::to_string(i)));
}

/// Takes some of the elements out of a tuple.
void Body::takeApart(const NodePtr &tuple, llvm::ArrayRef<Array> elements) {
  for (size_t i = 0; i < elements.size(); ++i)
    if (i == 0 || random.oneIn(2)) element(tuple, i, elements[i]);
}

void Body::tupleParameter(llvm::ArrayRef<Array> leaves) {
  Node node = nodeOf(Node::Kind::Parameter, {}, {});
  node.shape = tupleShape(leaves);
  const NodePtr parameter = apart(std::move(node));
  for (size_t i = 0; i < leaves.size(); ++i) element(parameter, i, leaves[i]);
}

int64_t Body::call() {
  if (called.functions.empty()) return 0;
  const Callee &callee = oneOf(called.functions, random);
  std::vector<NodePtr> operands = allLike(callee.parameters);
  const std::string result =
      callee.isTuple ? tupleShape(callee.results) : callee.results[0].shape();
  std::string opcode = "call", attributes = ", to_apply=" + callee.name;
  if (random.oneIn(3)) {
    operands = {started("async", tupleShape(callee.parameters), result,
                        operands, ", calls=" + callee.name)};
    opcode = "async-done", attributes.clear();
  } else if (random.oneIn(2)) {
    opcode = "fusion", attributes = ", kind=kLoop, calls=" + callee.name;
  }
  if (callee.isTuple)
    takeApart(tuple(result, opcode, operands, attributes), callee.results);
  else
    put(other(opcode, callee.results[0], operands, attributes));
  return 1 + callee.isTuple;
}

void Body::rootFusion() {
  const Callee &callee = called.functions.back();
  std::vector<NodePtr> operands;
  for (const Array &array : callee.parameters)
    operands.push_back(parameter(array));
  put(other("fusion", callee.results[0], operands,
            ", kind=kLoop, calls=" + callee.name));
}

NodePtr Body::started(const std::string &opcode, const std::string &arguments,
                      const std::string &result, std::vector<NodePtr> operands,
                      const std::string &attributes) {
  const std::string shape = "(" + arguments + ", " + result + ", s32[])";
  NodePtr last =
      tuple(shape, opcode + "-start", std::move(operands), attributes);
  if (random.oneIn(3)) last = tuple(shape, opcode + "-update", {last}, "");
  if (random.oneIn(3))
    tuple(arguments, "get-tuple-element", {last}, ", index=0");
  return last;
}

int64_t Body::start() {
  const NodePtr x = pick(1);
  if (!x) return 0;
  const Array array = {x->sizes};
  if (random.oneIn(2)) {
    put(other("reverse-done", array,
              {started("reverse", "(" + array.shape() + ")", array.shape(), {x},
                       ", dimensions={0}")},
              ""));
    return 2;
  }
  Array result;
  std::string shapes = array.shape();
  for (int64_t size : x->sizes) {
    result.sizes.push_back(random.in(1, size));
    shapes += ", s32[]";
  }
  put(other("dynamic-slice-done", result,
            {started("dynamic-slice", "(" + shapes + ")", result.shape(),
                     withStarts({x}, x->sizes.size()),
                     ", dynamic_slice_sizes=" + braces(result.sizes))},
            ""));
  return 2;
}

int64_t Body::conditional() {
  if (called.choices.empty()) return 0;
  const Choice &choice = oneOf(called.choices, random);
  std::vector<NodePtr> operands = {indices({})};
  if (choice.branches.size() == 2 && random.oneIn(2))
    operands = {tuple("pred[]", "compare", {operands[0], indices({})},
                      ", direction=LT")};
  std::string names;
  for (const Callee &branch : choice.branches) {
    operands.push_back(tupleOf(branch.parameters));
    names += (names.empty() ? "" : ", ") + branch.name;
  }
  const std::vector<Array> &results = choice.branches[0].results;
  takeApart(tuple(tupleShape(results), "conditional", operands,
                  ", branch_computations={" + names + "}"),
            results);
  return 2;
}

int64_t Body::loop() {
  if (called.loops.empty()) return 0;
  const Loop &loop = oneOf(called.loops, random);
  takeApart(tuple(tupleShape(loop.state), "while", {tupleOf(loop.state)},
                  ", condition=" + loop.condition + ", body=" + loop.body),
            loop.state);
  return 2;
}

int64_t Body::scan() {
  if (called.steps.empty()) return 0;
  const Step &step = oneOf(called.steps, random);
  size_t least = 3;
  for (const std::vector<Array> *slices : {&step.inputs, &step.outputs})
    for (const Array &slice : *slices)
      least = std::min(least, slice.sizes.size());
  const int64_t dimension = random.in(0, least), size = random.in(1, 4);
  auto whole = [&](std::vector<Array> slices) {
    for (Array &slice : slices)
      slice.sizes.insert(slice.sizes.begin() + dimension, size);
    slices.insert(slices.end(), step.carries.begin(), step.carries.end());
    return slices;
  };
  const std::vector<Array> results = whole(step.outputs);
  takeApart(tuple(tupleShape(results), "scan", allLike(whole(step.inputs)),
                  ", dimensions={" + std::to_string(dimension) +
                      "}, num_carries=" + std::to_string(step.carries.size()) +
                      (random.oneIn(2) ? ", is_reverse=true" : "") +
                      ", to_apply=" + step.body),
            results);
  return 2;
}

}  // namespace indexical::testing::programs
