#include "indexical/analysis/kernel/shared_conflicts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace indexical::kernels {
namespace {

constexpr int64_t kBanks = 32, kWord = 4, kMostAtOnce = 16;

/// The place of each register's element, in bytes: of warp, lane, register.
class Places {
 public:
  Places(const TileLayout &layout, const SharedLayout &memory, int64_t bytes)
      : registers_(int64_t{1} << layout.registerBits()),
        lanes_(int64_t{1} << layout.laneBits()),
        warps_(int64_t{1} << layout.warpBits()) {
    places_.reserve(registers_ * lanes_ * warps_);
    for (int64_t warp = 0; warp < warps_; ++warp)
      for (int64_t lane = 0; lane < lanes_; ++lane)
        for (int64_t reg = 0; reg < registers_; ++reg)
          places_.push_back(memory.offsetOf(layout.held({reg, lane, warp})) *
                            bytes);
  }

  int64_t registers() const { return registers_; }
  int64_t lanes() const { return lanes_; }
  int64_t warps() const { return warps_; }
  int64_t at(int64_t warp, int64_t lane, int64_t reg) const {
    return places_[(warp * lanes_ + lane) * registers_ + reg];
  }

  /// Whether each group of so many registers is a row of bytes that begins at a
  /// multiple of its size.
  bool areRows(int64_t count, int64_t bytes) const {
    for (size_t i = 0; i < places_.size(); ++i) {
      const size_t first = i - i % count;
      if (places_[first] % (count * bytes) != 0 ||
          places_[i] !=
              places_[first] + static_cast<int64_t>(i - first) * bytes)
        return false;
    }
    return true;
  }

 private:
  int64_t registers_, lanes_, warps_;
  std::vector<int64_t> places_;
};

/// The most different words on one bank.
int64_t mostOnABank(std::vector<int64_t> &words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<int64_t, kBanks> counts = {};
  int64_t most = 1;
  for (int64_t word : words) most = std::max(most, ++counts[word % kBanks]);
  return most;
}

}  // namespace

std::optional<SharedFigures> sharedFigures(const SharedAccess &access) {
  const int64_t bytes = access.elementBits / 8;
  if (!access.layout || !access.memory || bytes < 1) return std::nullopt;
  const TileLayout layout = access.layout->withoutEqualRegisters();
  if (layout.registerBits() + layout.laneBits() + layout.warpBits() > 22)
    return std::nullopt;
  const Places places(layout, *access.memory, bytes);
  SharedFigures figures;
  while (figures.vector * 2 * bytes <= kMostAtOnce &&
         figures.vector * 2 <= places.registers() &&
         places.areRows(figures.vector * 2, bytes))
    figures.vector *= 2;
  const int64_t taken = figures.vector * bytes;
  // Wider accesses are served by fewer lanes at once.
  const int64_t together = std::clamp<int64_t>(
      kBanks * kWord / taken, 1, std::min(places.lanes(), kBanks));
  std::vector<int64_t> words;
  for (int64_t warp = 0; warp < places.warps(); ++warp)
    for (int64_t reg = 0; reg < places.registers(); reg += figures.vector)
      for (int64_t first = 0; first < places.lanes(); first += together) {
        words.clear();
        for (int64_t lane = first; lane < first + together; ++lane) {
          const int64_t begin = places.at(warp, lane, reg);
          for (int64_t word = begin / kWord;
               word <= (begin + taken - 1) / kWord; ++word)
            words.push_back(word);
        }
        figures.conflicts = std::max(figures.conflicts, mostOnABank(words));
      }
  return figures;
}

}  // namespace indexical::kernels
