#include "indexical/answers/report/memory_advice.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/import/hlo/donated.h"
#include "indexical/ops/families.h"

namespace indexical {

namespace {

/// Drops the advice about the whole kernel.
void drop(Avoidable &found) {
  found.whole = AvoidBy::Nothing;
  found.with.clear();
  found.isWriter = found.isParameter = false;
}

}  // namespace

MemoryAdvice::Known &MemoryAdvice::of(size_t number) {
  auto [known, isNew] = known_.try_emplace(number);
  Known &found = known->second;
  if (!isNew) return found;
  const Module &module = program_.modules[number];
  found.marks = memoryMarks(module);
  found.joins.emplace(module, found.marks);
  HazardQuestion question;
  question.marks = found.marks;
  question.confirms = false;
  auto places = hazardsOf(module, question);
  if (!places.ok()) return found;
  for (HazardPlace &place : *places) {
    if (place.kind != PlaceKind::Copy && place.kind != PlaceKind::Async)
      continue;
    if (place.donate) found.given.insert(place.donate->first);
    for (const auto &[parameter, leaf] : place.donateToo)
      found.given.insert(parameter);
    found.copies.emplace(
        std::make_pair(int32_t{place.computation}, int32_t{place.instruction}),
        std::move(place));
  }
  return found;
}

namespace {

/// Says why a copy stays.
void keep(const HazardPlace &copy, Avoidable &found) {
  drop(found);
  found.stays = true;
  if (copy.answer == HazardAnswer::Undecided) {
    found.unknown = copy.reason;
  } else if (!copy.stays.empty()) {
    found.staysFor = copy.stays;
  } else if (copy.witness) {
    found.overwriter = copy.witness->writer.instruction;
    found.lateReader = copy.witness->reader.instruction;
  }
}

/// Says that memory does not allow the change.
void keep(Avoidable &found) {
  drop(found);
  found.stays = true;
}

/// Whether each reader may read the kernel's source itself. Those of a result
/// of the module, or of what a loop or a branch takes, are not known: nobody
/// may then overwrite the source behind the kernel.
bool mayReadSource(const KernelJoins &joins, const Module &module,
                   const KernelCost &kernel, const ArrayUses &uses) {
  if (uses.isOpen || uses.isResult) {
    const bool isInEntry = module.computations[kernel.computation].entry;
    if (isInEntry
            ? joins.isOverwrittenAfter(kernel.computation, kernel.instruction)
            : joins.isEverOverwritten(kernel.computation, kernel.instruction))
      return false;
  }
  for (const ArrayUses::Reader &reader : uses.readers)
    if (!joins.mayReadFor(kernel.computation, kernel.instruction,
                          reader.computation, reader.instruction))
      return false;
  return true;
}

}  // namespace

/// Whether the kernel reads what an earlier one moves, which is advised to be a
/// view, and whose source something overwrites later:
///
///   x = slice(p)        a view of p, for b
///   b = broadcast(x)    let `a` use the value: then a would read the view
///   a = add(p, b)       in the memory of p
bool MemoryAdvice::readsViewed(Known &known, const KernelCost &kernel,
                               const Computation &own) const {
  return llvm::any_of(
      own.instructions[kernel.instruction].operands, [&](InstructionId at) {
        while (own.instructions[at].op.is<BitcastOp>())
          at = own.instructions[at].operands[0];
        return known.viewed.count({int32_t{kernel.computation}, int32_t{at}}) &&
               known.joins->isOverwrittenAfter(kernel.computation, at);
      });
}

void MemoryAdvice::check(const KernelCost &kernel, const ArrayUses &uses,
                         const std::optional<Partner> &partner,
                         Avoidable &found) {
  const Module &module = program_.modules[kernel.module];
  if (!module.isScheduled) return;
  const Computation &own = module.computations[kernel.computation];
  const Instruction &instruction = own.instructions[kernel.instruction];
  Known &known = of(kernel.module);
  auto copy = known.copies.find(
      {int32_t{kernel.computation}, int32_t{kernel.instruction}});
  // What is begun and done later may be a computation of one copy.
  for (const CalledComputation &called : instruction.called)
    if (copy == known.copies.end() && called.computation >= 0)
      copy = known.copies.find(
          {int32_t{called.computation},
           int32_t{module.computations[called.computation].root}});
  if (copy != known.copies.end() && found.whole != AvoidBy::Layout &&
      found.whole != AvoidBy::Type && found.whole != AvoidBy::Gather) {
    const HazardPlace &place = copy->second;
    if (place.donate) {
      const Computation &entry = module.entryComputation();
      auto nameOf = [&](const std::pair<int64_t, LeafId> &parameter) {
        return entry.instructions[entry.parameters[parameter.first]].name.str();
      };
      found.whole = AvoidBy::Donate;
      found.with = nameOf(*place.donate);
      for (const auto &parameter : place.donateToo)
        found.withToo.push_back(nameOf(parameter));
      found.isParameter = found.isWriter = true;
      found.orders = place.order;
    } else if (place.answer != HazardAnswer::NeedlessCopy) {
      keep(place, found);
    } else {
      found.isNeedless = true;
      if (found.whole == AvoidBy::Nothing || found.whole == AvoidBy::Fuse) {
        found.whole = AvoidBy::View;
        found.with = own.instructions[instruction.operands[0]].name.str();
        found.isWriter = true;
      }
    }
    return;
  }
  const bool goesToReader =
      found.whole == AvoidBy::View || found.whole == AvoidBy::Readers ||
      (found.whole == AvoidBy::Fill && !found.isOverwritten) ||
      (found.whole == AvoidBy::Fuse && !found.isWriter);
  if (goesToReader && readsViewed(known, kernel, own)) return keep(found);
  switch (found.whole) {
    case AvoidBy::Donate:
      // One copy alone takes the memory of a parameter.
      if (partner && !known.given
                          .insert(module.computations[partner->first]
                                      .instructions[partner->second]
                                      .parameterNumber)
                          .second)
        drop(found);
      return;
    case AvoidBy::Fuse:
    case AvoidBy::Join:
    case AvoidBy::Layout:
    case AvoidBy::Type:
    case AvoidBy::Gather:
      break;
    case AvoidBy::View:
    case AvoidBy::Readers:
      if (!mayReadSource(*known.joins, module, kernel, uses))
        keep(found);
      else
        known.viewed.insert(
            {int32_t{kernel.computation}, int32_t{kernel.instruction}});
      return;
    default:
      return;
  }
  // The kernel becomes a part of the one that it is about.
  if (!partner) return;
  const auto &[computation, with] = *partner;
  if (module.computations[computation].instructions[with].parameterNumber >= 0)
    return;
  const bool mayBeOne =
      found.isWriter
          ? known.joins->mayBeOne(computation, with, kernel.computation,
                                  kernel.instruction)
          : known.joins->mayBeOne(kernel.computation, kernel.instruction,
                                  computation, with);
  if (!mayBeOne) keep(found);
}

bool MemoryAdvice::mayBeOne(const KernelCost &kernel, ComputationId ofReader,
                            InstructionId reader) {
  if (!program_.modules[kernel.module].isScheduled) return true;
  return of(kernel.module)
      .joins->mayBeOne(kernel.computation, kernel.instruction, ofReader,
                       reader);
}

}  // namespace indexical
