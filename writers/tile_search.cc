#include "indexical/writers/tile_search.h"

#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/tiles/keys.h"
#include "indexical/writers/format.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Sizes in a text.
constexpr size_t kTopInText = 20;

std::string textOf(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(sizes, os, " x ");
  return text.empty() ? "scalar" : text;
}

using Cells = std::vector<std::string>;

std::string textOf(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", number);
  return text;
}

Cells cellsOf(size_t number, const FoundSizes &sizes, bool hasLoops) {
  // A figure that is not counted is at most this.
  const std::string most = sizes.isCounted ? "" : "<=";
  std::string reuse = "-";
  if (sizes.reuse) {
    reuse.clear();
    llvm::raw_string_ostream(reuse) << llvm::format("%.4g", *sizes.reuse);
  }
  std::string notes;
  if (!sizes.fits) notes = "too large";
  if (!sizes.fills) notes += notes.empty() ? "few blocks" : ", few blocks";
  const std::string time =
      sizes.microseconds ? textOf(*sizes.microseconds) : "-";
  if (hasLoops)
    return {std::to_string(number),
            textOf(sizes.sizes),
            textOf(sizes.steps),
            std::to_string(sizes.stages.value_or(1)),
            std::to_string(sizes.blocks),
            most + std::to_string(sizes.bytes),
            std::to_string(sizes.shared),
            std::to_string(sizes.accumulators.value_or(0)),
            textOf(sizes.padded.value_or(1)),
            time,
            notes};
  return {std::to_string(number),
          textOf(sizes.sizes),
          std::to_string(sizes.blocks),
          most + std::to_string(sizes.elements),
          most + std::to_string(sizes.bytes),
          reuse,
          std::to_string(sizes.shared),
          time,
          notes};
}

/// Columns as wide as their widest cell; numbers stand to the right.
void writeTable(llvm::ArrayRef<Cells> rows, llvm::raw_ostream &os) {
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const Cells &row : rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], row[c].size());
  for (const Cells &row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - row[c].size(), ' ');
      const bool isText =
          rows[0][c] == "sizes" || rows[0][c] == "steps" || c + 1 == row.size();
      line += "  " + (isText ? row[c] + space : space + row[c]);
    }
    os << StringRef(line).rtrim() << '\n';
  }
}

}  // namespace

int64_t TileSearchResult::leftOutCount() const {
  int64_t count = 0;
  for (const LeftOut &each : found_.leftOut) count += each.count;
  return count;
}

//===-- Text --------------------------------------------------------------===//

void TileSearchResult::writeLeftOut(llvm::raw_ostream &os) const {
  for (const LeftOut &each : found_.leftOut) {
    const InstructionTile &tile = found_.tiles[each.tile];
    os << "  " << each.count << (each.count == 1 ? " size" : " sizes")
       << ", as " << textOf(each.example) << ": "
       << of_.nameOf(tile.instruction) << ", behind "
       << of_.nameOf(each.behind);
    if (each.reason.dimension >= 0)
      os << ", dimension " << each.reason.dimension;
    if (const std::string blamed = each.reason.expression(); !blamed.empty())
      os << ": " << blamed;
    os << '\n';
  }
}

void TileSearchResult::text(llvm::raw_ostream &os, TextStyle) {
  const auto shape = of_.computation->instructions[of_.root].shape.leaves()[0];
  const int64_t leftOut = leftOutCount();
  const size_t found = found_.found.size();
  TextFlow flow(os, columnsOf(os), 0, 0);
  flow.goOnWith("tiles of " + of_.nameOf(of_.root).str() + " = " + shape.str() +
                ":");
  flow.goOn("every tile is exact for " + std::to_string(found) + " of " +
            std::to_string(found + leftOut) + " sizes");
  flow.endLine();
  TextFlow device(os, columnsOf(os), 0, 0);
  device.goOnWith("device " + of_.asked.device->name.str() + ": " +
                  std::to_string(of_.asked.device->cores) + " cores, " +
                  std::to_string(of_.sharedBytes()) +
                  " bytes of shared memory a block");
  device.endLine();
  for (const TileStep &step : of_.space.steps())
    os << "loop over dimension " << step.dimension << " that "
       << of_.nameOf(step.instruction) << " sums up, of " << step.extent
       << '\n';
  if (found_.untried > 0)
    os << found_.untried << " sizes were not tried: see --budget\n";
  if (found > 0) {
    os << '\n';
    std::vector<Cells> rows = {{"#", "sizes", "blocks", "elements", "bytes",
                                "reuse", "shared", "us", ""}};
    if (of_.hasLoops())
      rows = {{"#", "sizes", "steps", "stages", "blocks", "bytes", "shared",
               "accumulators", "padded", "us", ""}};
    const auto sizes = shown(top_ ? top_ : kTopInText);
    for (const FoundSizes &each : sizes)
      rows.push_back(cellsOf(rows.size(), each, of_.hasLoops()));
    writeTable(rows, os);
    if (sizes.size() < found)
      os << "  and " << found - sizes.size() << " more: see --top\n";
  }
  if (leftOut == 0) return;
  os << "\nnot exact:\n";
  writeLeftOut(os);
}

//===-- Structure and table -----------------------------------------------===//

void TileSearchResult::structure(Structure &to) {
  auto root = [&](ValueSink &sink) {
    KeyValue(sink, "root").text(of_.nameOf(of_.root));
  };
  to.head([&](ValueSink &sink) { writeKeys(of_, sink); });
  to.beginList("found");
  for (const FoundSizes &each : shown(top_)) {
    auto members = [&](ValueSink &sink) { writeKeys(each, sink); };
    to.item({"sizes", members, root});
  }
  to.endList();
  to.beginList("left_out");
  for (const LeftOut &each : found_.leftOut) {
    auto members = [&](ValueSink &sink) {
      writeKeys(LeftOutEntry{each, found_.tiles[each.tile], *of_.computation},
                sink);
    };
    to.item({"left_out", members, root});
  }
  to.endList();
}

void TileSearchResult::rows(Row row) {
  for (const FoundSizes &each : shown(top_))
    row([&](ValueSink &to) { writeCells(each, to); });
}

}  // namespace indexical
