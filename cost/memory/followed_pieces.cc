#include "indexical/cost/memory/followed_pieces.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace lanes {
namespace {

/// The pieces that take the place of those of one read.
constexpr size_t kMostFollowed = 4096;

/// Returns the first atom of the map's results and constraints that is not
/// followed, and of whose parts all are; nothing if there is none.
std::optional<Atom> firstUnfollowed(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  llvm::SmallVector<bool, 16> used(table.atomCount(), false);
  auto use = [&](FormId form) {
    for (const Term &term : table.terms(form)) used[term.atom] = true;
  };
  for (FormId form : map.results()) use(form);
  for (const Constraint &constraint : map.constraints()) use(constraint.form);
  // Parts have lower numbers than what is made of them.
  std::optional<Atom> first;
  for (AtomId i = table.atomCount(); i-- > 0;) {
    if (!used[i]) continue;
    const Atom &atom = table.atom(i);
    for (FormId operand : atom.operands()) use(operand);
    if (atom.kind != AtomKind::Variable && atom.kind != AtomKind::Digit)
      first = atom;
  }
  return first;
}

/// The dimensions in a form, or nothing if a value at run time is in it.
using Dimensions = llvm::SmallVector<uint32_t, 4>;
std::optional<Dimensions> dimensionsIn(const IndexingMap &map, FormId form) {
  std::optional<Dimensions> found = Dimensions();
  map.expressions().visitVariables({form}, [&](VariableId id) {
    if (id.kind != VariableKind::Dimension)
      found.reset();
    else if (found && !llvm::is_contained(*found, id.index))
      found->push_back(id.index);
  });
  return found;
}

/// Returns the map at one value of a dimension, which it keeps.
absl::StatusOr<IndexingMap> mapAt(const IndexingMap &map, uint32_t dimension,
                                  int64_t value) {
  IndexingMapBuilder b;
  for (auto [k, v] : llvm::enumerate(map.dimensions())) {
    const Expr own =
        b.dimension(k == dimension ? Interval::point(value) : v.bounds);
    b.result(k == dimension ? b.constant(value) : own);
  }
  INDEXICAL_ASSIGN_OR_RETURN(const auto at, b.build());
  return compose(at, map);
}

class Cutter {
 public:
  std::vector<IndexingMap> followed;

  /// Returns false if the map cannot be followed.
  bool add(const IndexingMap &whole) {
    std::vector<IndexingMap> open{whole};
    while (!open.empty()) {
      const IndexingMap map = std::move(open.back());
      open.pop_back();
      if (map.isKnownEmpty()) continue;
      if (const auto atom = firstUnfollowed(map)) {
        if (!cut(map, *atom, open)) return false;
      } else {
        followed.push_back(map);
      }
      if (open.size() + followed.size() > kMostFollowed) return false;
    }
    return true;
  }

 private:
  static bool cutsByValues(const IndexingMap &map,
                           const std::optional<Dimensions> &dimensions) {
    return dimensions && llvm::all_of(*dimensions, [&](uint32_t d) {
             const Interval bounds = map.dimensions()[d].bounds;
             return bounds.isFinite() &&
                    bounds.count() <= static_cast<int64_t>(kMostFollowed);
           });
  }

  static int64_t countOf(const IndexingMap &map, const Dimensions &dimensions) {
    int64_t count = 1;
    for (uint32_t d : dimensions)
      count = std::min<int64_t>(kMostFollowed + 1,
                                count * map.dimensions()[d].bounds.count());
    return count;
  }

  static bool cut(const IndexingMap &map, const Atom &atom,
                  std::vector<IndexingMap> &open) {
    if (atom.kind == AtomKind::PositivePart) return false;
    auto by = dimensionsIn(map, atom.b);
    if (atom.kind == AtomKind::Product) {
      auto other = dimensionsIn(map, atom.a);
      if (!cutsByValues(map, by) || (cutsByValues(map, other) &&
                                     countOf(map, *other) < countOf(map, *by)))
        by = std::move(other);
    }
    if (!cutsByValues(map, by) || by->empty()) return false;
    const auto fewest = llvm::min_element(*by, [&](uint32_t x, uint32_t y) {
      return map.dimensions()[x].bounds.count() <
             map.dimensions()[y].bounds.count();
    });
    const Interval bounds = map.dimensions()[*fewest].bounds;
    for (int64_t value = bounds.lower; value <= bounds.upper; ++value) {
      auto at = mapAt(map, *fewest, value);
      // That a divisor is not zero may be shown of the whole map alone.
      if (!at.ok()) return false;
      open.push_back(*std::move(at));
    }
    return true;
  }
};

}  // namespace

std::vector<LaunchPiece> followedPieces(std::vector<LaunchPiece> pieces) {
  Cutter cutter;
  std::vector<LaunchPiece> followed;
  for (const LaunchPiece &piece : pieces) {
    if (!cutter.add(piece.map)) return pieces;
    for (size_t k = followed.size(); k < cutter.followed.size(); ++k)
      followed.push_back({cutter.followed[k], piece.ranges});
  }
  return followed;
}

std::vector<IndexingMap> followedMaps(std::vector<IndexingMap> maps) {
  Cutter cutter;
  for (const IndexingMap &map : maps)
    if (!cutter.add(map)) return maps;
  return std::move(cutter.followed);
}

}  // namespace lanes
}  // namespace indexical
