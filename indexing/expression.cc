#include "indexical/indexing/expression.h"

#include <algorithm>
#include <cassert>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/fold.h"

namespace indexical {
namespace {

constexpr int64_t kSmallest = INT64_MIN;

// Sums of products by odd constants: the multiplications do not wait for each
// other, and the high half, which depends on every bit, is folded down.
constexpr uint64_t kMix[] = {0x9e3779b97f4a7c15ull, 0xc2b2ae3d27d4eb4full,
                             0x165667b19e3779f9ull, 0xff51afd7ed558ccdull};

uint64_t fold(uint64_t hash) { return hash ^ (hash >> 32); }

uint64_t hashAtom(const Atom &atom) {
  uint64_t what = (static_cast<uint64_t>(atom.a) << 32 | atom.b) +
                  (static_cast<uint64_t>(atom.kind) << 29);
  return fold(what * kMix[0] + static_cast<uint64_t>(atom.stride) * kMix[1] +
              static_cast<uint64_t>(atom.modulus) * kMix[2]);
}

uint64_t hashForm(llvm::ArrayRef<Term> terms, int64_t constant) {
  uint64_t h = terms.size() + static_cast<uint64_t>(constant) * kMix[3];
  for (const Term &term : terms)
    h = (h ^ (h >> 29)) * kMix[2] + term.atom * kMix[0] +
        static_cast<uint64_t>(term.coefficient) * kMix[1];
  return fold(h * kMix[3]);
}

template <typename T>
int compare(const T &x, const T &y) {
  return x < y ? -1 : y < x ? 1 : 0;
}

}  // namespace

std::optional<Atom> digitOfDigit(const Atom &inner, int64_t stride,
                                 int64_t modulus) {
  Atom digit = inner;
  auto both = checkedMul(inner.stride, stride);
  if (!both) return std::nullopt;
  digit.stride = *both;
  digit.modulus = modulus;
  if (inner.modulus == 0) return digit;
  // The inner modulus must be a multiple of the stride, so that the inner digit
  // ends at a cut of the new one.
  if (inner.modulus % stride != 0 || !checkedMul(inner.stride, inner.modulus))
    return std::nullopt;
  const int64_t left = inner.modulus / stride;
  if (modulus == 0) digit.modulus = left;
  if (modulus != 0 && left % modulus != 0) return std::nullopt;
  return digit;
}

//===-- ExpressionTable ---------------------------------------------------===//

bool ExpressionTable::isSumOfVariables(FormId form) const {
  return llvm::all_of(terms(form), [&](const Term &term) {
    return atoms_[term.atom].kind == AtomKind::Variable;
  });
}

std::optional<VariableId> ExpressionTable::asVariable(FormId form) const {
  auto atom = asAtom(form);
  if (!atom || atoms_[*atom].kind != AtomKind::Variable) return std::nullopt;
  return atoms_[*atom].variable();
}

int ExpressionTable::compareAtoms(AtomId x, AtomId y) const {
  if (x == y) return 0;
  const Atom &a = atoms_[x], &b = atoms_[y];
  if (int c = compare(a.leadVariable, b.leadVariable)) return c;
  if (int c = compare(a.kind, b.kind)) return c;
  if (a.kind == AtomKind::Variable) return compare(a.a, b.a);
  if (int c = compareForms(a.a, b.a)) return c;
  if (a.kind == AtomKind::PositivePart) return 0;
  if (a.kind != AtomKind::Digit) return compareForms(a.b, b.b);
  if (int c = compare(b.stride, a.stride)) return c;  // high digits first
  return compare(a.modulus, b.modulus);
}

int ExpressionTable::compareForms(FormId x, FormId y) const {
  if (x == y) return 0;
  llvm::ArrayRef<Term> a = terms(x), b = terms(y);
  for (size_t i = 0, n = std::min(a.size(), b.size()); i < n; ++i) {
    if (int c = compareAtoms(a[i].atom, b[i].atom)) return c;
    if (int c = compare(a[i].coefficient, b[i].coefficient)) return c;
  }
  if (int c = compare(a.size(), b.size())) return c;
  return compare(constant(x), constant(y));
}

namespace {

/// The terms of a form's text: a domain (fold.h).
struct WrittenSize {
  using Value = int64_t;
  // Two of them are no more than 64 bits hold.
  static constexpr int64_t kMost = int64_t{1} << 61;

  int64_t sum(const ValuedSum<int64_t> &form) const {
    int64_t size = 1;
    for (size_t i = 0; i < form.size(); ++i)
      size = std::min(kMost, size + form.value(i));
    return size;
  }
  int64_t variable(VariableId) const { return 1; }
  int64_t digit(const ValuedSum<int64_t> &parent, int64_t, int64_t) const {
    return sum(parent);
  }
  int64_t product(const ValuedSum<int64_t> &a,
                  const ValuedSum<int64_t> &b) const {
    return std::min(kMost, sum(a) + sum(b));
  }
  int64_t quotient(const ValuedSum<int64_t> &a,
                   const ValuedSum<int64_t> &b) const {
    return product(a, b);
  }
  int64_t remainder(const ValuedSum<int64_t> &a,
                    const ValuedSum<int64_t> &b) const {
    return product(a, b);
  }
  int64_t positivePart(const ValuedSum<int64_t> &parent) const {
    return sum(parent);
  }
};

}  // namespace

bool ExpressionTable::haveParts() const {
  return llvm::any_of(atoms_, [](const Atom &atom) {
    return atom.kind == AtomKind::PositivePart;
  });
}

int64_t ExpressionTable::writtenSize(FormId form) const {
  return Fold<WrittenSize>(*this, {})(form);
}

void ExpressionTable::visitVariables(
    llvm::ArrayRef<FormId> forms,
    llvm::function_ref<void(VariableId)> visit) const {
  llvm::SmallVector<bool, 32> seen(atoms_.size(), false);
  llvm::SmallVector<FormId, 8> stack(forms.begin(), forms.end());
  while (!stack.empty())
    for (const Term &term : terms(stack.pop_back_val())) {
      if (seen[term.atom]) continue;
      seen[term.atom] = true;
      const Atom &atom = atoms_[term.atom];
      if (const auto variable = atom.asVariable()) visit(*variable);
      llvm::append_range(stack, atom.operands());
    }
}

bool ExpressionTable::operator==(const ExpressionTable &other) const {
  return atoms_ == other.atoms_ && forms_ == other.forms_ &&
         terms_ == other.terms_;
}

size_t ExpressionTable::hash() const {
  uint64_t h = atoms_.size();
  for (const Atom &atom : atoms_) h = fold(h * kMix[0] + hashAtom(atom));
  for (FormId form = 0; form < forms_.size(); ++form)
    h = fold(h * kMix[0] + hashForm(terms(form), forms_[form].constant));
  return h;
}

//===-- ExpressionStore ---------------------------------------------------===//

void ExpressionStore::assign(const ExpressionTable &table) {
  ownAtoms_.assign(table.atoms_.begin(), table.atoms_.end());
  ownForms_.assign(table.forms_.begin(), table.forms_.end());
  ownTerms_.assign(table.terms_.begin(), table.terms_.end());
  atoms_ = ownAtoms_;
  forms_ = ownForms_;
  terms_ = ownTerms_;
}

void ExpressionStore::clearArrays() {
  ownAtoms_.clear();
  ownForms_.clear();
  ownTerms_.clear();
  atoms_ = {};
  forms_ = {};
  terms_ = {};
}

void ExpressionStore::addForm(llvm::ArrayRef<Term> terms, int64_t constant) {
  FormData data;
  data.constant = constant;
  data.firstTerm = ownTerms_.size();
  data.termCount = terms.size();
  ownTerms_.append(terms.begin(), terms.end());
  ownForms_.push_back(data);
  terms_ = ownTerms_;
  forms_ = ownForms_;
}

//===-- ExpressionAlgebra -------------------------------------------------===//

FormId ExpressionAlgebra::floorDivBy(FormId a, int64_t divisor) {
  assert(divisor != 0 && divisor != kSmallest);
  if (divisor > 0) return digit(a, divisor, 0);
  return digit(scale(a, -1), -divisor, 0);
}

//===-- ExpressionPool ----------------------------------------------------===//

void ExpressionPool::clear() {
  clearArrays();
  // Keeps as many slots as were needed, if that is not much to wipe.
  constexpr size_t kFewest = 32, kMost = 512;
  for (auto *slots : {&atomSlots_, &formSlots_})
    slots->assign(std::clamp(slots->size(), kFewest, kMost), 0);
  for (auto &kind : variables_) kind.clear();
  overflowed_ = false;
  haveParts_ = false;
}

bool ExpressionPool::recycle() {
  constexpr uint32_t kMostForms = 1 << 14;
  if (formCount() > kMostForms) return false;
  clear();
  return true;
}

void ExpressionPool::adopt(const ExpressionTable &table, uint32_t rangeShift,
                           uint32_t runtimeShift) {
  assign(table);
  haveParts_ = table.haveParts();
  // All variables of a kind move by the same number, so that the order of
  // atoms, and with it that of terms, stays.
  if (rangeShift || runtimeShift)
    for (Atom &atom : ownAtoms()) {
      if (atom.kind != AtomKind::Variable) {
        atom.leadVariable = leadOf(atom);
        continue;
      }
      VariableId id = atom.variable();
      if (id.kind == VariableKind::Range) id.index += rangeShift;
      if (id.kind == VariableKind::Runtime) id.index += runtimeShift;
      atom.a = atom.leadVariable = id.key();
    }
  auto slotsFor = [](size_t count, size_t slots) {
    while (slots < count * 4) slots *= 2;
    return slots;
  };
  placeAtoms(slotsFor(atoms_.size(), atomSlots_.size()));
  placeForms(slotsFor(forms_.size(), formSlots_.size()));
}

void ExpressionPool::placeAtoms(size_t size) {
  atomSlots_.assign(size, 0);
  for (uint32_t i = 0; i < atoms_.size(); ++i) {
    size_t slot = hashAtom(atoms_[i]) & (size - 1);
    while (atomSlots_[slot]) slot = (slot + 1) & (size - 1);
    atomSlots_[slot] = i + 1;
  }
}

void ExpressionPool::placeForms(size_t size) {
  formSlots_.assign(size, 0);
  for (uint32_t i = 0; i < forms_.size(); ++i) {
    size_t slot = hashForm(terms(i), forms_[i].constant) & (size - 1);
    while (formSlots_[slot]) slot = (slot + 1) & (size - 1);
    formSlots_[slot] = i + 1;
  }
}

AtomId ExpressionPool::internAtom(Atom atom) {
  size_t mask = atomSlots_.size() - 1;
  size_t slot = hashAtom(atom) & mask;
  for (; atomSlots_[slot]; slot = (slot + 1) & mask)
    if (atoms_[atomSlots_[slot] - 1] == atom) return atomSlots_[slot] - 1;
  atom.leadVariable = leadOf(atom);
  addAtom(atom);
  haveParts_ |= atom.kind == AtomKind::PositivePart;
  atomSlots_[slot] = atoms_.size();
  if (atoms_.size() * 2 > atomSlots_.size()) placeAtoms(atomSlots_.size() * 2);
  return atoms_.size() - 1;
}

FormId ExpressionPool::internForm(llvm::ArrayRef<Term> sorted,
                                  int64_t constant) {
  size_t mask = formSlots_.size() - 1;
  size_t slot = hashForm(sorted, constant) & mask;
  for (; formSlots_[slot]; slot = (slot + 1) & mask) {
    FormId id = formSlots_[slot] - 1;
    if (forms_[id].constant == constant && terms(id) == sorted) return id;
  }
  addForm(sorted, constant);
  formSlots_[slot] = forms_.size();
  if (forms_.size() * 2 > formSlots_.size()) placeForms(formSlots_.size() * 2);
  return forms_.size() - 1;
}

uint32_t ExpressionPool::leadOf(const Atom &atom) const {
  if (const auto variable = atom.asVariable()) return variable->key();
  uint32_t lead = UINT32_MAX;
  for (const FormId form : atom.operands()) lead = std::min(lead, leadOf(form));
  return lead;
}

uint32_t ExpressionPool::leadOf(FormId form) const {
  uint32_t lead = UINT32_MAX;
  for (const Term &term : terms(form))
    lead = std::min(lead, atoms_[term.atom].leadVariable);
  return lead;
}

FormId ExpressionPool::form(llvm::MutableArrayRef<Term> terms,
                            int64_t constant) {
  // Most terms come sorted, and what does not belong further up.
  for (size_t i = 1; i < terms.size(); ++i) {
    if (compareAtoms(terms[i].atom, terms[i - 1].atom) >= 0) continue;
    Term *at = std::upper_bound(terms.begin(), &terms[i - 1], terms[i],
                                [&](const Term &x, const Term &y) {
                                  return compareAtoms(x.atom, y.atom) < 0;
                                });
    std::rotate(at, &terms[i], &terms[i] + 1);
  }
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    Term sum = terms[i++];
    for (; i < terms.size() && terms[i].atom == sum.atom; ++i)
      if (__builtin_add_overflow(sum.coefficient, terms[i].coefficient,
                                 &sum.coefficient))
        overflowed_ = true;
    if (sum.coefficient == kSmallest) overflowed_ = true;
    if (sum.coefficient != 0) terms[kept++] = sum;
  }
  if (constant == kSmallest) overflowed_ = true;
  if (overflowed_) return internForm({}, 0);
  return internForm(terms.take_front(kept), constant);
}

FormId ExpressionPool::atomForm(AtomId atom) {
  Term term{atom, 1};
  return internForm(term, 0);
}

FormId ExpressionPool::variable(VariableId id) {
  auto &known = variables_[static_cast<int>(id.kind)];
  if (id.index < known.size() && known[id.index]) return known[id.index] - 1;
  Atom atom;
  atom.kind = AtomKind::Variable;
  atom.a = id.key();
  FormId form = atomForm(internAtom(atom));
  if (known.size() <= id.index) known.resize(id.index + 1, 0);
  known[id.index] = form + 1;
  return form;
}

FormId ExpressionPool::linear(llvm::ArrayRef<ScaledForm> parts,
                              int64_t constant) {
  llvm::SmallVector<Term, 16> sum;
  for (const ScaledForm &part : parts) {
    if (part.coefficient == 0) continue;
    int64_t scaled;
    if (__builtin_mul_overflow(forms_[part.form].constant, part.coefficient,
                               &scaled) ||
        __builtin_add_overflow(constant, scaled, &constant)) {
      overflowed_ = true;
      return internForm({}, 0);
    }
    for (const Term &term : terms(part.form)) {
      int64_t coefficient;
      if (__builtin_mul_overflow(term.coefficient, part.coefficient,
                                 &coefficient)) {
        overflowed_ = true;
        return internForm({}, 0);
      }
      sum.push_back({term.atom, coefficient});
    }
  }
  return form(sum, constant);
}

FormId ExpressionPool::digit(FormId form, int64_t stride, int64_t modulus) {
  assert(stride >= 1 && modulus >= 0);
  if (stride == 1 && modulus == 0) return form;
  if (modulus == 1) return internForm({}, 0);
  if (isConstant(form)) {
    int64_t value = indexical::floorDiv(constant(form), stride);
    return internForm({}, modulus ? floorMod(value, modulus) : value);
  }
  Atom atom;
  atom.kind = AtomKind::Digit;
  atom.a = form;
  atom.stride = stride;
  atom.modulus = modulus;
  if (stride == 1) {  // (P floordiv s) mod n is one digit
    auto inner = asAtom(form);
    if (inner && atoms_[*inner].kind == AtomKind::Digit &&
        atoms_[*inner].modulus == 0) {
      atom.a = atoms_[*inner].a;
      atom.stride = atoms_[*inner].stride;
    }
  }
  return atomForm(internAtom(atom));
}

FormId ExpressionPool::product(FormId a, FormId b) {
  if (isConstant(a)) return scale(b, constant(a));
  if (isConstant(b)) return scale(a, constant(b));
  if (compareForms(b, a) < 0) std::swap(a, b);
  Atom atom;
  atom.kind = AtomKind::Product;
  atom.a = a;
  atom.b = b;
  return atomForm(internAtom(atom));
}

FormId ExpressionPool::quotient(FormId a, FormId b) {
  if (isConstant(b) && constant(b) != 0) return floorDivBy(a, constant(b));
  if (isConstant(a, 0)) return a;
  Atom atom;
  atom.kind = AtomKind::Quotient;
  atom.a = a;
  atom.b = b;
  return atomForm(internAtom(atom));
}

FormId ExpressionPool::remainder(FormId a, FormId b) {
  if (isConstant(b) && constant(b) > 0) return digit(a, 1, constant(b));
  if (isConstant(a, 0)) return a;
  Atom atom;
  atom.kind = AtomKind::Remainder;
  atom.a = a;
  atom.b = b;
  return atomForm(internAtom(atom));
}

FormId ExpressionPool::positivePart(FormId form) {
  if (isConstant(form))
    return internForm({}, std::max<int64_t>(constant(form), 0));
  Atom atom;
  atom.kind = AtomKind::PositivePart;
  atom.a = form;
  // max(max(P, 0) - c, 0) is max(P - c, 0), of which a clamp is made.
  const llvm::ArrayRef<Term> terms = this->terms(form);
  if (terms.size() == 1 && terms[0].coefficient == 1 && constant(form) <= 0) {
    const Atom inner = atoms_[terms[0].atom];
    if (inner.kind == atom.kind &&
        checkedAdd(constant(inner.a), constant(form)) > kSmallest)
      atom.a = shift(inner.a, constant(form));
  }
  return atomForm(internAtom(atom));
}

//===-- ExpressionImport --------------------------------------------------===//

FormId ExpressionImport::operator()(FormId form) {
  if (forms_.size() <= form) forms_.resize(form + 1, -1);
  if (forms_[form] >= 0) return forms_[form];
  llvm::SmallVector<ScaledForm, 8> parts;
  for (const Term &term : from_.terms(form))
    parts.push_back({atom(term.atom), term.coefficient});
  FormId result = to_.linear(parts, from_.constant(form));
  forms_[form] = result;
  return result;
}

void ExpressionImport::seed(FormId form, FormId imported) {
  if (forms_.size() <= form) forms_.resize(form + 1, -1);
  forms_[form] = imported;
}

/// A digit of a digit may be one digit of the innermost form. If the algebra
/// wants it so, the digits between are not imported.
FormId ExpressionImport::digit(const Atom &atom) {
  Atom flat = atom;
  while (auto inner = from_.asAtom(flat.a)) {
    if (from_.atom(*inner).kind != AtomKind::Digit) break;
    auto one = digitOfDigit(from_.atom(*inner), flat.stride, flat.modulus);
    if (!one) break;
    flat = *one;
  }
  if (!(flat == atom)) {
    const FormId parent = (*this)(flat.a);
    if (to_.wantsDigitsFlat(parent))
      return to_.digit(parent, flat.stride, flat.modulus);
  }
  return to_.digit((*this)(atom.a), atom.stride, atom.modulus);
}

FormId ExpressionImport::atom(AtomId id) {
  if (atoms_.size() <= id) atoms_.resize(id + 1, -1);
  if (atoms_[id] >= 0) return atoms_[id];
  const Atom &atom = from_.atom(id);
  const FormId result =
      atom.kind == AtomKind::Digit
          ? digit(atom)
          : valueOfAtom(atom, AlgebraDomain{to_, replace_}, *this);
  atoms_[id] = result;
  return result;
}

//===-- FrozenExpressions -------------------------------------------------===//

FrozenExpressions::FrozenExpressions(const ExpressionTable &from,
                                     llvm::MutableArrayRef<FormId> forms) {
  llvm::SmallVector<int64_t, 32> formMap(from.formCount(), -1);
  llvm::SmallVector<int64_t, 32> atomMap(from.atomCount(), -1);
  for (FormId &form : forms) form = copy(from, form, formMap, atomMap);
}

FormId FrozenExpressions::copy(const ExpressionTable &from, FormId form,
                               llvm::MutableArrayRef<int64_t> formMap,
                               llvm::MutableArrayRef<int64_t> atomMap) {
  if (formMap[form] >= 0) return formMap[form];
  llvm::SmallVector<Term, 8> sum;
  for (const Term &term : from.terms(form)) {
    if (atomMap[term.atom] < 0) {
      Atom atom = from.atom(term.atom);
      const Operands operands = atom.operands();
      if (operands.size() > 0)
        atom.a = copy(from, operands[0], formMap, atomMap);
      if (operands.size() > 1)
        atom.b = copy(from, operands[1], formMap, atomMap);
      atomMap[term.atom] = atoms_.size();
      addAtom(atom);
    }
    sum.push_back({static_cast<AtomId>(atomMap[term.atom]), term.coefficient});
  }
  formMap[form] = formCount();
  addForm(sum, from.constant(form));
  return formMap[form];
}

}  // namespace indexical
