// The tile of one map: its dimensions, what must be single, and the answer.
#include <algorithm>
#include <utility>

#include "indexical/analysis/tiles/tile_maker.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/shape.h"

namespace indexical {

TileMaker::TileMaker(const IndexingMap &map, const RootTile &root,
                     llvm::ArrayRef<int64_t> shape, const OpenEnds &open)
    : map_(map),
      table_(map.expressions()),
      root_(root),
      shape_(shape),
      open_(open),
      symbols_(root.symbols()) {
  for (const RuntimeVariable &variable : map_.runtime()) addRuntime(variable);
  addSides();
  shapeEnds_ = sizesOf(shape_, open_.tensor);
  findEnds();
}

//===-- The root's tile ---------------------------------------------------===//

void TileMaker::addSides() {
  auto eachSymbol = [&](auto visit) {
    for (size_t k = 0; k < root_.shape.size(); ++k) {
      visit(root_.sizes[k], k);
      if (!root_.strides.empty()) visit(root_.strides[k], k);
    }
  };
  symbolBounds_.assign(symbols_.size(), {1, Interval::kInfinity});
  eachSymbol([&](const TileExtent &extent, size_t k) {
    if (!extent.isSymbol()) return;
    Interval &bounds =
        symbolBounds_[llvm::find(symbols_, extent.name) - symbols_.begin()];
    if (root_.shape[k] != kDynamicSize)
      bounds.upper =
          std::min(bounds.upper, std::max<int64_t>(1, root_.shape[k]));
  });
  llvm::SmallVector<FormId, 4> symbols;
  for (const Interval &bounds : symbolBounds_)
    symbols.push_back(f_.add(VariableKind::Range, bounds));
  auto formOf = [&](const TileExtent &extent, int64_t most) {
    if (!extent.isSymbol()) return f_.number(std::min(extent.value, most));
    return symbols[llvm::find(symbols_, extent.name) - symbols_.begin()];
  };
  const Sizes ends = sizesOf(root_.shape, open_.root);
  for (size_t k = 0; k < root_.shape.size(); ++k) {
    Side side;
    side.isOpen = root_.shape[k] == kDynamicSize ||
                  (open_.root && !(ends[k] && f_.isNumber(*ends[k])));
    side.extent = root_.shape[k] == kDynamicSize
                      ? Interval::kInfinity
                      : std::max<int64_t>(1, root_.shape[k]);
    side.all = {0, side.extent - (side.extent != Interval::kInfinity)};
    if (side.isOpen) side.end = ends[k];
    side.bounds = map_.dimensions()[k].bounds;
    side.size = formOf(root_.sizes[k], side.extent);
    const bool isAll = side.isOpen && !root_.sizes[k].isSymbol() &&
                       root_.sizes[k].value == Interval::kInfinity;
    if (isAll) side.size = side.end.value_or(side.size);
    side.stride = root_.strides.empty() ? f_.number(1)
                                        : formOf(root_.strides[k], side.extent);
    side.isSingle = f_.isNumber(side.size, 1) || side.extent == 1;
    if (side.isSingle) side.stride = f_.number(1);
    const bool isDense = f_.isNumber(side.stride, 1);
    Interval offsets = side.all;
    if (f_.isNumber(side.size)) {
      const int64_t size = f_.valueOf(side.size);
      if (side.all.hasUpper()) offsets.upper = offsets.upper / size * size;
      side.divides = isDense && !side.isOpen && side.extent % size == 0;
      side.isWhole = isDense && !side.isOpen && size == side.extent;
    }
    side.isWhole |= isAll && side.end && isDense && !side.isNarrow();
    side.offset = f_.add(VariableKind::Dimension, offsets);
    if (offsets.upper == 0 || (isAll && side.end)) side.offset = f_.number(0);
    sides_.push_back(side);
  }
}

/// Returns how many of a side's values the map's variable has; may be less than
/// 1.
FormId TileMaker::rawCount(const Side &side) {
  const Interval &bounds = side.bounds;
  const FormId over = f_.shift(side.size, -1);
  if (side.isOpen && side.isSingle && !side.isNarrow()) return f_.number(1);
  if (!f_.isNumber(side.stride)) {  // offsets are not below the bounds
    const auto end = lastIndex(side);
    if (!end) return side.size;
    const FormId steps = f_.quotient(f_.sub(*end, side.offset), side.stride);
    return f_.sub(side.size, f_.positive(f_.sub(over, steps)));
  }
  const int64_t stride = f_.valueOf(side.stride);
  const FormId last = f_.add(side.offset, f_.scale(over, stride));
  FormId count = side.size;
  if (bounds.lower > 0)
    count = f_.sub(
        count,
        f_.ceilDiv(f_.positive(f_.sub(f_.number(bounds.lower), side.offset)),
                   stride));
  if (side.isOpen) {
    const auto end = lastIndex(side);
    if (!end) return count;
    return f_.sub(count, f_.ceilDiv(f_.positive(f_.sub(last, *end)), stride));
  }
  if (bounds.upper < side.extent - 1 || stride > 1)
    return f_.sub(
        count, f_.ceilDiv(f_.positive(f_.shift(last, -bounds.upper)), stride));
  if (side.divides) return count;
  // Only the last tile is cut, and always by as much.
  const FormId less =
      f_.sub(side.size, f_.remainder(f_.number(side.extent), side.size));
  return f_.sub(count, f_.product(less, f_.floorDiv(last, side.extent)));
}

//===-- What is used how --------------------------------------------------===//

bool TileMaker::fail(FormId form, int64_t dimension) {
  reason_.dimension = dimension;
  if (form < table_.formCount()) {
    reason_.kind = SymbolicTile::Reason::Kind::Expression;
    reason_.form = form;
  }
  return false;
}

/// Requires that a form is zero. Returns false if it never is.
bool TileMaker::require(FormId zero) {
  const Interval bounds = f_.bounds(zero);
  if (bounds == Interval::point(0)) return true;
  if (bounds.lower >= 1) return fail();
  if (llvm::is_contained(conditions_, zero)) return true;
  conditions_.push_back(zero);
  blames_.push_back({blamed_, blamedDimension_});
  return true;
}

bool TileMaker::areParameters(FormId form) {
  return llvm::all_of(table_.terms(form),
                      [&](const Term &term) { return isParameter(term.atom); });
}

/// Whether it has one value in a tile.
bool TileMaker::isParameter(AtomId id) {
  if (auto known = parameters_.find(id); known != parameters_.end())
    return known->second;
  const Atom &atom = table_.atom(id);
  bool is = false;
  if (atom.kind == AtomKind::Variable) {
    const VariableId variable = atom.variable();
    switch (variable.kind) {
      case VariableKind::Dimension:
        is = sides_[variable.index].isSingle;
        break;
      case VariableKind::Range:
        is = map_.variable(variable).bounds.isPoint();
        break;
      case VariableKind::Runtime:  // one element for each index
        is = llvm::all_of(map_.runtime()[variable.index].index,
                          [&](FormId form) { return areParameters(form); });
        break;
    }
  } else {
    is = llvm::all_of(atom.operands(),
                      [&](FormId form) { return areParameters(form); });
  }
  return parameters_[id] = is;
}

/// Counts the uses of the form's atoms: by results, and each parent once.
void TileMaker::use(FormId form, llvm::DenseSet<FormId> &parents) {
  for (const Term &term : table_.terms(form)) {
    ++uses_[term.atom];
    const Atom &atom = table_.atom(term.atom);
    if (atom.kind == AtomKind::Variable) {
      if (atom.variable().kind == VariableKind::Dimension)
        used_[atom.variable().index] = true;
      continue;
    }
    for (const FormId parent : atom.operands())
      if (parents.insert(parent).second) use(parent, parents);
  }
}

/// Requires that everything inside of the atom has one value. Returns false if
/// that cannot be.
bool TileMaker::makeSingle(AtomId id) {
  const Atom &atom = table_.atom(id);
  if (atom.kind == AtomKind::Variable) {
    const VariableId variable = atom.variable();
    if (isParameter(id)) return true;
    if (variable.kind == VariableKind::Range) return fail();
    if (variable.kind == VariableKind::Runtime) {
      for (FormId form : map_.runtime()[variable.index].index)
        for (const Term &term : table_.terms(form))
          if (!makeSingle(term.atom)) return false;
      return true;
    }
    Side &side = sides_[variable.index];
    if (!require(f_.shift(side.size, -1))) return false;
    side.size = side.stride = f_.number(1);
    side.isSingle = true;
    return true;
  }
  for (const FormId operand : atom.operands())
    for (const Term &term : table_.terms(operand))
      if (!makeSingle(term.atom)) return false;
  return true;
}

bool TileMaker::countUses() {
  used_.assign(sides_.size(), false);
  llvm::DenseSet<FormId> parents;
  for (FormId result : map_.results()) use(result, parents);
  for (size_t j = 0; j < map_.results().size(); ++j) {
    blame(j);
    llvm::SmallVector<FormId, 8> open{map_.results()[j]};
    while (!open.empty())
      for (const Term &term : table_.terms(open.pop_back_val())) {
        if (isParameter(term.atom)) continue;
        const Atom &atom = table_.atom(term.atom);
        const bool isDivision = atom.kind == AtomKind::Digit;
        const bool isPlain = atom.kind == AtomKind::Variable &&
                             atom.variable().kind != VariableKind::Runtime;
        const auto scaled = scaledBy(atom);
        if (uses_[term.atom] > 1 || (!isPlain && !isDivision && !scaled)) {
          if (!makeSingle(term.atom)) return false;
          parameters_.clear();
          continue;
        }
        if (isDivision) open.push_back(atom.a);
        if (scaled) open.push_back(scaled->first);
      }
  }
  return true;
}

/// The bounds of a form of the map on its box.
Interval TileMaker::ownBounds(FormId form) {
  auto variable = [&](VariableId id) { return map_.variable(id).bounds; };
  FormBounds bounds(table_, variable);
  return bounds(form);
}

Interval TileMaker::ownAtomBounds(AtomId id) {
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
                     [this](FormId form) { return ownBounds(form); });
}

/// Whether the result leaves the shape wherever the atom, alone of all, leaves
/// the values that it may have.
bool TileMaker::isCutByShape(size_t result, const Term &term) {
  const Atom &atom = table_.atom(term.atom);
  if (uses_[term.atom] > 1) return false;
  if (open_.root || open_.tensor) return isCutByOpenShape(result, term);
  if (shape_[result] == kDynamicSize) return false;
  Interval allowed;
  bool hasLow = false;
  if (atom.kind == AtomKind::Variable) {
    if (atom.variable().kind != VariableKind::Dimension) return false;
    const Side &side = sides_[atom.variable().index];
    allowed = side.bounds;
    hasLow = allowed.lower > 0;
  } else if (atom.kind == AtomKind::Digit && atom.modulus == 0) {
    const auto variable = table_.asVariable(atom.a);
    if (!variable || variable->kind != VariableKind::Dimension) return false;
    const Side &side = sides_[variable->index];
    if (side.bounds != Interval{0, side.extent - 1} ||
        side.extent % atom.stride != 0)
      return false;
    allowed = {0, side.extent / atom.stride - 1};
  } else {
    return false;
  }
  Interval rest = Interval::point(table_.constant(map_.results()[result]));
  for (const Term &other : table_.terms(map_.results()[result]))
    if (other.atom != term.atom)
      rest = rest + ownAtomBounds(other.atom) * other.coefficient;
  const int64_t extent = shape_[result];
  auto isBelow = [&](int64_t value) {
    return (rest + Interval::point(value) * term.coefficient).upper < 0;
  };
  auto isAbove = [&](int64_t value) {
    return (rest + Interval::point(value) * term.coefficient).lower >= extent;
  };
  const bool rises = term.coefficient > 0;
  if (hasLow &&
      !(rises ? isBelow(allowed.lower - 1) : isAbove(allowed.lower - 1)))
    return false;
  return rises ? isAbove(allowed.upper + 1) : isBelow(allowed.upper + 1);
}

/// In each result one atom may be left uncut, those whose bounds are narrower
/// than the root first.
void TileMaker::chooseCutByShape() {
  cutByShape_.assign(map_.results().size(), std::nullopt);
  for (size_t j = 0; j < map_.results().size(); ++j) {
    llvm::SmallVector<std::pair<int64_t, Term>, 4> terms;
    for (const Term &term : table_.terms(map_.results()[j])) {
      const Atom &atom = table_.atom(term.atom);
      bool isNarrow = false;
      if (atom.kind == AtomKind::Variable &&
          atom.variable().kind == VariableKind::Dimension) {
        const Side &side = sides_[atom.variable().index];
        isNarrow = side.isNarrow();
      }
      terms.push_back(
          {isNarrow ? Interval::kInfinity : std::abs(term.coefficient), term});
    }
    llvm::stable_sort(
        terms, [](const auto &x, const auto &y) { return x.first > y.first; });
    for (const auto &[weight, term] : terms)
      if (isCutByShape(j, term)) {
        cutByShape_[j] = term.atom;
        break;
      }
  }
}

//===-- Runs --------------------------------------------------------------===//

/// The value of an atom that has one.
FormId TileMaker::valueAt(AtomId id) {
  auto valueOf = [this](VariableId variable) {
    switch (variable.kind) {
      case VariableKind::Dimension:
        return sides_[variable.index].offset;
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

TileMaker::Run TileMaker::dimensionRun(AtomId atom, uint32_t k) {
  const Side &side = sides_[k];
  const Interval &bounds = side.bounds;
  Run run;
  run.gap = side.stride;
  run.full = run.cut = run.multiple = side.size;
  run.first = side.offset;
  if (side.isWhole) {  // a range like any other
    run.first = f_.number(bounds.lower);
    run.full = run.cut = side.isOpen ? *side.end : f_.number(bounds.count());
    run.most = bounds.count();
    run.mayLack = side.isOpen;
    return run;
  }
  const bool isNarrow = side.isNarrow();
  run.most = std::min(f_.bounds(side.size).upper, bounds.count());
  run.mayLack =
      isNarrow || !f_.isNumber(side.stride, 1) || run.most < bounds.count();
  if (isCutByShape(atom)) return run;
  const FormId raw = rawCount(side);
  run.cut = isNarrow ? f_.shift(f_.positive(f_.shift(raw, -1)), 1) : raw;
  if (bounds.lower > 0) {
    const FormId before =
        f_.positive(f_.sub(f_.number(bounds.lower), side.offset));
    const int64_t stride =
        f_.isNumber(side.stride) ? f_.valueOf(side.stride) : 1;
    run.first =
        f_.add(side.offset, f_.scale(f_.ceilDiv(before, stride), stride));
    run.edges.push_back(bounds.lower);
    if (!f_.isNumber(side.stride)) run.floating = run.hasOtherEdges = true;
  }
  if (side.isOpen)
    run.hasOtherEdges = true;
  else if (!side.divides || bounds.upper < side.extent - 1)
    run.edges.push_back(bounds.upper + 1);
  run.hasOtherEdges |= !f_.isNumber(side.stride, 1);
  return run;
}

TileMaker::Run TileMaker::runOf(AtomId id) {
  if (auto known = runs_.find(id); known != runs_.end()) return known->second;
  Run run;
  run.gap = run.full = run.cut = run.multiple = f_.number(1);
  const Atom &atom = table_.atom(id);
  if (isParameter(id)) {
    run.first = valueAt(id);
  } else if (atom.kind == AtomKind::Variable) {
    const VariableId variable = atom.variable();
    if (variable.kind == VariableKind::Dimension) {
      run = dimensionRun(id, variable.index);
    } else {
      const Interval &bounds = map_.variable(variable).bounds;
      run.first = f_.number(bounds.lower);
      run.full = run.cut = f_.number(bounds.count());
      run.most = bounds.count();
      if (variable.kind == VariableKind::Range && rangeEnds_[variable.index]) {
        run.full = run.cut =
            f_.shift(*rangeEnds_[variable.index], -bounds.lower);
        run.mayLack = run.hasOtherEdges = true;
      } else if (!bounds.isFinite()) {
        hasFailed_ = true;
      }
    }
  } else if (const auto scaled = scaledBy(atom)) {
    run = scaledRun(scaled->first, scaled->second);
  } else if (atom.kind != AtomKind::Digit) {
    hasFailed_ = true;
  } else if (addDigits(atom.a)) {
    return runs_[id];
  } else {
    run.floating = true;  // failed, which addDigits says to the caller
  }
  return runs_[id] = run;
}

//===-- The answer --------------------------------------------------------===//

bool TileMaker::makeExact() {
  if (!countUses()) return false;
  chooseCutByShape();
  return addConstraints();
}

bool TileMaker::addGates(llvm::MutableArrayRef<Progression> parts) {
  for (FormId gate : gates_) {
    if (f_.isNumber(gate, 1)) continue;
    if (parts.empty()) return false;
    parts[0].count = f_.product(parts[0].count, gate);
  }
  return true;
}

absl::StatusOr<SymbolicTile> TileMaker::build(llvm::ArrayRef<Progression> parts,
                                              bool withConditions) {
  IndexingMapBuilder b(f_.pool);
  for (size_t k = 0; k < sides_.size(); ++k)
    b.dimension(sides_[k].all, "o" + std::to_string(k));
  for (size_t i = 0; i < symbols_.size(); ++i)
    b.range(symbolBounds_[i], symbols_[i]);
  for (uint32_t i = 0; i < map_.runtime().size(); ++i) {
    RuntimeVariable variable;
    variable.bounds = f_.bounds(runtime_[i]);
    variable.clamped = map_.runtime()[i].clamped;
    variable.name = map_.nameOf({VariableKind::Runtime, i});
    if (map_.runtime()[i].source.kind == RuntimeSource::Kind::Size)
      variable.source = map_.runtime()[i].source;
    b.runtime(std::move(variable));
  }
  for (const RuntimeVariable &variable : moreRuntime_) b.runtime(variable);
  for (const Progression &p : parts) b.result(b.expression(p.first));
  for (const Progression &p : parts) b.result(b.expression(p.count));
  for (const Progression &p : parts) b.result(b.expression(p.stride));
  if (isRead_) b.result(b.expression(*isRead_));
  if (withConditions)
    for (FormId zero : conditions_) {
      const int64_t constant = f_.pool.constant(zero);
      b.constraint(b.expression(f_.shift(zero, -constant)),
                   Interval::point(-constant));
    }
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, b.build());
  SymbolicTile tile;
  tile.map_ = std::move(map);
  tile.ofAll_ =
      !hasConditions() && sizeGates_.empty() &&
      llvm::none_of(sides_, [](const Side &side) { return side.isNarrow(); }) &&
      llvm::all_of(map_.runtime(), [](const RuntimeVariable &variable) {
        return variable.source.kind == RuntimeSource::Kind::Size;
      });
  if (tile.map_.isKnownEmpty())
    return absl::InternalError("conditions that exclude each other");
  return tile;
}

/// A scalar has no size that could be 0 if a tile of the root does not read it,
/// so a form says that.
absl::StatusOr<SymbolicTile> TileMaker::makeScalar() {
  const bool isKnown = makeExact() && conditions_.empty() && !hasFailed_;
  Progression read{f_.number(0), f_.number(1), f_.number(1)};
  if (isKnown) addGates(read);
  const bool isWritten = isKnown && !f_.hasFailed() &&
                         f_.pool.writtenSize(read.count) <= kMostTerms;
  if (isWritten && f_.isNumber(read.count, 1)) return build({}, false);
  absl::StatusOr<SymbolicTile> tile = absl::InternalError("not written");
  if (isWritten) {
    isRead_ = read.count;
    tile = build({}, false);
  }
  if (!tile.ok()) {
    isRead_.reset();
    tile = TileMaker(map_, root_, shape_, open_).build({}, false);
  }
  if (!tile.ok()) return tile;
  tile->exact_ = tile->least_ = false;
  tile->reason_.emplace().map = map_;
  if (!map_.constraints().empty()) {
    tile->reason_->kind = SymbolicTile::Reason::Kind::Domain;
    tile->reason_->form = map_.constraints()[0].form;
  }
  return tile;
}

absl::StatusOr<SymbolicTile> TileMaker::make(bool isMapExact) {
  const size_t rank = map_.results().size();
  if (rank == 0 && isMapExact) return makeScalar();
  if (isMapExact && makeExact()) {
    llvm::SmallVector<Progression, 6> parts;
    for (size_t j = 0; j < rank; ++j) {
      blame(j);
      std::optional<Progression> found = progressionOf(j);
      if (found)
        for (const Clip &c : clips_)
          if (c.result == j && !clip(*found, c)) found = std::nullopt;
      if (!found) break;
      parts.push_back(*found);
    }
    const bool whole =
        parts.size() == rank && addGates(parts) && !f_.hasFailed();
    const bool isShort = llvm::all_of(parts, [&](const Progression &p) {
      return f_.pool.writtenSize(p.first) + f_.pool.writtenSize(p.count) <=
             kMostTerms;
    });
    if (whole && isShort && someSizesMeetConditions())
      if (absl::StatusOr<SymbolicTile> tile = build(parts, true); tile.ok())
        return tile;
  }
  if (reason_.kind == SymbolicTile::Reason::Kind::Map) {
    reason_.dimension = -1;
    if (!map_.constraints().empty()) {
      reason_.kind = SymbolicTile::Reason::Kind::Domain;
      reason_.form = map_.constraints()[0].form;
    }
  }
  reason_.map = map_;
  TileMaker cover(map_, root_, shape_, open_);
  INDEXICAL_ASSIGN_OR_RETURN(SymbolicTile tile, cover.makeCover());
  tile.exact_ = false;
  tile.least_ = cover.coverIsLeast_ && isMapExact;
  tile.reason_ = reason_;
  return tile;
}

absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact) {
  return tileThrough(map, root, shape, isMapExact, OpenEnds());
}

absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact,
                                         const OpenEnds &open) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return tileThrough(map, root, shape, isMapExact, open); });
  INDEXICAL_RETURN_IF_ERROR(root.verify());
  if (map.dimensions().size() != root.shape.size())
    return absl::InvalidArgumentError(
        "the tile has " + std::to_string(root.shape.size()) +
        " dimensions, the map " + std::to_string(map.dimensions().size()));
  if (map.results().size() != shape.size())
    return absl::InvalidArgumentError(
        "the shape has " + std::to_string(shape.size()) +
        " dimensions, the map " + std::to_string(map.results().size()) +
        " results");
  return TileMaker(map, root, shape, open).make(isMapExact);
}

}  // namespace indexical
