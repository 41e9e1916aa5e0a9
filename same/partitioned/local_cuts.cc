#include "indexical/same/partitioned/local_cuts.h"

#include <algorithm>
#include <set>
#include <string>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {
namespace {

// The steps of a question about the values that are next in order, and about
// later ones.
constexpr int64_t kOperationsOfNextLocal = 2'000'000;
constexpr int64_t kOperationsOfLaterLocal = 500'000;
// Questions for each collective, values that one is tried with, and cuts that
// fail, one after another.
constexpr size_t kMostAskedLocal = 8;
constexpr int kMostLocalTries = 3;
constexpr int kMostFailedLocal = 12;

/// Whether an array by this op may be a sum that is not complete.
bool maySum(llvm::StringRef by) {
  return by.ends_with("dot") || by.ends_with("dot_general") ||
         by.ends_with("convolution") || by.ends_with("reduce") ||
         by.ends_with("scatter");
}

}  // namespace

std::vector<LocalCuts::Value> LocalCuts::valuesOf(const Program &program,
                                                  const Stacker &stacker) {
  const Module &module = program.modules[0];
  std::vector<Value> values;
  std::set<Key> seen;
  for (const Stacker::Written &written : stacker.values()) {
    const Computation &in = module.computations[written.computation];
    const Instruction &of = in.instructions[written.instruction];
    const bool isOne = written.value.element < 0 && of.parameterNumber < 0 &&
                       of.shape->isArray();
    // An array is known where it is made, not where it is handed on.
    if (!seen.insert(keyOf(written.value)).second || !isOne) continue;
    Value value;
    value.written = written;
    value.by = computedBy(in, written.instruction);
    value.sizes = Int64s(of.shape->array.dimensions);
    value.isCollective = collectiveOf(of.op) != nullptr;
    value.isOfEntry = written.computation == module.entry;
    values.push_back(std::move(value));
  }
  return values;
}

LocalCuts::LocalCuts(const Program &first, const Program &second,
                     Stacker &firstStacker, Stacker &secondStacker,
                     int32_t parameters, Options options)
    : second_(second),
      stackers_{&firstStacker, &secondStacker},
      parameters_(parameters),
      options_(std::move(options)),
      ops_(entryOf(first)),
      firsts_(valuesOf(first, firstStacker)),
      seconds_(valuesOf(second, secondStacker)),
      collectives_(std::max(firstStacker.collectives().size(),
                            secondStacker.collectives().size())) {
  for (const Value &value : firsts_)
    if (value.isOfEntry)
      firstAt_.try_emplace(value.written.instruction, &value);
}

void LocalCuts::pair(InstructionId first, Stacked second) {
  known_.try_emplace(keyOf(second), first, false);
}

bool LocalCuts::mayAsk() const {
  return asked_ < static_cast<int>(kMostAskedLocal * (collectives_ + 8)) &&
         failed_ < kMostFailedLocal &&
         !(options_.stop && options_.stop->isReached());
}

bool LocalCuts::mayBe(const Value &first, const Value &second) const {
  if (first.by != second.by || first.sizes != second.sizes ||
      first.written.value.shape.type != second.written.value.shape.type)
    return false;
  return first.isCollective && second.isCollective
             ? true
             : (first.isCollective || second.isCollective) && !maySum(first.by);
}

bool LocalCuts::cut(const Stacker::Written &first,
                    const Stacker::Written &second, int64_t operations) {
  if (!mayAsk()) return false;
  ++asked_;
  const Stacked values[] = {first.value, second.value};
  StackWriter *const writers[] = {&stackers_[0]->writer(),
                                  &stackers_[1]->writer()};
  Stacked same[] = {first.value, second.value};
  const bool areOfDevices = values[0].isOfDevice && values[1].isOfDevice;
  if (values[0].isOfDevice != values[1].isOfDevice)
    for (int side : {0, 1}) same[side] = writers[side]->onDevices(same[side]);
  const auto isReal =
      options_.ask(same[0], same[1], std::min(operations, options_.operations));
  if (!isReal) return false;
  const auto replace = [&](int side, const Stacked &made) {
    writers[side]->replace(values[side], values[side].isOfDevice
                                             ? writers[side]->onDevices(made)
                                             : made);
  };
  // The first module's value is cut once.
  auto [known, isNew] = made_.try_emplace(keyOf(values[0]));
  if (isNew) {
    // One that is the same on all devices makes the other one so.
    const Stacked &plain = values[0].isOfDevice ? values[1] : values[0];
    const ArrayShape shape(plain.shape.type, plain.shape.dimensions);
    const std::string name = "cut=" + std::to_string(asked_);
    for (int side : {0, 1}) {
      Stacked made =
          *isReal ? writers[side]->parameter(parameters_, {shape}, false)[0]
                  : writers[side]->named(name, shape);
      made.isOfDevice = areOfDevices;
      replace(side, made);
      if (side == 1) known->second = made;
    }
    if (*isReal) ++parameters_;
  } else if (values[1].isOfDevice || !known->second.isOfDevice) {
    replace(1, known->second);
  }
  known_.insert_or_assign(keyOf(values[1]),
                          std::pair(ops_.origin(first.instruction), true));
  return true;
}

/// Tries the value with those of the first module that are not cut yet.
std::optional<bool> LocalCuts::cutBehind(const Value &second) {
  int tries = 0;
  for (size_t k = next_; k < firsts_.size() && tries < kMostLocalTries; ++k) {
    if (!mayBe(firsts_[k], second)) continue;
    if (!mayAsk()) return false;
    const int64_t operations =
        tries++ == 0 ? kOperationsOfNextLocal : kOperationsOfLaterLocal;
    if (cut(firsts_[k].written, second.written, operations)) {
      failed_ = 0;
      next_ = k + 1;
      return true;
    }
    ++failed_;
  }
  if (tries == 0) return std::nullopt;
  return false;
}

void LocalCuts::cutOp(const Value &second) {
  const Instruction &of =
      entryOf(second_).instructions[second.written.instruction];
  if (!ElementwiseOps::isOne(of)) return;
  std::vector<InstructionId> firsts;
  bool isOfCut = false;
  for (InstructionId operand : of.operands) {
    const auto value = secondAt_.find(operand);
    const auto known =
        value == secondAt_.end() ? known_.end() : known_.find(value->second);
    if (known == known_.end()) return;
    firsts.push_back(known->second.first);
    isOfCut |= known->second.second;
  }
  const auto found = ops_.find(of, firsts);
  if (!found) return;
  const auto at = firstAt_.find(*found);
  if (options_.cutsSums && isOfCut && ElementwiseOps::isOfChain(of) &&
      at != firstAt_.end() && at->second->sizes == second.sizes &&
      cut(at->second->written, second.written, kOperationsOfLaterLocal)) {
    ++sums_;
    return;
  }
  known_.try_emplace(keyOf(second.written.value), *found, isOfCut);
}

void LocalCuts::cutAll() {
  for (const Stacker::Written &written : stackers_[1]->values())
    if (written.computation == second_.modules[0].entry)
      secondAt_.try_emplace(written.instruction, keyOf(written.value));
  for (const Value &second : seconds_) {
    if (known_.count(keyOf(second.written.value))) continue;
    const std::optional<bool> isCut = cutBehind(second);
    if (!isCut.value_or(false) && second.isOfEntry) cutOp(second);
    if (isCut == false && second.isCollective && !uncut_)
      uncut_ = {second.written.computation, second.written.instruction,
                "its value is not known to be one of the first module's"};
  }
}

}  // namespace indexical
