// Pictures of the elements of each operand that elements of a result read.
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/axis.h"
#include "indexical/answers/pictures/names.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// Elements of a box that is asked about, and those of an operand that one of
/// them reads.
constexpr int64_t kMostAsked = 16'384;
constexpr size_t kMostListed = 65'536;

using ReadIndex = Elements::Index;

/// The colour of the elements that are asked about; pieces have the others.
constexpr uint32_t kAsked = 0;
uint32_t colourOf(size_t piece) { return 1 + piece % (Look::kColours - 1); }

struct Reads {
  std::map<ReadIndex, std::vector<size_t>> elements;  ///< and the pieces
  int64_t pairs = 0;
  bool more = false, isExact = true, depends = false;
};

class ReadsDrawing {
 public:
  ReadsDrawing(const PictureOfReads &question, const ElementsOptions &options)
      : question_(question), options_(options) {
    options_.most = kMostListed;
  }

  absl::StatusOr<Picture> draw() {
    INDEXICAL_RETURN_IF_ERROR(listAsked());
    Picture picture;
    picture.title = question_.title;
    picture.legend.push_back(
        {Look::marked(kAsked), "asked: " + boxText(question_.result.title)});
    size_t piece = 0;
    bool hasHoles = false;
    for (const PictureOperand &operand : question_.operands) {
      INDEXICAL_ASSIGN_OR_RETURN(auto reads, readsOf(operand, piece));
      picture.bands.push_back(
          {resultGrid(operand, hasHoles), operandGrid(operand, reads)});
      for (const IndexingMap &map : operand.relation.pieces())
        picture.legend.push_back(
            {Look::marked(colourOf(piece++)),
             operand.space.title + ": " + map.strOneLine()});
    }
    if (hasHoles)
      picture.legend.push_back(
          {{Look::Kind::Hole}, "indices of the result that read nothing"});
    return picture;
  }

 private:
  std::string boxText(const std::string &name) const {
    if (asked_.size() == 1)
      return "element " + indexText(asked_[0]) + " of " + name;
    std::string text;
    for (auto [k, size] : llvm::enumerate(question_.sizes))
      text += (k ? " x " : "") + std::to_string(size);
    return "tile of " + text + " at " + indexText(question_.at) + " of " + name;
  }

  absl::Status listAsked() {
    const auto &sides = question_.result.sides;
    if (question_.at.size() != sides.size() ||
        question_.sizes.size() != sides.size())
      return absl::InvalidArgumentError(
          "the result has " + countText(sides.size(), "dimension") +
          ", and the element or tile has another number");
    asked_ = {ReadIndex()};
    for (size_t k = 0; k < sides.size(); ++k) {
      const int64_t from = question_.at[k];
      if (!sides[k].contains(from))
        return absl::InvalidArgumentError(
            "the result has no element " + indexText(question_.at) +
            ": dimension " + std::to_string(k) + " is in " + sides[k].str());
      const int64_t left = sides[k].upper - from;
      const int64_t to = from + std::min(question_.sizes[k] - 1, left);
      std::vector<ReadIndex> longer;
      for (const ReadIndex &index : asked_)
        for (int64_t i = from; i <= to; ++i) {
          if (longer.size() >= kMostAsked)
            return absl::InvalidArgumentError(
                "a tile of more than " + std::to_string(kMostAsked) +
                " elements is not drawn element by element");
          longer.push_back(index);
          longer.back().push_back(i);
        }
      asked_ = std::move(longer);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Reads> readsOf(const PictureOperand &operand, size_t piece) {
    Reads reads;
    reads.isExact = operand.relation.precision() == Precision::Exact;
    for (const IndexingMap &map : operand.relation.pieces()) {
      const IndexingRelation one(map);
      for (const ReadIndex &index : asked_) {
        INDEXICAL_ASSIGN_OR_RETURN(auto found,
                                   elementsAt(one, index, options_));
        reads.depends |= !found.listed;
        reads.more |= found.more;
        if (!found.listed) continue;
        for (const ReadIndex &element : *found.listed) {
          auto &pieces = reads.elements[element];
          if (!llvm::is_contained(pieces, piece)) pieces.push_back(piece);
          ++reads.pairs;
        }
      }
      ++piece;
    }
    return reads;
  }

  CellGrid resultGrid(const PictureOperand &operand, bool &hasHoles) {
    const Plane plane(question_.result.sides, question_.result.shown,
                      question_.at);
    CellGrid grid;
    grid.title = question_.result.title;
    plane.apply(grid, 'd');
    const std::set<ReadIndex> asked(asked_.begin(), asked_.end());
    for (const ReadIndex &index : asked_) {
      grid.rowsOfInterest.push_back(plane.rowOf(index));
      grid.columnsOfInterest.push_back(plane.columnOf(index));
    }
    const std::set<ReadIndex> holes = holesOf(operand, plane, grid);
    hasHoles |= !holes.empty();
    grid.cell = [plane, asked, holes, name = operand.space.title](
                    int64_t row, int64_t column) {
      const ReadIndex index = plane.indexOf(row, column);
      Cell cell;
      cell.title = indexText(index);
      if (asked.count(index)) {
        cell.look = Look::marked(kAsked);
        cell.title += ": asked";
      } else if (holes.count(index)) {
        cell.look.kind = Look::Kind::Hole;
        cell.title += ": reads nothing of " + name;
      }
      return cell;
    };
    if (std::string rest = plane.restText('d'); !rest.empty())
      grid.notes.push_back(rest);
    return grid;
  }

  /// Returns the drawn cells that read nothing.
  std::set<ReadIndex> holesOf(const PictureOperand &operand, const Plane &plane,
                              const CellGrid &grid) const {
    std::set<ReadIndex> holes;
    if (isWhole(operand)) return holes;
    ElementsOptions one = options_;
    one.most = 1;
    const auto columns =
        axisOf(grid.firstColumn, grid.columns, grid.columnsOfInterest);
    for (int64_t row : axisOf(grid.firstRow, grid.rows, grid.rowsOfInterest))
      for (int64_t column : columns) {
        if (row == kGap || column == kGap) continue;
        const ReadIndex index = plane.indexOf(row, column);
        auto found = elementsAt(operand.relation, index, one);
        if (found.ok() && found->listed && found->listed->empty())
          holes.insert(index);
      }
    return holes;
  }

  /// Whether one piece holds everywhere, as its bounds show.
  bool isWhole(const PictureOperand &operand) const {
    return llvm::any_of(operand.relation.pieces(), [&](const IndexingMap &map) {
      bool isSo = map.constraints().empty();
      for (auto [variable, side] :
           llvm::zip(map.dimensions(), question_.result.sides))
        isSo &= variable.bounds == side;
      return isSo;
    });
  }

  CellGrid operandGrid(const PictureOperand &operand,
                       const Reads &reads) const {
    ReadIndex at;
    for (const Interval &side : operand.space.sides) at.push_back(side.lower);
    if (!reads.elements.empty()) at = reads.elements.begin()->first;
    const auto &chosen = operand.space.shown;
    const Plane plane(operand.space.sides,
                      chosen.empty() ? shownBeside(operand.relation.pieces(),
                                                   question_.result.shown)
                                     : chosen,
                      at);
    CellGrid grid;
    grid.title = operand.space.title;
    plane.apply(grid, 'r');
    for (const auto &[index, pieces] : reads.elements) {
      if (!plane.contains(index)) continue;
      grid.rowsOfInterest.push_back(plane.rowOf(index));
      grid.columnsOfInterest.push_back(plane.columnOf(index));
    }
    auto elements = std::make_shared<decltype(reads.elements)>(reads.elements);
    grid.cell = [plane, elements](int64_t row, int64_t column) {
      const ReadIndex index = plane.indexOf(row, column);
      Cell cell;
      cell.title = indexText(index);
      auto found = elements->find(index);
      if (found == elements->end()) return cell;
      const auto &pieces = found->second;
      cell.look = Look::marked(colourOf(pieces[0]), pieces.size() > 1);
      cell.title += ": read";
      if (pieces.size() > 1)
        cell.title += " by " + countText(pieces.size(), "piece");
      return cell;
    };
    addNotes(reads, plane, grid);
    return grid;
  }

  static void addNotes(const Reads &reads, const Plane &plane, CellGrid &grid) {
    grid.notes.push_back((reads.isExact ? "" : "at most ") +
                         countText(reads.elements.size(), "element") + ", " +
                         countText(reads.pairs, "read") +
                         (reads.more ? ", and more" : ""));
    if (reads.depends)
      grid.notes.push_back("depends on values of the run: see --runtime");
    if (std::string rest = plane.restText('r'); !rest.empty())
      grid.notes.push_back(rest);
    if (reads.elements.empty()) return;
    const size_t rank = reads.elements.begin()->first.size();
    for (size_t k = 0; k < rank; ++k) {
      std::set<int64_t> values;
      for (const auto &[index, pieces] : reads.elements)
        values.insert(index[k]);
      if (values.size() < 2) continue;
      const int64_t first = *values.begin(),
                    step = *std::next(values.begin()) - first;
      bool isEven = true;
      for (auto v = values.begin(); std::next(v) != values.end(); ++v)
        isEven &= *std::next(v) - *v == step;
      grid.notes.push_back(
          "r" + std::to_string(k) + ": " + countText(values.size(), "value") +
          ", " + std::to_string(first) + " to " +
          std::to_string(*values.rbegin()) +
          (isEven ? ", step " + std::to_string(step) : ", steps that differ"));
    }
  }

  const PictureOfReads &question_;
  ElementsOptions options_;
  std::vector<ReadIndex> asked_;
};

}  // namespace

absl::StatusOr<Picture> pictureOfReads(const PictureOfReads &question,
                                       const ElementsOptions &options) {
  return ReadsDrawing(question, options).draw();
}

}  // namespace indexical
