// Shardings in HLO's form.
#include <algorithm>
#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/reshard/digit_ops.h"

namespace indexical {
namespace {

std::string joined(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

/// Returns the numbers 0, 1, …, reshaped to `sizes` and transposed.
std::vector<int64_t> transposedIota(llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t, 6> strides(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * sizes[k];
  std::vector<int64_t> list = {0};
  for (int64_t axis : order) {
    std::vector<int64_t> longer;
    for (int64_t first : list)
      for (int64_t i = 0; i < sizes[axis]; ++i)
        longer.push_back(first + i * strides[axis]);
    list = std::move(longer);
  }
  return list;
}

/// Returns `<=[4]` or `<=[2,2]T(1,0)`: the list as a transposed iota. Returns
/// "" if it is none.
std::string iotaText(const std::vector<int64_t> &list) {
  // (size, stride) of each axis, the minor one first.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 6> axes;
  const int64_t count = list.size();
  for (int64_t step = 1; step < count;) {
    const int64_t stride = list[step] - list[0];
    int64_t size = 1;
    while (size * step < count && list[size * step] == list[0] + size * stride)
      ++size;
    while (count % (step * size) != 0) --size;
    if (size < 2) return "";
    axes.push_back({size, stride});
    step *= size;
  }
  std::reverse(axes.begin(), axes.end());
  llvm::SmallVector<int64_t, 6> byStride(axes.size());
  std::iota(byStride.begin(), byStride.end(), 0);
  llvm::sort(byStride, [&](int64_t a, int64_t b) {
    return axes[a].second > axes[b].second;
  });
  llvm::SmallVector<int64_t, 6> sizes, order(axes.size());
  for (auto [place, axis] : llvm::enumerate(byStride)) {
    sizes.push_back(axes[axis].first);
    order[axis] = place;
  }
  if (sizes.empty()) sizes.push_back(count), order.push_back(0);
  if (transposedIota(sizes, order) != list) return "";
  if (llvm::is_sorted(order)) return "<=[" + std::to_string(count) + "]";
  return "<=[" + joined(sizes) + "]T(" + joined(order) + ")";
}

}  // namespace

std::string hloTextOf(llvm::ArrayRef<int64_t> tiles, int64_t parts,
                      llvm::StringRef reduction, int64_t devices,
                      llvm::function_ref<int64_t(int64_t)> placeOf) {
  int64_t places = parts;
  for (int64_t count : tiles) places *= count;
  if (places == 1) return "{replicated}";
  if (devices % places != 0) return "";
  std::vector<std::vector<int64_t>> at(places);
  for (int64_t device = 0; device < devices; ++device)
    at[placeOf(device)].push_back(device);
  const int64_t copies = devices / places;
  std::vector<int64_t> list;
  for (const auto &each : at) {
    if (static_cast<int64_t>(each.size()) != copies) return "";
    llvm::append_range(list, each);
  }
  const std::string iota = iotaText(list);
  std::string text = "{devices=[" + joined(tiles);
  std::string types;
  for (auto [count, type] :
       {std::pair{parts, "unreduced"}, std::pair{copies, "replicated"}}) {
    if (count == 1) continue;
    text += (text.back() == '[' ? "" : ",") + std::to_string(count);
    types += (types.empty() ? "" : ", ") + std::string(type);
  }
  text += "]" + (iota.empty() ? joined(list) : iota);
  if (types == "replicated")
    text += " last_tile_dim_replicate";
  else if (!types.empty())
    text += " last_tile_dims={" + types + "}";
  if (parts > 1 && !reduction.empty() && reduction != "sum" &&
      reduction != "add")
    return "";
  return text + "}";
}

std::optional<std::string> hloTextOf(const Sharding &sharding) {
  if (sharding.none() != NoElements::None || sharding.groups() > 1)
    return std::nullopt;
  const int64_t devices = sharding.devices();
  if (sharding.isReplicated()) return "{replicated}";
  std::vector<int64_t> places, holders;
  for (int64_t device = 0; device < devices; ++device)
    if (sharding.holding(device)) holders.push_back(device);
  if (holders.size() == 1 && devices > 1)
    return "{maximal device=" + std::to_string(holders[0]) + "}";
  for (int64_t device = 0; device < devices; ++device) {
    const auto holding = sharding.holding(device);
    if (!holding) return std::nullopt;
    int64_t place = 0;
    for (size_t k = 0; k < sharding.rank(); ++k)
      place = place * sharding.tiles()[k] + holding->tile[k];
    places.push_back(place * sharding.parts() + holding->part);
  }
  std::string text =
      hloTextOf(sharding.tiles(), sharding.parts(), sharding.reduction(),
                devices, [&](int64_t device) { return places[device]; });
  if (text.empty()) return std::nullopt;
  return text;
}

std::string hloTextOf(const DigitSpace &space, const DigitState &state,
                      const ShardedRelation &of) {
  llvm::SmallVector<int64_t, 4> tiles(of.global().size(), 1);
  llvm::SmallVector<int16_t, 16> labels;
  for (size_t i = 0; i < space.tensor().size(); ++i) {
    if (state[i] < 0) continue;
    const auto &digit = space.tensor()[i];
    // The digits that cut a dimension are its major ones.
    if (i > 0 && space.tensor()[i - 1].dimension == digit.dimension &&
        state[i - 1] < 0)
      return "";
    tiles[digit.dimension] *= digit.size;
    labels.push_back(state[i]);
  }
  const auto sizes = space.localSizes(state);
  for (size_t k = 0; k < tiles.size(); ++k)
    if (tiles[k] > 1 && sizes[k] != (of.global()[k] + tiles[k] - 1) / tiles[k])
      return "";
  for (size_t p = 0; p < space.parts().size(); ++p)
    if (state[space.tensor().size() + p]) labels.push_back(space.parts()[p]);
  return hloTextOf(
      tiles, space.partsOf(state), of.sharding().reduction(), space.devices(),
      [&](int64_t device) { return space.valueOf(labels, device); });
}

}  // namespace indexical
