#include "indexical/same/values/same_elements.h"

#include <algorithm>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {
namespace {

/// Whether what is nested in the op of integers or predicates is a set.
bool isSetOp(llvm::StringRef name) {
  return name == "and" || name == "or" || name == "maximum" ||
         name == "minimum";
}

}  // namespace

bool SameElements::areSame(ElementId first, ElementId second,
                           const IndexingMap &region) {
  const bool isInner = std::exchange(isInner_, false);
  first = settled(first);
  second = settled(second);
  if (first == second) return true;
  const StopScope scope(options_.stop);
  // Elements may be nested as deep as a chain of ops is long.
  if (proofs_ > kMostProofs || !hasStack(kStackOfQuestion) ||
      StopScope::isReached())
    return false;
  const auto key =
      std::make_tuple(first, second, region.hash(), asksSolver_, isInner);
  auto [known, isNew] = known_.try_emplace(key, false);
  if (!isNew) return known->second;
  if ((steps_ += kStepsOfPair) > mostSteps()) return false;
  const bool same = compute(first, second, region, isInner);
  return known_[key] = same;
}

bool SameElements::areSameIn(const Element &around, ElementId first,
                             ElementId second, const IndexingMap &region) {
  const auto isOfItsKind = [&](ElementId id) {
    const Element &element = table_[id];
    return element.kind == Element::Kind::Apply && element.op == around.op;
  };
  isInner_ = around.kind == Element::Kind::Apply &&
             (isOfItsKind(first) || isOfItsKind(second));
  return areSame(first, second, region);
}

bool SameElements::compute(ElementId first, ElementId second,
                           const IndexingMap &region, bool isInner) {
  using Kind = Element::Kind;
  const Element &a = table_[first], &b = table_[second];
  if (a.type != b.type || a.kind == Kind::Unknown || b.kind == Kind::Unknown)
    return false;
  if (asksSolver_ && isSolved(first, second, region)) return true;
  if (areAlike(first, second, region)) return true;
  // What reads the bits of floats may be inside of what is reduced.
  const llvm::SaveAndRestore<bool> byLaws(asksSolver_, false);
  if (isPicked(first, second, region) || isPicked(second, first, region))
    return true;
  const bool isSum = a.kind == Kind::Sum || b.kind == Kind::Sum ||
                     a.kind == Kind::Reduced || b.kind == Kind::Reduced;
  if (isSum && table_.isRing(a.type) && table_.isRealNumber(first) &&
      table_.isRealNumber(second) && areSameSums(first, second, region))
    return true;
  for (const Element *each : {&a, &b})
    if (each->kind == Kind::Reduced &&
        areSameBags(each->op, first, second, region))
      return true;
  // A maximum of integers reduces two numbers more. So does one of floats, but
  // for which zero it is.
  if (classOf(a.type) != kFloats || isAnyZero())
    for (const Element *each : {&a, &b})
      if (each->kind == Kind::Apply && isSetOp(lawName(each->op)) &&
          areSameBags(each->op, first, second, region))
        return true;
  // Sums and products of floats in any order.
  if (has(table_.floats(), FloatLaws::Reassociate) &&
      classOf(a.type) == kFloats &&
      (!isInner || ++innerOpened_ <= kMostInnerOpened))
    for (const Element *each : {&a, &b})
      if (each->kind == Kind::Apply &&
          (lawName(each->op) == "add" || lawName(each->op) == "multiply") &&
          areSameBags(each->op, first, second, region))
        return true;
  return false;
}

/// Whether what the element is computed by may tell NaNs of different bits
/// apart: all but ops of known meaning that compute with numbers.
bool SameElements::mayReadBits(const Element &element) const {
  switch (element.kind) {
    case Element::Kind::Apply:
    case Element::Kind::Reduced: {
      const llvm::StringRef name = lawName(element.op);
      return name.empty() || name == "bitcast-convert" ||
             name == "reduce-precision";
    }
    case Element::Kind::Read:
    case Element::Kind::Cases:
    case Element::Kind::Sum:
      return false;
    default:
      return true;
  }
}

/// Whether it is a clamp of floats between two numbers.
bool SameElements::isClampOfLiterals(const Element &element) const {
  return element.kind == Element::Kind::Apply &&
         classOf(element.type) == kFloats && lawName(element.op) == "clamp" &&
         table_[element.operands[0]].kind == Element::Kind::Literal &&
         table_[element.operands[2]].kind == Element::Kind::Literal;
}

/// Whether elements of one kind are the same, part by part.
bool SameElements::areAlike(ElementId first, ElementId second,
                            const IndexingMap &region) {
  const Element a = table_[first], b = table_[second];
  if (secondSettles_ && isClampOfLiterals(a) && b.op != a.op) {
    const auto by = [&](const char *name) {
      return elementwiseOp(name, {a.type, a.type}, a.type);
    };
    const ElementId raised =
        table_.apply(by("maximum"), {a.operands[1], a.operands[0]});
    if (areSame(table_.apply(by("minimum"), {raised, a.operands[2]}), second,
                region))
      return true;
    // In the other order it is the same if the bounds are in order.
    const auto low = numberOfBytes(a.type, table_[a.operands[0]].text);
    const auto high = numberOfBytes(a.type, table_[a.operands[2]].text);
    if (!low || !high || !(low->high < high->low)) return false;
    const ElementId lowered =
        table_.apply(by("minimum"), {a.operands[1], a.operands[2]});
    return areSame(table_.apply(by("maximum"), {lowered, a.operands[0]}),
                   second, region);
  }
  if (a.kind == Element::Kind::Apply && b.kind == Element::Kind::Apply &&
      a.op == b.op && areSameSets(a, b, region))
    return true;
  if (a.kind != b.kind || a.op != b.op || a.number != b.number ||
      (a.leaf != b.leaf && a.kind != Element::Kind::Reduced) ||
      a.functions != b.functions || a.text != b.text ||
      a.operands.size() != b.operands.size() || a.maps.size() != b.maps.size())
    return false;
  for (auto [left, right] : llvm::zip(a.maps, b.maps))
    if (!haveSameMaps(left, right, region)) return false;
  const llvm::StringRef name =
      a.kind == Element::Kind::Apply ? lawName(a.op) : "";
  // A maximum of two zeros is one of them.
  const bool isOfZeros =
      isSetOp(name) && has(table_.floats(), FloatLaws::ZeroSign);
  const bool turns =
      a.kind == Element::Kind::Apply && a.operands.size() == 2 &&
      (commutes(a.op) || name == "EQ" || name == "NE" || isOfZeros);
  const auto areSameTurned = [&] {
    if (!areSameIn(a, a.operands[0], b.operands[1], region) ||
        !areSameIn(a, a.operands[1], b.operands[0], region))
      return false;
    if (isOfZeros && !commutes(a.op)) table_.noteLaw("zero-sign");
    return true;
  };
  const bool turnsFirst = turns && areTurned(a, b);
  if (turnsFirst && areSameTurned()) return true;
  // To a solver there is one NaN. Operands of an op that may read the bits of
  // floats are compared without it.
  {
    const llvm::SaveAndRestore<bool> asks(asksSolver_,
                                          asksSolver_ && !mayReadBits(a));
    if (haveSameOperands(a, b, region)) return true;
  }
  return turns && !turnsFirst && areSameTurned();
}

bool SameElements::haveSameOperands(const Element &a, const Element &b,
                                    const IndexingMap &region) {
  using Kind = Element::Kind;
  for (size_t k = 0; k < a.operands.size(); ++k) {
    // The operands of these have variables of their own.
    const bool isInit = a.kind == Kind::Reduced && k >= a.maps.size();
    const bool isInner =
        (a.kind == Kind::Reduced || a.kind == Kind::Cases) && !isInit;
    const IndexingMap &own = isInner                 ? a.maps[k]
                             : a.kind == Kind::Along ? a.maps[1]
                                                     : region;
    if (a.operands[k] == b.operands[k]) continue;
    // An array is a function of its own indices. Those of a read are not at
    // hand.
    const bool isArray = a.kind == Kind::Read || a.kind == Kind::Computed;
    IndexingMap all;
    if (a.kind == Kind::Computed && k < shapesOf(a.op).operands.size())
      all = ElementTerms::regionOf(shapesOf(a.op).operands[k]);
    if (!areSameIn(a, a.operands[k], b.operands[k], isArray ? all : own))
      return false;
  }
  return true;
}

/// Whether two of one op are, that is one of a set of all that is nested in it:
/// each has an equal one on the other side.
bool SameElements::areSameSets(const Element &a, const Element &b,
                               const IndexingMap &region) {
  const llvm::StringRef name = lawName(a.op);
  const bool isSet = isSetOp(name) && isInteger(a.type);
  if (!isSet && name != "xor") return false;
  auto flatten = [&](const Element &root) {
    std::vector<ElementId> found,
        stack(root.operands.begin(), root.operands.end());
    while (!stack.empty()) {
      const ElementId id = stack.back();
      stack.pop_back();
      const Element &each = table_[id];
      if (each.kind == Element::Kind::Apply && lawName(each.op) == name)
        stack.insert(stack.end(), each.operands.begin(), each.operands.end());
      else
        found.push_back(id);
    }
    llvm::sort(found);
    return found;
  };
  std::vector<ElementId> left = flatten(a), right = flatten(b);
  // Elements that both sides have are settled.
  std::vector<ElementId> leftOnly, rightOnly;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                      std::back_inserter(leftOnly));
  std::set_difference(right.begin(), right.end(), left.begin(), left.end(),
                      std::back_inserter(rightOnly));
  if (!isSet) {
    left = std::move(leftOnly);
    right = std::move(rightOnly);
    if (left.size() != right.size() || left.size() > 16) return false;
    return llvm::all_of(left, [&](ElementId x) {
      const auto at = llvm::find_if(
          right, [&](ElementId y) { return areSame(x, y, region); });
      if (at == right.end()) return false;
      right.erase(at);
      return true;
    });
  }
  auto isIn = [&](ElementId x, llvm::ArrayRef<ElementId> all) {
    return llvm::any_of(all,
                        [&](ElementId y) { return areSame(x, y, region); });
  };
  if (leftOnly.size() * right.size() + rightOnly.size() * left.size() > 512)
    return false;
  return llvm::all_of(leftOnly, [&](ElementId x) { return isIn(x, right); }) &&
         llvm::all_of(rightOnly, [&](ElementId y) {
           return llvm::any_of(
               left, [&](ElementId x) { return areSame(x, y, region); });
         });
}

size_t SameElements::outlineOf(ElementId id, int depth) const {
  const Element &element = table_[id];
  const size_t own = llvm::hash_combine(
      element.kind, element.type, element.number,
      element.kind == Element::Kind::Apply ? lawName(element.op) : "",
      element.kind == Element::Kind::Literal ? element.text : "");
  if (element.kind == Element::Kind::Read) {
    const ElementId array = element.operands[0];
    return llvm::hash_combine(
        own, table_[array].kind == Element::Kind::Computed ? -1 : array);
  }
  if (depth == 0 || element.operands.size() > 8) return own;
  llvm::SmallVector<size_t, 4> operands;
  for (ElementId operand : element.operands)
    operands.push_back(outlineOf(operand, depth - 1));
  llvm::sort(operands);
  return llvm::hash_combine(own, llvm::hash_combine_range(operands));
}

/// Whether the operands of the second are more like the first's in the other
/// order. To compare operands of other forms may cost more than all else.
bool SameElements::areTurned(const Element &a, const Element &b) const {
  const auto outline = [&](const Element &each, int k) {
    return outlineOf(each.operands[k], /*depth=*/3);
  };
  const size_t left[] = {outline(a, 0), outline(a, 1)},
               right[] = {outline(b, 0), outline(b, 1)};
  return left[0] == right[1] && left[1] == right[0] && left[0] != right[0];
}

/// Whether the maps are one relation. Runtime variables are named by the
/// elements that they are.
bool SameElements::haveSameMaps(const IndexingMap &left,
                                const IndexingMap &right,
                                const IndexingMap &region) {
  if (left == right) return true;
  if (left.dimensions().size() != right.dimensions().size() ||
      left.results().size() != right.results().size() ||
      left.runtime().size() != right.runtime().size())
    return false;
  IndexingMap other = right;
  // Elements that are the same have one name.
  if (!right.runtime().empty() &&
      left.dimensions().size() == region.dimensions().size())
    other =
        withSources(right, {[&](int64_t id) {
                              for (const RuntimeVariable &v : left.runtime())
                                if (v.source.tensor >= 0 && id >= 0 &&
                                    areSame(v.source.tensor, id, region))
                                  return v.source.tensor;
                              return id;
                            },
                            nullptr});
  if (left == other) return true;
  if (++proofs_ > kMostProofs) return false;
  return isYes(
      areEqual(IndexingRelation(left), IndexingRelation(other), options_));
}

}  // namespace indexical
