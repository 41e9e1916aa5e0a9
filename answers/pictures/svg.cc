// The SVG writer.
#include <algorithm>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/axis.h"
#include "indexical/answers/pictures/picture.h"
#include "indexical/answers/pictures/svg_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Lengths in pixels. A character of the monospaced font is 0.6 of its size
// wide; fonts that are wider still fit.
constexpr int64_t kMargin = 16, kLine = 17, kCharacter = 8, kSmall = 7;
constexpr int64_t kCellHeight = 20, kLeastCell = 20, kGapSize = 16;
constexpr int64_t kBetweenGrids = 40, kBetweenBands = 28, kGroupSpace = 5;
constexpr int64_t kBeforeLegend = 14;
/// Characters of a line beside or below a grid, and lines of one text.
constexpr size_t kTextWidth = 72, kMostLines = 6, kLeastNotes = 42;
/// Characters of a label or of the text of a cell.
constexpr size_t kMostLabel = 24;

// Okabe and Ito's colours. Black or white stands on each with a contrast of at
// least 5.
constexpr char kStyle[] = R"(<style>
.ix{--ix-ink:#1a1a1a;--ix-paper:#fff;--ix-soft:#595959;--ix-edge:#8c8c8c;--ix-pad:#d9d9d9;--ix-on-pad:#404040;color-scheme:light dark;background:var(--ix-paper);font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
@media (prefers-color-scheme:dark){.ix{--ix-ink:#ececec;--ix-paper:#161616;--ix-soft:#b0b0b0;--ix-edge:#7a7a7a;--ix-pad:#3d3d3d;--ix-on-pad:#d6d6d6}}
@media print{.ix{--ix-ink:#000;--ix-paper:#fff;--ix-soft:#404040;--ix-edge:#707070;--ix-pad:#d9d9d9;--ix-on-pad:#404040}}
.ix text{fill:var(--ix-ink);unicode-bidi:isolate-override;direction:ltr}
.ix .ix-t{font-weight:bold}
.ix .ix-s{fill:var(--ix-soft);font-size:11px}
.ix .ix-n{fill:var(--ix-soft);font-size:12px}
.ix .ix-c text{font-size:11px;text-anchor:middle}
.ix .ix-b{fill:var(--ix-paper)}
.ix rect{fill:none;stroke:var(--ix-edge);stroke-width:1}
.ix .ix-p rect{fill:var(--ix-pad)}
.ix .ix-p text{fill:var(--ix-on-pad)}
.ix .ix-h rect{fill:url(#ix-hole)}
.ix .ix-w rect{fill:url(#ix-waste);stroke:var(--ix-ink)}
.ix .ix-m rect{stroke:var(--ix-ink);stroke-width:1.5}
.ix .ix-m text{fill:#000}
.ix .ix-m0 rect{fill:#56b4e9}
.ix .ix-m1 rect{fill:#e69f00}
.ix .ix-m2 rect{fill:#009e73}
.ix .ix-m3 rect{fill:#f0e442}
.ix .ix-m4 rect{fill:#0072b2}
.ix .ix-m5 rect{fill:#d55e00}
.ix .ix-m6 rect{fill:#cc79a7}
.ix .ix-m4 text{fill:#fff}
.ix .ix-m .ix-o{fill:url(#ix-dots);stroke:none}
.ix line{stroke:var(--ix-ink);stroke-width:1.5}
</style>
<defs>
<pattern id="ix-hole" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="#8c8c8c" stroke-width="1"/></pattern>
<pattern id="ix-waste" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 0L5 5" stroke="#d55e00" stroke-width="1.5"/></pattern>
<pattern id="ix-dots" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="1.5" cy="1.5" r="1" fill="#000"/></pattern>
</defs>
)";

std::string cut(StringRef text, size_t most) {
  auto lines = linesOf(text, most, 1);
  return lines.empty() ? "" : lines[0];
}

std::string classOf(const Look &look) {
  switch (look.kind) {
    case Look::Kind::Plain:
      return "ix-c";
    case Look::Kind::Marked:
      return "ix-c ix-m ix-m" + std::to_string(look.colour % Look::kColours);
    case Look::Kind::Hole:
      return "ix-c ix-h";
    case Look::Kind::Padding:
      return "ix-c ix-p";
    case Look::Kind::Wasted:
      return "ix-c ix-w";
  }
  return "";
}

/// A text, its lines one below the other, and what of it was cut.
struct Lines {
  std::string whole;
  std::vector<std::string> lines;
  bool isCut = false;
  size_t width = 0;

  Lines(StringRef text, size_t width, size_t most = kMostLines)
      : whole(text.str()), lines(linesOf(text, width, most)) {
    isCut = !lines.empty() && StringRef(lines.back()).ends_with("…");
    for (const std::string &line : lines)
      this->width = std::max(this->width, charactersOf(line));
  }
};

/// A grid with its layout: the shown part, and its size.
struct Laid {
  const CellGrid *grid;
  std::vector<int64_t> rows, columns;  ///< indices, or kGap
  std::vector<std::vector<Cell>> cells;
  std::vector<Lines> title, notes;
  std::vector<std::string> rowLabels;
  int64_t cellWidth = kLeastCell, labelWidth = 0;
  int64_t width = 0, height = 0, gridTop = 0;

  int64_t gridWidth() const {
    int64_t width = 0;
    for (int64_t c : columns) width += c == kGap ? kGapSize : cellWidth;
    return width;
  }
};

Laid laidOut(const CellGrid &grid) {
  Laid laid;
  laid.grid = &grid;
  laid.rows = axisOf(grid.firstRow, grid.rows, grid.rowsOfInterest);
  laid.columns = axisOf(grid.firstColumn, grid.columns, grid.columnsOfInterest);
  size_t widest = 0, label = charactersOf(cut(grid.rowName, kMostLabel));
  for (int64_t c : laid.columns)
    if (c != kGap) widest = std::max(widest, std::to_string(c).size());
  for (int64_t r : laid.rows) {
    laid.cells.emplace_back();
    laid.rowLabels.push_back(r == kGap       ? "⋮"
                             : grid.rowLabel ? cut(grid.rowLabel(r), kMostLabel)
                                             : std::to_string(r));
    label = std::max(label, charactersOf(laid.rowLabels.back()));
    for (int64_t c : laid.columns) {
      Cell cell;
      if (r != kGap && c != kGap) cell = grid.cell(r, c);
      cell.text = cut(cell.text, kMostLabel);
      widest = std::max(widest, charactersOf(cell.text));
      laid.cells.back().push_back(std::move(cell));
    }
  }
  laid.cellWidth = std::max<int64_t>(kLeastCell, widest * kSmall + 8);
  laid.labelWidth = label * kSmall + 8;
  const int64_t inner = laid.labelWidth + laid.gridWidth();
  const size_t wide =
      std::clamp<size_t>(inner / kCharacter, kLeastNotes, kTextWidth);
  laid.title.emplace_back(grid.title, wide);
  for (const std::string &note : grid.notes)
    laid.notes.emplace_back(note, wide);
  laid.width = inner;
  for (const auto *texts : {&laid.title, &laid.notes})
    for (const Lines &text : *texts)
      laid.width = std::max<int64_t>(laid.width, text.width * kCharacter);
  laid.gridTop = laid.title[0].lines.size() * kLine + 2 * kLine;
  laid.height = laid.gridTop + 8;
  for (size_t i = 0; i < laid.rows.size(); ++i) {
    laid.height += laid.rows[i] == kGap ? kGapSize : kCellHeight;
    if (i > 0 && grid.beginsGroup && laid.rows[i] != kGap &&
        grid.beginsGroup(laid.rows[i]))
      laid.height += kGroupSpace;
  }
  for (const Lines &note : laid.notes) laid.height += note.lines.size() * kLine;
  return laid;
}

class SvgWriter {
 public:
  explicit SvgWriter(llvm::raw_ostream &os) : os_(os) {}

  void write(const Picture &picture) {
    std::vector<std::vector<Laid>> bands;
    const Lines title(picture.title, kTextWidth);
    std::vector<Lines> notes;
    int64_t width = title.width * kCharacter, height = kMargin;
    height += title.lines.size() * kLine;
    for (const std::string &note : picture.notes) {
      notes.emplace_back(note, kTextWidth);
      width = std::max<int64_t>(width, notes.back().width * kCharacter);
      height += notes.back().lines.size() * kLine;
    }
    for (const auto &band : picture.bands) {
      bands.emplace_back();
      int64_t bandWidth = 0, bandHeight = 0;
      for (const CellGrid &grid : band) {
        bands.back().push_back(laidOut(grid));
        const Laid &laid = bands.back().back();
        bandWidth += laid.width + (bandWidth ? kBetweenGrids : 0);
        bandHeight = std::max(bandHeight, laid.height);
      }
      width = std::max(width, bandWidth);
      height += bandHeight + kBetweenBands;
    }
    std::vector<Lines> legend;
    height += kBeforeLegend;
    for (const LegendEntry &entry : picture.legend) {
      legend.emplace_back(entry.text, kTextWidth, 2);
      width = std::max<int64_t>(width, legend.back().width * kCharacter + 32);
      height += legend.back().lines.size() * kLine + 6;
    }
    width += 2 * kMargin;
    height += kMargin;
    os_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ix\" width=\""
        << width << "\" height=\"" << height << "\" viewBox=\"0 0 " << width
        << ' ' << height << "\" role=\"img\">\n<title>"
        << xmlText(picture.title) << "</title>\n"
        << kStyle << "<rect class=\"ix-b\" width=\"" << width << "\" height=\""
        << height << "\" stroke=\"none\" style=\"stroke:none\"/>\n";
    int64_t y = kMargin;
    y = writeLines(title, kMargin, y, "ix-t");
    for (const Lines &note : notes) y = writeLines(note, kMargin, y, "ix-n");
    for (const auto &band : bands) {
      y += kBetweenBands;
      int64_t x = kMargin, tallest = 0;
      for (const Laid &laid : band) {
        writeGrid(laid, x, y);
        x += laid.width + kBetweenGrids;
        tallest = std::max(tallest, laid.height);
      }
      y += tallest;
    }
    y += kBeforeLegend;
    for (auto [entry, lines] : llvm::zip_equal(picture.legend, legend)) {
      writeCell({entry.look, "", entry.text}, kMargin, y, kLeastCell,
                kLine - 1);
      y = writeLines(lines, kMargin + 28, y, "ix-n") + 6;
    }
    os_ << "</svg>\n";
  }

 private:
  int64_t writeLines(const Lines &text, int64_t x, int64_t y,
                     StringRef className) {
    for (auto [i, line] : llvm::enumerate(text.lines)) {
      os_ << "<text class=\"" << className << "\" x=\"" << x << "\" y=\""
          << y + 13 << "\">";
      if (text.isCut && i == 0)
        os_ << "<title>" << xmlText(text.whole) << "</title>";
      os_ << xmlText(line) << "</text>\n";
      y += kLine;
    }
    return y;
  }

  void writeLabel(StringRef text, int64_t x, int64_t y, StringRef anchor) {
    os_ << "<text class=\"ix-s\" x=\"" << x << "\" y=\"" << y
        << "\" text-anchor=\"" << anchor << "\">" << xmlText(text)
        << "</text>\n";
  }

  void writeCell(const Cell &cell, int64_t x, int64_t y, int64_t width,
                 int64_t height) {
    os_ << "<g class=\"" << classOf(cell.look) << "\"><title>"
        << xmlText(cell.title) << "</title><rect x=\"" << x << "\" y=\"" << y
        << "\" width=\"" << width << "\" height=\"" << height << "\"/>";
    if (cell.look.shaded)
      os_ << "<rect class=\"ix-o\" x=\"" << x << "\" y=\"" << y << "\" width=\""
          << width << "\" height=\"" << height << "\"/>";
    if (!cell.text.empty())
      os_ << "<text x=\"" << x + width / 2 << "\" y=\"" << y + height / 2 + 4
          << "\">" << xmlText(cell.text) << "</text>";
    os_ << "</g>\n";
  }

  void writeGrid(const Laid &laid, int64_t x, int64_t y) {
    const CellGrid &grid = *laid.grid;
    os_ << "<g>\n";
    writeLines(laid.title[0], x, y, "ix-t");
    const int64_t left = x + laid.labelWidth;
    int64_t top = y + laid.gridTop;
    if (!grid.columnName.empty())
      writeLabel(cut(grid.columnName, kMostLabel), left, top - kLine - 4,
                 "start");
    if (!grid.rowName.empty())
      writeLabel(cut(grid.rowName, kMostLabel), left - 6, top - 5, "end");
    int64_t cx = left;
    for (int64_t c : laid.columns) {
      const int64_t wide = c == kGap ? kGapSize : laid.cellWidth;
      if (c == kGap || grid.columns > 1 || !grid.columnName.empty())
        writeLabel(c == kGap ? "…" : std::to_string(c), cx + wide / 2, top - 5,
                   "middle");
      cx += wide;
    }
    for (size_t r = 0; r < laid.rows.size(); ++r) {
      const bool isGap = laid.rows[r] == kGap;
      const int64_t tall = isGap ? kGapSize : kCellHeight;
      if (r > 0 && !isGap && grid.beginsGroup && grid.beginsGroup(laid.rows[r]))
        top += kGroupSpace;
      writeLabel(laid.rowLabels[r], left - 6, top + tall / 2 + 4, "end");
      cx = left;
      for (size_t c = 0; c < laid.columns.size(); ++c) {
        const bool isEmpty = isGap || laid.columns[c] == kGap;
        const int64_t wide =
            laid.columns[c] == kGap ? kGapSize : laid.cellWidth;
        if (!isEmpty) writeCell(laid.cells[r][c], cx, top, wide, tall);
        cx += wide;
      }
      top += tall;
    }
    top += 8;
    for (const Lines &note : laid.notes) top = writeLines(note, x, top, "ix-n");
    os_ << "</g>\n";
  }

  llvm::raw_ostream &os_;
};

}  // namespace

void writeSvg(const Picture &picture, llvm::raw_ostream &os) {
  SvgWriter(os).write(picture);
}

}  // namespace indexical
