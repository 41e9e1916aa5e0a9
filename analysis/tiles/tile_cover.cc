// The smallest box around the elements that a tile reads, if these are no tile.
//
//   (d0) -> (d0 mod 8), tile 6 at o0: from o0 mod 8 to (o0 + 5) mod 8, but from
//   0 to 7 where (o0 + 5) floordiv 8 is more than o0 floordiv 8
#include "indexical/analysis/tiles/tile_maker.h"

namespace indexical {

TileMaker::Ends TileMaker::endsOfDimension(uint32_t k) {
  const Side &side = sides_[k];
  const Interval &bounds = side.bounds;
  Ends ends;
  ends.least = side.offset;
  if (bounds.lower > 0 && !f_.isNumber(side.stride))
    return {f_.number(bounds.lower),
            lastIndex(side).value_or(f_.number(bounds.upper)), false};
  const FormId raw = rawCount(side);
  if (bounds.lower > 0) {
    const int64_t stride = f_.valueOf(side.stride);
    const FormId before =
        f_.positive(f_.sub(f_.number(bounds.lower), side.offset));
    ends.least =
        f_.add(side.offset, f_.scale(f_.ceilDiv(before, stride), stride));
  }
  const bool isNarrow = side.isNarrow();
  FormId more = f_.shift(raw, -1);
  if (isNarrow) more = f_.positive(more);
  ends.greatest = f_.add(ends.least, f_.product(more, side.stride));
  return ends;
}

/// Returns an upper bound of the distance between neighbouring values of a
/// form.
int64_t TileMaker::gapOf(FormId form) {
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> parts;  // gap, count
  for (const Term &term : table_.terms(form)) {
    if (isParameter(term.atom)) continue;
    const Atom &atom = table_.atom(term.atom);
    if (atom.kind != AtomKind::Variable) return Interval::kInfinity;
    const VariableId variable = atom.variable();
    const int64_t size = std::abs(term.coefficient);
    if (variable.kind != VariableKind::Dimension) {
      parts.push_back({size, map_.variable(variable).bounds.count()});
      continue;
    }
    const Side &side = sides_[variable.index];
    if (!f_.isNumber(side.stride)) return Interval::kInfinity;
    parts.push_back({boundedProduct(size, f_.valueOf(side.stride)),
                     std::max<int64_t>(1, f_.bounds(rawCount(side)).lower)});
  }
  llvm::sort(parts);
  int64_t widest = 0, reach = 0;
  for (auto [gap, count] : parts) {
    widest = std::max(widest, gap - reach);
    reach = boundedSum(reach, boundedProduct(gap, count - 1));
  }
  return widest;
}

TileMaker::Ends TileMaker::endsOfAtom(AtomId id) {
  const Atom &atom = table_.atom(id);
  if (isParameter(id)) {
    const FormId value = valueAt(id);
    return {value, value, true};
  }
  if (atom.kind == AtomKind::Variable &&
      atom.variable().kind == VariableKind::Dimension)
    return endsOfDimension(atom.variable().index);
  if (atom.kind == AtomKind::Variable &&
      atom.variable().kind == VariableKind::Range)
    if (const auto end = rangeEnds_[atom.variable().index])
      return {f_.number(map_.variable(atom.variable()).bounds.lower),
              f_.shift(*end, -1), true};
  if (const auto ends = endsOfOpen(atom)) return *ends;
  if (atom.kind != AtomKind::Digit) {
    const Interval bounds = ownAtomBounds(id);
    return {f_.number(bounds.lower), f_.number(bounds.upper),
            atom.kind == AtomKind::Variable &&
                atom.variable().kind == VariableKind::Range};
  }
  const bool isRestricted = llvm::any_of(residues_, [&](const Residue &r) {
    return table_.terms(r.parent) == table_.terms(atom.a);
  });
  // Runs of digits may be under conditions; those of variables are not.
  if (isRestricted && gapOf(atom.a) <= 1)
    if (auto run = residueRun(sumOf(atom.a), atom.a, atom))
      return {run->first, f_.add(run->first, f_.shift(run->cut, -1)), true};
  const Ends parent = endsOfForm(atom.a);
  Ends ends;
  ends.exact = parent.exact && !isRestricted;
  ends.least = f_.digit(parent.least, atom.stride, atom.modulus);
  ends.greatest = f_.digit(parent.greatest, atom.stride, atom.modulus);
  int64_t period;
  if (!atom.modulus) return ends;
  if (__builtin_mul_overflow(atom.stride, atom.modulus, &period))
    return {f_.number(0), f_.number(atom.modulus - 1), false};
  // If the parent passes a whole period, the digit has its greatest and its
  // least value, unless the parent's steps leave these out.
  const FormId passes =
      f_.step(f_.shift(f_.sub(f_.floorDiv(parent.greatest, period),
                              f_.floorDiv(parent.least, period)),
                       -1));
  if (!f_.isNumber(passes, 0) && gapOf(atom.a) > atom.stride)
    ends.exact = false;
  const FormId stays = f_.shift(f_.scale(passes, -1), 1);
  ends.least = f_.product(ends.least, stays);
  ends.greatest = f_.add(f_.product(ends.greatest, stays),
                         f_.scale(passes, atom.modulus - 1));
  return ends;
}

/// Returns the ends of a form. They are exact if its terms have no variable in
/// common.
TileMaker::Ends TileMaker::endsOfForm(FormId form) {
  Ends ends;
  ends.least = ends.greatest = f_.number(table_.constant(form));
  llvm::DenseSet<uint32_t> seen;
  for (const Term &term : table_.terms(form)) {
    const Ends part = endsOfAtom(term.atom);
    const int64_t c = term.coefficient;
    ends.least =
        f_.add(ends.least, f_.scale(c > 0 ? part.least : part.greatest, c));
    ends.greatest =
        f_.add(ends.greatest, f_.scale(c > 0 ? part.greatest : part.least, c));
    ends.exact &= part.exact;
    if (isParameter(term.atom)) continue;
    llvm::SmallVector<uint32_t, 4> own;
    const Atom &atom = table_.atom(term.atom);
    auto note = [&](VariableId id) { own.push_back(id.key()); };
    if (const auto variable = atom.asVariable()) note(*variable);
    for (const FormId operand : atom.operands())
      table_.visitVariables(operand, note);
    for (uint32_t key : own)
      ends.exact &= VariableId::fromKey(key).kind == VariableKind::Runtime ||
                    seen.insert(key).second;
  }
  return ends;
}

TileMaker::Ends TileMaker::endsOfResult(size_t result) {
  const FormId form = map_.results()[result];
  const auto terms = table_.terms(form);
  if (terms.size() != 1 || cutByShape_[result] != terms[0].atom)
    return endsOfForm(form);
  const Atom &atom = table_.atom(terms[0].atom);
  if (atom.kind != AtomKind::Variable) return endsOfForm(form);
  const Side &side = sides_[atom.variable().index];
  const int64_t c = terms[0].coefficient;
  if (std::abs(c) != 1 || !f_.isNumber(side.stride, 1)) return endsOfForm(form);
  const FormId first =
      f_.shift(f_.scale(side.offset, c), table_.constant(form));
  const FormId last = f_.add(first, f_.scale(f_.shift(side.size, -1), c));
  return c > 0 ? Ends{first, last, true} : Ends{last, first, true};
}

/// Whether no constraint ties a result to another one, or to another
/// constraint.
bool TileMaker::areConstraintsApart() const {
  llvm::DenseMap<uint32_t, int> results, constraints;
  auto count = [&](FormId form, llvm::DenseMap<uint32_t, int> &counts) {
    table_.visitVariables(form, [&](VariableId id) {
      if (id.kind != VariableKind::Runtime) ++counts[id.key()];
    });
  };
  for (FormId form : map_.results()) count(form, results);
  for (auto [i, c] : llvm::enumerate(map_.constraints()))
    if (!isEnd_[i]) count(c.form, constraints);
  return llvm::all_of(constraints, [&](const auto &entry) {
    return entry.second == 1 && results.lookup(entry.first) <= 1;
  });
}

absl::StatusOr<SymbolicTile> TileMaker::makeCover() {
  used_.assign(sides_.size(), false);
  llvm::DenseSet<FormId> parents;
  for (FormId result : map_.results()) use(result, parents);
  chooseCutByShape();
  if (!addConstraints() || !conditions_.empty() || hasFailed_) {
    gates_.clear();
    clips_.clear();
    clipped_.clear();
    residues_.clear();
    coverIsLeast_ = !hasConditions() && sizeGates_.empty();
  }
  if (!areConstraintsApart()) coverIsLeast_ = false;
  for (Side &side : sides_)
    if (side.isNarrow()) {
      if (f_.isNumber(side.stride) || side.bounds.lower == 0)
        addGate(f_.step(f_.shift(rawCount(side), -1)));
      else
        coverIsLeast_ = false;
    }
  llvm::SmallVector<Progression, 6> parts;
  for (size_t j = 0; j < map_.results().size(); ++j) {
    Ends ends = endsOfResult(j);
    if (f_.pool.writtenSize(ends.least) + f_.pool.writtenSize(ends.greatest) >
        kMostTerms) {
      const Interval all = ownBounds(map_.results()[j]);
      ends = {f_.number(all.lower), f_.number(all.upper), false};
    }
    coverIsLeast_ &= ends.exact;
    for (const Clip &clip : clips_) {
      if (clip.result != j) continue;
      if (clip.lower) ends.least = f_.larger(ends.least, *clip.lower);
      if (clip.upper) ends.greatest = f_.smaller(ends.greatest, *clip.upper);
    }
    const bool isCut = llvm::is_contained(clipped_, j);
    if (isCut && gapOf(map_.results()[j]) > 1) coverIsLeast_ = false;
    const FormId count = f_.shift(f_.sub(ends.greatest, ends.least), 1);
    parts.push_back(
        {ends.least, isCut ? f_.positive(count) : count, f_.number(1)});
  }
  coverIsLeast_ &= addGates(parts);
  if (!f_.hasFailed())
    if (absl::StatusOr<SymbolicTile> tile = build(parts, false); tile.ok())
      return tile;
  // If the box leaves 64 bits, or has no bounds, the answer is all of the
  // tensor.
  coverIsLeast_ = false;
  TileMaker whole(map_, root_, shape_, open_);
  parts.clear();
  for (size_t j = 0; j < shape_.size(); ++j) {
    // If the size is not known, a very large number stands for it: the shape
    // cuts the rest.
    const FormId size = whole.shapeEnds_[j].value_or(
        whole.f_.number(shape_[j] < 0 ? int64_t{1} << 62 : shape_[j]));
    parts.push_back({whole.f_.number(0), size, whole.f_.number(1)});
  }
  return whole.build(parts, false);
}

}  // namespace indexical
