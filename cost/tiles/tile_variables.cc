#include "indexical/cost/tiles/tile_variables.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/ops/shape.h"

namespace indexical {

TileVariables::TileVariables(const IndexingMap &map, const RootTile &root,
                             llvm::ArrayRef<int64_t> shape,
                             const OpenEnds &open)
    : map_(map),
      table_(map.expressions()),
      root_(root),
      shape_(shape),
      open_(open),
      symbols_(root.symbols()) {
  for (const RuntimeVariable &variable : map_.runtime()) addRuntime(variable);
  boundSymbols();
  addDimensions();
  shapeEnds_ = sizesOf(shape_, open_.tensor);
  findEnds();
}

//===-- The root's tile ---------------------------------------------------===//

void TileVariables::boundSymbols() {
  symbolBounds_.assign(symbols_.size(), {1, Interval::kInfinity});
  auto bound = [&](const TileExtent &extent, int64_t size) {
    if (!extent.isSymbol() || size == kDynamicSize) return;
    Interval &bounds =
        symbolBounds_[llvm::find(symbols_, extent.name) - symbols_.begin()];
    bounds.upper = std::min(bounds.upper, std::max<int64_t>(1, size));
  };
  for (size_t k = 0; k < root_.shape.size(); ++k) {
    bound(root_.sizes[k], root_.shape[k]);
    if (!root_.strides.empty()) bound(root_.strides[k], root_.shape[k]);
  }
}

void TileVariables::addDimensions() {
  llvm::SmallVector<FormId, 4> symbols;
  for (const Interval &bounds : symbolBounds_)
    symbols.push_back(f_.add(VariableKind::Range, bounds));
  const Sizes ends = sizesOf(root_.shape, open_.root);
  for (size_t k = 0; k < root_.shape.size(); ++k)
    dimensions_.push_back(dimensionOf(k, symbols, ends[k]));
}

TileDimension TileVariables::dimensionOf(size_t k,
                                         llvm::ArrayRef<FormId> symbols,
                                         std::optional<FormId> end) {
  auto formOf = [&](const TileExtent &extent, int64_t most) {
    if (!extent.isSymbol()) return f_.number(std::min(extent.value, most));
    return symbols[llvm::find(symbols_, extent.name) - symbols_.begin()];
  };
  TileDimension own;
  own.isOpen = root_.shape[k] == kDynamicSize ||
               (open_.root && !(end && f_.isNumber(*end)));
  own.extent = root_.shape[k] == kDynamicSize
                   ? Interval::kInfinity
                   : std::max<int64_t>(1, root_.shape[k]);
  own.all = {0, own.extent - (own.extent != Interval::kInfinity)};
  if (own.isOpen) own.end = end;
  own.bounds = map_.dimensions()[k].bounds;
  own.size = formOf(root_.sizes[k], own.extent);
  const bool isAll = own.isOpen && !root_.sizes[k].isSymbol() &&
                     root_.sizes[k].value == Interval::kInfinity;
  if (isAll) own.size = own.end.value_or(own.size);
  own.stride = root_.strides.empty() ? f_.number(1)
                                     : formOf(root_.strides[k], own.extent);
  own.isSingle = f_.isNumber(own.size, 1) || own.extent == 1;
  if (own.isSingle) own.stride = f_.number(1);
  const bool isDense = f_.isNumber(own.stride, 1);
  Interval offsets = own.all;
  if (f_.isNumber(own.size)) {
    const int64_t size = f_.valueOf(own.size);
    if (own.all.hasUpper()) offsets.upper = offsets.upper / size * size;
    own.divides = isDense && !own.isOpen && own.extent % size == 0;
    own.isWhole = isDense && !own.isOpen && size == own.extent;
  }
  own.isWhole |= isAll && own.end && isDense && !own.isNarrow();
  const int64_t multiple =
      f_.isNumber(own.size) ? std::max<int64_t>(1, f_.valueOf(own.size)) : 1;
  own.offset = f_.add(VariableKind::Dimension, offsets, multiple);
  if (offsets.upper == 0 || (isAll && own.end)) own.offset = f_.number(0);
  return own;
}

FormId TileVariables::countOf(const TileDimension &dimension) {
  const Interval &bounds = dimension.bounds;
  const FormId over = f_.shift(dimension.size, -1);
  if (dimension.isOpen && dimension.isSingle && !dimension.isNarrow())
    return f_.number(1);
  if (!f_.isNumber(dimension.stride)) {  // offsets are not below the bounds
    const auto end = lastIndex(dimension);
    if (!end) return dimension.size;
    const FormId steps =
        f_.quotient(f_.sub(*end, dimension.offset), dimension.stride);
    return f_.sub(dimension.size, f_.positive(f_.sub(over, steps)));
  }
  const int64_t stride = f_.valueOf(dimension.stride);
  const FormId last = f_.add(dimension.offset, f_.scale(over, stride));
  FormId count = dimension.size;
  if (bounds.lower > 0)
    count = f_.sub(count, f_.ceilDiv(f_.positive(f_.sub(f_.number(bounds.lower),
                                                        dimension.offset)),
                                     stride));
  if (dimension.isOpen) {
    const auto end = lastIndex(dimension);
    if (!end) return count;
    return f_.sub(count, f_.ceilDiv(f_.positive(f_.sub(last, *end)), stride));
  }
  if (bounds.upper < dimension.extent - 1 || stride > 1)
    return f_.sub(
        count, f_.ceilDiv(f_.positive(f_.shift(last, -bounds.upper)), stride));
  if (dimension.divides) return count;
  // Only the last tile is cut, and always by as much.
  const FormId less =
      f_.sub(dimension.size,
             f_.remainder(f_.number(dimension.extent), dimension.size));
  return f_.sub(count, f_.product(less, f_.floorDiv(last, dimension.extent)));
}

//===-- Atoms of one value ------------------------------------------------===//

bool TileVariables::areSingle(FormId form) {
  return llvm::all_of(table_.terms(form),
                      [&](const Term &term) { return isSingle(term.atom); });
}

bool TileVariables::isSingle(AtomId id) {
  if (auto known = singles_.find(id); known != singles_.end())
    return known->second;
  auto are = [this](llvm::ArrayRef<FormId> forms) {
    return llvm::all_of(forms, [&](FormId form) { return areSingle(form); });
  };
  const Atom &atom = table_.atom(id);
  bool is = false;
  if (const auto variable = atom.asVariable()) {
    switch (variable->kind) {
      case VariableKind::Dimension:
        is = dimensions_[variable->index].isSingle;
        break;
      case VariableKind::Range:
        is = map_.variable(*variable).bounds.isPoint();
        break;
      case VariableKind::Runtime:  // one element for each index
        is = are(map_.runtime()[variable->index].index);
        break;
    }
  } else {
    is = are(atom.operands());
  }
  return singles_[id] = is;
}

void TileVariables::makeSingle(uint32_t dimension) {
  TileDimension &own = dimensions_[dimension];
  own.size = own.stride = f_.number(1);
  own.isSingle = true;
  singles_.clear();
}

FormId TileVariables::valueAt(AtomId id) {
  auto valueOf = [this](VariableId variable) {
    switch (variable.kind) {
      case VariableKind::Dimension:
        return dimensions_[variable.index].offset;
      case VariableKind::Range:
        return f_.number(map_.variable(variable).bounds.lower);
      case VariableKind::Runtime:
        break;
    }
    return runtime_[variable.index];
  };
  return valueOfAtom(table_.atom(id), TileFormsDomain{f_, valueOf},
                     [this](FormId form) { return formAt(form); });
}

FormId TileVariables::formAt(FormId form) {
  llvm::SmallVector<ScaledForm, 4> parts;
  for (const Term &term : table_.terms(form))
    parts.push_back({valueAt(term.atom), term.coefficient});
  return f_.pool.linear(parts, table_.constant(form));
}

std::optional<std::pair<FormId, FormId>> TileVariables::scaledBy(
    const Atom &atom) {
  if (atom.kind != AtomKind::Product) return std::nullopt;
  FormId varying = atom.a, factor = atom.b;
  if (areSingle(varying)) std::swap(varying, factor);
  if (!areSingle(factor) || areSingle(varying)) return std::nullopt;
  if (bounds(factor).lower < 0) return std::nullopt;
  return std::make_pair(varying, factor);
}

//===-- Bounds ------------------------------------------------------------===//

Interval TileVariables::bounds(FormId form) const {
  auto variable = [&](VariableId id) { return map_.variable(id).bounds; };
  FormBounds bounds(table_, variable);
  return bounds(form);
}

Interval TileVariables::atomBounds(AtomId id) const {
  struct InMap : IntervalArithmetic {
    const IndexingMap &map;
    Interval variable(VariableId id) const { return map.variable(id).bounds; }
    static Interval quotient(const Interval &a, const Interval &by) {
      return by.lower >= 1 ? a.floorDiv(by) : Interval::all();
    }
    static Interval remainder(const Interval &, const Interval &) {
      return {0, Interval::kInfinity};
    }
  };
  return valueOfAtom(table_.atom(id), InMap{{}, map_},
                     [this](FormId form) { return bounds(form); });
}

}  // namespace indexical
