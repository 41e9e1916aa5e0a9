#include "indexical/simplifier/shortcuts/shortcuts.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/shortcuts/rearrange.h"
#include "indexical/simplifier/shortcuts/separable.h"

namespace indexical {
namespace {

/// Whether a map is canonical as it is: each result is a number, or a dimension
/// or range that has more values than one, scaled and moved, to which a runtime
/// variable may be added, on a box. A range or runtime variable stands in one
/// result, and no two runtime variables can be the same one.
class PlainMap {
 public:
  explicit PlainMap(const IndexingMap &map)
      : map_(map),
        ranges_(map.ranges().size(), false),
        runtime_(map.runtime().size(), false) {}

  bool isPlain() {
    auto isEmpty = [](const Variable &v) { return v.bounds.isEmpty(); };
    auto isMet = [](bool met) { return met; };
    return map_.constraints().empty() && map_.collectives().empty() &&
           map_.visibleRuntimeCount() == map_.runtime().size() &&
           llvm::none_of(map_.dimensions(), isEmpty) &&
           llvm::all_of(map_.results(),
                        [&](FormId form) { return isPlainForm(form); }) &&
           llvm::all_of(ranges_, isMet) && llvm::all_of(runtime_, isMet) &&
           areDifferent();
  }

 private:
  bool isPlainForm(FormId form) {
    const llvm::ArrayRef<Term> terms = map_.expressions().terms(form);
    size_t runtime = 0;
    for (const Term &term : terms) {
      const auto id = map_.expressions().atom(term.atom).asVariable();
      if (!id || !isPlainVariable(*id)) return false;
      runtime += id->kind == VariableKind::Runtime;
    }
    return runtime <= 1 && terms.size() <= runtime + 1;
  }

  bool isPlainVariable(VariableId id) {
    const Variable &variable = map_.variable(id);
    if (id.kind == VariableKind::Dimension) return !variable.bounds.isPoint();
    // Simplification names ranges anew.
    if (!variable.name.empty() || variable.bounds.isPoint() ||
        variable.bounds.isEmpty())
      return false;
    if (id.kind == VariableKind::Range)
      return !std::exchange(ranges_[id.index], true);
    const RuntimeVariable &runtime = map_.runtime()[id.index];
    return runtime.index.empty() && !runtime.restricts() &&
           runtime.source.kind != RuntimeSource::Kind::Size &&
           !std::exchange(runtime_[id.index], true);
  }

  bool areDifferent() const {
    const auto runtime = map_.runtime();
    for (size_t i = 1; i < runtime.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (runtime[i].source.kind != RuntimeSource::Kind::None &&
            runtime[i].source == runtime[j].source)
          return false;
    return true;
  }

  const IndexingMap &map_;
  llvm::SmallVector<bool, 8> ranges_, runtime_;
};

}  // namespace

std::optional<IndexingMap> simplifiedAtOnce(const IndexingMap &map) {
  if (map.isKnownEmpty() || map.isCanonical() || !PlainMap(map).isPlain())
    return std::nullopt;
  return SimplifierMarks::marked(map);
}

std::optional<IndexingMap> productAtOnce(const IndexingMap &first,
                                         const IndexingMap &second,
                                         ExpressionPool &pool) {
  if (auto product = separableProduct(first, second, pool)) return product;
  return rearrangedProduct(first, second, pool);
}

}  // namespace indexical
