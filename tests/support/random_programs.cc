#include "tests/support/random_programs.h"

#include <cstdint>
#include <vector>

#include "tests/support/random_body.h"

namespace indexical::testing {
namespace programs {
namespace {

Array randomArray(Random &random) {
  Array array;
  array.integral = random.oneIn(4);
  array.sizes =
      random.oneIn(2) && array.integral ? Sizes() : randomSizes(random);
  return array;
}

/// Branches of a conditional, written to `text`.
Choice randomChoice(Random &random, const Called &called,
                    const std::string &name, std::string &text) {
  Choice choice;
  std::vector<Array> results{randomArray(random)};
  if (random.oneIn(2)) results.push_back(randomArray(random));
  for (int64_t b = random.in(1, 3); b > 0; --b) {
    if (!choice.branches.empty() && random.oneIn(4)) {
      choice.branches.push_back(choice.branches.back());
      continue;
    }
    Callee branch;
    branch.name = name + "b" + std::to_string(b);
    branch.results = results;
    branch.parameters = results;
    if (random.oneIn(2)) branch.parameters.push_back(randomArray(random));
    RandomBody body(random, called);
    body.tupleParameter(branch.parameters);
    body.ops(random.in(0, 4));
    body.rootLike(results);
    text += body.text(branch.name) + "\n";
    choice.branches.push_back(branch);
  }
  return choice;
}

Loop randomLoop(Random &random, const Called &called, const std::string &name,
                std::string &text) {
  Loop loop;
  loop.body = name + "body";
  loop.condition = name + "condition";
  loop.state.push_back({{}, true});
  for (int64_t k = random.in(1, 3); k > 0; --k)
    loop.state.push_back(randomArray(random));
  RandomBody condition(random, called), body(random, called);
  condition.tupleParameter(loop.state);
  condition.ops(random.in(0, 2));
  condition.rootPredicate();
  body.tupleParameter(loop.state);
  body.ops(random.in(0, 5));
  body.rootLike(loop.state);
  text += condition.text(loop.condition) + "\n" + body.text(loop.body) + "\n";
  return loop;
}

Step randomStep(Random &random, const Called &called, const std::string &name,
                std::string &text) {
  Step step;
  step.body = name + "step";
  auto slice = [&] {
    Array array = randomArray(random);
    while (array.sizes.size() > 2) array.sizes.pop_back();
    return array;
  };
  for (int64_t k = random.in(1, 2); k > 0; --k) step.inputs.push_back(slice());
  for (int64_t k = random.in(0, 2); k > 0; --k)
    step.carries.push_back(random.oneIn(2) ? step.inputs[0] : slice());
  std::vector<Array> parameters = step.inputs;
  parameters.insert(parameters.end(), step.carries.begin(), step.carries.end());
  for (int64_t k = random.in(step.carries.empty(), 2); k > 0; --k)
    step.outputs.push_back(parameters[random.in(0, parameters.size() - 1)]);
  RandomBody body(random, called);
  for (const Array &parameter : parameters) body.parameter(parameter);
  body.ops(random.in(0, 4));
  std::vector<Array> results = step.outputs;
  results.insert(results.end(), step.carries.begin(), step.carries.end());
  body.rootLike(results);
  text += body.text(step.body) + "\n";
  return step;
}

}  // namespace
}  // namespace programs

std::string randomProgram(Random &random) {
  using namespace programs;
  std::string text = "HloModule m\n\n" + reducerOf("sum", "add");
  Called called;
  const int64_t count = random.in(0, 3);
  for (int64_t c = 0; c <= count; ++c) {
    Callee callee;
    callee.name = "f" + std::to_string(c);
    if (random.oneIn(3))
      called.choices.push_back(randomChoice(random, called, callee.name, text));
    if (random.oneIn(3))
      called.loops.push_back(randomLoop(random, called, callee.name, text));
    if (random.oneIn(3))
      called.steps.push_back(randomStep(random, called, callee.name, text));
    RandomBody body(random, called);
    for (int64_t p = random.in(1, 3); p > 0; --p) {
      callee.parameters.push_back(randomArray(random));
      body.parameter(callee.parameters.back());
    }
    body.ops(c == count ? random.in(2, 10) : random.in(1, 4));
    callee.results = body.root();
    callee.isTuple = body.isTuple;
    text += body.text((c == count ? "ENTRY " : "") + callee.name) + "\n";
    called.functions.push_back(callee);
  }
  return text;
}

}  // namespace indexical::testing
