#include "indexical/answers/report/memory_advice.h"

#include <utility>

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/import/hlo/donated.h"

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
  for (HazardPlace &place : *places)
    if (place.kind == PlaceKind::Copy)
      found.copies.emplace(std::make_pair(int32_t{place.computation},
                                          int32_t{place.instruction}),
                           std::move(place));
  return found;
}

InstructionId MemoryAdvice::Known::find(ComputationId computation,
                                        const Computation &own,
                                        llvm::StringRef name) {
  auto [known, isNew] = numbers.try_emplace(int32_t{computation});
  if (isNew)
    for (size_t i = 0; i < own.instructions.size(); ++i)
      known->second.try_emplace(own.instructions[i].name.str(),
                                InstructionId(i));
  const auto found = known->second.find(name);
  return found == known->second.end() ? InstructionId(-1) : found->second;
}

void MemoryAdvice::check(const KernelCost &kernel,
                         llvm::ArrayRef<ArrayUses::Reader> readers,
                         Avoidable &found) {
  const Module &module = program_.modules[kernel.module];
  if (!module.isScheduled) return;
  const Computation &own = module.computations[kernel.computation];
  const Instruction &instruction = own.instructions[kernel.instruction];
  Known &known = of(kernel.module);
  const auto copy = known.copies.find(
      {int32_t{kernel.computation}, int32_t{kernel.instruction}});
  if (copy != known.copies.end() && found.whole != AvoidBy::Layout &&
      found.whole != AvoidBy::Type) {
    const HazardPlace &place = copy->second;
    if (place.donate) {
      const Computation &entry = module.entryComputation();
      found.whole = AvoidBy::Donate;
      found.with =
          entry.instructions[entry.parameters[place.donate->first]].name.str();
      found.isParameter = found.isWriter = true;
      found.orders = place.order;
    } else if (place.answer != HazardAnswer::NeedlessCopy) {
      drop(found);
    } else if (found.whole == AvoidBy::Nothing ||
               found.whole == AvoidBy::Fuse) {
      found.whole = AvoidBy::View;
      found.with = own.instructions[instruction.operands[0]].name.str();
      found.isWriter = true;
    }
    return;
  }
  switch (found.whole) {
    case AvoidBy::Fuse:
    case AvoidBy::Join:
    case AvoidBy::Layout:
    case AvoidBy::Type:
      break;
    case AvoidBy::View:
    case AvoidBy::Readers:
      // Each reader reads the operand itself.
      for (const ArrayUses::Reader &reader : readers)
        if (reader.computation != kernel.computation
                ? known.joins->isOverwrittenAfter(kernel.computation,
                                                  kernel.instruction)
                : !known.joins->mayBeOne(kernel.computation, kernel.instruction,
                                         reader.instruction))
          return drop(found);
      return;
    default:
      return;
  }
  // The kernel becomes a part of the one that it is about.
  const InstructionId with = known.find(kernel.computation, own, found.with);
  if (with < 0) return;
  const bool isFirst = !found.isWriter;
  const InstructionId first = isFirst ? kernel.instruction : with;
  const InstructionId second = isFirst ? with : kernel.instruction;
  if (own.instructions[first].parameterNumber >= 0) return;
  if (!known.joins->mayBeOne(kernel.computation, first, second)) drop(found);
}

bool MemoryAdvice::mayBeOne(const KernelCost &kernel, InstructionId reader) {
  if (!program_.modules[kernel.module].isScheduled) return true;
  return of(kernel.module)
      .joins->mayBeOne(kernel.computation, kernel.instruction, reader);
}

}  // namespace indexical
