// The operations of CuTe on layouts.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"

namespace indexical::layouts {

namespace {

absl::StatusOr<Cute> modesOf(const Layout &layout) {
  if (auto modes = cuteOf(layout)) return *std::move(modes);
  return absl::InvalidArgumentError(
      "the layout is not a shape with strides, which this operation takes");
}

absl::StatusOr<int64_t> pointsOf(const Cute &modes) {
  if (const auto points = modes.points()) return *points;
  return absl::InvalidArgumentError("a size of the layout leaves 64 bits");
}

/// Returns two different points with one value, if there are any among few.
std::string sharedOffset(const Layout &layout) {
  const auto points = layout.points();
  if (!points || *points > kMostTabulated) return "";
  std::vector<std::pair<int64_t, int64_t>> values;
  layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
    values.push_back({value[0], static_cast<int64_t>(values.size())});
    return true;
  });
  llvm::sort(values);
  for (size_t i = 1; i < values.size(); ++i)
    if (values[i].first == values[i - 1].first)
      return absl::StrCat("; indices ", values[i - 1].second, " and ",
                          values[i].second, " have the offset ",
                          values[i].first);
  return "";
}

/// Returns the modes of outer(inner), with the shape of `inner` on top.
absl::StatusOr<Cute> composedModes(const Cute &outer, const Cute &inner) {
  INDEXICAL_ASSIGN_OR_RETURN(const Layout a, layoutOf(outer));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout b, layoutOf(inner));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout both, compose(a, b));
  auto modes = cuteOf(both);
  if (!modes)
    return absl::InvalidArgumentError(absl::StrCat(
        outer.str(), " o ", inner.str(), " is not a shape with strides"));
  return *std::move(modes);
}

/// Returns a tuple of at least so many modes.
std::vector<Cute> padded(const Cute &modes, size_t rank) {
  std::vector<Cute> made = modes.top().vec();
  while (made.size() < rank) made.push_back(Cute::leaf(1, 0));
  return made;
}

}  // namespace

absl::StatusOr<Layout> coalesce(const Layout &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute modes, modesOf(layout));
  return layoutOf(coalesced(modes));
}

absl::StatusOr<Layout> complement(const Layout &layout, int64_t size) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute modes, modesOf(layout));
  auto made = complement(modes, size);
  if (!made.ok())
    return absl::Status(
        made.status().code(),
        absl::StrCat(made.status().message(), sharedOffset(layout)));
  INDEXICAL_ASSIGN_OR_RETURN(Layout result, layoutOf(*made));
  Notes notes = result.notes();
  notes.fills = fills(modes);
  return result.withNotes(std::move(notes));
}

absl::StatusOr<Layout> rightInverse(const Layout &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute modes, modesOf(layout));
  INDEXICAL_ASSIGN_OR_RETURN(const Cute made, rightInverse(modes));
  return layoutOf(made);
}

absl::StatusOr<Layout> leftInverse(const Layout &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute modes, modesOf(layout));
  INDEXICAL_ASSIGN_OR_RETURN(const Cute made, leftInverse(modes));
  return layoutOf(made);
}

absl::StatusOr<Layout> logicalDivide(const Layout &layout, const Layout &tile) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute inner, modesOf(tile));
  const auto points = layout.points();
  if (!points)
    return absl::InvalidArgumentError("a size of the layout leaves 64 bits");
  INDEXICAL_ASSIGN_OR_RETURN(const Layout rest, complement(tile, *points));
  INDEXICAL_ASSIGN_OR_RETURN(
      const Layout both, layoutOf(Cute::tuple({inner, *rest.notes().cute})));
  return compose(layout, both);
}

absl::StatusOr<Layout> logicalProduct(const Layout &block,
                                      const Layout &tiler) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute a, modesOf(block));
  INDEXICAL_ASSIGN_OR_RETURN(const Cute b, modesOf(tiler));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t size, pointsOf(a));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t reach, cosize(b));
  int64_t all;
  if (llvm::MulOverflow(size, reach, all))
    return absl::InvalidArgumentError("the product leaves 64 bits");
  INDEXICAL_ASSIGN_OR_RETURN(const Layout rest, complement(block, all));
  INDEXICAL_ASSIGN_OR_RETURN(const Cute spread,
                             composedModes(*rest.notes().cute, b));
  return layoutOf(Cute::tuple({a, spread}));
}

absl::StatusOr<Layout> wovenProduct(const Layout &block, const Layout &tiler,
                                    Woven how) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute a, modesOf(block));
  INDEXICAL_ASSIGN_OR_RETURN(const Cute b, modesOf(tiler));
  const size_t rank = std::max(a.top().size(), b.top().size());
  INDEXICAL_ASSIGN_OR_RETURN(const Layout first,
                             layoutOf(Cute::tuple(padded(a, rank))));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout second,
                             layoutOf(Cute::tuple(padded(b, rank))));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout product,
                             logicalProduct(first, second));
  const std::vector<Cute> &both = product.notes().cute->modes;
  std::vector<Cute> modes;
  for (size_t k = 0; k < rank; ++k) {
    Cute inner = both[0].modes[k], outer = both[1].modes[k];
    if (how == Woven::Raked) std::swap(inner, outer);
    modes.push_back(coalesced(Cute::tuple({inner, outer})));
  }
  return layoutOf(modes.size() == 1 ? modes.front()
                                    : Cute::tuple(std::move(modes)));
}

absl::StatusOr<Layout> divide(const Layout &layout,
                              llvm::ArrayRef<std::optional<Layout>> tiles,
                              DivideBy how) {
  INDEXICAL_ASSIGN_OR_RETURN(const Cute modes, modesOf(layout));
  if (tiles.size() > modes.top().size())
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", tiles.size(), " tiles, and the layout has ",
                     modes.top().size(), " modes"));
  std::vector<Cute> inner, rests;
  for (const auto &[k, mode] : llvm::enumerate(modes.top())) {
    if (k >= tiles.size() || !tiles[k]) {
      rests.push_back(mode);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(const Layout alone, layoutOf(mode));
    INDEXICAL_ASSIGN_OR_RETURN(const Layout divided,
                               logicalDivide(alone, *tiles[k]));
    INDEXICAL_ASSIGN_OR_RETURN(const Cute parts, modesOf(divided));
    inner.push_back(parts.modes[0]);
    rests.push_back(parts.modes[1]);
  }
  std::vector<Cute> made;
  if (how == DivideBy::Flat)
    made = inner;
  else if (!inner.empty())
    made.push_back(inner.size() == 1 ? inner.front() : Cute::tuple(inner));
  if (how == DivideBy::Zipped)
    made.push_back(Cute::tuple(rests));
  else
    made.insert(made.end(), rests.begin(), rests.end());
  return layoutOf(Cute::tuple(std::move(made)));
}

}  // namespace indexical::layouts
