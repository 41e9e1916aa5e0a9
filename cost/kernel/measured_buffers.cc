#include "indexical/cost/kernel/measured_buffers.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"

namespace indexical::kernels {

ElementType typeOfBits(int64_t bits) {
  switch (bits) {
    case 1:
    case 8:
      return ElementType::U8;
    case 16:
      return ElementType::U16;
    case 32:
      return ElementType::U32;
    case 64:
      return ElementType::U64;
    case 128:
      return ElementType::C128;  // of that size
    default:
      return ElementType::Unknown;
  }
}

namespace {

/// Whether the element depends on values that are not known. A condition may
/// depend on them all the same.
bool hasOpenElement(const PointerMap &pointer) {
  bool isOpen = false;
  pointer.map.expressions().visitVariables(
      pointer.map.results(),
      [&](VariableId id) { isOpen |= id.kind == VariableKind::Runtime; });
  return isOpen;
}

/// Whether each thread has an element in a buffer of that size for some values
/// that are not known: then those that are outside show nothing but that the
/// values are others.
bool canBeInside(const IndexingMap &map, int64_t size) {
  auto bounds = [&](bool isFixed) {
    auto ofVariable = [&](VariableId id) -> Interval {
      if (id.kind != VariableKind::Runtime) return map.variable(id).bounds;
      const Interval all = map.runtime()[id.index].bounds;
      return isFixed ? Interval::point(all.hasLower() ? all.lower : 0) : all;
    };
    return FormBounds(map.expressions(), ofVariable)(map.results()[0]);
  };
  const Interval all = bounds(false), threads = bounds(true);
  const auto width = threads.hasLower() && threads.hasUpper()
                         ? checkedSub(threads.upper, threads.lower)
                         : std::nullopt;
  if (!width) return false;
  const auto most = all.hasLower() ? checkedAdd(all.lower, *width) : 0;
  const auto least = all.hasUpper() ? checkedSub(all.upper, *width) : 0;
  return most && least && *most < size && *least >= 0;
}

}  // namespace

absl::StatusOr<MeasuredBuffer> bufferOf(const KernelAccess &access,
                                        const BufferSizes &sizes,
                                        const Device &device) {
  constexpr int64_t kMost = int64_t{1} << 56;
  const int64_t argument = access.argument();
  MeasuredBuffer buffer;
  buffer.shape = ArrayShape(typeOfBits(access.elementBits), {1});
  const bool isKnown = argument >= 0 &&
                       argument < static_cast<int64_t>(sizes.size()) &&
                       sizes[argument];
  if (isKnown) buffer.shape.dimensions[0] = *sizes[argument];
  int64_t begin = 0, end = buffer.shape.dimensions[0];
  for (const PointerMap &map : access.maps) {
    if (map.map.isKnownEmpty()) continue;
    const bool isOpen = hasOpenElement(map);
    if (isKnown && isOpen) {
      if (canBeInside(map.map, *sizes[argument])) continue;
      return absl::UnimplementedError(
          "elements that depend on values that are not known are outside of "
          "the buffer");
    }
    const Interval bounds = boundsOfResults(map.map)[0];
    if (!bounds.hasUpper() || bounds.upper >= kMost)
      return absl::UnimplementedError(
          isOpen ? "the size of the buffer is not known"
                 : "elements are further than 2^56 from the buffer's begin");
    end = std::max(end, bounds.upper + 1);
    if (isOpen) continue;
    if (!bounds.hasLower() || bounds.lower <= -kMost)
      return absl::UnimplementedError(
          "elements are further than 2^56 from the buffer's begin");
    begin = std::min(begin, bounds.lower);
  }
  const int64_t lines = device.line * 8;  // so many elements of a bit or more
  if (begin < 0) buffer.shift = ceilDiv(-begin, lines) * lines;
  buffer.shape.dimensions[0] = end + buffer.shift;
  return buffer;
}

namespace {

std::pair<int64_t, int64_t> keyOf(const KernelAccess &access) {
  return {access.argument(), access.elementBits};
}

void widen(MeasuredBuffer &buffer, const MeasuredBuffer &by) {
  int64_t &size = buffer.shape.dimensions[0];
  const int64_t end =
      std::max(size - buffer.shift, by.shape.dimensions[0] - by.shift);
  buffer.shift = std::max(buffer.shift, by.shift);
  size = end + buffer.shift;
}

}  // namespace

SharedBuffers::SharedBuffers(const TritonKernel &kernel,
                             const BufferSizes &sizes, const Device &device)
    : sizes_(sizes) {
  for (const KernelAccess &access : kernel.accesses)
    own_.push_back(bufferOf(access, sizes, device));
  for (auto [number, access] : llvm::enumerate(kernel.accesses)) {
    if (!own_[number].ok() || keepsItsSize(access)) continue;
    auto [found, isNew] = widest_.try_emplace(keyOf(access), *own_[number]);
    if (!isNew) widen(found->second, *own_[number]);
  }
}

absl::StatusOr<MeasuredBuffer> SharedBuffers::of(
    size_t number, const KernelAccess &access) const {
  if (!own_[number].ok() || keepsItsSize(access)) return own_[number];
  return widest_.at(keyOf(access));
}

/// Elements that depend on values that are not known stay within the known
/// size. A larger buffer would give them more room.
bool SharedBuffers::keepsItsSize(const KernelAccess &access) const {
  const int64_t argument = access.argument();
  const bool isKnown = argument >= 0 &&
                       argument < static_cast<int64_t>(sizes_.size()) &&
                       sizes_[argument];
  return argument < 0 || (isKnown && llvm::any_of(access.maps, hasOpenElement));
}

}  // namespace indexical::kernels
