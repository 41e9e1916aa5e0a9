// Inverses of layouts.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/pieces.h"

namespace indexical::layouts {

namespace {

/// Returns the layout without inputs and outputs of size 1, whose outputs all
/// have sizes: an offset has those up to its greatest value. Returns an error
/// if a value is negative.
absl::StatusOr<Layout> boxed(const Layout &layout) {
  const std::vector<Interval> values = boundsOf(layout);
  std::vector<Space> inputs, outputs;
  std::vector<Sum> sums;
  std::vector<int> number(layout.inputs().size(), 0);
  for (const auto &[k, space] : llvm::enumerate(layout.inputs())) {
    number[k] = static_cast<int>(inputs.size());
    if (space.size != 1) inputs.push_back(space);
  }
  for (const auto &[k, space] : llvm::enumerate(layout.outputs())) {
    if (values[k].lower < 0)
      return absl::InvalidArgumentError(
          absl::StrCat("there is no inverse: ", space.name, " has the value ",
                       values[k].lower));
    if (!values[k].isFinite())
      return absl::ResourceExhaustedError(
          absl::StrCat("the greatest value of ", space.name, " is not found"));
    const int64_t size = space.size ? space.size : values[k].upper + 1;
    if (size == 1) continue;
    outputs.push_back({space.name, size});
    Sum sum = (*layout.form())[k];
    for (Digit &digit : sum.digits) digit.input = number[digit.input];
    for (Parity &parity : sum.parities)
      for (Bit &bit : parity.bits) bit.first = number[bit.first];
    sums.push_back(std::move(sum));
  }
  return Layout::of(inputs, outputs, sums);
}

/// Returns the inverse of digits that do not overlap; nothing for others.
std::optional<std::vector<Sum>> invertDigits(const Layout &layout) {
  bool isFilled = false;
  const auto pieces = piecesOf(layout, isFilled);
  if (!pieces) return std::nullopt;
  std::vector<Sum> sums(layout.inputs().size());
  for (const Piece &piece : *pieces) {
    int axis = -1;
    for (const auto &[k, weight] : llvm::enumerate(piece.weights)) {
      if (weight == 0) continue;
      if (axis >= 0 || weight < 0) return std::nullopt;
      axis = static_cast<int>(k);
    }
    if (axis < 0) return std::nullopt;
    sums[piece.input].digits.push_back(
        {axis, piece.weights[axis], piece.size, piece.step});
  }
  return sums;
}

absl::StatusOr<Layout> invertTable(const Layout &layout) {
  const auto points = layout.points();
  if (!points || *points > kMostTabulated)
    return absl::ResourceExhaustedError(
        "the inverse of a layout that is neither linear nor digits alone is "
        "only found for 2^16 points");
  Coordinates box;
  for (const Space &space : layout.outputs()) box.push_back(space.size);
  std::vector<std::vector<int64_t>> columns(layout.inputs().size(),
                                            std::vector<int64_t>(*points, 0));
  layout.visit(
      [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> value) {
        int64_t at = 0;
        for (size_t k = box.size(); k-- > 0;) at = at * box[k] + value[k];
        for (auto [column, x] : llvm::zip(columns, point)) column[at] = x;
        return true;
      });
  std::vector<Sum> sums;
  for (const auto &column : columns) {
    auto sum = tabulated(column, box);
    if (!sum)
      return absl::UnimplementedError(
          "the inverse is not a sum of digits and of parities of bits");
    sums.push_back(*std::move(sum));
  }
  return Layout::of(layout.outputs(), layout.inputs(), sums);
}

}  // namespace

absl::StatusOr<IndexingRelation> inverse(const Layout &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap map, layout.map());
  return indexical::inverse(IndexingRelation(map));
}

absl::StatusOr<Layout> inverted(const Layout &layout) {
  if (!layout.form())
    return absl::UnimplementedError(absl::StrCat(
        "the layout has no form, and no inverse that is a layout: ",
        layout.reason()));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout box, boxed(layout));
  const Facts facts = factsOf(box);
  if (!facts.oneToOne || !facts.onto)
    return absl::ResourceExhaustedError(
        "whether the layout is one to one and onto is not found");
  if (!*facts.oneToOne)
    return absl::InvalidArgumentError(
        absl::StrCat("the inverse is not a layout: ", *facts.points,
                     " points have ", *facts.image, " values"));
  if (!*facts.onto)
    return absl::InvalidArgumentError(
        absl::StrCat("the inverse is not a layout: not all values of the "
                     "box are reached, only ",
                     *facts.image));
  if (const auto linear = linearOf(box))
    if (const auto turned = linear->inverse())
      return layoutOf(*turned, box.outputs(), box.inputs());
  if (const auto sums = invertDigits(box)) {
    auto made = Layout::of(box.outputs(), box.inputs(), *sums);
    if (made.ok()) return made;
  }
  return invertTable(box);
}

}  // namespace indexical::layouts
