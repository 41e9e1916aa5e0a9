#include "indexical/cost/use/elements.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

constexpr int64_t kUsualOperations = 4'000'000;

class ElementFinder {
 public:
  ElementFinder(llvm::ArrayRef<int64_t> index, const ElementsOptions &options)
      : index_(index), options_(options) {}

  absl::StatusOr<Elements> run(const IndexingRelation &relation) {
    Elements found;
    found.isExact = relation.precision() == Precision::Exact;
    IndexingRelation here;
    for (const IndexingMap &piece : relation.pieces()) {
      auto map = atIndex(piece);
      if (map.ok()) map = withValues(*std::move(map), found);
      INDEXICAL_RETURN_IF_ERROR(map.status());
      if (!map->isKnownEmpty()) here.add(*std::move(map));
    }
    if (!found.dependsOn.empty() || isUnknown_) return found;
    list(here, found);
    return found;
  }

 private:
  /// The piece at the index: a map without dimensions.
  absl::StatusOr<IndexingMap> atIndex(const IndexingMap &piece) {
    if (piece.isKnownEmpty()) return piece;
    IndexingMapBuilder b;
    for (int64_t value : index_) b.result(b.constant(value));
    INDEXICAL_ASSIGN_OR_RETURN(auto point, b.build());
    auto map = compose(point, piece);
    return map.ok() ? simplify(*map) : map;
  }

  absl::StatusOr<IndexingMap> withValues(IndexingMap map, Elements &found) {
    while (!map.isKnownEmpty() && map.visibleRuntimeCount() > 0) {
      const RuntimeVariable &variable = map.runtime()[0];
      const Interval bounds = variable.bounds;
      auto value =
          options_.runtimeValue ? options_.runtimeValue(map, 0) : std::nullopt;
      if (value && variable.clamped)
        value = std::clamp(*value, bounds.lower, bounds.upper);
      if (value && !bounds.contains(*value)) return IndexingMap::knownEmpty();
      if (!value && bounds.count() == 1 && !variable.restricts())
        value = bounds.lower;
      if (!value) {
        isUnknown_ = true;
        add(map, found);
        // The rest of the map is still checked with one value: it may be empty,
        // or depend on more variables.
        value = bounds.hasLower()   ? bounds.lower
                : bounds.hasUpper() ? bounds.upper
                                    : 0;
      }
      auto next = replaceRuntime(
          map, 0, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
            return b.constant(*value);
          });
      if (next.ok()) next = simplify(*next);
      if (!next.ok()) return next;
      map = *std::move(next);
    }
    return map;
  }

  /// The source of the first runtime variable.
  static void add(const IndexingMap &map, Elements &found) {
    const RuntimeVariable &variable = map.runtime()[0];
    if (variable.source.kind != RuntimeSource::Kind::Element &&
        variable.source.kind != RuntimeSource::Kind::Size)
      return;
    Elements::Source source;
    source.tensor = variable.source.tensor;
    if (variable.source.kind == RuntimeSource::Kind::Element) {
      source.index.emplace();
      for (FormId form : variable.elementIndex()) {
        if (!map.expressions().isConstant(form)) {
          source.index.reset();
          break;
        }
        source.index->push_back(map.expressions().constant(form));
      }
    }
    if (!llvm::is_contained(found.dependsOn, source))
      found.dependsOn.push_back(std::move(source));
  }

  void list(const IndexingRelation &relation, Elements &found) {
    std::set<std::vector<int64_t>> elements;
    Meter meter(options_.exact, kUsualOperations);
    for (const IndexingMap &piece : relation.pieces()) {
      if (found.more) break;
      found.more = !visit(piece, meter, elements);
    }
    found.listed.emplace();
    for (const auto &element : elements) {
      if (found.listed->size() == options_.most) break;
      found.listed->emplace_back(element.begin(), element.end());
    }
    if (!found.more) {
      found.count = elements.size();
      return;
    }
    auto count = countImage(relation, options_.exact);
    if (!count.ok() || !count->value ||
        *count->value > llvm::DynamicAPInt(Interval::kInfinity))
      return;
    found.count = static_cast<int64_t>(*count->value);
    found.more = *found.count > static_cast<int64_t>(found.listed->size());
  }

  /// Returns false if there are more elements than are wanted, or if not all
  /// are found.
  bool visit(const IndexingMap &piece, Meter &meter,
             std::set<std::vector<int64_t>> &elements) {
    SimplifyOptions asItIs;
    asItIs.foldPoints = false;
    auto set = simplify(asSet(piece), asItIs);
    if (!set.ok()) return false;
    if (set->isKnownEmpty()) return true;
    // The members of collectives follow the element's index.
    const size_t rank = piece.results().size();
    PointValues values(set->expressions());
    return Enumeration(*set, meter).visit([&](llvm::ArrayRef<int64_t> point) {
      if (!values.set(point)) return false;
      std::vector<int64_t> element;
      for (FormId form : set->results().take_front(rank)) {
        auto value = values(form);
        if (!value) return false;
        element.push_back(*value);
      }
      elements.insert(std::move(element));
      return elements.size() <= options_.most;
    });
  }

  const llvm::ArrayRef<int64_t> index_;
  const ElementsOptions &options_;
  bool isUnknown_ = false;
};

}  // namespace

absl::StatusOr<Elements> elementsAt(const IndexingRelation &relation,
                                    llvm::ArrayRef<int64_t> index,
                                    const ElementsOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return elementsAt(relation, index, options); });
  return ElementFinder(index, options).run(relation);
}

}  // namespace indexical
