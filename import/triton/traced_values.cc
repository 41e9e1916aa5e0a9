#include "indexical/import/triton/traced_values.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

TracedValues::TracedValues(Operation *function, const KnownSizes &sizes)
    : function_(function),
      sizes_(sizes),
      symbols_(function->getParentOfType<mlir::ModuleOp>()),
      webs_(function) {}

void TracedValues::note(Operation *op, std::string reason) {
  if (isDry_ || trace_.unknown) return;
  trace_.unknown = op;
  trace_.reason = std::move(reason);
}

void TracedValues::passOver(Operation &op, StringRef name, StringRef what) {
  setUnknown(&op);
  note(&op, ("the op `" + name + "` " + what).str());
  if (isDry_ || !passedOver_.insert(&op).second) return;
  auto &all = trace_.passedOver;
  auto known = llvm::find_if(
      all, [&](const Trace::PassedOver &other) { return other.name == name; });
  if (known == all.end()) known = all.insert(all.end(), {name.str(), &op, 0});
  ++known->count;
}

Meaning TracedValues::argumentMeaning(Value argument, int64_t number) {
  const mlir::Type type = argument.getType();
  if (isDescriptor(type)) return descriptorMeaning(number);
  if (isPointer(type) && !blockOf(type))
    return terms().leaf(TermKind::Pointer, number, 64);
  if (isTerm(type))
    return terms().leaf(TermKind::Argument, number, termBits(type));
  return {};
}

/// Returns what is known of an argument that is a descriptor: nothing if the
/// call does not say what array it is of.
Meaning TracedValues::descriptorMeaning(int64_t argument) {
  const auto &arrays = sizes_.arrays;
  if (argument >= static_cast<int64_t>(arrays.size()) || !arrays[argument])
    return {};
  BlockPointer array;
  array.base = terms().leaf(TermKind::Pointer, argument, 64);
  array.checksAll = true;
  for (int64_t size : arrays[argument]->sizes)
    array.sizes.push_back(number(size));
  for (int64_t stride : arrays[argument]->strides)
    array.strides.push_back(number(stride));
  array.offsets.assign(array.sizes.size(), number(0));
  return array;
}

TermList TracedValues::ownCoordinates(mlir::Type type) {
  TermList all;
  for (size_t k = 0; k < shapeOf(type).size(); ++k)
    all.push_back(terms().coordinate(k));
  return all;
}

int64_t TracedValues::numberOf(Value value) {
  return numbers_
      .try_emplace({value.getAsOpaquePointer(), calls_}, numbers_.size())
      .first->second;
}

Meaning TracedValues::unknown(Value value) {
  if (!isTerm(value.getType())) return {};
  TermList dependsOn;
  for (const TracedLoop &loop : loops_)
    dependsOn.push_back(terms().leaf(TermKind::Loop, loop.number, 64));
  dependsOn.append(ownCoordinates(value.getType()));
  return terms().leaf(TermKind::Unknown, numberOf(value),
                      termBits(value.getType()), dependsOn);
}

void TracedValues::setUnknown(Operation *op) {
  for (Value result : op->getResults()) values_[result] = unknown(result);
}

Meaning TracedValues::of(Value value) {
  const auto known = values_.find(value);
  return known == values_.end() ? Meaning() : known->second;
}

std::optional<TermId> TracedValues::term(Value value) {
  const Meaning meaning = of(value);
  if (const TermId *id = std::get_if<TermId>(&meaning)) return *id;
  return std::nullopt;
}

std::optional<BlockPointer> TracedValues::block(Value value) {
  const Meaning meaning = of(value);
  if (auto *pointer = std::get_if<BlockPointer>(&meaning)) return *pointer;
  return std::nullopt;
}

TermId TracedValues::wide(TermId id) {
  return terms().make(TermKind::SignExtend, 64, {id});
}

TermId TracedValues::number(int64_t value, int32_t bits) {
  return terms().constant(value, bits);
}

TermId TracedValues::conjunction(TermId a, TermId b) {
  return terms().make(TermKind::And, 1, {a, b});
}

TermId TracedValues::anyBit(mlir::Operation &op) {
  TermList dependsOn;
  for (const TracedLoop &loop : loops_)
    dependsOn.push_back(terms().leaf(TermKind::Loop, loop.number, 64));
  const int64_t number =
      numbers_.try_emplace({&op, calls_}, numbers_.size()).first->second;
  return terms().leaf(TermKind::Unknown, number, 1, dependsOn);
}

}  // namespace indexical::triton
