// Ops without a result for some numbers: which of them a value computes.
//
//   select(c, add nsw(a, 1), b)     `add nsw(a, 1)` where c holds
//   select(c, a / b, 0)             `a / b`, whether c holds or not
//
// Poison is what takes it: of a choice the side that is taken. A division by 0
// fails, and so does a branch by poison: it counts if it is computed.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/term_types.h"

namespace indexical::kernels {

using llvm::StringRef;
using Kind = KernelValue::Kind;

namespace {

/// Whether the kernel's behaviour is undefined where the op has no result.
bool fails(const KernelValue &value) {
  return value.kind == Kind::Foreign &&
         (StringRef(value.text).ends_with(" divide") ||
          StringRef(value.text).ends_with(" remainder"));
}

// One side of a choice, which may be undefined: its condition, and the element.
constexpr char kWhere[] = "kernel where";

}  // namespace

void KernelTerms::findFailures() {
  // By value: whether it may be undefined.
  std::vector<bool> mayLack;
  for (const KernelValue &value : kernel_.values) {
    // A carried value has an operand that comes later.
    auto any = [&](const std::vector<bool> &of, size_t count) {
      return llvm::any_of(
          llvm::ArrayRef<int64_t>(value.operands).take_front(count),
          [&](int64_t operand) {
            const auto known = static_cast<size_t>(operand);
            return known >= of.size() || of[known];
          });
    };
    const size_t all = value.operands.size();
    const bool isFailure = fails(value) || (value.isBranch && any(mayLack, 1));
    hasFailures_ |= isFailure;
    mayFail_.push_back(isFailure || value.kind == Kind::Unknown ||
                       any(mayFail_, all));
    mayLack.push_back(fails(value) || value.kind == Kind::Unknown ||
                      value.kind == Kind::Foreign || !value.excluding.empty() ||
                      any(mayLack, all));
  }
}

ElementId KernelTerms::selectAt(const KernelValue &value,
                                const IndexingMap &map) {
  const ElementId condition = operandAt(value, 0, map);
  if (condition == kParts) return kParts;
  if (condition == ElementTable::kNothing) return condition;
  // A branch by what has no value fails.
  if (value.isBranch) {
    std::set<Undefined> failing;
    for (const Undefined &each : open_.back())
      failing.insert({each.id, std::min(each.depth, value.depth)});
    open_.back() = std::move(failing);
  }
  const auto isComputed = [&](const Undefined &each) {
    return each.depth != kOnlyTaken &&
           (!value.isBranch || each.depth <= value.depth);
  };
  if (const auto known = table_.integerOf(condition)) {
    const size_t taken = *known != 0 ? 1 : 2;
    if (mayFail_[value.operands[3 - taken]]) {
      const auto other = undefinedInSide(value, 3 - taken, map);
      if (!other) return kParts;
      for (const Undefined &each : *other)
        if (isComputed(each)) open_.back().insert(each);
    }
    return operandAt(value, taken, map);
  }
  std::set<Undefined> undefined = open_.back();
  for (const size_t side : {1, 2}) {
    const auto all = undefinedInSide(value, side, map);
    if (!all) return kParts;
    for (const Undefined &each : *all) {
      if (isComputed(each)) {
        undefined.insert(each);
        continue;
      }
      const ElementType type = table_[each.id].type, truth = ElementType::Pred;
      const ElementId when =
          side == 1
              ? condition
              : table_.apply(elementwiseOp("not", {truth}, truth), {condition});
      const ElementId taken = table_.apply(
          functionOf(kWhere, {truth, type}, type), {when, each.id});
      linesOfUndefined_.emplace(taken, lineOf(each.id));
      undefined.insert({taken, each.depth});
    }
  }
  const ElementId made = appliedAt(value, map);
  open_.back() = std::move(undefined);
  return made;
}

std::optional<std::set<KernelTerms::Undefined>> KernelTerms::undefinedInSide(
    const KernelValue &choice, size_t side, const IndexingMap &map) {
  open_.emplace_back();
  const ElementId id = operandAt(choice, side, map);
  std::set<Undefined> all = std::move(open_.back());
  open_.pop_back();
  if (id == kParts) return std::nullopt;
  return all;
}

std::set<ElementId> KernelTerms::undefined() const {
  std::set<ElementId> all;
  for (const Undefined &each : open_.front()) all.insert(each.id);
  return all;
}

std::optional<ElementId> KernelTerms::whereTaken(ElementId undefined) const {
  const Element &element = table_[undefined];
  const auto *op = element.kind == Element::Kind::Apply
                       ? element.op.as<ElementwiseOp>()
                       : nullptr;
  if (!op) return std::nullopt;
  if (op->configuration != kWhere) return std::nullopt;
  return element.operands[1];
}

void KernelTerms::noteUndefined(const KernelValue &value, ElementId id) {
  open_.back().insert({id, fails(value) ? value.depth : kOnlyTaken});
  linesOfUndefined_.emplace(id, value.line);
}

void KernelTerms::noteExcluded(const KernelValue &value,
                               llvm::ArrayRef<ElementId> operands) {
  if (value.excluding.empty()) return;
  const bool isLoad = value.kind == Kind::Load;
  // A truth value is 0 or 1.
  const Element &first = table_[operands[0]];
  if (isLoad && value.excluding[0] == "range 0 2" &&
      first.kind == Element::Kind::Apply && lawName(first.op) == "convert" &&
      table_[first.operands[0]].type == ElementType::Pred)
    return;
  llvm::SmallVector<ElementId, 3> from(operands);
  if (value.text == "add" || value.text == "multiply" || value.text == "or")
    llvm::sort(from);
  llvm::SmallVector<ElementType, 3> types;
  for (ElementId id : from) types.push_back(table_[id].type);
  for (const std::string &flag : value.excluding) {
    const std::string name =
        "kernel " + (isLoad ? "load" : value.text) + " " + flag;
    const ElementId id =
        table_.apply(functionOf(name, types, typeOf(value)), from);
    open_.back().insert({id, kOnlyTaken});
    linesOfUndefined_.emplace(id, value.line);
  }
}

bool KernelTerms::isDefined(const KernelValue &value,
                            llvm::ArrayRef<ElementId> operands) const {
  StringRef name = value.text;
  if (name.ends_with("fptosi") || name.ends_with("fptoui")) return false;
  const auto last =
      operands.empty() ? std::nullopt : table_.integerOf(operands.back());
  // With a last operand that is true, the lowest number, or 0, has no result.
  for (StringRef known : {"llvm.abs.", "llvm.ctlz.", "llvm.cttz."})
    if (name.starts_with(known)) return last == 0;
  for (StringRef known : {"llvm.lround", "llvm.llround", "llvm.lrint",
                          "llvm.llrint", "llvm.sdiv.fix", "llvm.udiv.fix"})
    if (name.starts_with(known)) return false;
  const bool isOfSigned = name.consume_front("signed ");
  name.consume_front("unsigned ");
  if (name == "divide" || name == "remainder")
    return last && *last != 0 && !(isOfSigned && *last == -1);
  if (name.starts_with("shift-"))
    return last && *last >= 0 && *last < bitsOf(typeOf(value));
  return true;
}

}  // namespace indexical::kernels
