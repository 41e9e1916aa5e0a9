#include "indexical/layout/search.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/layout/thread_offsets.h"

namespace indexical::layouts {

namespace {

/// A memory that is tried: the offsets of rows in an order, changed.
struct Candidate {
  Coordinates order;                  ///< of dimensions, the fastest first
  int bits = 0, base = 0, shift = 0;  ///< of a swizzle, if it has bits
  int64_t interval = 0, gap = 0;      ///< of a padding, if it has a gap
  std::string boxes;                  ///< `#ttg.nvmma_shared<…>` of a bulk copy
  int boxBits = 0;                    ///< of the swizzle of its boxes

  int64_t place(int64_t offset) const {
    if (gap != 0) return offset + offset / interval * gap;
    const int64_t mask = ((int64_t{1} << bits) - 1) << base;
    return offset ^ (offset >> shift & mask);
  }
};

class Search {
 public:
  Search(llvm::ArrayRef<Layout> accesses, int64_t elementBits,
         const MemorySizes &sizes)
      : accesses_(accesses), elementBits_(elementBits), sizes_(sizes) {}

  absl::Status readTile() {
    if (accesses_.empty())
      return absl::InvalidArgumentError("a search is for one access or more");
    for (const Layout &access : accesses_) {
      const auto points = access.points();
      if (!points || *points > kMostSearched)
        return absl::ResourceExhaustedError(
            "a search is for 2^16 registers at most");
      Coordinates tile;
      for (auto [space, reach] : llvm::zip(access.outputs(), boundsOf(access)))
        if (reach.lower < 0)
          return absl::InvalidArgumentError("a tile begins with 0");
        else
          tile.push_back(space.size != 0 ? space.size : reach.upper + 1);
      if (tile.empty() || tile.size() > 3)
        return absl::InvalidArgumentError(
            "a search is for tiles of one to three dimensions");
      if (tile_.empty()) tile_ = tile;
      // Offsets are in one memory, however far each access goes.
      if (tile.size() == 1 && tile_.size() == 1)
        tile_[0] = std::max(tile_[0], tile[0]);
      if (tile.size() != tile_.size() || (tile.size() > 1 && tile != tile_))
        return absl::InvalidArgumentError(
            "the accesses are of tiles of different sizes");
    }
    elements_ = 1;
    for (int64_t side : tile_)
      if (llvm::MulOverflow(elements_, side, elements_) ||
          elements_ > int64_t{1} << 40)
        return absl::InvalidArgumentError("the tile is larger than any memory");
    return absl::OkStatus();
  }

  absl::Status run() {
    Coordinates order(tile_.size());
    std::iota(order.rbegin(), order.rend(), 0);
    std::vector<Coordinates> orders = {order};
    llvm::sort(order);
    do
      if (order != orders.front()) orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    for (const Coordinates &each : orders)
      INDEXICAL_RETURN_IF_ERROR(tryOrder(each));
    return tryBoxes();
  }

  absl::StatusOr<MemorySearch> best(size_t most) {
    llvm::stable_sort(
        tried_, [](const Tried &a, const Tried &b) { return a.rank < b.rank; });
    MemorySearch made;
    made.tried = static_cast<int64_t>(tried_.size());
    for (const Tried &each :
         llvm::ArrayRef(tried_).take_front(std::min(most, tried_.size()))) {
      FoundMemory &found = made.found.emplace_back(each.memory);
      INDEXICAL_ASSIGN_OR_RETURN(found.text, textOf(each.candidate));
      found.encoding = encodingOf(each.candidate);
    }
    return made;
  }

 private:
  struct Tried {
    Candidate candidate;
    FoundMemory memory;
    std::tuple<int64_t, int64_t, int64_t, int64_t, int> rank;
  };

  int64_t strideOf(llvm::ArrayRef<int64_t> order, int64_t dimension) const {
    int64_t stride = 1;
    for (int64_t k : order) {
      if (k == dimension) break;
      stride *= tile_[k];
    }
    return stride;
  }

  absl::Status tryOrder(const Coordinates &order) {
    // The offsets of each access in that order.
    std::vector<std::vector<ThreadOffsets>> offsets;
    for (const Layout &access : accesses_) {
      INDEXICAL_ASSIGN_OR_RETURN(const Layout rows, rowsOf(order));
      INDEXICAL_ASSIGN_OR_RETURN(const Layout places, compose(rows, access));
      INDEXICAL_ASSIGN_OR_RETURN(offsets.emplace_back(), offsetsOf(places));
    }
    Candidate plain;
    plain.order = order;
    INDEXICAL_RETURN_IF_ERROR(add(plain, offsets));
    const int bits =
        static_cast<int>(llvm::Log2_64_Ceil(static_cast<uint64_t>(elements_)));
    for (int base = 0; base < bits; ++base)
      for (int count = 1; base + 2 * count <= bits; ++count)
        for (int shift = count; base + shift + count <= bits; ++shift) {
          // Lines of banks that are all changed alike stay as they are, and
          // more than 32 of them are no better.
          if (count > 5) continue;
          Candidate swizzle = plain;
          swizzle.bits = count;
          swizzle.base = base;
          swizzle.shift = shift;
          INDEXICAL_RETURN_IF_ERROR(add(swizzle, offsets));
        }
    for (int64_t interval = tile_.size() == 1 ? 4 : tile_[order[0]];
         interval > 0 && interval < elements_; interval *= 2)
      for (int64_t gap = 1; gap * elementBits_ <= 128 * 8; gap *= 2) {
        Candidate padded = plain;
        padded.interval = interval;
        padded.gap = gap;
        INDEXICAL_RETURN_IF_ERROR(add(padded, offsets));
      }
    return absl::OkStatus();
  }

  /// Boxes of a bulk copy: rows are cut at the width of the swizzle, and what
  /// is cut lies behind the box. A row that is no wider is not cut: that is a
  /// swizzle of rows.
  absl::Status tryBoxes() {
    const bool isOfBoxes =
        tile_.size() > 1 && llvm::is_contained({8, 16, 32}, elementBits_) &&
        llvm::all_of(tile_, [](int64_t side) {
          return side > 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(side));
        });
    if (!isOfBoxes) return absl::OkStatus();
    for (const int bits : {3, 2, 1})
      for (const bool isTransposed : {false, true}) {
        const int64_t bytes = int64_t{16} << bits;
        const int64_t row = isTransposed ? tile_.front() : tile_.back();
        if (row * elementBits_ <= bytes * 8) continue;
        Candidate candidate;
        candidate.boxBits = bits;
        candidate.boxes =
            absl::StrCat("#ttg.nvmma_shared<{swizzlingByteWidth = ", bytes,
                         ", transposed = ", isTransposed ? "true" : "false",
                         ", elementBitWidth = ", elementBits_, "}>");
        const auto memory = memoryOf(candidate);
        if (!memory.ok()) continue;  // a box has eight rows at least
        std::vector<std::vector<ThreadOffsets>> offsets;
        for (const Layout &access : accesses_) {
          INDEXICAL_ASSIGN_OR_RETURN(const Layout places,
                                     layouts::placesOf(access, *memory));
          INDEXICAL_ASSIGN_OR_RETURN(offsets.emplace_back(), offsetsOf(places));
        }
        INDEXICAL_RETURN_IF_ERROR(add(candidate, offsets));
      }
    return absl::OkStatus();
  }

  std::string typeOf(const Candidate &candidate) const {
    return absl::StrCat("!ttg.memdesc<", absl::StrJoin(tile_, "x"), "xi",
                        elementBits_, ", ", candidate.boxes, ", #smem>");
  }
  absl::StatusOr<Layout> memoryOf(const Candidate &candidate) const {
    return parseLayout(typeOf(candidate));
  }

  /// Whether a swizzle keeps the places of the tile within it: it may not, if
  /// their number is no power of two.
  int64_t placesOf(const Candidate &candidate) const {
    if (candidate.gap != 0) return candidate.place(elements_ - 1) + 1;
    if (candidate.bits == 0) return elements_;
    const int64_t block =
        int64_t{1} << (candidate.base + candidate.shift + candidate.bits);
    if (elements_ % block == 0) return elements_;
    int64_t most = 0;
    for (int64_t i = elements_ / block * block; i < elements_; ++i)
      most = std::max(most, candidate.place(i));
    return std::max(most + 1, elements_);
  }

  absl::Status add(const Candidate &candidate,
                   llvm::ArrayRef<std::vector<ThreadOffsets>> offsets) {
    Tried made;
    made.candidate = candidate;
    FoundMemory &memory = made.memory;
    int64_t accesses = 0;
    std::vector<ThreadOffsets> moved;
    for (const auto &each : offsets) {
      moved = each;
      for (ThreadOffsets &thread : moved)
        for (int64_t &offset : thread.offsets) offset = candidate.place(offset);
      INDEXICAL_ASSIGN_OR_RETURN(const AccessFigures figures,
                                 figuresOf(moved, elementBits_, Memory::Shared,
                                           RegisterOrder::Any, sizes_));
      memory.wavefronts += figures.wavefronts;
      memory.wavefrontsFewest += figures.wavefrontsFewest;
      memory.conflicts = std::max(memory.conflicts, figures.conflicts);
      accesses += figures.accesses;
      memory.accesses.push_back(figures);
    }
    memory.places = placesOf(candidate);
    made.rank = {memory.wavefronts, memory.conflicts, accesses, memory.places,
                 candidate.bits + candidate.boxBits};
    tried_.push_back(std::move(made));
    return absl::OkStatus();
  }

  /// The offsets of the tile, row by row in that order.
  absl::StatusOr<Layout> rowsOf(llvm::ArrayRef<int64_t> order) const {
    return layoutOf(modesOf(order));
  }

  Cute modesOf(llvm::ArrayRef<int64_t> order) const {
    std::vector<Cute> modes;
    for (const auto &[k, side] : llvm::enumerate(tile_))
      modes.push_back(Cute::leaf(side, strideOf(order, k)));
    return modes.size() == 1 ? modes.front() : Cute::tuple(std::move(modes));
  }

  absl::StatusOr<std::string> textOf(const Candidate &candidate) const {
    if (!candidate.boxes.empty()) {
      INDEXICAL_ASSIGN_OR_RETURN(const Layout memory, memoryOf(candidate));
      INDEXICAL_ASSIGN_OR_RETURN(const Layout places, inverted(memory));
      return print(places, Notation::Cute).value_or(typeOf(candidate));
    }
    const std::string rows = modesOf(candidate.order).str();
    if (candidate.bits != 0)
      return absl::StrCat("Sw<", candidate.bits, ",", candidate.base, ",",
                          candidate.shift, "> o 0 o ", rows);
    if (candidate.gap == 0) return rows;
    const int64_t count = llvm::divideCeil(elements_, candidate.interval);
    const Cute gaps =
        Cute::tuple({Cute::leaf(candidate.interval, 1),
                     Cute::leaf(count, candidate.interval + candidate.gap)});
    INDEXICAL_ASSIGN_OR_RETURN(const Layout padding, layoutOf(gaps));
    INDEXICAL_ASSIGN_OR_RETURN(const Layout plain, rowsOf(candidate.order));
    INDEXICAL_ASSIGN_OR_RETURN(const Layout both, compose(padding, plain));
    if (const auto modes = cuteOf(both)) return modes->str();
    return absl::StrCat(gaps.str(), " o ", rows);
  }

  std::string encodingOf(const Candidate &candidate) const {
    if (!candidate.boxes.empty()) return candidate.boxes;
    const int64_t width = tile_[candidate.order[0]];
    if (!llvm::all_of(tile_, [](int64_t side) {
          return llvm::isPowerOf2_64(static_cast<uint64_t>(side));
        }))
      return "";
    const std::string order =
        absl::StrCat("order = [", absl::StrJoin(candidate.order, ", "), "]");
    if (candidate.gap != 0)
      return absl::StrCat("#ttg.padded_shared<[", candidate.interval, ":+",
                          candidate.gap, "] {", order, ", shape = [",
                          absl::StrJoin(tile_, ", "), "]}>");
    const int row = static_cast<int>(llvm::Log2_64(width));
    const int phase = candidate.base + candidate.shift;
    // Groups of a row change by bits of the number of the row.
    const bool isOfRows =
        candidate.bits == 0 ||
        (tile_.size() > 1 && candidate.base + candidate.bits <= row &&
         phase >= row &&
         phase + candidate.bits <=
             row + static_cast<int>(llvm::Log2_64(tile_[candidate.order[1]])));
    if (!isOfRows) return "";
    const bool isPlain = candidate.bits == 0;
    return absl::StrCat(
        "#ttg.swizzled_shared<{vec = ",
        isPlain ? 1 : int64_t{1} << candidate.base,
        ", perPhase = ", isPlain ? 1 : int64_t{1} << (phase - row),
        ", maxPhase = ", int64_t{1} << candidate.bits, ", ", order, "}>");
  }

  llvm::ArrayRef<Layout> accesses_;
  const int64_t elementBits_;
  const MemorySizes &sizes_;
  Coordinates tile_;
  int64_t elements_ = 1;
  std::vector<Tried> tried_;
};

}  // namespace

absl::StatusOr<MemorySearch> searchMemory(llvm::ArrayRef<Layout> accesses,
                                          int64_t elementBits, size_t most,
                                          const MemorySizes &sizes) {
  Search search(accesses, elementBits, sizes);
  INDEXICAL_RETURN_IF_ERROR(search.readTile());
  INDEXICAL_RETURN_IF_ERROR(search.run());
  return search.best(most);
}

}  // namespace indexical::layouts
