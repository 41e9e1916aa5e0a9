// The lanes of one warp against sectors of memory, and banks of shared memory.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/names.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

using LaneIndex = llvm::SmallVector<int64_t, 6>;

/// Values of the loops and ranges that are looked through for a first access,
/// and the same where many warps are.
constexpr int64_t kMostTried = 4'096;
constexpr int64_t kMostTriedOfMany = 16;
/// The warps that are looked at for the one that wastes most: so many first
/// ones, and as many of the others.
constexpr int64_t kWarpsTried = 64;
/// Numbers of lanes that stand in a cell.
constexpr size_t kMostLanesShown = 2;

/// The read of a lane: the place in memory, in bits, and the element.
struct LaneRead {
  int64_t lane, bit, bits;
  std::string element;
};

/// Returns the index that a map has at these values; nothing outside of its
/// domain.
std::optional<LaneIndex> evaluated(const IndexingMap &map,
                                   llvm::ArrayRef<int64_t> dimensions,
                                   llvm::ArrayRef<int64_t> ranges) {
  auto value = [&](VariableId id) {
    switch (id.kind) {
      case VariableKind::Dimension:
        return dimensions[id.index];
      case VariableKind::Range:
        return ranges[id.index];
      case VariableKind::Runtime:
        break;
    }
    return map.runtime()[id.index].bounds.lower;
  };
  for (size_t k = 0; k < map.dimensions().size(); ++k)
    if (!map.dimensions()[k].bounds.contains(dimensions[k]))
      return std::nullopt;
  Evaluation evaluate(map.expressions(), value);
  for (const Constraint &constraint : map.constraints()) {
    const auto found = evaluate(constraint.form);
    if (!found || !constraint.bounds.contains(*found)) return std::nullopt;
  }
  LaneIndex index;
  for (FormId form : map.results()) {
    const auto found = evaluate(form);
    if (!found) return std::nullopt;
    index.push_back(*found);
  }
  return index;
}

LaneIndex lowest(llvm::ArrayRef<Variable> variables) {
  LaneIndex values;
  for (const Variable &variable : variables)
    values.push_back(variable.bounds.lower);
  return values;
}

/// The next values, the first variable fastest; false after the last ones.
bool advance(llvm::ArrayRef<Variable> variables, LaneIndex &values) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] < variables[k].bounds.upper) {
      ++values[k];
      return true;
    }
    values[k] = variables[k].bounds.lower;
  }
  return false;
}

/// The lanes of a warp: the ids of thread and block of each.
class Warp {
 public:
  Warp(const IndexingMap &threads, int64_t lanes, int64_t number) {
    LaneIndex sizes;
    for (size_t k = 0; k < kThreadDimensions; ++k)
      sizes.push_back(threads.dimensions()[k].bounds.count());
    const int64_t ofBlock = sizes[0] * sizes[1] * sizes[2];
    const int64_t warps = ceilDiv(ofBlock, lanes);
    const int64_t block = number / warps, first = number % warps * lanes;
    isThere_ = block < sizes[3] * sizes[4] * sizes[5];
    for (int64_t lane = 0; lane < lanes && first + lane < ofBlock; ++lane) {
      const int64_t thread = first + lane;
      ids_.push_back({thread % sizes[0], thread / sizes[0] % sizes[1],
                      thread / sizes[0] / sizes[1], block % sizes[3],
                      block / sizes[3] % sizes[4],
                      block / sizes[3] / sizes[4]});
    }
  }
  bool isThere() const { return isThere_; }
  llvm::ArrayRef<LaneIndex> ids() const { return ids_; }

 private:
  bool isThere_;
  std::vector<LaneIndex> ids_;
};

std::string lanesText(llvm::ArrayRef<int64_t> lanes) {
  if (lanes.size() == 1) return std::to_string(lanes[0]);
  const bool isRun =
      lanes.back() - lanes.front() + 1 == static_cast<int64_t>(lanes.size());
  if (isRun)
    return std::to_string(lanes.front()) + "-" + std::to_string(lanes.back());
  std::string text;
  for (size_t i = 0; i < std::min(lanes.size(), kMostLanesShown); ++i)
    text += (i ? "," : "") + std::to_string(lanes[i]);
  return text + (lanes.size() > kMostLanesShown ? "…" : "");
}

std::string lanesInWords(llvm::ArrayRef<int64_t> lanes) {
  std::string text = lanes.size() == 1 ? "lane " : "lanes ";
  for (size_t i = 0; i < lanes.size(); ++i)
    text += (i ? ", " : "") + std::to_string(lanes[i]);
  return text;
}

class WarpDrawing {
 public:
  explicit WarpDrawing(const PictureOfWarp &question) : q_(question) {}

  absl::StatusOr<Picture> draw() {
    Picture picture;
    picture.title = q_.title;
    picture.notes.push_back("warp " + std::to_string(q_.warp) + " of " +
                            std::to_string(q_.device.warp) +
                            " lanes; the first access of each "
                            "read and write; " +
                            std::string(q_.device.name) + ": sectors of " +
                            std::to_string(q_.device.sector) +
                            " bytes, lines of " +
                            std::to_string(q_.device.line));
    if (!q_.launch.empty()) picture.notes.push_back("launched " + q_.launch);
    for (bool isRead : {true, false})
      for (const Traffic &traffic :
           isRead ? q_.traffic.reads : q_.traffic.writes)
        addAccess(traffic, isRead, picture);
    for (const SharedTile &tile : q_.kernel.shared) addShared(tile, picture);
    if (picture.bands.empty())
      return absl::InvalidArgumentError("no access of warp " +
                                        std::to_string(q_.warp) + " is known");
    picture.legend = {
        {Look::marked(0), "read or written, by the lanes in the cell"},
        {Look::marked(1), "by several lanes"},
        {{Look::Kind::Wasted}, "moved, and not used"},
    };
    return picture;
  }

  /// Returns the bytes that a warp's first accesses waste: of the sectors
  /// beyond the fewest.
  int64_t wasted(int64_t warp) const {
    int64_t all = 0;
    const int64_t sector = q_.device.sector * 8;
    for (const auto *accesses : {&q_.traffic.reads, &q_.traffic.writes})
      for (const Traffic &traffic : *accesses) {
        if (traffic.access.map.pieces().empty()) continue;
        std::set<int64_t> bytes, sectors;
        for (const LaneRead &read : readsOf(traffic, warp, kMostTriedOfMany)) {
          const int64_t last = read.bit + read.bits - 1;
          for (int64_t byte = read.bit / 8; byte <= last / 8; ++byte)
            bytes.insert(byte);
          for (int64_t at = read.bit / sector; at <= last / sector; ++at)
            sectors.insert(at);
        }
        const int64_t fewest = ceilDiv(bytes.size(), q_.device.sector);
        all +=
            (static_cast<int64_t>(sectors.size()) - fewest) * q_.device.sector;
      }
    return all;
  }

  /// Returns the number of warps of the launch that has most of them.
  int64_t warps() const {
    int64_t most = 1;
    for (const IndexingMap &threads : q_.traffic.threads) {
      if (threads.dimensions().size() != kThreadDimensions) continue;
      int64_t ofBlock = 1, blocks = 1;
      for (size_t k = 0; k < kThreadDimensions; ++k)
        (k < 3 ? ofBlock : blocks) *= threads.dimensions()[k].bounds.count();
      most = std::max(most, ceilDiv(ofBlock, q_.device.warp) * blocks);
    }
    return most;
  }

 private:
  /// Returns the reads of the lanes in their first access.
  std::vector<LaneRead> readsOf(const Traffic &traffic, int64_t number,
                                int64_t mostTried) const {
    const MemoryAccess &access = traffic.access;
    const IndexingMap &threads = q_.traffic.threads[access.launch];
    const ArrayShape &buffer = q_.kernel.buffers[access.buffer];
    const auto address = addressMap(buffer);
    if (!address.ok() || threads.dimensions().size() != kThreadDimensions)
      return {};
    const Warp warp(threads, q_.device.warp, number);
    if (!warp.isThere()) return {};
    const int64_t bits = storedBits(buffer);
    const int64_t vector = traffic.figures ? traffic.figures->vector : 1;
    LaneIndex loops = lowest(threads.ranges());
    for (int64_t tries = 0; tries < mostTried; ++tries) {
      for (const IndexingMap &piece : access.map.pieces()) {
        auto found =
            readsAt(piece, *address, threads, warp, loops, vector, bits);
        if (!found.empty()) return found;
      }
      if (!advance(threads.ranges(), loops)) break;
    }
    return {};
  }

  static std::vector<LaneRead> readsAt(const IndexingMap &piece,
                                       const IndexingMap &address,
                                       const IndexingMap &threads,
                                       const Warp &warp, const LaneIndex &loops,
                                       int64_t vector, int64_t bits) {
    std::vector<LaneRead> reads;
    const LaneIndex ranges = lowest(piece.ranges());
    for (auto [lane, ids] : llvm::enumerate(warp.ids()))
      for (int64_t v = 0; v < vector; ++v) {
        LaneIndex values = loops;
        if (v > 0) values.back() += v;
        const auto index = evaluated(threads, ids, values);
        if (!index) continue;
        const auto element = evaluated(piece, *index, ranges);
        if (!element) continue;
        const auto place = evaluated(address, *element, {});
        if (!place) continue;
        reads.push_back({static_cast<int64_t>(lane), (*place)[0] * bits, bits,
                         indexText(*element)});
      }
    return reads;
  }

  void addAccess(const Traffic &traffic, bool isRead, Picture &picture) const {
    if (traffic.access.map.pieces().empty()) return;
    const auto reads = readsOf(traffic, q_.warp, kMostTried);
    if (reads.empty()) return;
    picture.bands.push_back({sectorGrid(
        reads, (isRead ? "reads " : "writes ") + q_.nameOf(traffic, isRead))});
  }

  /// A row is a sector, a cell an element, or a byte where elements are less.
  CellGrid sectorGrid(const std::vector<LaneRead> &reads,
                      std::string title) const {
    const int64_t unit = std::max<int64_t>(8, reads[0].bits);
    const int64_t sectorBits = q_.device.sector * 8;
    struct Unit {
      std::vector<int64_t> lanes;
      std::string element;
    };
    auto units = std::make_shared<std::map<int64_t, Unit>>();
    std::set<int64_t> touched;
    for (const LaneRead &read : reads)
      for (int64_t bit = read.bit; bit < read.bit + read.bits;
           bit += std::min(unit, read.bits)) {
        Unit &own = (*units)[bit / unit];
        if (!llvm::is_contained(own.lanes, read.lane))
          own.lanes.push_back(read.lane);
        own.element = read.element;
        touched.insert(bit / sectorBits);
        touched.insert((read.bit + read.bits - 1) / sectorBits);
      }
    auto sectors =
        std::make_shared<std::vector<int64_t>>(touched.begin(), touched.end());
    const int64_t columns = std::max<int64_t>(1, sectorBits / unit);
    CellGrid grid;
    grid.title = std::move(title);
    grid.rows = sectors->size();
    grid.columns = columns;
    grid.columnName = unit == 8 ? "byte" : "element";
    grid.rowName = "sector";
    for (int64_t r = 0; r < std::min<int64_t>(grid.rows, 12); ++r)
      grid.rowsOfInterest.push_back(r);
    grid.rowLabel = [sectors](int64_t row) {
      return std::to_string((*sectors)[row]);
    };
    const int64_t inLine = q_.device.line / q_.device.sector;
    grid.beginsGroup = [sectors, inLine](int64_t row) {
      return row > 0 &&
             (*sectors)[row] / inLine != (*sectors)[row - 1] / inLine;
    };
    grid.cell = [=](int64_t row, int64_t column) {
      const int64_t place = (*sectors)[row] * columns + column;
      Cell cell;
      cell.title = "byte " + std::to_string(place * (unit / 8));
      auto found = units->find(place);
      if (found == units->end()) {
        cell.look.kind = Look::Kind::Wasted;
        cell.title += ": moved, and not used";
        return cell;
      }
      const auto &lanes = found->second.lanes;
      cell.look = Look::marked(lanes.size() > 1 ? 1 : 0);
      cell.text = lanesText(lanes);
      cell.title +=
          ": " + lanesInWords(lanes) + ", element " + found->second.element;
      return cell;
    };
    addNotes(reads, units->size() * unit / 8, *sectors, inLine, grid);
    return grid;
  }

  void addNotes(const std::vector<LaneRead> &reads, int64_t used,
                llvm::ArrayRef<int64_t> sectors, int64_t inLine,
                CellGrid &grid) const {
    std::set<int64_t> lanes, lines;
    for (const LaneRead &read : reads) lanes.insert(read.lane);
    for (int64_t sector : sectors) lines.insert(sector / inLine);
    const int64_t moved = sectors.size() * q_.device.sector;
    grid.notes.push_back(countText(lanes.size(), "active lane") + ", " +
                         countText(sectors.size(), "sector") + ", " +
                         countText(lines.size(), "line"));
    grid.notes.push_back(std::to_string(moved) + " bytes moved, " +
                         std::to_string(used) + " used");
  }

  /// Writing and reading a tile in shared memory, words by banks.
  void addShared(const SharedTile &tile, Picture &picture) const {
    std::vector<CellGrid> band;
    for (const auto &[map, what] :
         {std::pair(&tile.written, "writes"), std::pair(&tile.read, "reads")}) {
      const Warp warp(*map, q_.device.warp, q_.warp);
      if (!warp.isThere()) continue;
      auto words = std::make_shared<std::map<int64_t, std::vector<int64_t>>>();
      const int64_t bits = std::max<int64_t>(8, storedBits(tile.shape));
      const LaneIndex loops = lowest(map->ranges());
      // Half of a wavefront of 64 asks at once.
      const auto asking = warp.ids().take_front(Device::kBanks);
      for (auto [lane, ids] : llvm::enumerate(asking))
        if (const auto place = evaluated(*map, ids, loops))
          (*words)[(*place)[0] * bits / 32].push_back(lane);
      if (!words->empty())
        band.push_back(
            bankGrid(words, std::string(what) + " shared memory " +
                                tile.shape.str(/*withLayout=*/true)));
    }
    if (!band.empty()) picture.bands.push_back(std::move(band));
  }

  static CellGrid bankGrid(
      const std::shared_ptr<std::map<int64_t, std::vector<int64_t>>> &words,
      std::string title) {
    std::set<int64_t> touched;
    std::map<int64_t, int64_t> ofBank;
    for (const auto &[word, lanes] : *words) {
      touched.insert(word / Device::kBanks);
      ++ofBank[word % Device::kBanks];
    }
    auto rows =
        std::make_shared<std::vector<int64_t>>(touched.begin(), touched.end());
    CellGrid grid;
    grid.title = std::move(title);
    grid.rows = rows->size();
    grid.columns = Device::kBanks;
    grid.rowName = "words";
    grid.columnName = "bank";
    grid.rowLabel = [rows](int64_t row) {
      return std::to_string((*rows)[row] * Device::kBanks);
    };
    grid.cell = [=](int64_t row, int64_t column) {
      const int64_t word = (*rows)[row] * Device::kBanks + column;
      Cell cell;
      cell.title =
          "word " + std::to_string(word) + ", bank " + std::to_string(column);
      auto found = words->find(word);
      if (found == words->end()) return cell;
      cell.look = Look::marked(found->second.size() > 1 ? 1 : 0);
      cell.text = lanesText(found->second);
      cell.title += ": " + lanesInWords(found->second);
      return cell;
    };
    int64_t most = 0;
    for (const auto &[bank, count] : ofBank) most = std::max(most, count);
    grid.notes.push_back("at most " + countText(most, "word") + " of a bank: " +
                         (most == 1 ? "no lane waits" : "lanes wait"));
    return grid;
  }

  const PictureOfWarp &q_;
};

}  // namespace

int64_t worstWarp(const PictureOfWarp &question) {
  const WarpDrawing drawing(question);
  const int64_t warps = drawing.warps();
  int64_t worst = 0, most = -1;
  auto look = [&](int64_t warp) {
    const int64_t wasted = drawing.wasted(warp);
    if (wasted > most) {
      most = wasted;
      worst = warp;
    }
  };
  for (int64_t warp = 0; warp < std::min(warps, kWarpsTried); ++warp)
    look(warp);
  const int64_t step = ceilDiv(warps, kWarpsTried);
  for (int64_t warp = kWarpsTried; warp < warps; warp += step) look(warp);
  return worst;
}

absl::StatusOr<Picture> pictureOfWarp(const PictureOfWarp &question) {
  return WarpDrawing(question).draw();
}

}  // namespace indexical
