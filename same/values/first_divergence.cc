#include "indexical/same/values/first_divergence.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/sizes.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_text.h"
#include "indexical/same/values/regions.h"

namespace indexical {
namespace {

using Site = ElementTerms::Site;

// Modules of more values are not looked at, and so many pairs whose numbers
// differ are compared.
constexpr size_t kMostValues = 2'000;
constexpr int kMostCompared = 64;
// So many calls, tuples and copies in a row are looked through.
constexpr int kMostPassedOn = 1'000;

/// A value of a module, and what it is made of.
struct SeenValue {
  Site site;
  ElementId element;
  std::vector<size_t> operands;  ///< numbers of values
  int depth = 0;
  bool hasPartner = false;
};

/// Returns the values of which a leaf of the result is made, operands first;
/// nothing if there are too many.
std::optional<std::vector<SeenValue>> valuesBehind(ElementTerms &terms,
                                                   LeafId result) {
  std::vector<SeenValue> values;
  std::map<Site, size_t> numbers;
  std::set<Site> opened;
  std::vector<Site> stack{terms.originOf(terms.rootSite(result))};
  while (!stack.empty()) {
    const Site site = stack.back();
    if (numbers.count(site)) {
      stack.pop_back();
      continue;
    }
    std::vector<Site> operands;
    for (Site each : terms.operandSites(site))
      if (each.instruction >= 0) operands.push_back(terms.originOf(each));
    if (opened.insert(site).second) {
      stack.insert(stack.end(), operands.rbegin(), operands.rend());
      continue;
    }
    stack.pop_back();
    SeenValue value;
    value.site = site;
    for (Site each : operands) {
      const auto known = numbers.find(each);
      if (known == numbers.end()) return std::nullopt;
      value.operands.push_back(known->second);
      value.depth = std::max(value.depth, values[known->second].depth + 1);
    }
    if (values.size() >= kMostValues || hasOpenSize(terms.shapeOf(site)))
      return std::nullopt;
    const auto element = terms.wholeArray(site);
    if (!element) return std::nullopt;
    value.element = *element;
    numbers[site] = values.size();
    values.push_back(std::move(value));
  }
  return values;
}

/// Whether the value only passes on elements of what it is made of.
bool isMove(const Instruction &i) {
  return i.parameterNumber >= 0 ||
         i.op.isOneOf<ConstantOp, IotaOp, ForwardOp, BroadcastOp, TransposeOp,
                      ReverseOp, SliceOp, ReshapeOp, BitcastOp, DynamicSliceOp,
                      GatherOp, PadOp, ConcatenateOp>();
}

class DivergenceSearch {
 public:
  DivergenceSearch(ElementTerms &first, ElementTerms &second,
                   ElementTable &table, SameElements &same, const Module &names)
      : terms_{&first, &second}, table_(table), same_(same), names_(names) {}

  std::optional<Divergence> run(LeafId result, const Meter &meter) {
    for (int side : {0, 1}) {
      auto values = valuesBehind(*terms_[side], result);
      // What the meter has cut short is like nothing.
      if (!values || meter.left() < 0) return std::nullopt;
      values_[side] = *std::move(values);
      for (const SeenValue &value : values_[side])
        elements_[side].insert(value.element);
    }
    markPartners(0);
    const SeenValue *place = markPartners(1);
    if (!place) return std::nullopt;
    Divergence divergence;
    divergence.second = describe(1, *place);
    const SeenValue *partner = partnerOf(*place);
    if (!partner) return divergence;
    divergence.first = describe(0, *partner);
    // Texts leave out attributes.
    if (divergence.first->term == divergence.second.term)
      divergence.second.term +=
          ", but for " + whatDiffers(table_, partner->element, place->element);
    return divergence;
  }

 private:
  /// Returns the first value by depth that has no partner, although all that it
  /// is made of has one.
  const SeenValue *markPartners(int side) {
    const SeenValue *place = nullptr;
    for (SeenValue &value : values_[side]) {
      const bool areKnown = llvm::all_of(value.operands, [&](size_t k) {
        return values_[side][k].hasPartner;
      });
      // The result itself is a place, whatever its op.
      const bool passesOn = &value != &values_[side].back() &&
                            isMove(terms_[side]->instruction(value.site));
      value.hasPartner =
          elements_[1 - side].count(value.element) ||
          (areKnown && (passesOn || (side == 1 && hasSameInFirst(value))));
      if (!value.hasPartner && areKnown &&
          (!place || value.depth < place->depth))
        place = &value;
    }
    return place;
  }

  /// Whether a value of the first module is the same, by another term.
  bool hasSameInFirst(const SeenValue &value) {
    const ArrayShape &shape = terms_[1]->shapeOf(value.site);
    for (SeenValue &other : values_[0]) {
      const ArrayShape &its = terms_[0]->shapeOf(other.site);
      if (other.hasPartner || its.type != shape.type ||
          its.dimensions != shape.dimensions)
        continue;
      if (++compared_ > kMostCompared) return false;
      same_.begin();
      if (!same_.areSame(other.element, value.element,
                         ElementTerms::regionOf(shape)))
        continue;
      other.hasPartner = true;
      return true;
    }
    return false;
  }

  std::set<ElementId> operandsOf(int side, const SeenValue &value) const {
    std::set<ElementId> operands;
    for (size_t k : value.operands) operands.insert(values_[side][k].element);
    return operands;
  }

  const SeenValue *partnerOf(const SeenValue &place) const {
    const std::set<ElementId> made = operandsOf(1, place);
    const Instruction &instruction = terms_[1]->instruction(place.site);
    const ArrayShape &shape = terms_[1]->shapeOf(place.site);
    auto rank = [&](const SeenValue &value) {
      const Instruction &other = terms_[0]->instruction(value.site);
      const ArrayShape &its = terms_[0]->shapeOf(value.site);
      int64_t shared = 0;
      for (ElementId operand : operandsOf(0, value))
        shared += made.count(operand);
      return std::make_tuple(
          its.type != shape.type || its.dimensions != shape.dimensions, -shared,
          other.opcode != instruction.opcode, other.name != instruction.name,
          value.depth);
    };
    const SeenValue *best = nullptr;
    for (const SeenValue &value : values_[0]) {
      const bool areKnown = llvm::all_of(
          value.operands, [&](size_t k) { return values_[0][k].hasPartner; });
      if (value.hasPartner || !areKnown) continue;
      if (!best || rank(value) < rank(*best)) best = &value;
    }
    return best;
  }

  DivergentValue describe(int side, const SeenValue &value) const {
    const Instruction &i = terms_[side]->instruction(value.site);
    DivergentValue described;
    described.computation = terms_[side]->computation(value.site).name.str();
    described.instruction = i.name.str();
    described.opcode = i.opcode.str();
    described.line = static_cast<int32_t>(i.place.line);
    described.term = termOf(side, value);
    return described;
  }

  std::string termOf(int side, const SeenValue &value) const {
    const auto region = namedRegion(terms_[side]->shapeOf(value.site));
    if (region.ok())
      if (const auto element = terms_[side]->at(value.site, *region))
        return textOf(table_, *element, names_);
    return textOf(table_, value.element, names_);
  }

  ElementTerms *const terms_[2];
  ElementTable &table_;
  SameElements &same_;
  const Module &names_;
  std::vector<SeenValue> values_[2];
  std::set<ElementId> elements_[2];
  int compared_ = 0;
};

}  // namespace

ElementTerms::Site ElementTerms::originOf(Site site) {
  for (int steps = 0; steps < kMostPassedOn; ++steps) {
    const Instruction &i = instruction(site);
    std::optional<Site> from;
    if (i.parameterNumber >= 0) {
      if (frames_[site.frame].caller >= 0) from = argumentOf(site);
    } else if (const auto *forward = i.op.as<ForwardOp>()) {
      const int64_t operand = forward->reads[site.leaf];
      if (operand >= 0 && isForwarded(i.op, site.leaf, operand))
        from = operandSites(site)[operand];
    } else if (!hasEffects(i.op) && (!hasOpenSizes(shapesOf(i.op)) ||
                                     isFollowedWithOpenSizes(i))) {
      if (isCopy(i.op)) {
        from = operandSites(site)[0];
      } else if (i.op.is<CallOp>() && isInlined(i.op)) {
        if (const auto frame = frameOfCall(site))
          from = Site{*frame,
                      module_.computations[frames_[*frame].computation].root,
                      site.leaf};
      }
    }
    if (!from || from->instruction < 0) return site;
    site = *from;
  }
  return site;
}

std::optional<Divergence> firstDivergence(ElementTerms &first,
                                          ElementTerms &second,
                                          ElementTable &table,
                                          SameElements &same, LeafId result,
                                          const Meter &meter,
                                          const Module &names) {
  return DivergenceSearch(first, second, table, same, names).run(result, meter);
}

}  // namespace indexical
