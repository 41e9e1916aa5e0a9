#include "indexical/writers/hazards.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/hazards/keys.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

constexpr HazardAnswer kOrder[] = {
    HazardAnswer::Hazard,   HazardAnswer::Undecided,
    HazardAnswer::MustCopy, HazardAnswer::NeedlessCopy,
    HazardAnswer::SafeIf,   HazardAnswer::SafeInPlace};

void writeIndex(llvm::ArrayRef<int64_t> index, llvm::raw_ostream &os) {
  os << '(';
  llvm::interleaveComma(index, os);
  os << ')';
}

void writeAccess(const HazardAccess &of, llvm::raw_ostream &os) {
  os << '`' << of.instruction << "` at ";
  writeIndex(of.index, os);
}

void writeWitness(const HazardWitness &of, llvm::raw_ostream &os) {
  os << "  element ";
  writeIndex(of.element, os);
  os << " of `" << of.array << "`: ";
  writeAccess(of.writer, os);
  os << " overwrites it, ";
  writeAccess(of.reader, os);
  os << " still reads it";
  std::vector<std::string> where;
  for (const auto &[name, number] : of.runtime)
    where.push_back(name + " = " + std::to_string(number));
  if (of.turn) where.push_back("turn " + std::to_string(*of.turn));
  if (!where.empty()) {
    os << ", for ";
    llvm::interleaveComma(where, os);
  }
  os << '\n';
}

void writeConditions(const ModulePlace &of, llvm::raw_ostream &os) {
  const HazardPlace &place = of.place;
  bool isFirst = true;
  for (const HazardCondition &condition : place.conditions) {
    os << (isFirst ? "  exactly if " : "  or ");
    isFirst = false;
    llvm::interleave(
        condition, os,
        [&](const HazardConstraint &one) {
          os << one.expression << " in " << one.bounds.str();
        },
        " and ");
    os << '\n';
  }
  for (const HazardVariable &variable : place.runtime) {
    os << "  " << variable.name << " = `"
       << instructionOf(*of.module, variable.source).name << '`';
    if (variable.isClamped) os << " clamped to " << variable.bounds.str();
    os << '\n';
  }
  for (const HazardOrder &order : place.order)
    os << "  if `" << order.first << "` runs before `" << order.then << "`\n";
}

void writePlace(const ModulePlace &of, llvm::raw_ostream &os) {
  const HazardPlace &place = of.place;
  os << of.instruction().name << " in " << of.computation().name << ", line "
     << of.instruction().place.line << ": " << nameOf(place.kind);
  if (place.result > 0) os << ", result " << int64_t{place.result};
  if (place.kind == PlaceKind::Alias && place.mark != PlaceMark::None)
    os << " (" << nameOf(place.mark) << ')';
  if (place.operand && place.kind != PlaceKind::Copy)
    os << " over operand " << *place.operand;
  if (place.operandResult.value_or(0) > 0)
    os << ", array " << *place.operandResult;
  os << ": " << wordOf(place.answer);
  if (place.answer == HazardAnswer::SafeInPlace)
    os << " (" << wordOf(place.because) << ')';
  if (place.bytes) os << ", " << *place.bytes << " bytes";
  if (const auto time = of.predictedUs())
    os << llvm::format(", %.3g us", *time);
  if (place.isConfirmed)
    os << (*place.isConfirmed ? "; without it the values are equal"
                              : "; whether the values are equal without it is "
                                "undecided");
  os << '\n';
  if (!place.stays.empty())
    os << "  " << place.stays << '\n';
  else if (place.witness && (place.answer == HazardAnswer::Hazard ||
                             place.answer == HazardAnswer::MustCopy))
    writeWitness(*place.witness, os);
  if (place.answer == HazardAnswer::SafeIf) writeConditions(of, os);
  if (!place.reason.empty()) os << "  " << place.reason << '\n';
  if (place.donate) {
    const Computation &entry = of.module->entryComputation();
    auto nameOf = [&](const std::pair<int64_t, LeafId> &parameter) {
      return entry.instructions[entry.parameters[parameter.first]].name;
    };
    os << "  donate `" << nameOf(*place.donate) << '`';
    for (const auto &parameter : place.donateToo)
      os << " and `" << nameOf(parameter) << '`';
    for (const HazardOrder &order : place.order)
      os << " and run `" << order.first << "` before `" << order.then << '`';
    os << ": the copy is then needless\n";
  }
}

}  // namespace

void HazardsResult::text(llvm::raw_ostream &os, TextStyle) {
  os << counted(static_cast<int64_t>(found_.places.size()), "place");
  const char *between = ": ";
  for (const HazardAnswer answer : kOrder) {
    if (found_.countOf(answer) == 0) continue;
    os << between << found_.countOf(answer) << ' ' << wordOf(answer);
    between = ", ";
  }
  os << '\n';
  for (const ModulePlace &place : found_.places) writePlace(place, os);
}

void HazardsResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) {
    writeKeys(HazardsEntry{found_, path_, format_}, sink);
  });
  to.beginList("places", ItemLayout::OneALine);
  // A line has the kind of its place as its own.
  static const auto kSplit = [] {
    std::pair<std::vector<Key<ModulePlace>>, std::vector<Key<ModulePlace>>> all;
    for (const Key<ModulePlace> &key : keysOf<ModulePlace>().keys)
      (key.name == "kind" ? all.first : all.second).push_back(key);
    return all;
  }();
  for (const ModulePlace &place : found_.places) {
    ListItem item;
    item.kind = nameOf(place.place.kind);
    auto kind = [&](ValueSink &sink) {
      writeKeys<ModulePlace>(place, sink, kSplit.first);
    };
    auto others = [&](ValueSink &sink) {
      writeKeys<ModulePlace>(place, sink, kSplit.second);
    };
    item.implied = kind;
    item.members = others;
    to.item(item);
  }
  to.endList();
}

void HazardsResult::totals(AddTotal to) {
  to("modules", 1);
  for (const HazardAnswer answer : kOrder)
    to(wordOf(answer), found_.countOf(answer));
}

}  // namespace indexical
