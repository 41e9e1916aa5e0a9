#include "indexical/simplifier/shortcuts/plain.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/plain_map.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
namespace {

class PlainMap {
 public:
  explicit PlainMap(const IndexingMap &map)
      : map_(map), table_(map.expressions()) {
    for (const Variable &v : map.dimensions()) dimensions_.push_back(v.bounds);
    for (const Variable &v : map.ranges())
      isRangeDone_.push_back(v.bounds.isPoint());
    for (uint32_t i = 0; i < map.runtime().size(); ++i)
      isRuntimeDone_.push_back(map.runtime()[i].bounds.isPoint() &&
                               isPlainRuntime(i));
    auto isTrue = [](bool flag) { return flag; };
    hasPoints_ = llvm::any_of(isRangeDone_, isTrue) ||
                 llvm::any_of(isRuntimeDone_, isTrue);
  }

  std::optional<IndexingMap> simplified(bool rename) {
    if (!isPlain()) return std::nullopt;
    if (hasPoints_) {
      if (auto map = writtenWithoutPoints(rename)) return map;
      return withoutPoints(rename);
    }
    if (map_.constraints().empty()) return SimplifierMarks::marked(map_);
    llvm::SmallVector<Variable, 6> dimensions(map_.dimensions());
    for (auto [v, bounds] : llvm::zip_equal(dimensions, dimensions_))
      v.bounds = bounds;
    return SimplifierMarks::marked(map_, dimensions, boundsOfResults());
  }

  /// Whether the map is canonical as it stands.
  bool isSimplified() {
    return map_.constraints().empty() && isPlain() && !hasPoints_;
  }

 private:
  bool isPlain() {
    auto isEmpty = [](const Interval &bounds) { return bounds.isEmpty(); };
    auto isTrue = [](bool flag) { return flag; };
    return map_.collectives().empty() &&
           map_.visibleRuntimeCount() == map_.runtime().size() &&
           llvm::none_of(dimensions_, isEmpty) &&
           llvm::all_of(map_.constraints(),
                        [&](const Constraint &c) { return isWindow(c); }) &&
           llvm::all_of(map_.results(),
                        [&](FormId form) { return isPlainForm(form); }) &&
           llvm::all_of(isRangeDone_, isTrue) &&
           llvm::all_of(isRuntimeDone_, isTrue) && areDifferent();
  }

  /// Returns the same as withoutPoints if no variable is a runtime variable or
  /// has a name, else nothing.
  std::optional<IndexingMap> writtenWithoutPoints(bool rename) const {
    if (!map_.constraints().empty() || !map_.runtime().empty())
      return std::nullopt;
    for (const Variable &v : map_.dimensions())
      if (!v.name.empty()) return std::nullopt;
    llvm::SmallVector<uint32_t, 6> numbers;
    llvm::SmallVector<Interval, 6> ranges;
    for (const Variable &v : map_.ranges()) {
      // A range whose number changes is named after the old one.
      if (!rename && !v.bounds.isPoint() && ranges.size() < numbers.size())
        return std::nullopt;
      numbers.push_back(ranges.size());
      if (!v.bounds.isPoint()) ranges.push_back(v.bounds);
    }
    llvm::SmallVector<PlainResult, 6> results;
    for (FormId form : map_.results()) {
      auto result = PlainResult::number(table_.constant(form));
      for (const Term &term : table_.terms(form)) {
        VariableId id = table_.atom(term.atom).variable();
        if (const auto value = valueOf(id)) {
          const auto product = checkedMul(*value, term.coefficient);
          const auto sum =
              product ? checkedAdd(result.constant, *product) : product;
          if (!sum) return std::nullopt;
          result.constant = *sum;
          continue;
        }
        if (id.kind == VariableKind::Range) id.index = numbers[id.index];
        result.variable = id.key();
        result.coefficient = term.coefficient;
      }
      results.push_back(result);
    }
    return plainMap(dimensions_, ranges, results);
  }

  /// Returns the map with the values of variables that have one.
  std::optional<IndexingMap> withoutPoints(bool rename) const {
    IndexingMapBuilder b;
    for (auto [v, bounds] : llvm::zip_equal(map_.dimensions(), dimensions_))
      b.addDimension(bounds, v.name);
    uint32_t numbers[] = {0, 0};  // of ranges, of runtime variables
    llvm::SmallVector<FormId, 6> ranges, runtime;
    auto keep = [&](VariableKind kind, uint32_t i, std::string &name) {
      const VariableId now{kind, numbers[kind == VariableKind::Runtime]++};
      if (!rename && now.index != i) name = standardName({kind, i});
      return b.pool().variable(now);
    };
    for (auto [i, v] : llvm::enumerate(map_.ranges())) {
      std::string name;
      ranges.push_back(valueOf({VariableKind::Range, uint32_t(i)})
                           ? 0
                           : keep(VariableKind::Range, i, name));
      if (!v.bounds.isPoint()) b.addRange(v.bounds, name);
    }
    for (auto [i, v] : llvm::enumerate(map_.runtime())) {
      RuntimeVariable kept = v;
      runtime.push_back(
          v.bounds.isPoint() ? 0 : keep(VariableKind::Runtime, i, kept.name));
      for (FormId &form : kept.index)
        form = b.pool().constantForm(table_.constant(form));
      if (!v.bounds.isPoint()) b.runtime(std::move(kept));
    }
    auto replace = [&](VariableId id) {
      if (const auto value = valueOf(id)) return b.pool().constantForm(*value);
      if (id.kind == VariableKind::Dimension) return b.pool().variable(id);
      return (id.kind == VariableKind::Range ? ranges : runtime)[id.index];
    };
    ExpressionImport import(table_, b.pool(), replace);
    for (FormId form : map_.results()) {
      const Window *window = windowOf(form);
      if (window && window->bounds.isPoint())
        b.result(b.constant(window->bounds.lower));
      else
        b.result(b.expression(import(form)));
    }
    for (const Constraint &c : map_.constraints())
      b.constraint(b.expression(import(c.form)), c.bounds);
    SimplifierMarks marks(b);
    marks.setCanonical(true);
    if (!map_.constraints().empty()) marks.setResultBounds(boundsOfResults());
    auto map = b.build();
    if (map.ok()) return *std::move(map);
    return std::nullopt;
  }

  /// dimension - runtime variable, within bounds that each of them is the only
  /// one to meet.
  struct Window {
    FormId form;
    uint32_t dimension;
    Interval bounds;  ///< that the form reaches
  };

  /// Adds the window and narrows its dimension. Returns false if the constraint
  /// is no window.
  bool isWindow(const Constraint &constraint) {
    const llvm::ArrayRef<Term> terms = table_.terms(constraint.form);
    if (table_.constant(constraint.form) != 0 || terms.size() != 2 ||
        terms[0].coefficient != 1 || terms[1].coefficient != -1)
      return false;
    const auto d = table_.atom(terms[0].atom).asVariable();
    const auto rt = table_.atom(terms[1].atom).asVariable();
    if (!d || d->kind != VariableKind::Dimension || !rt ||
        rt->kind != VariableKind::Runtime || !isPlainRuntime(rt->index) ||
        isRuntimeDone_[rt->index] || isNarrowed(d->index))
      return false;
    const RuntimeVariable &runtime = map_.runtime()[rt->index];
    Interval &dimension = dimensions_[d->index];
    if (!runtime.clamped || !isSmall(runtime.bounds) || !isSmall(dimension))
      return false;
    const Interval window = constraint.bounds;
    dimension = dimension.intersect(window + runtime.bounds);
    if (dimension.isEmpty() || dimension.isPoint()) return false;
    // Each end that is given must be one that the form would pass without it.
    const Interval free = dimension + runtime.bounds * -1;
    const Interval reached = free.intersect(window);
    if (reached.isEmpty() ||
        (window.hasLower() && free.lower >= window.lower) ||
        (window.hasUpper() && free.upper <= window.upper))
      return false;
    isRuntimeDone_[rt->index] = true;
    windows_.push_back({constraint.form, d->index, reached});
    hasPoints_ |= reached.isPoint();
    return true;
  }

  bool isNarrowed(uint32_t dimension) const {
    return llvm::any_of(
        windows_, [&](const Window &w) { return w.dimension == dimension; });
  }

  static bool isSmall(const Interval &bounds) {
    constexpr int64_t kMost = int64_t{1} << 31;
    return bounds.isFinite() && bounds.lower >= -kMost && bounds.upper <= kMost;
  }

  const Window *windowOf(FormId form) const {
    if (windows_.empty()) return nullptr;
    const auto found = llvm::find_if(
        windows_, [&](const Window &w) { return w.form == form; });
    return found == windows_.end() ? nullptr : &*found;
  }

  bool isPlainForm(FormId form) {
    if (windowOf(form)) return true;
    const llvm::ArrayRef<Term> terms = table_.terms(form);
    size_t runtime = 0, others = 0;
    for (const Term &term : terms) {
      const auto id = table_.atom(term.atom).asVariable();
      if (!id || !isPlainVariable(*id)) return false;
      if (boundsOf(*id).isPoint())
        hasPoints_ = true;
      else
        ++(id->kind == VariableKind::Runtime ? runtime : others);
    }
    if (runtime > 1 || others > 1) return false;
    // With windows, only what has the bounds of one variable.
    return windows_.empty() || terms.empty() ||
           table_.asVariable(form).has_value();
  }

  /// Whether the variable may be read here: a range or a runtime variable of
  /// several values once only.
  bool isPlainVariable(VariableId id) {
    // A dimension that a start index decides may have a better form.
    if (id.kind == VariableKind::Dimension)
      return windows_.empty() || llvm::none_of(windows_, [&](const Window &w) {
               return w.dimension == id.index && w.bounds.isPoint();
             });
    const bool isRange = id.kind == VariableKind::Range;
    if (isRange ? !isPlainRange(map_.ranges()[id.index])
                : !isPlainRuntime(id.index))
      return false;
    bool &isDone = (isRange ? isRangeDone_ : isRuntimeDone_)[id.index];
    return !std::exchange(isDone, true) || boundsOf(id).isPoint();
  }

  /// Simplification names ranges anew.
  static bool isPlainRange(const Variable &range) {
    return range.name.empty() && !range.bounds.isEmpty();
  }

  bool isPlainRuntime(uint32_t i) const {
    const RuntimeVariable &runtime = map_.runtime()[i];
    return isPlainRange(runtime) && !runtime.restricts() &&
           runtime.source.kind != RuntimeSource::Kind::Size &&
           llvm::all_of(runtime.index,
                        [&](FormId form) { return table_.isConstant(form); });
  }

  /// Whether no two runtime variables can be the same element.
  bool areDifferent() const {
    const auto runtime = map_.runtime();
    for (size_t i = 1; i < runtime.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (runtime[i].source.kind != RuntimeSource::Kind::None &&
            runtime[i].source == runtime[j].source &&
            runtime[i].index == runtime[j].index)
          return false;
    return true;
  }

  /// Returns the value of a variable that has only one.
  std::optional<int64_t> valueOf(VariableId id) const {
    const Interval &bounds = boundsOf(id);
    if (!bounds.isPoint()) return std::nullopt;
    return bounds.lower;
  }

  const Interval &boundsOf(VariableId id) const {
    return id.kind == VariableKind::Dimension ? dimensions_[id.index]
                                              : map_.variable(id).bounds;
  }

  llvm::SmallVector<Interval, 4> boundsOfResults() const {
    llvm::SmallVector<Interval, 4> bounds;
    for (FormId form : map_.results()) bounds.push_back(boundsOf(form));
    return bounds;
  }

  Interval boundsOf(FormId form) const {
    if (const Window *window = windowOf(form)) return window->bounds;
    const auto id = table_.asVariable(form);
    if (!id) return Interval::point(table_.constant(form));
    return boundsOf(*id);
  }

  const IndexingMap &map_;
  const ExpressionTable &table_;
  llvm::SmallVector<Interval, 6> dimensions_;  // as the windows leave them
  bool hasPoints_ = false;  ///< variables of one value that are read, or go
  llvm::SmallVector<Window, 4> windows_;
  /// A range or runtime variable is done if it is read, or has one value.
  llvm::SmallVector<bool, 8> isRangeDone_, isRuntimeDone_;
};

/// Whether a variable is read that has one value, or a range has one: a map
/// that simplification does not leave as it is, seen without a PlainMap.
bool hasPoints(const IndexingMap &map) {
  for (const Variable &range : map.ranges())
    if (range.bounds.isPoint()) return true;
  const ExpressionTable &table = map.expressions();
  for (AtomId atom = 0; atom < table.atomCount(); ++atom)
    if (const auto id = table.atom(atom).asVariable();
        id && map.variable(*id).bounds.isPoint())
      return true;
  return false;
}

}  // namespace

std::optional<IndexingMap> simplifiedPlainMap(const IndexingMap &map,
                                              bool rename) {
  return PlainMap(map).simplified(rename);
}

void markPlainMap(const IndexingMap &map) {
  if (map.isKnownEmpty() || isSimplified(map)) return;
  if (!hasPoints(map) && PlainMap(map).isSimplified())
    SimplifierMarks::mark(map);
}

}  // namespace indexical
