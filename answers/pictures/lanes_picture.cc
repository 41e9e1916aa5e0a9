// Pictures of layouts: who holds which element, and which place has which.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/pictures.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding.h"

namespace indexical {
namespace {

using layouts::Coordinates;
using layouts::Space;

/// A larger layout is not drawn.
constexpr int64_t kMostDrawn = 1 << 16;

std::string joined(llvm::ArrayRef<int64_t> numbers) {
  return absl::StrCat("(", absl::StrJoin(numbers, ", "), ")");
}

/// Returns the place of the input of that name, or -1.
int inputNamed(const layouts::Layout &layout, llvm::StringRef name) {
  for (const auto &[k, space] : llvm::enumerate(layout.inputs()))
    if (space.name == name) return static_cast<int>(k);
  return -1;
}

/// The points of a layout by their values.
struct Points {
  std::map<Coordinates, std::vector<Coordinates>> byValue;
  Coordinates sizes;  ///< of the box of values, from 0 on
};

absl::StatusOr<std::shared_ptr<const Points>> pointsByValue(
    const layouts::Layout &layout) {
  const auto count = layout.points();
  if (!count || *count > kMostDrawn)
    return absl::InvalidArgumentError(
        absl::StrCat("a layout of more than ", kMostDrawn, " is not drawn"));
  auto made = std::make_shared<Points>();
  for (auto [space, bounds] : llvm::zip(layout.outputs(), boundsOf(layout))) {
    if (bounds.lower < 0)
      return absl::InvalidArgumentError("a picture begins with 0");
    made->sizes.push_back(space.size != 0 ? space.size : bounds.upper + 1);
  }
  layout.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
    made->byValue[{v.begin(), v.end()}].emplace_back(point.begin(),
                                                     point.end());
    return true;
  });
  return std::shared_ptr<const Points>(std::move(made));
}

/// The names of threads among the inputs.
struct ThreadInputs {
  int reg, lane, warp, block;
  explicit ThreadInputs(const layouts::Layout &layout)
      : reg(inputNamed(layout, "register")),
        lane(inputNamed(layout, "lane")),
        warp(inputNamed(layout, "warp")),
        block(inputNamed(layout, "block")) {}
  static int64_t at(int input, const Coordinates &point) {
    return input < 0 ? 0 : point[input];
  }
  std::vector<int64_t> thread(const Coordinates &point) const {
    return {at(block, point), at(warp, point), at(lane, point)};
  }
  /// `T3:1`: register 1 of lane 3, as Triton prints it; with other warps W1.
  std::string text(const layouts::Layout &layout,
                   const Coordinates &point) const {
    if (lane < 0) return absl::StrJoin(point, ",");
    std::string made;
    if (block >= 0 && layout.inputs()[block].size > 1)
      absl::StrAppend(&made, "B", point[block], ".");
    if (warp >= 0 && layout.inputs()[warp].size > 1)
      absl::StrAppend(&made, "W", point[warp], ".");
    absl::StrAppend(&made, "T", point[lane]);
    if (reg >= 0) absl::StrAppend(&made, ":", point[reg]);
    return made;
  }
  Look look(const Coordinates &point) const {
    if (lane < 0)
      return Look::marked(point.empty() ? 0 : static_cast<uint32_t>(point[0]));
    return Look::marked(static_cast<uint32_t>(point[lane]),
                        at(warp, point) % 2 == 1);
  }
};

/// The elements that some thread has in the second layout and lacks in the
/// first.
std::set<Coordinates> movedElements(const layouts::Layout &first,
                                    const Points &from,
                                    const layouts::Layout &second,
                                    const Points &to) {
  const ThreadInputs inFirst(first), inSecond(second);
  std::set<Coordinates> moved;
  for (const auto &[element, takers] : to.byValue) {
    std::set<std::vector<int64_t>> has;
    if (const auto at = from.byValue.find(element); at != from.byValue.end())
      for (const Coordinates &point : at->second)
        has.insert(inFirst.thread(point));
    for (const Coordinates &point : takers)
      if (!has.count(inSecond.thread(point))) moved.insert(element);
  }
  return moved;
}

/// The tile, with who holds each element.
CellGrid tileGrid(const layouts::Layout &layout,
                  std::shared_ptr<const Points> points,
                  std::shared_ptr<const std::set<Coordinates>> moved) {
  CellGrid grid;
  const auto shared = std::make_shared<const layouts::Layout>(layout);
  const size_t rank = points->sizes.size();
  grid.title = "elements, by lane and register";
  grid.rows = rank > 1 ? points->sizes[rank - 2] : 1;
  grid.columns = points->sizes.back();
  grid.rowName = rank > 1 ? layout.outputs()[rank - 2].name : "";
  grid.columnName = layout.outputs().back().name;
  if (rank > 2) grid.notes.push_back("of the first index along the others");
  grid.cell = [shared, points, moved, rank](int64_t row, int64_t column) {
    Coordinates element(rank, 0);
    element[rank - 1] = column;
    if (rank > 1) element[rank - 2] = row;
    Cell cell;
    const auto at = points->byValue.find(element);
    if (at == points->byValue.end()) {
      cell.look.kind = Look::Kind::Hole;
      cell.title = absl::StrCat("element ", joined(element), ": no holder");
      return cell;
    }
    const ThreadInputs inputs(*shared);
    cell.look = inputs.look(at->second.front());
    cell.text = inputs.text(*shared, at->second.front());
    if (at->second.size() > 1) cell.text += "+";
    std::vector<std::string> holders;
    for (const Coordinates &point : at->second)
      holders.push_back(inputs.text(*shared, point));
    cell.title = absl::StrCat("element ", joined(element), ": ",
                              absl::StrJoin(holders, " "));
    if (moved && moved->count(element)) {
      cell.look.kind = Look::Kind::Wasted;
      cell.title += ", moves";
    }
    return cell;
  };
  return grid;
}

/// The inputs, the last one along the columns, with their values.
CellGrid inputGrid(const layouts::Layout &layout) {
  CellGrid grid;
  const auto shared = std::make_shared<const layouts::Layout>(layout);
  // Rows are lanes, or the first input; columns all others.
  int row = inputNamed(layout, "lane");
  if (row < 0) row = 0;
  grid.title = "values, by input";
  grid.rows = layout.box()[row];
  grid.columns = *layout.points() / grid.rows;
  grid.rowName = layout.inputs()[row].name;
  std::vector<std::string> others;
  for (const auto &[k, space] : llvm::enumerate(layout.inputs()))
    if (static_cast<int>(k) != row && space.size > 1)
      others.push_back(space.name);
  grid.columnName = absl::StrJoin(others, ", ");
  grid.cell = [shared, row](int64_t r, int64_t column) {
    Coordinates point(shared->box().size(), 0);
    point[row] = r;
    for (size_t k = 0; k < point.size(); ++k) {
      if (static_cast<int>(k) == row) continue;
      point[k] = column % shared->box()[k];
      column /= shared->box()[k];
    }
    const Coordinates value = shared->at(point);
    Cell cell;
    cell.text = absl::StrJoin(value, ",");
    cell.look = Look::marked(
        static_cast<uint32_t>(value.empty() ? 0 : (value.back() % 7 + 7) % 7));
    cell.title = absl::StrCat(joined(point), ": ", joined(value));
    return cell;
  };
  return grid;
}

/// The places of memory, a line of all banks in each row.
CellGrid memoryGrid(const layouts::Layout &layout,
                    std::shared_ptr<const Points> points, int64_t bits) {
  CellGrid grid;
  const auto shared = std::make_shared<const layouts::Layout>(layout);
  const int64_t places = points->sizes[0];
  const int64_t columns = std::max<int64_t>(1, 32 * 32 / bits);
  grid.title = "memory, 32 banks a row";
  grid.columns = std::min(columns, places);
  grid.rows = (places + columns - 1) / columns;
  grid.rowName = "line";
  grid.columnName = "place";
  grid.cell = [shared, points, columns, bits](int64_t row, int64_t column) {
    const int64_t place = row * columns + column;
    Cell cell;
    const auto at = points->byValue.find({place});
    cell.title = absl::StrCat("offset ", place, ", bank ",
                              column * bits / 32 % 32, ": ");
    if (at == points->byValue.end()) {
      cell.look.kind = Look::Kind::Hole;
      cell.title += "nothing";
      return cell;
    }
    const Coordinates &first = at->second.front();
    const ThreadInputs inputs(*shared);
    cell.look = inputs.look(first);
    cell.text = inputs.text(*shared, first);
    if (at->second.size() > 1) cell.text += "+";
    std::vector<std::string> all;
    for (const Coordinates &point : at->second)
      all.push_back(inputs.text(*shared, point));
    cell.title += absl::StrJoin(all, " ");
    return cell;
  };
  return grid;
}

/// Returns the layout from elements to offsets, if it goes the other way.
absl::StatusOr<layouts::Layout> towardOffsets(const layouts::Layout &layout) {
  if (layout.inputs().empty() || layout.inputs()[0].name != "offset")
    return layout;
  return layouts::inverted(layout);
}

}  // namespace

absl::StatusOr<Picture> pictureOfLayouts(const std::string &title,
                                         const layouts::Layout &given,
                                         const layouts::Layout *second) {
  INDEXICAL_ASSIGN_OR_RETURN(const layouts::Layout layout,
                             towardOffsets(given));
  if (layout.outputs().empty() || layout.inputs().empty())
    return absl::InvalidArgumentError("a picture needs an input and an output");
  INDEXICAL_ASSIGN_OR_RETURN(const auto points, pointsByValue(layout));
  Picture picture;
  picture.title = title;
  const bool isOfThreads = inputNamed(layout, "lane") >= 0;
  const bool isOfOffsets =
      layout.outputs().size() == 1 && layout.outputs()[0].size == 0;
  std::shared_ptr<const std::set<Coordinates>> moved;
  if (second != nullptr) {
    if (second->outputs().size() != layout.outputs().size())
      return absl::InvalidArgumentError(
          "the second layout has another number of outputs");
    INDEXICAL_ASSIGN_OR_RETURN(const auto to, pointsByValue(*second));
    moved = std::make_shared<const std::set<Coordinates>>(
        movedElements(layout, *points, *second, *to));
    picture.notes.push_back(
        absl::StrCat(moved->size(), " of ", to->byValue.size(),
                     " elements move to a thread that lacks them"));
  }
  const int64_t bits =
      layouts::bitsOfType(layout.notes().elementType).value_or(32);
  if (isOfOffsets) {
    picture.bands.push_back({inputGrid(layout)});
    picture.bands.push_back({memoryGrid(layout, points, bits)});
  } else {
    picture.bands.push_back({tileGrid(layout, points, moved)});
    if (second != nullptr) {
      INDEXICAL_ASSIGN_OR_RETURN(const auto to, pointsByValue(*second));
      picture.bands.back().push_back(tileGrid(*second, to, moved));
    }
  }
  if (isOfThreads) {
    picture.notes.push_back(
        "a colour for each lane, of 7 in turn; dots: an odd warp");
    picture.notes.push_back("T3:1 is register 1 of lane 3; +: more holders");
  }
  if (moved) {
    Look look;
    look.kind = Look::Kind::Wasted;
    picture.legend.push_back({look, "moves"});
  }
  return picture;
}

}  // namespace indexical
