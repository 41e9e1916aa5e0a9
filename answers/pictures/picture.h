// Pictures: grids of cells, side by side, and how they become SVG.
//
//   d1 0 1 2 3        0 1 2 3        #  read by element (1, 2)
//   0  . . . .        . . . .
//   1  . . # .        . . . .
//   2  . . . .        . # . .
//      result         operand
//
// A *grid* is one index space, of which two dimensions are shown: its cells say
// what they are, and the writer decides how they look. If a side is long, only
// its ends and the indices of interest are drawn; `…` replaces the rest. A
// *band* is a row of grids.
//
//   title   what (1, 2) reads
//   bands   {result, operand}
//   legend  asked, read
//
// The SVG has no scripts and asks for nothing. It follows the reader's colour
// scheme, light or dark; its colours are those of Okabe and Ito, which
// colour-blind people distinguish, and each coloured cell has an outline. Every
// cell has a <title>. Whatever a name contains, it is text: characters that XML
// forbids are replaced, and long names are cut in what is seen, and whole in
// the <title>. The same picture is the same bytes.
#ifndef INDEXICAL_ANSWERS_PICTURES_PICTURE_H
#define INDEXICAL_ANSWERS_PICTURES_PICTURE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// How a cell, or an entry of the legend, looks.
struct Look {
  enum class Kind : uint8_t {
    Plain,
    Marked,   ///< in one of the colours
    Hole,     ///< hatched: there is nothing
    Padding,  ///< grey
    Wasted,   ///< hatched in a colour: it is moved, and not used
  };
  Kind kind = Kind::Plain;
  uint32_t colour = 0;  ///< of what is marked; there are kColours
  bool shaded = false;  ///< with dots over the colour

  static constexpr uint32_t kColours = 7;
  static Look marked(uint32_t colour, bool shaded = false) {
    return {Kind::Marked, colour % kColours, shaded};
  }
};

struct Cell {
  Look look;
  std::string text;   ///< a number, or another short word
  std::string title;  ///< what the cell is
};

struct CellGrid {
  std::string title;
  std::vector<std::string> notes;  ///< below it
  std::string rowName, columnName;
  int64_t rows = 1, columns = 1;
  int64_t firstRow = 0, firstColumn = 0;  ///< their indices
  /// The cell of an index.
  std::function<Cell(int64_t row, int64_t column)> cell;
  /// Returns the label of a row; if not set, that is its index.
  std::function<std::string(int64_t row)> rowLabel = nullptr;
  /// Returns whether a group of rows begins here, with a line above it.
  std::function<bool(int64_t row)> beginsGroup = nullptr;
  /// Indices that are shown however long a side is, as far as there is room.
  std::vector<int64_t> rowsOfInterest, columnsOfInterest;
};

struct LegendEntry {
  Look look;
  std::string text;
};

struct Picture {
  std::string title;
  std::vector<std::string> notes;  ///< below the title
  std::vector<std::vector<CellGrid>> bands;
  std::vector<LegendEntry> legend;
};

void writeSvg(const Picture &picture, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PICTURES_PICTURE_H
