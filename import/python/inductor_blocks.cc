#include "indexical/import/python/inductor_blocks.h"

#include <algorithm>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

namespace indexical::python {
namespace {

/// A size beyond which hints are no sizes of arrays.
constexpr int64_t kMostHinted = int64_t{1} << 40;

/// Returns the power of two that is at least the hint, or 0 if there is none.
int64_t hintOf(const InductorMeta &meta, const char *axis) {
  const auto found = meta.sizeHints.find(axis);
  if (found == meta.sizeHints.end() || found->second < 1 ||
      found->second > kMostHinted)
    return 0;
  return static_cast<int64_t>(
      llvm::PowerOf2Ceil(static_cast<uint64_t>(found->second)));
}

int64_t warpsFor(int64_t wanted, int64_t least, int64_t most) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(
      static_cast<uint64_t>(std::clamp(wanted, least, most))));
}

InductorBlocks pointwise(int64_t x, int64_t y, int64_t z) {
  const double whole =
      static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
  const bool isLine = y == 1 && z == 1;
  const int64_t wide =
      static_cast<int64_t>(std::clamp(whole / 128, 256.0, 1024.0));
  const int64_t side = z > 1 ? 16 : 32;
  int64_t a = std::min(isLine ? wide : side, x);
  int64_t b = std::min(isLine ? int64_t{1} : side, y);
  int64_t c = std::min(z > 1 ? side : int64_t{1}, z);
  int64_t target = isLine ? wide : z > 1 ? side * side * side : side * side;
  if (whole < static_cast<double>(target)) target /= 8;
  while (a < std::min<int64_t>(x, 4096) && a * b * c < target) a *= 2;
  while (b < std::min<int64_t>(y, 1024) && a * b * c < target) b *= 2;
  while (c < std::min<int64_t>(z, 1024) && a * b * c < target) c *= 2;
  InductorBlocks made;
  made.blocks = {{"XBLOCK", a}, {"YBLOCK", b}, {"ZBLOCK", c}};
  made.warps = warpsFor(a * b * c / 256, 1, 8);
  if (a * b * c >= 128) made.warps = std::max<int64_t>(made.warps, 4);
  return made;
}

InductorBlocks reduction(const InductorMeta &meta, int64_t x, int64_t r) {
  const llvm::StringRef hint = meta.hint;
  const bool isHeavy = x >= 1024 && meta.loads >= 10;
  const int64_t most = isHeavy || meta.major >= 10 ? 1024 : 2048;
  int64_t rows = 1, along = 256 <= r && r < most ? r : most;
  if (meta.isPersistent) {
    along = r;
    auto fits = [&](int64_t n) { return n * r <= 4096 && n <= x; };
    if (hint == "OUTER") {
      for (int64_t n : {8, 32, 128})
        if (fits(n)) rows = n;
    } else if (hint == "OUTER_TINY") {
      rows = r <= 256 ? 2 * (256 / r) : 1;
    } else {
      for (int64_t n : {8, 32, 128})
        if (fits(n) && rows * r < 256) rows = n;
    }
  } else if (hint == "OUTER") {
    rows = 64;
    along = 8;
  } else if (hint == "OUTER_TINY") {
    rows = r <= 256 ? 2 * (256 / r) : 1;
    along = std::min(r, most);
  }
  int64_t target = rows * along;
  rows = std::min(rows, x);
  along = std::min(along, r);
  // Since names came to hints (2025), what is too short is not widened.
  if (meta.areHintsNamed) target = rows * along;
  if (static_cast<double>(x) * static_cast<double>(r) <
      static_cast<double>(target))
    target /= 8;
  while (!meta.isPersistent && rows < x && rows * along < target) rows *= 2;
  while (along < r && rows * along < target) along *= 2;
  InductorBlocks made;
  made.blocks = {{"XBLOCK", rows}, {"RBLOCK", along}, {"R0_BLOCK", along}};
  made.warps =
      warpsFor(rows * along / 128, 2, meta.areHintsNamed && !isHeavy ? 16 : 8);
  return made;
}

}  // namespace

InductorBlocks blocksOf(const InductorMeta &meta) {
  const int64_t x = hintOf(meta, "x");
  const int64_t r =
      std::max(hintOf(meta, "r"), std::max(hintOf(meta, "r0"), int64_t{0}));
  if (x == 0) return {};
  if (!meta.isReduction)
    return pointwise(x, std::max<int64_t>(1, hintOf(meta, "y")),
                     std::max<int64_t>(1, hintOf(meta, "z")));
  if (r == 0) return {};
  // A cooperative reduction gives a row to several programs.
  const int64_t split =
      meta.isCooperative ? std::clamp<int64_t>(64 / x, 1, 64) : 1;
  InductorBlocks made = reduction(meta, x, std::max<int64_t>(1, r / split));
  if (meta.isCooperative) made.blocks["RSPLIT"] = split;
  // A reduction along both sides goes through the rows of a program in turns.
  if (meta.split > 0) {
    const int64_t least = r <= 512 ? 4 : 1;
    const int64_t rows = std::min<int64_t>(std::max(meta.split / 32, least), 16);
    made.blocks["RSPLIT_SIZE"] = meta.split;
    made.blocks["XBLOCK"] = rows;
    made.blocks["NUM_STAGES"] =
        std::clamp<int64_t>(meta.split / rows / 4, 1, 3);
    if (r <= 1024) made.warps = std::max<int64_t>(1, made.warps / 2);
  }
  return made;
}

}  // namespace indexical::python
