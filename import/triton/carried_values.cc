#include "indexical/import/triton/carried_values.h"

#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/kernel/canonical_terms.h"

namespace indexical::triton {

using kernels::TermKind;

Meaning CarriedValues::add(const Meaning &start, ValueKind kind,
                           llvm::ArrayRef<TermId> coordinates) {
  CarriedValue value = {start, start, carried_.size()};
  // The first term of a block pointer is its base.
  bool isPointer =
      kind == ValueKind::Pointer || std::holds_alternative<BlockPointer>(start);
  visitTerms(value.placeholders, [&](TermId &term) {
    CarriedTerm carried;
    carried.isPointer = std::exchange(isPointer, false);
    carried.start = term;
    carried.placeholder = terms_.leaf(TermKind::Placeholder, nextPlaceholder_++,
                                      terms_[term].bits, coordinates);
    carried_.push_back(carried);
    term = carried.placeholder;
  });
  values_.push_back(value);
  return value.placeholders;
}

void CarriedValues::setNext(size_t k, const Meaning &next) {
  const Meaning &placeholders = values_[k].placeholders;
  size_t at = values_[k].firstTerm;
  if (std::holds_alternative<TermId>(placeholders)) {
    const auto *term = std::get_if<TermId>(&next);
    carried_[at].hasNext = term != nullptr;
    if (term) carried_[at].next = *term;
  } else if (const auto *from = std::get_if<BlockPointer>(&placeholders)) {
    const auto *to = std::get_if<BlockPointer>(&next);
    const bool isAlike = to && to->offsets.size() == from->offsets.size();
    visitTermsOf(isAlike ? *to : *from, [&](TermId term) {
      carried_[at].hasNext = isAlike;
      carried_[at++].next = term;
    });
  }
}

/// Returns what an iteration adds to the placeholder, and nothing if it does
/// something else with it.
std::optional<TermId> CarriedValues::stepOf(TermId next, TermId placeholder) {
  // Which terms have the placeholder is found once, for sums of many terms.
  const auto having =
      terms_.termsWith(next, TermKind::Placeholder, terms_[placeholder].value);
  llvm::SmallVector<std::pair<TermKind, TermId>, 8> added;  // outermost first
  while (next != placeholder) {
    const kernels::TermNode term = terms_[next];
    if (term.kind != TermKind::Add && term.kind != TermKind::Sub &&
        term.kind != TermKind::PointerAdd)
      return std::nullopt;
    const bool isLeft = having.count(term.operands[0]) != 0;
    const bool isRight = having.count(term.operands[1]) != 0;
    if (isLeft == isRight) return std::nullopt;
    if (isRight && term.kind != TermKind::Add) return std::nullopt;
    added.push_back({term.kind == TermKind::Sub ? TermKind::Sub : TermKind::Add,
                     term.operands[isLeft ? 1 : 0]});
    next = term.operands[isLeft ? 0 : 1];
  }
  TermId step = terms_.constant(0, terms_[placeholder].bits);
  for (const auto &[kind, other] : llvm::reverse(added))
    step = terms_.make(kind, terms_[step].bits, {step, other});
  return step;
}

void CarriedValues::solve() {
  // The starts of placeholders that no iteration changes.
  std::map<int64_t, TermId> unchanged;
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (CarriedTerm &carried : carried_) {
      if (carried.isSolved() || !carried.hasNext) continue;
      const TermId next = terms_.replace(carried.next, unchanged);
      const auto step = stepOf(next, carried.placeholder);
      if (!step || !isSteady(*step)) {
        carried.renewed = renewedBy(carried);
        isChanged |= carried.isSolved();
        continue;
      }
      carried.step = *step;
      isChanged = true;
      if (terms_[*step].kind == TermKind::Constant && terms_[*step].value == 0)
        unchanged[terms_[carried.placeholder].value] = carried.start;
    }
  }
}

/// Returns whether the term is the same in every iteration of the loop.
bool CarriedValues::isSteady(TermId term) const {
  return !terms_.mentions(term, TermKind::Loop, loop_) &&
         !terms_.mentions(term, TermKind::Placeholder) &&
         !terms_.mentions(term, TermKind::Unknown) &&
         !terms_.mentions(term, TermKind::Loaded);
}

/// Returns what an iteration finds in place of the carried term, if what the
/// iteration before put there is known: by the number of the iteration.
std::optional<TermId> CarriedValues::renewedBy(const CarriedTerm &carried) {
  const TermId count = terms_.leaf(TermKind::Loop, loop_, 64);
  const TermId before =
      terms_.make(TermKind::Sub, 64, {count, terms_.constant(1, 64)});
  // Only what the next value names is looked for: loops carry long rows of
  // values from one to the next.
  const std::set<int64_t> named =
      terms_.valuesOf(carried.next, TermKind::Placeholder);
  std::map<int64_t, TermId> known;
  for (const CarriedTerm &other : carried_) {
    const int64_t number = terms_[other.placeholder].value;
    if (!named.count(number)) continue;
    const auto now = other.isSolved() ? after(other, count) : std::nullopt;
    if (!now) return std::nullopt;
    known[number] = *now;
  }
  const TermId next = terms_.replace(carried.next, known);
  if (terms_.mentions(next, TermKind::Placeholder) ||
      terms_.mentions(next, TermKind::Unknown) ||
      terms_.mentions(next, TermKind::Loaded))
    return std::nullopt;
  const TermId later =
      canonical(terms_, terms_.inIteration(next, loop_, before));
  const TermId first = terms_.constant(0, 64);
  if (canonical(terms_, terms_.inIteration(later, loop_, first)) ==
      canonical(terms_, carried.start))
    return later;
  return terms_.make(
      TermKind::Select, terms_[carried.start].bits,
      {terms_.make(TermKind::Equal, 1, {count, first}), carried.start, later});
}

Meaning CarriedValues::after(size_t k, TermId count) {
  Meaning value = values_[k].start;
  size_t at = values_[k].firstTerm;
  bool isKnown = true;
  visitTerms(value, [&](TermId &term) {
    const auto found = after(carried_[at++], count);
    isKnown &= found.has_value();
    if (found) term = *found;
  });
  return isKnown ? value : Meaning();
}

std::optional<TermId> CarriedValues::after(const CarriedTerm &carried,
                                           TermId count) {
  if (carried.renewed)
    return terms_.inIteration(*carried.renewed, loop_, count);
  if (!carried.step) return std::nullopt;
  const int32_t bits = terms_[*carried.step].bits;
  const TermId added = terms_.make(
      TermKind::Mul, bits,
      {terms_.make(TermKind::Truncate, bits, {count}), *carried.step});
  if (carried.isPointer)
    return terms_.make(TermKind::PointerAdd, 64, {carried.start, added});
  return terms_.make(TermKind::Add, bits, {carried.start, added});
}

}  // namespace indexical::triton
