#include "indexical/cost/tiles/atom_runs.h"

#include <algorithm>
#include <utility>

namespace indexical {

//===-- Variables ---------------------------------------------------------===//

Run AtomRuns::dimensionRun(AtomId atom, const TileDimension &dimension) {
  const Interval &bounds = dimension.bounds;
  if (dimension.isWhole) {  // a range like any other
    Run run = Run::all(f_, bounds);
    run.multiple = dimension.size;
    run.mayLack = dimension.isOpen;
    if (dimension.isOpen) run.full = run.cut = *dimension.end;
    return run;
  }
  Run run;
  run.gap = dimension.stride;
  run.full = run.cut = run.multiple = dimension.size;
  run.first = dimension.offset;
  const bool isNarrow = dimension.isNarrow();
  run.most = std::min(f_.bounds(dimension.size).upper, bounds.count());
  run.mayLack = isNarrow || !f_.isNumber(dimension.stride, 1) ||
                run.most < bounds.count();
  if (isCutByShape(atom)) return run;
  const FormId raw = variables_.countOf(dimension);
  run.cut = isNarrow ? f_.shift(f_.positive(f_.shift(raw, -1)), 1) : raw;
  if (bounds.lower > 0) {
    const FormId before =
        f_.positive(f_.sub(f_.number(bounds.lower), dimension.offset));
    const int64_t stride =
        f_.isNumber(dimension.stride) ? f_.valueOf(dimension.stride) : 1;
    run.first =
        f_.add(dimension.offset, f_.scale(f_.ceilDiv(before, stride), stride));
    run.edges.push_back(bounds.lower);
    if (!f_.isNumber(dimension.stride)) run.floating = run.hasOtherEdges = true;
  }
  if (dimension.isOpen)
    run.hasOtherEdges = true;
  else if (!dimension.divides || bounds.upper < dimension.extent - 1)
    run.edges.push_back(bounds.upper + 1);
  run.hasOtherEdges |= !f_.isNumber(dimension.stride, 1);
  return run;
}

/// Returns all values of a variable that no offset decides.
Run AtomRuns::boundsRun(VariableId variable) {
  const Interval &bounds = variables_.map().variable(variable).bounds;
  Run run = Run::all(f_, bounds);
  std::optional<FormId> end;
  if (variable.kind == VariableKind::Range)
    end = variables_.rangeEnd(variable.index);
  if (end) {
    run.full = run.cut = f_.shift(*end, -bounds.lower);
    run.mayLack = run.hasOtherEdges = true;
  } else if (!bounds.isFinite()) {
    hasFailed_ = true;
  }
  return run;
}

Run AtomRuns::scaledRun(FormId varying, FormId factor) {
  const FormId by = variables_.formAt(factor);
  if (const auto run = product(f_, sumOf(varying), by)) return *run;
  hasFailed_ = true;
  return Run::point(f_, f_.number(0));
}

//===-- Atoms and forms ---------------------------------------------------===//

Run AtomRuns::runOf(AtomId id) {
  if (auto known = runs_.find(id); known != runs_.end()) return known->second;
  const Atom &atom = table_.atom(id);
  const auto variable = atom.asVariable();
  Run run = Run::point(f_, f_.number(0));
  if (variables_.isSingle(id)) {
    run.first = variables_.valueAt(id);
  } else if (variable && variable->kind == VariableKind::Dimension) {
    run = dimensionRun(id, variables_.dimensions()[variable->index]);
  } else if (variable) {
    run = boundsRun(*variable);
  } else if (const auto scaled = variables_.scaledBy(atom)) {
    run = scaledRun(scaled->first, scaled->second);
  } else if (atom.kind == AtomKind::Digit) {
    // The runs are of the digits that results use together. A digit that a
    // constraint alone names is none of them.
    if (uses_.atoms.lookup(id) > 0 && addDigits(atom.a)) return runs_[id];
    hasFailed_ = run.floating = true;
  } else {
    hasFailed_ = true;
  }
  return runs_[id] = run;
}

RunSum AtomRuns::sumOf(FormId form) {
  llvm::SmallVector<ScaledRun, 4> runs;
  for (const Term &term : table_.terms(form))
    runs.push_back({term.coefficient, runOf(term.atom)});
  return RunSum(f_, table_.constant(form), runs);
}

//===-- Digits ------------------------------------------------------------===//

bool AtomRuns::isRestricted(FormId parent) const {
  return llvm::any_of(bounds_, [&](const RemainderBounds &own) {
    return table_.terms(own.parent) == table_.terms(parent);
  });
}

const RemainderBounds *AtomRuns::restrictionOf(const Atom &digit) const {
  if (digit.modulus != 0) return nullptr;
  const auto *found = llvm::find_if(bounds_, [&](const RemainderBounds &own) {
    return own.divisor == digit.stride &&
           table_.terms(own.parent) == table_.terms(digit.a);
  });
  return found == bounds_.end() ? nullptr : found;
}

std::optional<Run> AtomRuns::restrictedRun(const RunSum &parent,
                                           const Atom &digit,
                                           const RemainderBounds &bounds) {
  const int64_t shift =
      table_.constant(bounds.parent) - table_.constant(digit.a);
  const SomeQuotients found =
      quotientsOf(f_, parent, shift, bounds.divisor, bounds.bounds);
  conditions_.addGate(found.isAny);
  return found.run;
}

/// Whether the digits need not know where a tile is cut: it is where the shape
/// ends, or all of them have all of their values there.
bool AtomRuns::isNeverCut(FormId parent, llvm::ArrayRef<AtomId> digits) {
  const auto variable = table_.asVariable(parent);
  if (!variable || variable->kind != VariableKind::Dimension) return false;
  const TileDimension &dimension = variables_.dimensions()[variable->index];
  if (dimension.isOpen || dimension.isNarrow() ||
      !f_.isNumber(dimension.stride, 1))
    return false;
  for (AtomId id : digits)
    if (dimension.extent % table_.atom(id).stride != 0) return false;
  const Atom &top = table_.atom(digits.back());
  if (top.modulus) return dimension.extent / top.stride % top.modulus == 0;
  return isCutByShape(digits.back());
}

/// Finds the runs of all digits of the parent that are used.
bool AtomRuns::addDigits(FormId parent) {
  llvm::SmallVector<AtomId, 4> digits;
  for (const auto &[id, count] : uses_.atoms) {
    const Atom &atom = table_.atom(id);
    if (atom.kind == AtomKind::Digit && atom.a == parent) digits.push_back(id);
  }
  llvm::sort(digits, [&](AtomId x, AtomId y) {
    return std::make_pair(table_.atom(x).stride, table_.atom(x).modulus) <
           std::make_pair(table_.atom(y).stride, table_.atom(y).modulus);
  });
  return addDigits(parent, digits) || conditions_.fail();
}

bool AtomRuns::addDigits(FormId parent, llvm::ArrayRef<AtomId> digits) {
  const RunSum sum = sumOf(parent);
  if (digits.size() == 1) {
    const Atom &digit = table_.atom(digits[0]);
    if (const RemainderBounds *bounds = restrictionOf(digit)) {
      if (sum.widestGap(f_) > 1) return false;
      if (const auto run = restrictedRun(sum, digit, *bounds)) {
        runs_[digits[0]] = *run;
        return true;
      }
    }
  }
  llvm::SmallVector<RunDigit, 4> asked;
  for (AtomId id : digits)
    asked.push_back({table_.atom(id).stride, table_.atom(id).modulus});
  TileRunConditions law(f_);
  const auto runs = digitsOf(
      f_, sum, asked, variables_.bounds(parent),
      isNeverCut(parent, digits) ? TileCuts::DoNotCount : TileCuts::Count, law);
  if (!runs || !conditions_.require(law)) return false;
  for (const auto &[id, run] : llvm::zip_equal(digits, *runs)) runs_[id] = run;
  return true;
}

}  // namespace indexical
