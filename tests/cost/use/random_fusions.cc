#include "tests/cost/use/random_fusions.h"

#include <vector>

#include "tests/support/random_body.h"

namespace indexical::testing {
namespace {

using programs::Array;
using Body = programs::RandomBody;

/// The fusion as a computation `f`, and its parameters and result.
struct Fusion {
  std::string text;
  std::vector<Array> parameters;
  Array result;
};

Fusion made(Random &random, const FusionOptions &options, const char *head) {
  programs::BodyOptions knobs;
  knobs.sizes = {1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 12, 12};
  knobs.leastRank = 1;
  knobs.mostElements = options.mostElements;
  // Now and then an older array, so that ways part and meet.
  knobs.anyOneIn = 5;
  knobs.others = programs::OtherOperands::Parameters;
  knobs.movesIntegers = false;
  knobs.ops = {&Body::reshape, &Body::reshape,   &Body::reshape,
               &Body::reshape, &Body::transpose, &Body::transpose};
  if (!options.reshapesOnly)
    knobs.ops.insert(
        knobs.ops.end(),
        {&Body::reverse, &Body::slice, &Body::pad, &Body::broadcast,
         &Body::broadcast, &Body::sum, &Body::concatenate, &Body::add,
         &Body::reduceWindow, &Body::dot});
  if (options.runtime && !options.reshapesOnly)
    knobs.ops.insert(
        knobs.ops.end(),
        {&Body::dynamicSlice, &Body::dynamicUpdateSlice, &Body::gather});
  Body body(random, {}, knobs);
  body.parameter({randomSizes(random, knobs)});
  body.ops(random.in(options.leastOps, options.mostOps));
  body.rootNegated();
  return {"HloModule m\n\n" + reducerOf("sum", "add") + body.text(head),
          body.parameters(),
          {body.last()->sizes}};
}

}  // namespace

std::string randomFusion(Random &random, const FusionOptions &options) {
  return made(random, options, "ENTRY f").text;
}

std::string calledFusion(Random &random, const FusionOptions &options) {
  Fusion fusion = made(random, options, "f");
  programs::Called called;
  called.functions = {{"f", fusion.parameters, {fusion.result}}};
  Body main(random, called);
  main.rootFusion();
  return fusion.text + "\n" + main.text("ENTRY main");
}

}  // namespace indexical::testing
