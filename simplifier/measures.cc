#include "indexical/simplifier/measures.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical {

void Measures::restart() {
  forms_.restart();
  families_.restart();
}

Cut Measures::asCut(AtomId id) const {
  if (!isDigit(pool_, id)) return {pool_.atomForm(id), 1, 0};
  const Atom &digit = pool_.atom(id);
  return {digit.a, digit.stride, digit.modulus};
}

bool Measures::standsOn(FormId form, FormId parent) const {
  return llvm::any_of(pool_.terms(form), [&](const Term &term) {
    return isDigit(pool_, term.atom) && pool_.atom(term.atom).a == parent;
  });
}

bool Measures::hasNeighbours(FormId form) const {
  const llvm::ArrayRef<Term> terms = pool_.terms(form);
  auto isBelow = [&](const Term &low, const Term &high) {
    const Atom &x = pool_.atom(low.atom), &y = pool_.atom(high.atom);
    return y.kind == AtomKind::Digit && x.a == y.a && x.modulus &&
           y.stride % x.modulus == 0 && y.stride / x.modulus == x.stride;
  };
  return llvm::any_of(terms, [&](const Term &low) {
    return isDigit(pool_, low.atom) &&
           llvm::any_of(terms,
                        [&](const Term &high) { return isBelow(low, high); });
  });
}

uint64_t Measures::weight(FormId form) {
  if (uint64_t known = forms_[form].weight) return known;
  constexpr uint64_t kMost = uint64_t{1} << 40;
  uint64_t sum = 1;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form)))
    sum += weightOf(term.atom);
  return forms_[form].weight = std::min(sum, kMost);
}

uint64_t Measures::weightOf(AtomId id) {
  const Atom atom = pool_.atom(id);
  if (atom.kind == AtomKind::PositivePart) return 2 + weight(atom.a);
  if (atom.kind != AtomKind::Digit) return 1;
  return 1 + weight(atom.a) + (atom.modulus != 0);
}

namespace {

/// Counts the parts of forms, each form once: a form may be written in many
/// places.
class PartCount {
 public:
  explicit PartCount(const ExpressionTable &table) : table_(table) {}

  Measures::Parts operator()(FormId form) {
    if (const auto known = known_.find(form); known != known_.end())
      return known->second;
    constexpr uint32_t kMost = 1 << 20;
    Measures::Parts parts;
    for (const Term &term : table_.terms(form)) {
      const Atom &atom = table_.atom(term.atom);
      const bool isPart = atom.kind == AtomKind::PositivePart;
      parts.all += isPart;
      for (const FormId operand : atom.operands()) {
        const Measures::Parts inner = (*this)(operand);
        parts.all = std::min(kMost, parts.all + inner.all);
        parts.inside =
            std::min(kMost, parts.inside + (isPart ? inner.all : inner.inside));
      }
    }
    return known_[form] = parts;
  }

 private:
  const ExpressionTable &table_;
  llvm::SmallDenseMap<FormId, Measures::Parts, 8> known_;
};

}  // namespace

Measures::Parts Measures::partsOf(FormId form) {
  return pool_.haveParts() ? PartCount(pool_)(form) : Parts();
}

Measures::Radix Measures::radixOf(FormId form) {
  if (Radix known = forms_[form].radix; known != Radix::Unknown) return known;
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  std::sort(terms.begin(), terms.end(), [](const Term &x, const Term &y) {
    return std::abs(x.coefficient) < std::abs(y.coefficient);
  });
  Interval below = Interval::point(0);
  Radix radix = pool_.constant(form) == 0 ? Radix::Dense : Radix::Sparse;
  for (const Term &term : terms) {
    const int64_t width = below.count();
    if (width == Interval::kInfinity || width > std::abs(term.coefficient))
      return forms_[form].radix = Radix::None;
    const Interval range = facts_.ofAtom(term.atom);
    if (width != term.coefficient || range.lower != 0 || !range.hasUpper())
      radix = Radix::Sparse;
    below = below + range * term.coefficient;
  }
  return forms_[form].radix = radix;
}

/// A bit for each variable: two forms without a common bit have none in common.
uint64_t Measures::variablesOf(FormId form) {
  if (uint64_t known = forms_[form].variables) return known;
  uint64_t all = kAlways;  // there always, so that 0 is "not yet"
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const Atom a = pool_.atom(term.atom);
    if (const auto id = a.asVariable())
      all |= uint64_t{1} << (id->index * 3 + static_cast<int>(id->kind)) % 63;
    for (const FormId operand : a.operands()) all |= variablesOf(operand);
  }
  return forms_[form].variables = all;
}

Measures::Family Measures::familyOf(AtomId id) {
  if (families_[id]) return families_[id];
  constexpr Family kAtom = Family{1} << 30, kForm = Family{1} << 31;
  if (!isDigit(pool_, id)) return families_[id] = kAtom | id;
  const FormId parent = pool_.atom(id).a;
  auto single = pool_.asAtom(parent);
  return families_[id] = single ? kAtom | *single : kForm | parent;
}

}  // namespace indexical
