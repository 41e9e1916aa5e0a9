#include "indexical/layout/cute.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::layouts {

namespace {

absl::Status leaves64() {
  return absl::InvalidArgumentError("a number of the layout leaves 64 bits");
}

/// A leaf with the step of its digit in the linear index.
struct Mode {
  int64_t stride, size, step;
  bool operator<(const Mode &o) const {
    if (stride != o.stride) return stride < o.stride;
    return size != o.size ? size < o.size : step < o.step;
  }
};

/// Returns the leaves by rising strides. Returns an error for axes.
absl::StatusOr<std::vector<Mode>> sortedModes(const Cute &layout) {
  std::vector<Mode> modes;
  int64_t step = 1;
  for (const Cute &leaf : layout.leaves()) {
    if (leaf.axis >= 0)
      return absl::InvalidArgumentError(
          "strides along axes have no such operation");
    modes.push_back({leaf.stride, leaf.size, step});
    if (llvm::MulOverflow(step, leaf.size, step)) return leaves64();
  }
  llvm::sort(modes);
  return modes;
}

Cute fromLeaves(std::vector<Cute> leaves) {
  if (leaves.empty()) return Cute::leaf(1, 0);
  if (leaves.size() == 1) return std::move(leaves.front());
  return Cute::tuple(std::move(leaves));
}

/// Returns the value at an index; the last mode goes on.
int64_t valueAt(llvm::ArrayRef<Cute> leaves, int64_t index) {
  uint64_t value = 0;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const bool isLast = k + 1 == leaves.size();
    const int64_t c = isLast ? index : index % leaves[k].size;
    index /= leaves[k].size;
    value += static_cast<uint64_t>(c) * static_cast<uint64_t>(leaves[k].stride);
  }
  return static_cast<int64_t>(value);
}

void writeShape(const Cute &layout, std::string &text) {
  if (!layout.isTuple) {
    absl::StrAppend(&text, layout.size);
    return;
  }
  text += '(';
  for (const auto &[k, mode] : llvm::enumerate(layout.modes)) {
    if (k > 0) text += ',';
    writeShape(mode, text);
  }
  text += ')';
}

void writeStride(const Cute &layout, std::string &text) {
  if (!layout.isTuple) {
    absl::StrAppend(&text, layout.stride);
    if (layout.axis >= 0 && layout.stride != 0)
      absl::StrAppend(&text, "@", layout.axis);
    return;
  }
  text += '(';
  for (const auto &[k, mode] : llvm::enumerate(layout.modes)) {
    if (k > 0) text += ',';
    writeStride(mode, text);
  }
  text += ')';
}

void collect(const Cute &layout, std::vector<Cute> &leaves) {
  if (!layout.isTuple) leaves.push_back(layout);
  for (const Cute &mode : layout.modes) collect(mode, leaves);
}

}  // namespace

llvm::ArrayRef<Cute> Cute::top() const {
  if (isTuple) return modes;
  return llvm::ArrayRef(*this);
}

std::vector<Cute> Cute::leaves() const {
  std::vector<Cute> all;
  collect(*this, all);
  return all;
}

std::optional<int64_t> Cute::points() const {
  int64_t points = 1;
  for (const Cute &leaf : leaves())
    if (llvm::MulOverflow(points, leaf.size, points)) return std::nullopt;
  return points;
}

std::string Cute::str() const {
  std::string text;
  writeShape(*this, text);
  text += ':';
  writeStride(*this, text);
  return text;
}

Cute coalesced(const Cute &layout) {
  std::vector<Cute> made;
  for (const Cute &leaf : layout.leaves()) {
    if (leaf.size == 1) continue;
    int64_t next;
    if (!made.empty() && made.back().axis == leaf.axis &&
        !llvm::MulOverflow(made.back().size, made.back().stride, next) &&
        next == leaf.stride)
      made.back().size *= leaf.size;
    else
      made.push_back(leaf);
  }
  return fromLeaves(std::move(made));
}

absl::StatusOr<Cute> complement(const Cute &layout, int64_t size) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto modes, sortedModes(layout));
  std::vector<Cute> made;
  int64_t reach = 1;
  for (const Mode &mode : modes) {
    if (mode.size == 1 || mode.stride == 0) continue;
    if (mode.stride < reach)
      return absl::InvalidArgumentError(absl::StrCat(
          "there is no complement: the stride ", mode.stride, " is below ",
          reach, ", which the smaller strides reach"));
    made.push_back(Cute::leaf(mode.stride / reach, reach));
    if (llvm::MulOverflow(mode.stride, mode.size, reach)) return leaves64();
  }
  made.push_back(Cute::leaf(std::max<int64_t>(1, ceilDiv(size, reach)), reach));
  return coalesced(Cute::tuple(std::move(made)));
}

bool fills(const Cute &layout) {
  const auto modes = sortedModes(layout);
  if (!modes.ok()) return false;
  int64_t reach = 1;
  for (const Mode &mode : *modes) {
    if (mode.size == 1 || mode.stride == 0) continue;
    if (mode.stride % reach != 0 ||
        llvm::MulOverflow(mode.stride, mode.size, reach))
      return false;
  }
  return true;
}

absl::StatusOr<Cute> rightInverse(const Cute &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto modes, sortedModes(layout));
  std::vector<Cute> made;
  int64_t reach = 1;
  for (const Mode &mode : modes) {
    if (mode.size == 1 || mode.stride < reach) continue;
    if (mode.stride != reach) break;
    made.push_back(Cute::leaf(mode.size, mode.step));
    if (llvm::MulOverflow(mode.stride, mode.size, reach)) return leaves64();
  }
  return coalesced(Cute::tuple(std::move(made)));
}

absl::StatusOr<Cute> leftInverse(const Cute &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(auto modes, sortedModes(layout));
  llvm::erase_if(modes,
                 [](const Mode &m) { return m.stride == 0 || m.size == 1; });
  std::vector<Cute> made;
  int64_t unit = 1, step = 0;
  bool overlaps = false;
  int64_t reach = 1;
  for (const Mode &mode : modes) {
    if (mode.stride < 0)
      return absl::InvalidArgumentError(
          "there is no left inverse: a stride is negative");
    if (mode.stride % unit != 0)
      return absl::InvalidArgumentError(
          absl::StrCat("there is no left inverse: the stride ", mode.stride,
                       " is not a multiple of the stride ", unit));
    overlaps |= mode.stride < reach;
    if (mode.stride > unit)
      made.push_back(Cute::leaf(mode.stride / unit, step));
    unit = mode.stride;
    step = mode.step;
    if (llvm::MulOverflow(mode.stride, mode.size, reach)) return leaves64();
  }
  if (!modes.empty()) made.push_back(Cute::leaf(modes.back().size, step));
  Cute inverse = coalesced(Cute::tuple(std::move(made)));
  if (!overlaps) return inverse;
  constexpr int64_t kMostChecked = int64_t{1} << 16;
  const auto points = layout.points();
  if (!points || *points > kMostChecked)
    return absl::InvalidArgumentError(
        "the strides overlap, and the layout is too large to be checked");
  const auto outer = layout.leaves(), inner = inverse.leaves();
  for (int64_t i = 0; i < *points; ++i) {
    const int64_t value = valueAt(outer, i);
    if (valueAt(outer, valueAt(inner, value)) != value)
      return absl::InvalidArgumentError(absl::StrCat(
          "there is no left inverse: offset ", value, " is not found again"));
  }
  return inverse;
}

absl::StatusOr<int64_t> cosize(const Cute &layout) {
  __int128 most = 1;
  for (const Cute &leaf : layout.leaves()) {
    if (leaf.axis >= 0)
      return absl::InvalidArgumentError("strides along axes have no cosize");
    if (leaf.stride > 0)
      most += static_cast<__int128>(leaf.size - 1) * leaf.stride;
  }
  if (most != static_cast<int64_t>(most)) return leaves64();
  return static_cast<int64_t>(most);
}

}  // namespace indexical::layouts
