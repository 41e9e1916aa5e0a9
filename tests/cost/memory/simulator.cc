#include "tests/cost/memory/simulator.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;

/// Calls `visit` with every point of the intervals.
void visitBox(const std::vector<Interval> &box,
              const std::function<void(const Numbers &)> &visit) {
  Numbers point;
  for (const Interval &side : box) {
    if (side.isEmpty()) return;
    point.push_back(side.lower);
  }
  for (;;) {
    visit(point);
    size_t k = point.size();
    while (k > 0 && point[k - 1] == box[k - 1].upper) {
      point[k - 1] = box[k - 1].lower;
      --k;
    }
    if (k == 0) return;
    ++point[k - 1];
  }
}

std::vector<Interval> boundsOf(llvm::ArrayRef<Variable> variables) {
  std::vector<Interval> bounds;
  for (const Variable &v : variables) bounds.push_back(v.bounds);
  return bounds;
}

int64_t up(int64_t value, int64_t by) { return (value + by - 1) / by; }

/// The addresses that a thread reads, by the value of the last loop. The other
/// loops and the ranges have one value.
struct Thread {
  std::map<int64_t, std::set<int64_t>> addresses;
};
// (block, warp, loops but the last, ranges) -> lane -> addresses.
using Reads = std::map<Numbers, std::map<int64_t, Thread>>;

class Simulation {
 public:
  Simulation(const IndexingMap &threads, const ArrayShape &operand,
             const Machine &machine)
      : threads(threads),
        operand(operand),
        machine(machine),
        bits(elementBits(operand)) {}

  void read(const IndexingRelation &relation, const RuntimeValue &runtime) {
    size_t most = 0;
    for (const IndexingMap &piece : relation.pieces())
      most = std::max(most, piece.ranges().size());
    std::vector<Interval> box = boundsOf(threads.dimensions());
    for (const Interval &loop : boundsOf(threads.ranges())) box.push_back(loop);
    visitBox(box, [&](const Numbers &at) {
      IndexingMap::Point point;
      point.dimensions.assign(at.begin(), at.begin() + 6);
      point.ranges.assign(at.begin() + 6, at.end());
      if (!threads.contains(point)) return;
      const auto index = threads.evaluate(point);
      for (const IndexingMap &piece : relation.pieces())
        visitBox(boundsOf(piece.ranges()), [&](const Numbers &ranges) {
          readPiece(piece, *index, ranges, runtime, at, most);
        });
    });
  }

  /// Counts an address once in a block that reads it with all its threads, or
  /// with at least half of them.
  void shareInBlocks(Simulated &all) const {
    const int64_t width = all.vector * bits, sector = machine.sector * 8;
    int64_t inBlock = 1;
    for (int k = 0; k < 3; ++k)
      inBlock *= threads.dimensions()[k].bounds.count();
    if (inBlock < machine.warp || inBlock > 1024 || width % 8 != 0 ||
        sector % width != 0 || reads.empty())
      return;
    // (block, loops, ranges, group of the last loop): places and lanes.
    std::map<Numbers, std::pair<std::set<int64_t>, int64_t>> together;
    // (block, ranges, place).
    std::set<Numbers> once;
    const size_t loops = threads.ranges().empty() ? 0 : threads.ranges().size();
    for (const auto &[key, lanes] : reads) {
      Numbers ranges(key.begin(), key.begin() + 3);
      ranges.insert(ranges.end(), key.begin() + 4 + (loops ? loops - 1 : 0),
                    key.end());
      Numbers ofBlock = key;
      ofBlock[3] = 0;  // any warp
      for (const auto &[lane, thread] : lanes) {
        std::set<int64_t> groups;
        for (const auto &[last, addresses] : thread.addresses) {
          const int64_t group = (last - firstOfLast()) / all.vector;
          Numbers at = ofBlock;
          at.push_back(group);
          for (int64_t address : addresses)
            together[at].first.insert(address / width);
          for (int64_t address : addresses) {
            Numbers place = ranges;
            place.push_back(address / width);
            once.insert(place);
          }
          groups.insert(group);
        }
        for (int64_t group : groups) {
          Numbers at = ofBlock;
          at.push_back(group);
          ++together[at].second;
        }
      }
    }
    int64_t active = 0;
    for (const auto &[key, found] : together) {
      if (found.first.size() != 1) return;
      active += found.second;
    }
    if (2 * active < static_cast<int64_t>(together.size()) * inBlock) return;
    // Each access has to touch all of its vector.
    for (const auto &[key, lanes] : reads)
      for (const auto &[lane, thread] : lanes) {
        std::map<int64_t, std::set<int64_t>> ofGroup;
        for (const auto &[last, addresses] : thread.addresses)
          ofGroup[(last - firstOfLast()) / all.vector].insert(addresses.begin(),
                                                              addresses.end());
        for (const auto &[group, addresses] : ofGroup)
          if (static_cast<int64_t>(addresses.size()) != all.vector) return;
      }
    const int64_t count = once.size();
    all.accesses = all.activeLanes = all.sectors = all.sectorsFewest =
        all.lines = count;
    all.bytesUsed = count * width / 8;
    all.wastedBytes = 0;
    all.byEveryThread = true;
  }

  Simulated figures(int64_t given) const {
    Simulated all;
    all.vector = given > 0 ? given : vectorWidth();
    std::set<int64_t> distinct;
    for (const auto &[key, lanes] : reads) {
      // One access a group of the last loop.
      std::map<int64_t, std::map<int64_t, std::set<int64_t>>> accesses;
      for (const auto &[lane, thread] : lanes)
        for (const auto &[last, addresses] : thread.addresses)
          accesses[(last - firstOfLast()) / all.vector][lane].insert(
              addresses.begin(), addresses.end());
      for (const auto &[group, active] : accesses) {
        std::set<int64_t> bytes, sectors, lines;
        for (const auto &[lane, addresses] : active)
          for (int64_t address : addresses)
            for (int64_t bit = address; bit < address + bits; ++bit) {
              bytes.insert(bit / 8);
              sectors.insert(bit / 8 / machine.sector);
              lines.insert(bit / 8 / machine.line);
            }
        distinct.insert(sectors.begin(), sectors.end());
        const int64_t fewest = up(bytes.size(), machine.sector);
        ++all.accesses;
        all.activeLanes += active.size();
        all.bytesUsed += bytes.size();
        all.sectors += sectors.size();
        all.sectorsFewest += fewest;
        all.lines += lines.size();
        all.wastedBytes += (sectors.size() - fewest) * machine.sector;
      }
    }
    all.distinctSectors = distinct.size();
    return all;
  }

 private:
  void readPiece(const IndexingMap &piece, llvm::ArrayRef<int64_t> index,
                 const Numbers &ranges, const RuntimeValue &runtime,
                 const Numbers &at, size_t most) {
    IndexingMap::Point point;
    point.dimensions.assign(index.begin(), index.end());
    point.ranges.assign(ranges.begin(), ranges.end());
    for (uint32_t i = 0; i < piece.runtime().size(); ++i) {
      const auto value = runtime(piece, i, index, ranges);
      if (!value) return;
      point.runtime.push_back(*value);
    }
    if (!piece.contains(point)) return;
    const auto element = piece.evaluate(point);
    const auto dims = threads.dimensions();
    const int64_t x = dims[0].bounds.upper + 1, y = dims[1].bounds.upper + 1;
    const int64_t t = at[0] + x * (at[1] + y * at[2]);
    Numbers key = {at[3], at[4], at[5], t / machine.warp};
    int64_t last = 0;
    if (at.size() > 6) {
      key.insert(key.end(), at.begin() + 6, at.end() - 1);
      last = at.back();
    }
    Numbers padded = ranges;
    padded.resize(most, 0);
    key.insert(key.end(), padded.begin(), padded.end());
    reads[key][t % machine.warp].addresses[last].insert(
        bitAddress(operand, *element));
  }

  int64_t firstOfLast() const {
    return threads.ranges().empty() ? 0 : threads.ranges().back().bounds.lower;
  }

  int64_t vectorWidth() const {
    if (threads.ranges().empty()) return 1;
    const int64_t count = threads.ranges().back().bounds.count();
    int64_t best = 1;
    for (int64_t width = 2; width <= count; width *= 2)
      if (count % width == 0 && width * bits <= machine.vectorBytes * 8 &&
          isVector(width))
        best = width;
    return best;
  }

  bool isVector(int64_t width) const {
    const int64_t first = firstOfLast();
    const int64_t count = threads.ranges().back().bounds.count();
    for (const auto &[key, lanes] : reads)
      for (const auto &[lane, thread] : lanes)
        for (int64_t group = 0; group < count; group += width) {
          int64_t there = 0;
          std::optional<int64_t> start;
          for (int64_t k = 0; k < width; ++k) {
            auto found = thread.addresses.find(first + group + k);
            if (found == thread.addresses.end()) continue;
            ++there;
            if (found->second.size() != 1) return false;
            const int64_t begin = *found->second.begin() - k * bits;
            if (start && *start != begin) return false;
            start = begin;
          }
          if (there == 0) continue;
          if (there != width || *start % (width * bits) != 0) return false;
        }
    return true;
  }

  const IndexingMap &threads;
  const ArrayShape &operand;
  const Machine &machine;
  int64_t bits;
  Reads reads;
};

}  // namespace

std::string Simulated::str() const {
  return "accesses " + std::to_string(accesses) + ", active lanes " +
         std::to_string(activeLanes) + ", bytes used " +
         std::to_string(bytesUsed) + ", sectors " + std::to_string(sectors) +
         ", fewest " + std::to_string(sectorsFewest) + ", lines " +
         std::to_string(lines) + ", distinct " +
         std::to_string(distinctSectors) + ", wasted " +
         std::to_string(wastedBytes) + ", vector " + std::to_string(vector);
}

int64_t elementBits(const ArrayShape &shape) {
  if (shape.layout && shape.layout->elementBits > 0)
    return shape.layout->elementBits;
  switch (shape.type) {
    case ElementType::F64:
    case ElementType::S64:
    case ElementType::U64:
    case ElementType::C64:
      return 64;
    case ElementType::C128:
      return 128;
    case ElementType::F32:
    case ElementType::S32:
    case ElementType::U32:
      return 32;
    case ElementType::BF16:
    case ElementType::F16:
    case ElementType::S16:
    case ElementType::U16:
      return 16;
    default:
      return 8;
  }
}

int64_t bitAddress(const ArrayShape &shape, llvm::ArrayRef<int64_t> index) {
  // Sizes and places from the slowest to the fastest, tile after tile.
  const auto order = shape.minorToMajor();
  Numbers sizes, places;
  for (size_t k = order.size(); k-- > 0;) {
    sizes.push_back(shape.dimensions[order[k]]);
    places.push_back(index[order[k]]);
  }
  if (shape.layout)
    for (const Tile &tile : shape.layout->tiles) {
      const size_t count = tile.dimensions.size();
      while (sizes.size() < count) {
        sizes.insert(sizes.begin(), 1);
        places.insert(places.begin(), 0);
      }
      const size_t from = sizes.size() - count;
      for (size_t k = 0; k < count; ++k) {
        const int64_t side = tile.dimensions[k];
        sizes.push_back(side);
        places.push_back(places[from + k] % side);
        sizes[from + k] = up(sizes[from + k], side);
        places[from + k] /= side;
      }
    }
  int64_t before = 0;
  for (size_t k = 0; k < sizes.size(); ++k)
    before = before * sizes[k] + places[k];
  return before * elementBits(shape);
}

void visitBlock(const IndexingMap &threads, llvm::ArrayRef<int64_t> block,
                const PointVisitor &visit) {
  std::vector<Interval> box = boundsOf(threads.dimensions());
  for (size_t k = 0; k < 3; ++k) box[3 + k] = {block[k], block[k]};
  for (const Interval &loop : boundsOf(threads.ranges())) box.push_back(loop);
  visitBox(box, [&](const Numbers &at) {
    IndexingMap::Point point;
    point.dimensions.assign(at.begin(), at.begin() + 6);
    point.ranges.assign(at.begin() + 6, at.end());
    if (threads.contains(point)) visit(point, *threads.evaluate(point));
  });
}

int64_t simulateBanks(const IndexingMap &threads, int64_t bits) {
  // 128 bytes at once: of elements of 8 bytes the lanes of half a warp.
  const int64_t together = bits <= 32 ? 32 : std::max<int64_t>(1024 / bits, 1);
  // (lanes, loops) -> bank -> words.
  std::map<Numbers, std::map<int64_t, std::set<int64_t>>> asked;
  visitBlock(threads, {0, 0, 0},
             [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> at) {
               Numbers key = {point.dimensions[0] / together};
               key.insert(key.end(), point.ranges.begin(), point.ranges.end());
               for (int64_t bit = at[0] * bits; bit < (at[0] + 1) * bits; ++bit)
                 asked[key][bit / 32 % 32].insert(bit / 32);
             });
  size_t most = 1;
  for (const auto &[key, banks] : asked)
    for (const auto &[bank, words] : banks) most = std::max(most, words.size());
  return most;
}

Simulated simulate(const IndexingRelation &read, const ArrayShape &operand,
                   const IndexingMap &threads, const Machine &machine,
                   const RuntimeValue &runtime, int64_t vector,
                   BlockReads block) {
  Simulation simulation(threads, operand, machine);
  if (!threads.isKnownEmpty()) simulation.read(read, runtime);
  Simulated all = simulation.figures(vector);
  if (block == BlockReads::Once && !threads.isKnownEmpty())
    simulation.shareInBlocks(all);
  return all;
}

}  // namespace indexical::testing
