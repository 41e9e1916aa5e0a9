#include "indexical/same/partitioned/same_values.h"

#include <utility>

namespace indexical {
namespace {

// An array that is followed separately has all devices in one module and none
// in the other, so that the two are never one: all reductions are followed.
constexpr int kLevels = 32;

}  // namespace

ValueOptions valuesOfParts() {
  ValueOptions values;
  values.floats = FloatLaws::Ring | FloatLaws::Reassociate | FloatLaws::NoNan |
                  FloatLaws::ZeroSign;
  values.readsTables = true;
  values.levels = kLevels;
  return values;
}

bool areSameValues(Module &module, StackWriter &writer,
                   llvm::ArrayRef<Stacked> first,
                   llvm::ArrayRef<Stacked> second,
                   const EqualityOptions &budget, const ValueOptions &values) {
  const ComputationId entry = std::exchange(module.entry, writer.current());
  writer.setRoot(first);
  const Module one = module;
  writer.setRoot(second);
  bool areSame = !writer.isBroken();
  if (areSame) {
    const auto same = compareValues(one, module, values, budget);
    areSame = same.ok() && same->isEqual;
  }
  module.entry = entry;
  return areSame;
}

}  // namespace indexical
