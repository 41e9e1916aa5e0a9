// Tiles of tensors with sizes that are not known.
//
//   (d0, d1){rt0} -> (d1, d0), d0 - rt0 in [-inf, -1], of f32[?,4]
//     to f32[4,?]: the shape cuts at rt0, and so the tile is as it is
//   (d0){rt0} -> (d0 + 1), d0 - rt0 in [-inf, -1], to f32[?] of rt0 + 2
//     elements: of the last tile, o0 + a - rt0 elements are not there
//
// A size is a form of runtime variables. It ends a dimension of the root, a
// range, or the tensor. A constraint that says no more than that is one of
// these ends, and cuts nothing else.
#include <utility>

#include "indexical/cost/tiles/tile_variables.h"
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
FormId TileVariables::importRuntime(const IndexingMap &from, uint32_t number) {
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
  added.name.clear();
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
void TileVariables::addRuntime(const RuntimeVariable &variable) {
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
TileVariables::Sizes TileVariables::sizesOf(
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

/// Finds where dimensions and ranges end. Requires dimensions.
void TileVariables::findEnds() {
  rangeEnds_.resize(map_.ranges().size());
  isEnd_.assign(map_.constraints().size(), false);
  for (auto [i, constraint] : llvm::enumerate(map_.constraints())) {
    const auto end = endIn(constraint, table_, f_,
                           [&](AtomId atom) { return valueAt(atom); });
    if (!end) continue;
    auto isOneValue = [&, form = constraint.form] {
      bool is = true;
      for (const Term &term : table_.terms(form))
        is = is && (table_.atom(term.atom).kind == AtomKind::Variable &&
                            table_.atom(term.atom).variable() == end->variable
                        ? true
                        : isSingle(term.atom));
      return is;
    };
    if (end->variable.kind == VariableKind::Dimension) {
      const auto &own = dimensions_[end->variable.index].end;
      // It says that an index is one of the root, or less.
      isEnd_[i] = own && f_.bounds(f_.sub(end->form, *own)).lower >= 0;
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

std::optional<FormId> TileVariables::lastIndex(const TileDimension &dimension) {
  std::optional<FormId> last;
  if (dimension.bounds.hasUpper()) last = f_.number(dimension.bounds.upper);
  if (!dimension.end) return last;
  const FormId own = f_.shift(*dimension.end, -1);
  // A bound of the root says nothing beside its size.
  if (!last || dimension.bounds.upper >= dimension.all.upper) return own;
  return f_.smaller(own, *last);
}

}  // namespace indexical
