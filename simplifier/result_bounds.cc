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
  for (const Term &term : rest) sum.add(atom(term.atom), term.coefficient);
  return sum.intersect(facts_.bounds(form));
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
