#include "indexical/simplifier/shortcuts/plain.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/simplifier/marks.h"

namespace indexical {
namespace {

class PlainMap {
 public:
  explicit PlainMap(const IndexingMap &map)
      : map_(map),
        table_(map.expressions()),
        dimensions_(map.dimensions()),
        isRangeRead_(map.ranges().size(), false),
        isRuntimeRead_(map.runtime().size(), false) {}

  std::optional<IndexingMap> simplified() {
    auto isEmpty = [](const Variable &v) { return v.bounds.isEmpty(); };
    auto isTrue = [](bool flag) { return flag; };
    const bool isPlain =
        map_.collectives().empty() &&
        map_.visibleRuntimeCount() == map_.runtime().size() &&
        llvm::none_of(map_.dimensions(), isEmpty) &&
        llvm::all_of(map_.constraints(),
                     [&](const Constraint &c) { return isWindow(c); }) &&
        llvm::all_of(map_.results(),
                     [&](FormId form) { return isPlainForm(form); }) &&
        llvm::all_of(isRangeRead_, isTrue) &&
        llvm::all_of(isRuntimeRead_, isTrue) && areDifferent();
    if (!isPlain) return std::nullopt;
    if (map_.constraints().empty()) return SimplifierMarks::marked(map_);
    llvm::SmallVector<Interval, 4> bounds;
    for (FormId form : map_.results()) bounds.push_back(boundsOf(form));
    return SimplifierMarks::marked(map_, dimensions_, bounds);
  }

 private:
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
        isRuntimeRead_[rt->index] || isNarrowed(d->index))
      return false;
    const RuntimeVariable &runtime = map_.runtime()[rt->index];
    Interval &dimension = dimensions_[d->index].bounds;
    if (!runtime.clamped || !isSmall(runtime.bounds) || !isSmall(dimension))
      return false;
    const Interval window = constraint.bounds;
    dimension = dimension.intersect(window + runtime.bounds);
    if (dimension.isEmpty() || dimension.isPoint()) return false;
    // Each end that is given must be one that the form would pass without it.
    const Interval free = dimension + runtime.bounds * -1;
    const Interval reached = free.intersect(window);
    if (reached.isEmpty() || reached.isPoint() ||
        (window.hasLower() && free.lower >= window.lower) ||
        (window.hasUpper() && free.upper <= window.upper))
      return false;
    isRuntimeRead_[rt->index] = true;
    windows_.push_back({constraint.form, d->index, reached});
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
    const auto found = llvm::find_if(
        windows_, [&](const Window &w) { return w.form == form; });
    return found == windows_.end() ? nullptr : &*found;
  }

  bool isPlainForm(FormId form) {
    if (windowOf(form)) return true;
    const llvm::ArrayRef<Term> terms = table_.terms(form);
    size_t runtime = 0;
    for (const Term &term : terms) {
      const auto id = table_.atom(term.atom).asVariable();
      if (!id || !isPlainVariable(*id)) return false;
      runtime += id->kind == VariableKind::Runtime;
    }
    if (runtime > 1 || terms.size() > runtime + 1) return false;
    // With windows, only what has the bounds of one variable.
    return windows_.empty() || terms.empty() ||
           table_.asVariable(form).has_value();
  }

  bool isPlainVariable(VariableId id) {
    if (id.kind == VariableKind::Dimension)
      return !dimensions_[id.index].bounds.isPoint();
    if (id.kind == VariableKind::Runtime)
      return isPlainRuntime(id.index) &&
             !std::exchange(isRuntimeRead_[id.index], true);
    const Variable &range = map_.ranges()[id.index];
    return isPlainRange(range) && !std::exchange(isRangeRead_[id.index], true);
  }

  /// Simplification names ranges anew.
  static bool isPlainRange(const Variable &range) {
    return range.name.empty() && !range.bounds.isPoint() &&
           !range.bounds.isEmpty();
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

  Interval boundsOf(FormId form) const {
    if (const Window *window = windowOf(form)) return window->bounds;
    const auto id = table_.asVariable(form);
    if (!id) return Interval::point(table_.constant(form));
    return id->kind == VariableKind::Dimension ? dimensions_[id->index].bounds
                                               : map_.variable(*id).bounds;
  }

  const IndexingMap &map_;
  const ExpressionTable &table_;
  llvm::SmallVector<Variable, 6> dimensions_;  // as the windows leave them
  llvm::SmallVector<Window, 4> windows_;
  llvm::SmallVector<bool, 8> isRangeRead_, isRuntimeRead_;
};

}  // namespace

std::optional<IndexingMap> simplifiedPlainMap(const IndexingMap &map) {
  return PlainMap(map).simplified();
}

}  // namespace indexical
