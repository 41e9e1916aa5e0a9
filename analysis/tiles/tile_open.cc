// Tiles of tensors with sizes that are not known.
//
//   (d0, d1){rt0} -> (d1, d0), d0 - rt0 in [-inf, -1], of f32[?,4]
//     to f32[4,?]: the shape cuts at rt0, and so the tile is as it is
//   (d0){rt0} -> (d0 + 1), d0 - rt0 in [-inf, -1], to f32[?] of rt0 + 2
//     elements: of the last tile, o0 + a - rt0 elements are not there
//
// A size is a form of runtime variables. It ends a side of the root, a range,
// or the tensor. A constraint that says no more than that is one of these ends,
// and cuts nothing else.
#include <utility>

#include "indexical/analysis/tiles/tile_maker.h"
#include "indexical/indexing/fold.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace {

/// The end of a variable's values: `variable < form`.
struct End {
  VariableId variable;
  FormId form;
};

/// Returns the end that the constraint gives a variable; nothing if the
/// constraint is not of that form. `toForm` makes forms of the other terms.
template <typename ToForm>
std::optional<End> endIn(const Constraint &constraint,
                         const ExpressionTable &table, TileForms &f,
                         ToForm toForm) {
  std::optional<End> end;
  int64_t sign = 0;
  llvm::SmallVector<std::pair<AtomId, int64_t>, 4> others;
  for (const Term &term : table.terms(constraint.form)) {
    const Atom &atom = table.atom(term.atom);
    if (atom.kind == AtomKind::Variable &&
        atom.variable().kind != VariableKind::Runtime) {
      if (end || std::abs(term.coefficient) != 1) return std::nullopt;
      end = End{atom.variable(), 0};
      sign = term.coefficient;
      continue;
    }
    bool isOfRun = true;
    auto look = [&](VariableId id) {
      isOfRun = isOfRun && id.kind == VariableKind::Runtime;
    };
    if (const auto id = atom.asVariable()) look(*id);
    table.visitVariables(atom.operands(), look);
    if (!isOfRun) return std::nullopt;
    others.push_back({term.atom, term.coefficient});
  }
  const Interval &bounds = constraint.bounds;
  if (!end || others.empty()) return std::nullopt;
  if (sign > 0 ? !bounds.hasUpper() || bounds.hasLower()
               : !bounds.hasLower() || bounds.hasUpper())
    return std::nullopt;
  // variable <= upper - others, or variable <= others - lower.
  llvm::SmallVector<ScaledForm, 4> parts;
  for (auto [atom, coefficient] : others)
    parts.push_back({toForm(atom), -sign * coefficient});
  const int64_t last = sign > 0 ? bounds.upper : bounds.lower;
  int64_t constant = 0;
  if (__builtin_sub_overflow(last, table.constant(constraint.form), &constant))
    return std::nullopt;
  end->form = f.shift(f.pool.linear(parts, sign * constant), 1);
  return end;
}

bool hasSameIndex(const RuntimeVariable &a, const ExpressionTable &tableOfA,
                  const RuntimeVariable &b, const ExpressionTable &tableOfB) {
  if (a.index.size() != b.index.size()) return false;
  for (auto [x, y] : llvm::zip_equal(a.index, b.index))
    if (!tableOfA.isConstant(x) ||
        !tableOfB.isConstant(y, tableOfA.constant(x)))
      return false;
  return true;
}

}  // namespace

/// The runtime variable of another map: the one of this map that is the same
/// value, or a new one.
FormId TileMaker::importRuntime(const IndexingMap &from, uint32_t number) {
  const RuntimeVariable &variable = from.runtime()[number];
  auto isSame = [&](const RuntimeVariable &other,
                    const ExpressionTable &table) {
    return variable.source == other.source && !variable.clamped &&
           !other.clamped && other.collectives.empty() &&
           variable.collectives.empty() &&
           hasSameIndex(variable, from.expressions(), other, table);
  };
  for (auto [i, other] : llvm::enumerate(map_.runtime()))
    if (isSame(other, table_)) return runtime_[i];
  for (auto [i, other] : llvm::enumerate(moreRuntime_))
    if (isSame(other, f_.pool)) return runtime_[map_.runtime().size() + i];
  RuntimeVariable added = variable;
  added.name = "rt" + std::to_string(runtime_.size());
  for (FormId &index : added.index)
    index = from.expressions().isConstant(index)
                ? f_.number(from.expressions().constant(index))
                : f_.number(0);
  moreRuntime_.push_back(std::move(added));
  runtime_.push_back(f_.add(VariableKind::Runtime, variable.bounds));
  return runtime_.back();
}

/// Adds the runtime variable. If a size is outside of its bounds, the map does
/// not hold, and nothing is read: in the tile such a size has all of its values
/// except 0, for which there is no tile.
void TileMaker::addRuntime(const RuntimeVariable &variable) {
  const Interval &bounds = variable.bounds;
  const bool isSize = variable.source.kind == RuntimeSource::Kind::Size;
  if (!isSize || variable.clamped ||
      (bounds.lower <= 1 && variable.source.values().upper <= bounds.upper)) {
    runtime_.push_back(f_.add(VariableKind::Runtime, bounds));
    return;
  }
  const FormId size = f_.add(
      VariableKind::Runtime,
      {std::min<int64_t>(1, bounds.lower), variable.source.values().upper});
  runtime_.push_back(size);
  if (bounds.hasLower()) sizeGates_.push_back(f_.shift(size, -bounds.lower));
  if (bounds.hasUpper())
    sizeGates_.push_back(f_.shift(f_.scale(size, -1), bounds.upper));
}

/// Returns the sizes of a tensor, as numbers or forms; nothing for a size that
/// is not known.
TileMaker::Sizes TileMaker::sizesOf(
    llvm::ArrayRef<int64_t> shape, const std::optional<IndexingMap> &identity) {
  Sizes sizes(shape.size());
  if (!identity || identity->dimensions().size() != shape.size()) {
    for (size_t k = 0; k < shape.size(); ++k)
      if (shape[k] != kDynamicSize) sizes[k] = f_.number(shape[k]);
    return sizes;
  }
  const ExpressionTable &table = identity->expressions();
  auto named = [&](VariableId id) {
    return importRuntime(*identity, id.index);
  };
  ExpressionImport import(table, f_.pool, named);
  auto toForm = [&](AtomId id) {
    // A product is one of sizes; other terms stay as they are.
    struct OfSizes : AlgebraDomain {
      TileForms &forms;
      FormId product(FormId a, FormId b) const { return forms.product(a, b); }
    };
    return valueOfAtom(table.atom(id), OfSizes{{f_.pool, named}, f_}, import);
  };
  for (const Constraint &c : identity->constraints())
    if (const auto end = endIn(c, table, f_, toForm);
        end && end->variable.kind == VariableKind::Dimension &&
        !sizes[end->variable.index])
      sizes[end->variable.index] = end->form;
  for (size_t k = 0; k < shape.size(); ++k)
    if (const Interval &bounds = identity->dimensions()[k].bounds;
        !sizes[k] && bounds.hasUpper())
      sizes[k] = f_.number(bounds.upper + 1);
  return sizes;
}

/// Finds where sides and ranges end. Requires sides, and no uses of them yet.
void TileMaker::findEnds() {
  rangeEnds_.resize(map_.ranges().size());
  isEnd_.assign(map_.constraints().size(), false);
  for (auto [i, constraint] : llvm::enumerate(map_.constraints())) {
    const auto end = endIn(constraint, table_, f_,
                           [&](AtomId atom) { return valueAt(atom); });
    if (!end) continue;
    auto isOneValue = [&] {
      bool is = true;
      for (const Term &term : table_.terms(constraint.form))
        is = is && (table_.atom(term.atom).kind == AtomKind::Variable &&
                            table_.atom(term.atom).variable() == end->variable
                        ? true
                        : isParameter(term.atom));
      return is;
    };
    if (end->variable.kind == VariableKind::Dimension) {
      const Side &side = sides_[end->variable.index];
      // It says that an index is one of the root, or less.
      isEnd_[i] =
          side.end && f_.bounds(f_.sub(end->form, *side.end)).lower >= 0;
      continue;
    }
    auto &known = rangeEnds_[end->variable.index];
    const Interval bounds = map_.variable(end->variable).bounds;
    if (known || !isOneValue() || !bounds.hasLower() || bounds.hasUpper())
      continue;
    known = end->form;
    isEnd_[i] = true;
  }
}

/// The last index of a side that the map's variable may have.
std::optional<FormId> TileMaker::lastIndex(const Side &side) {
  std::optional<FormId> last;
  if (side.bounds.hasUpper()) last = f_.number(side.bounds.upper);
  if (!side.end) return last;
  const FormId own = f_.shift(*side.end, -1);
  // A bound of the root says nothing beside its size.
  if (!last || side.bounds.upper >= side.all.upper) return own;
  return f_.smaller(own, *last);
}

/// Returns the form's value. Requires that each of its atoms has one value.
FormId TileMaker::formAt(FormId form) {
  llvm::SmallVector<ScaledForm, 4> parts;
  for (const Term &term : table_.terms(form))
    parts.push_back({valueAt(term.atom), term.coefficient});
  return f_.pool.linear(parts, table_.constant(form));
}

//===-- Products by sizes -------------------------------------------------===//

/// Whether it is a product by something that has one value, which is not
/// negative: that one comes second.
std::optional<std::pair<FormId, FormId>> TileMaker::scaledBy(const Atom &atom) {
  if (atom.kind != AtomKind::Product) return std::nullopt;
  FormId varying = atom.a, factor = atom.b;
  if (areParameters(varying)) std::swap(varying, factor);
  if (!areParameters(factor) || areParameters(varying)) return std::nullopt;
  if (ownBounds(factor).lower < 0) return std::nullopt;
  return std::make_pair(varying, factor);
}

TileMaker::Run TileMaker::scaledRun(FormId varying, FormId factor) {
  Run run;
  run.gap = run.full = run.cut = run.multiple = f_.number(1);
  const FormId by = formAt(factor);
  const Sum sum = sumOf(varying);
  if (sum.parts.size() > 1) {
    hasFailed_ = true;
    return run;
  }
  if (!sum.parts.empty()) {
    const Part &part = sum.parts[0];
    run = part.run;
    run.gap = f_.product(f_.scale(run.gap, std::abs(part.coefficient)), by);
  }
  run.first = f_.product(sum.least, by);
  run.multiple = f_.number(1);
  run.edges.clear();
  run.hasOtherEdges = run.mayLack = true;
  return run;
}

/// Adds the parts whose distances are no numbers to the progression `all`.
/// Returns whether that is possible: each part must lie around those inside of
/// it, so that it begins where they have ended, as in d0 * rt0 + d1 with all
/// rt0 values of d1.
bool TileMaker::addAround(Progression &all, llvm::MutableArrayRef<Part> parts) {
  llvm::SmallVector<const Part *, 4> open;
  for (const Part &part : parts) open.push_back(&part);
  bool isFirst = f_.isNumber(all.count, 1);
  while (!open.empty()) {
    const FormId reach = f_.product(all.count, all.stride);
    auto next = llvm::find_if(open, [&](const Part *part) {
      return isFirst ||
             f_.scale(part->run.gap, std::abs(part->coefficient)) == reach;
    });
    if (next == open.end() || (isFirst && open.size() > 1)) return false;
    const Part &part = **next;
    if (isFirst)
      all.stride = f_.scale(part.run.gap, std::abs(part.coefficient));
    all.count = f_.product(all.count, part.run.cut);
    isFirst = false;
    open.erase(next);
  }
  return true;
}

/// Returns the ends of a product, quotient or remainder of a size over a tile;
/// nothing for any other atom.
std::optional<TileMaker::Ends> TileMaker::endsOfOpen(const Atom &atom) {
  if (const auto scaled = scaledBy(atom)) {
    Ends ends = endsOfForm(scaled->first);
    const FormId by = formAt(scaled->second);
    ends.least = f_.product(ends.least, by);
    ends.greatest = f_.product(ends.greatest, by);
    return ends;
  }
  if (atom.kind != AtomKind::Quotient && atom.kind != AtomKind::Remainder)
    return std::nullopt;
  if (!areParameters(atom.b) || ownBounds(atom.b).lower < 1)
    return std::nullopt;
  const FormId by = formAt(atom.b);
  if (atom.kind == AtomKind::Remainder)
    return Ends{f_.number(0), f_.shift(by, -1), false};
  Ends ends = endsOfForm(atom.a);
  ends.least = f_.quotient(ends.least, by);
  ends.greatest = f_.quotient(ends.greatest, by);
  return ends;
}

//===-- Cut by the shape --------------------------------------------------===//

/// Like isCutByShape(), if a size of the root or of the tensor is a form.
bool TileMaker::isCutByOpenShape(size_t result, const Term &term) {
  const Atom &atom = table_.atom(term.atom);
  if (atom.kind != AtomKind::Variable ||
      atom.variable().kind != VariableKind::Dimension)
    return false;
  const Side &side = sides_[atom.variable().index];
  std::optional<FormId> end = side.end;
  if (side.bounds.hasUpper() &&
      (!side.isOpen || side.bounds.upper < side.all.upper))
    end = f_.number(side.bounds.upper + 1);
  if (!end || !shapeEnds_[result]) return false;
  Interval rest = Interval::point(0);
  FormId fixed = f_.number(table_.constant(map_.results()[result]));
  for (const Term &other : table_.terms(map_.results()[result])) {
    if (other.atom == term.atom) continue;
    if (isParameter(other.atom))
      fixed = f_.add(fixed, f_.scale(valueAt(other.atom), other.coefficient));
    else
      rest = rest + ownAtomBounds(other.atom) * other.coefficient;
  }
  auto isOutside = [&](FormId value, bool isAbove) {
    const FormId sum = f_.add(fixed, f_.scale(value, term.coefficient));
    if (!isAbove) return (f_.bounds(sum) + rest).upper < 0;
    const FormId past = f_.sub(sum, *shapeEnds_[result]);
    return (f_.bounds(past) + rest).lower >= 0;
  };
  const bool rises = term.coefficient > 0;
  if (side.bounds.lower > 0 &&
      !isOutside(f_.number(side.bounds.lower - 1), !rises))
    return false;
  return isOutside(*end, rises);
}

}  // namespace indexical
