#include "indexical/program/sharding/sharding_text.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/program/sharding/cursor.h"
#include "indexical/program/sharding/mesh.h"

namespace indexical {
namespace {

using llvm::StringRef;
using Kind = ShardingText::Kind;

/// The axes that a sharding over a mesh names.
struct NamedAxes {
  std::vector<llvm::SmallVector<AxisPart, 2>> dimensions;
  llvm::SmallVector<AxisPart, 2> unreduced, manual, replicated;
  std::vector<AxisPart> all;
};

class ShardingParser {
 public:
  ShardingParser(StringRef text, const ShardingContext &context)
      : in_(text), context_(context) {}

  absl::StatusOr<std::vector<ShardingText>> parse() {
    if (in_.consume("#sdy.sharding_per_value") || isList())
      readPerValue();
    else if (in_.consume("#sdy.sharding") || in_.peek() == '<')
      readShardies();
    else
      readBody();
    if (!in_.failed() && !in_.atEnd()) in_.fail("the text goes on here");
    if (in_.failed()) return in_.status();
    return std::move(leaves_);
  }

 private:
  bool isList() {
    Cursor ahead = in_;
    return ahead.consume("<") && ahead.consume("[") && ahead.peek() == '<';
  }

  bool readPerValue();
  bool readShardies();
  bool readShardy();
  bool readBody();
  bool readLeaf();
  bool readTail(ShardingText &leaf);
  bool readGrid(ShardingText &leaf);
  bool readDevices(ShardingText &leaf);
  bool readIota(ShardingText &leaf, int64_t count);
  bool checkListed(ShardingText &leaf, int64_t count, size_t place);
  bool readLastTypes(ShardingText &leaf);
  bool readNamed(const Mesh &mesh, ShardingText &leaf);
  bool tile(const Mesh &mesh, NamedAxes &axes, ShardingText &leaf);
  bool checkDevice(int64_t device, size_t place);

  Cursor in_;
  const ShardingContext &context_;
  std::vector<ShardingText> leaves_;
};

bool ShardingParser::checkDevice(int64_t device, size_t place) {
  const bool known = context_.devices >= 0;
  if (device >= 0 && !(known && device >= context_.devices)) return true;
  return in_.failAt(place, "there is no device " + llvm::Twine(device) +
                               (known ? " of " + llvm::Twine(context_.devices)
                                      : llvm::Twine("")));
}

// Reads `replicated`, `{replicated}`, `{replicated}, {manual}`, or the last of
// these in braces.
bool ShardingParser::readBody() {
  if (in_.peek() != '{') return readLeaf();
  Cursor ahead = in_;
  ahead.consume("{");
  const bool braces = ahead.peek() == '{' || ahead.peek() == '}';
  if (braces) in_ = ahead;
  if (in_.peek() == '{') {
    do {
      if (!in_.expect("{") || !readLeaf() || !in_.expect("}")) return false;
    } while (in_.consume(","));
  }
  return !braces || in_.expect("}");
}

bool ShardingParser::readLeaf() {
  ShardingText leaf;
  leaf.offset = in_.offset();
  Cursor ahead = in_;
  const StringRef word = in_.word();
  if (word == "replicated") {
    leaf.kind = Kind::Replicated;
  } else if (word == "manual") {
    leaf.kind = Kind::Manual;
  } else if (word == "unknown") {
    leaf.kind = Kind::Unknown;
  } else if (word == "unreduced") {
    leaf.kind = Kind::Unreduced;
    if (in_.consume("=")) leaf.reduction = in_.word().str();
  } else if (word == "maximal" || word == "maximal_mesh") {
    leaf.kind = Kind::Maximal;
    const bool bracket = in_.consume("[");
    if ((!in_.consume("device_id") && !in_.consume("device")) ||
        !in_.expect("="))
      return in_.fail(
          "the device of a maximal sharding is expected here, as "
          "in `maximal device=0`");
    const size_t place = in_.offset();
    if (!in_.integer(leaf.device) || !checkDevice(leaf.device, place) ||
        (bracket && !in_.expect("]")))
      return false;
  } else if (word == "devices") {
    leaf.kind = Kind::Tiled;
    if (!in_.expect("=") || !readGrid(leaf)) return false;
  } else if (word == "mesh") {
    Mesh mesh;
    if (!readMesh(in_, mesh) || !in_.expect(",") || !readNamed(mesh, leaf))
      return false;
  } else {
    in_ = ahead;
    return in_.fail(
        "`replicated`, `maximal device=N`, `manual`, `unreduced`, "
        "`devices=[…]<=[…]` or `mesh[…], […]` is expected here");
  }
  if (!readTail(leaf)) return false;
  leaves_.push_back(std::move(leaf));
  return true;
}

// Reads `shard_as 3 metadata={…}`, which does not say which device holds what,
// and the types of the last tile dimensions.
bool ShardingParser::readTail(ShardingText &leaf) {
  while (true) {
    int64_t group = 0;
    if (in_.consume("shard_as") || in_.consume("shard_like")) {
      if (!in_.integer(group)) return false;
    } else if (in_.consume("metadata=")) {
      if (!in_.skipBraces()) return false;
    } else if (in_.consume("last_tile_dim_replicate")) {
      if (leaf.kind != Kind::Tiled || !leaf.last.empty())
        return in_.fail("`last_tile_dim_replicate` belongs to `devices=[…]`");
      leaf.last.push_back(SubgroupType::Replicated);
    } else if (in_.consume("last_tile_dims=")) {
      if (leaf.kind != Kind::Tiled || !leaf.last.empty())
        return in_.fail("`last_tile_dims` belongs to `devices=[…]`");
      if (!readLastTypes(leaf)) return false;
    } else {
      if (leaf.last.size() > leaf.grid.size())
        return in_.failAt(leaf.offset,
                          "there are fewer tile dimensions than "
                          "types of the last ones");
      return true;
    }
    in_.consume(",");
  }
}

bool ShardingParser::readLastTypes(ShardingText &leaf) {
  if (!in_.expect("{")) return false;
  do {
    const StringRef type = in_.word();
    if (type == "replicated")
      leaf.last.push_back(SubgroupType::Replicated);
    else if (type == "manual")
      leaf.last.push_back(SubgroupType::Manual);
    else if (type == "unreduced")
      leaf.last.push_back(SubgroupType::Unreduced);
    else
      return in_.fail("`replicated`, `manual` or `unreduced` is expected here");
  } while (in_.consume(","));
  return in_.expect("}");
}

// Reads `[2,4]<=[2,4]T(1,0)` or `[2]1,0`.
bool ShardingParser::readGrid(ShardingText &leaf) {
  const size_t place = in_.offset();
  int64_t count = 1;
  if (!in_.expect("[") || !in_.integers("]", leaf.grid)) return false;
  for (int64_t size : leaf.grid)
    if (size < 1 || llvm::MulOverflow(count, size, count) ||
        count > kMostDevices)
      return in_.failAt(place,
                        "sizes of tiles are positive, and there are at "
                        "most " +
                            llvm::Twine(kMostDevices) + " devices");
  if (in_.consume("<=")) return readIota(leaf, count);
  return readDevices(leaf) && checkListed(leaf, count, place);
}

bool ShardingParser::readDevices(ShardingText &leaf) {
  do {
    int64_t device = 0;
    const size_t place = in_.offset();
    if (!in_.integer(device) || !checkDevice(device, place)) return false;
    leaf.devices.push_back(device);
    Cursor ahead = in_;
    // A comma may end the list, too.
    if (!ahead.consume(",") || ahead.peek() < '0' || ahead.peek() > '9')
      return true;
  } while (in_.consume(","));
  return true;
}

bool ShardingParser::checkListed(ShardingText &leaf, int64_t count,
                                 size_t place) {
  if (static_cast<int64_t>(leaf.devices.size()) != count)
    return in_.failAt(place, llvm::Twine(count) + " tiles for " +
                                 llvm::Twine(leaf.devices.size()) + " devices");
  std::set<int64_t> seen;
  for (int64_t device : leaf.devices) {
    if (!seen.insert(device).second)
      return in_.failAt(place, "device " + llvm::Twine(device) + " twice");
    if (device >= count)
      return in_.failAt(
          place, "device " + llvm::Twine(device) + " of " + llvm::Twine(count));
  }
  return true;
}

bool ShardingParser::readIota(ShardingText &leaf, int64_t count) {
  const size_t place = in_.offset();
  int64_t devices = 1;
  if (!in_.expect("[") || !in_.integers("]", leaf.iotaSizes)) return false;
  for (int64_t size : leaf.iotaSizes)
    if (size < 1 || llvm::MulOverflow(devices, size, devices))
      return in_.failAt(place, "sizes of devices are positive 64-bit integers");
  for (size_t k = 0; k < leaf.iotaSizes.size(); ++k)
    leaf.iotaOrder.push_back(k);
  if (in_.consume("T")) {
    llvm::SmallVector<int64_t, 4> all = leaf.iotaOrder, sorted;
    leaf.iotaOrder.clear();
    if (!in_.expect("(") || !in_.integers(")", leaf.iotaOrder)) return false;
    sorted = leaf.iotaOrder;
    llvm::sort(sorted);
    if (sorted != all)
      return in_.failAt(place, "the order in `T(…)` is not a permutation of "
                               "the " +
                                   llvm::Twine(all.size()) +
                                   " sizes before it");
  }
  return count == devices ||
         in_.failAt(place, llvm::Twine(count) + " tiles for " +
                               llvm::Twine(devices) + " devices");
}

// Reads `<[<@m, …>, <@m, …>]>`.
bool ShardingParser::readPerValue() {
  if (!in_.expect("<") || !in_.expect("[")) return false;
  if (!in_.consume("]")) {
    do {
      if (!readShardy()) return false;
    } while (in_.consume(","));
    if (!in_.expect("]")) return false;
  }
  return in_.expect(">");
}

// Reads `<@m, […]>`, or several of them.
bool ShardingParser::readShardies() {
  do {
    in_.consume("#sdy.sharding");
    if (!readShardy()) return false;
  } while (in_.consume(","));
  return true;
}

// Reads `<@m, [{"x"}, {?}], replicated={…}>`, or the same with `mesh<["x"=2]>`
// for the name.
bool ShardingParser::readShardy() {
  ShardingText leaf;
  leaf.offset = in_.offset();
  Mesh mesh;
  if (!in_.expect("<")) return false;
  const size_t place = in_.offset();
  if (in_.consume("@")) {
    std::string name;
    if (in_.peek() == '"' || in_.peek() == '\'') {
      if (!in_.quoted(name)) return false;
    } else {
      name = in_.word().str();
    }
    auto known = context_.meshes.find(name);
    if (known == context_.meshes.end())
      return in_.failAt(place, "there is no mesh @" + name);
    StringRef text = StringRef(known->second).trim();
    text.consume_front("#sdy.mesh");
    Cursor inner(text);
    if (!inner.expect("<") || !readMesh(inner, mesh) || !inner.expect(">"))
      return in_.failAt(place, "mesh @" + name + ": " +
                                   std::string(inner.status().message()));
  } else {
    in_.consume("#sdy.");
    if (!in_.expect("mesh") || !in_.expect("<") || !readMesh(in_, mesh) ||
        !in_.expect(">"))
      return false;
  }
  if (!in_.expect(",") || !readNamed(mesh, leaf) || !in_.expect(">"))
    return false;
  leaves_.push_back(std::move(leaf));
  return true;
}

// Reads `[{'a'}, {}], replicated={'c'}, unreduced=max{'b'}`.
bool ShardingParser::readNamed(const Mesh &mesh, ShardingText &leaf) {
  NamedAxes axes;
  if (!in_.expect("[")) return false;
  if (!in_.consume("]")) {
    do {
      if (!readAxes(in_, mesh, axes.all, axes.dimensions.emplace_back()))
        return false;
    } while (in_.consume(","));
    if (!in_.expect("]")) return false;
  }
  while (true) {
    Cursor ahead = in_;
    if (!ahead.consume(",")) break;
    if (ahead.consume("replicated=")) {
      in_ = ahead;
      if (!readAxes(in_, mesh, axes.all, axes.replicated)) return false;
    } else if (ahead.consume("manual=")) {
      in_ = ahead;
      if (!readAxes(in_, mesh, axes.all, axes.manual)) return false;
    } else if (ahead.consume("unreduced=")) {
      in_ = ahead;
      leaf.reduction = in_.word().str();
      if (!readAxes(in_, mesh, axes.all, axes.unreduced)) return false;
    } else {
      break;
    }
  }
  return tile(mesh, axes, leaf);
}

bool ShardingParser::tile(const Mesh &mesh, NamedAxes &axes,
                          ShardingText &leaf) {
  if (mesh.isMaximal()) {
    leaf.kind = Kind::Maximal;
    leaf.device = mesh.devices[0];
    return checkDevice(leaf.device, leaf.offset);
  }
  if (mesh.axes.empty()) {
    leaf.kind = Kind::Replicated;
    return true;
  }
  leaf.kind = Kind::Tiled;
  MeshDigits digits;
  if (!cutAxes(mesh, axes.all, digits))
    return in_.failAt(leaf.offset, "parts of an axis overlap");
  llvm::SmallVector<int64_t, 8> order;
  auto take = [&](llvm::ArrayRef<AxisPart> parts) {
    int64_t size = 1;
    for (const AxisPart &part : parts)
      for (int64_t digit : digits.of(part)) {
        order.push_back(digit);
        size *= digits.sizes[digit];
      }
    leaf.grid.push_back(size);
  };
  for (const auto &parts : axes.dimensions) take(parts);
  take(axes.unreduced);
  take(axes.manual);
  leaf.last = {SubgroupType::Unreduced, SubgroupType::Manual,
               SubgroupType::Replicated};
  int64_t rest = 1;
  for (size_t k = 0; k < digits.sizes.size(); ++k)
    if (!llvm::is_contained(order, static_cast<int64_t>(k))) {
      order.push_back(k);
      rest *= digits.sizes[k];
    }
  leaf.grid.push_back(rest);
  if (mesh.devices.empty()) {
    leaf.iotaSizes.assign(digits.sizes.begin(), digits.sizes.end());
    leaf.iotaOrder.assign(order.begin(), order.end());
    // A mesh of axes of size 1 has no digits; it still has its one device.
    if (leaf.iotaSizes.empty()) {
      leaf.iotaSizes.push_back(1);
      leaf.iotaOrder.push_back(0);
    }
    return true;
  }
  leaf.devices = iotaOf(digits.sizes, order);
  for (int64_t &device : leaf.devices) device = mesh.devices[device];
  return true;
}

}  // namespace

absl::StatusOr<std::vector<ShardingText>> parseShardingText(
    StringRef text, const ShardingContext &context) {
  return ShardingParser(text, context).parse();
}

absl::StatusOr<std::vector<std::vector<int64_t>>> meshGroups(StringRef text,
                                                             StringRef axes) {
  text = text.trim();
  text.consume_front("#sdy.mesh");
  text.consume_front("mesh");
  const bool angle = text.starts_with("<");
  Cursor in(text);
  Mesh mesh;
  if ((angle && !in.expect("<")) || !readMesh(in, mesh) ||
      (angle && !in.expect(">")))
    return in.status();
  Cursor named(axes);
  std::vector<AxisPart> used;
  llvm::SmallVector<AxisPart, 4> parts;
  if (!readAxes(named, mesh, used, parts)) return named.status();
  MeshDigits digits;
  if (!cutAxes(mesh, used, digits))
    return absl::InvalidArgumentError("parts of an axis overlap");
  llvm::SmallVector<int64_t, 8> order, last;
  int64_t members = 1;
  for (const AxisPart &part : parts)
    for (int64_t digit : digits.of(part)) {
      last.push_back(digit);
      members *= digits.sizes[digit];
    }
  for (size_t k = 0; k < digits.sizes.size(); ++k)
    if (!llvm::is_contained(last, static_cast<int64_t>(k))) order.push_back(k);
  order.append(last.begin(), last.end());
  std::vector<std::vector<int64_t>> groups;
  for (auto [i, device] : llvm::enumerate(iotaOf(digits.sizes, order))) {
    if (i % members == 0) groups.emplace_back();
    groups.back().push_back(mesh.devices.empty() ? device
                                                 : mesh.devices[device]);
  }
  return groups;
}

}  // namespace indexical
