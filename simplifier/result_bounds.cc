#include "indexical/simplifier/result_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

Interval ResultBounds::operator()(FormId form) {
  llvm::SmallVector<Term, 8> rest(table_.terms(form));
  Interval sum = Interval::point(table_.constant(form));
  auto inRest = [&](const Term &term) {
    return llvm::find_if(
        rest, [&](const Term &other) { return other.atom == term.atom; });
  };
  for (const Constraint &c : constraints_) {
    const llvm::ArrayRef<Term> part = table_.terms(c.form);
    if (part.size() < 2 || part.size() > rest.size()) continue;
    const auto first = inRest(part[0]);
    if (first == rest.end()) continue;
    const int64_t factor = first->coefficient / part[0].coefficient;
    auto isInRest = [&](const Term &term) {
      const auto found = inRest(term);
      return found != rest.end() &&
             checkedMul(term.coefficient, factor) == found->coefficient;
    };
    if (!llvm::all_of(part, isInRest)) continue;
    sum.add(facts_.bounds(c.form), factor);
    for (const Term &term : part) rest.erase(inRest(term));
  }
  takeFloorsInSums(rest, sum);
  for (const Term &term : rest) sum.add(atom(term.atom), term.coefficient);
  return sum.intersect(facts_.bounds(form));
}

// `d0 * 16 + d1 in [16, 31]` is all that the domain keeps of
// `d0 * 2 + d1 floordiv 8 in [2, 3]`: the quotient of the constraint by 8.
void ResultBounds::takeFloorsInSums(llvm::SmallVectorImpl<Term> &rest,
                                    Interval &sum) {
  auto find = [](llvm::ArrayRef<Term> terms, AtomId id) {
    return llvm::find_if(terms, [&](const Term &t) { return t.atom == id; });
  };
  for (const Constraint &c : constraints_) {
    const llvm::ArrayRef<Term> whole = table_.terms(c.form);
    const llvm::SmallVector<Term, 8> all(rest.begin(), rest.end());
    for (const Term &floor : all) {
      const Atom &digit = table_.atom(floor.atom);
      if (digit.kind != AtomKind::Digit || digit.modulus != 0) continue;
      const int64_t stride = digit.stride;
      const llvm::ArrayRef<Term> parent = table_.terms(digit.a);
      const auto constant =
          checkedSub(table_.constant(c.form), table_.constant(digit.a));
      if (!constant || *constant % stride != 0 ||
          !llvm::all_of(parent, [&](const Term &t) {
            return find(whole, t.atom) != whole.end();
          }))
        continue;
      // The constraint without the parent is the others times the stride.
      llvm::SmallVector<AtomId, 4> others;
      const bool isAll = llvm::all_of(whole, [&](const Term &t) {
        const auto inParent = find(parent, t.atom);
        const auto left =
            checkedSub(t.coefficient,
                       inParent == parent.end() ? 0 : inParent->coefficient);
        if (!left || *left % stride != 0) return false;
        if (*left == 0) return true;
        // Beside its parent the floor would count twice.
        if (t.atom == floor.atom) return false;
        others.push_back(t.atom);
        const auto own = find(rest, t.atom);
        return own != rest.end() &&
               checkedMul(*left / stride, floor.coefficient) ==
                   own->coefficient;
      });
      if (!isAll || others.empty() || find(rest, floor.atom) == rest.end())
        continue;
      sum.add(facts_.bounds(c.form).floorDiv(stride) +
                  Interval::point(-(*constant / stride)),
              floor.coefficient);
      others.push_back(floor.atom);
      llvm::erase_if(rest, [&](const Term &t) {
        return llvm::is_contained(others, t.atom);
      });
    }
  }
}

Interval ResultBounds::atom(AtomId id) {
  Interval known = facts_.ofAtom(id);
  const Atom atom = table_.atom(id);
  if (atom.kind != AtomKind::Digit || table_.asVariable(atom.a)) return known;
  if (auto found = atoms_.find(id); found != atoms_.end()) return found->second;
  Interval digit = (*this)(atom.a).floorDiv(atom.stride);
  if (atom.modulus) digit = digit.mod(atom.modulus);
  return atoms_[id] = known.intersect(digit);
}

}  // namespace indexical
