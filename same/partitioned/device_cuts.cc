#include "indexical/same/partitioned/device_cuts.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/values/term_ops.h"

namespace indexical {
namespace {

// The steps of a question about a cut, where there are few collectives; of the
// value that a deep module has next in order; and of one behind it.
constexpr int64_t kOperationsOfCut = 6'000'000;
constexpr int64_t kOperationsOfNext = 2'000'000;
constexpr int64_t kOperationsOfLater = 500'000;
// Questions about cuts for each collective, and arrays that one is tried with.
constexpr int kMostAsked = 8;
constexpr int kMostTries = 6;
// Cuts of deep modules that fail, one after another.
constexpr int kMostFailed = 8;

/// Returns the sizes that one device has.
Int64s partOf(Stacked value) {
  llvm::ArrayRef<int64_t> sizes = value.shape.dimensions;
  if (value.isOfDevice) sizes = sizes.drop_front();
  return Int64s(sizes.begin(), sizes.end());
}

}  // namespace

DeviceCuts::DeviceCuts(const Program &global, const Program &local,
                       const EntryArrays &entry, Module &whole, Module &stacked,
                       Stacker &stacker, int32_t &parameters, Options options)
    : global_(entryOf(global)),
      local_(entryOf(local)),
      localEntry_(local.modules[0].entry),
      entry_(entry),
      whole_(whole),
      stacked_(stacked),
      stacker_(stacker),
      parameters_(parameters),
      options_(std::move(options)),
      ops_(global_),
      order_(global_.postOrder()) {}

void DeviceCuts::pair(Stacked local, InstructionId whole,
                      const ShardedRelation &relation) {
  known_.try_emplace(keyOf(local), Whole{whole, relation});
}

bool DeviceCuts::mayAsk() const {
  const int64_t most = kMostAsked * (stacker_.collectives().size() + 8);
  return asked_ < most && (!isDeep() || failed_ < kMostFailed) &&
         !(options_.stop && options_.stop->isReached());
}

bool DeviceCuts::replace(InstructionId whole, Stacked local,
                         const ShardedRelation &relation, bool isReal) {
  StackWriter &writer = stacker_.writer();
  // A value that devices compute again is cut once more.
  auto [known, isNew] = made_.try_emplace(whole);
  if (isNew) {
    Computation &entry = whole_.computations[whole_.entry];
    Instruction &of = entry.instructions[whole];
    const ArrayShape shape(of.shape.leaves()[0].type, relation.global());
    of.operands.clear();
    of.elements.clear();
    of.called.clear();
    if (isReal) {
      NullaryOp op;
      op.opKind = kindOf<NullaryOp>("parameter");
      op.parameter = entry.parameters.size();
      op.results = {shape};
      of.op = op;
      of.parameterNumber = op.parameter;
      entry.parameters.push_back(whole);
      known->second = writer.parameter(parameters_++, {shape}, false)[0];
    } else {
      // A parameter stands for a real number, so the cut is none.
      const std::string name = "cut=" + std::to_string(asked_);
      of.op = opOfName(name, {}, {shape});
      known->second = writer.named(name, shape);
    }
  }
  auto cut = stacker_.cut(known->second, relation);
  if (!cut) return false;
  writer.replace(local, local.isOfDevice ? writer.onDevices(*cut) : *cut);
  return true;
}

bool DeviceCuts::cut(Stacked local, InstructionId whole,
                     const ShardedRelation &relation, int64_t operations) {
  // Parts of a sum are not a piece, nor do devices have different pieces if all
  // have the same.
  const Sharding &sharding = relation.sharding();
  if (!mayAsk() || sharding.parts() > 1 ||
      (!local.isOfDevice && !sharding.isReplicated()))
    return false;
  ++asked_;
  const auto isReal = options_.ask(whole, local, relation,
                                   std::min(operations, options_.operations));
  if (!isReal || !replace(whole, local, relation, *isReal)) return false;
  known_.insert_or_assign(keyOf(local),
                          Whole{ops_.origin(whole), relation, /*isCut=*/true});
  return true;
}

void DeviceCuts::cutCollective(const Stacker::Written &local) {
  const Instruction &at = stacked_.computations[stacked_.entry]
                              .instructions[local.value.instruction];
  if (local.value.element >= 0 || local.value.shape.rank() == 0 ||
      at.parameterNumber >= 0)
    return;
  const llvm::StringRef by =
      computedBy(stacked_.computations[local.computation], local.instruction);
  const Int64s part = partOf(local.value);
  int tries = 0;
  for (size_t k = next_; k < order_.size() && tries < kMostTries && mayAsk();
       ++k) {
    const Instruction &of = global_.instructions[order_[k]];
    if (of.parameterNumber >= 0 || !of.shape->isArray() ||
        of.shape->array.type != local.value.shape.type ||
        of.shape->array.dimensions.size() != part.size() ||
        collectiveOf(of.op) || of.op.isOneOf<ConstantOp, IotaOp>() ||
        computedBy(global_, order_[k]) != by)
      continue;
    bool fits = true;
    for (auto [size, own] : llvm::zip(of.shape->array.dimensions, part))
      fits &= size % own == 0;
    if (!fits) continue;
    const int64_t operations = !isDeep()     ? kOperationsOfCut
                               : tries++ > 0 ? kOperationsOfLater
                                             : kOperationsOfNext;
    if (!isDeep()) ++tries;
    const Int64s all(of.shape->array.dimensions);
    for (const ShardedRelation &relation : relationsOf(entry_, all, part)) {
      const int asked = asked_;
      if (cut(local.value, order_[k], relation, operations)) {
        failed_ = 0;
        next_ = k + 1;
        return;
      }
      failed_ += asked_ - asked;
      if (!mayAsk()) break;
    }
  }
  if (!uncut_)
    uncut_ = {local.computation, local.instruction,
              "its value is not known to be one of the first module's"};
}

void DeviceCuts::cutOp(const Stacker::Written &local) {
  const Instruction &of = local_.instructions[local.instruction];
  if (local.value.element >= 0 || !ElementwiseOps::isOne(of)) return;
  std::vector<InstructionId> wholes;
  const Whole *first = nullptr;
  bool isOfCut = false;
  for (InstructionId operand : of.operands) {
    const auto value = values_.find(operand);
    const auto known =
        value == values_.end() ? known_.end() : known_.find(value->second);
    if (known == known_.end()) return;
    const Whole &one = known->second;
    if (first && first->relation.sharding() != one.relation.sharding()) return;
    if (!first) first = &one;
    isOfCut |= one.isCut;
    wholes.push_back(one.at);
  }
  const auto whole = ops_.find(of, wholes);
  if (!whole) return;
  const ShardedRelation relation = first->relation;
  const bool isSum =
      options_.cutsSums && isOfCut && ElementwiseOps::isOfChain(of);
  if (isSum && cut(local.value, *whole, relation, kOperationsOfLater)) {
    ++sums_;
    return;
  }
  // It is made of the same in the same way.
  known_.try_emplace(keyOf(local.value), Whole{*whole, relation, isOfCut});
}

void DeviceCuts::cutAll() {
  // A value is cut where it is first written. Behind that it is the same.
  const std::vector<Stacker::Written> written = stacker_.values();
  for (const Stacker::Written &local : written) {
    if (local.computation == localEntry_)
      values_.try_emplace(local.instruction, keyOf(local.value));
    if (known_.count(keyOf(local.value))) continue;
    const Instruction &of = stacked_.computations[local.computation]
                                .instructions[local.instruction];
    if (collectiveOf(of.op))
      cutCollective(local);
    else if (isDeep() && local.computation == localEntry_)
      cutOp(local);
  }
}

}  // namespace indexical
