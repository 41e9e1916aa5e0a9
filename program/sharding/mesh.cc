#include "indexical/program/sharding/mesh.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/program/sharding/sharding_text.h"

namespace indexical {

bool advance(llvm::MutableArrayRef<int64_t> position,
             llvm::ArrayRef<int64_t> sizes) {
  for (size_t k = sizes.size(); k-- > 0;) {
    if (++position[k] < sizes[k]) return true;
    position[k] = 0;
  }
  return false;
}

std::vector<int64_t> iotaOf(llvm::ArrayRef<int64_t> sizes,
                            llvm::ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t, 6> strides(sizes.size(), 1), turned, steps;
  for (size_t k = sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * sizes[k];
  for (int64_t k : order) {
    turned.push_back(sizes[k]);
    steps.push_back(strides[k]);
  }
  std::vector<int64_t> list;
  if (llvm::is_contained(turned, 0)) return list;
  llvm::SmallVector<int64_t, 6> at(turned.size(), 0);
  do {
    list.push_back(
        std::inner_product(at.begin(), at.end(), steps.begin(), int64_t(0)));
  } while (advance(at, turned));
  return list;
}

bool readDeviceIds(Cursor &in, Mesh &mesh) {
  const size_t place = in.offset();
  llvm::SmallVector<int64_t, 8> ids;
  const bool round = in.consume("(");
  if (!round && !in.expect("[")) return false;
  if (round && in.consume("[")) {
    llvm::SmallVector<int64_t, 4> sizes, order;
    int64_t product = 1;
    if (!in.integers("]", sizes)) return false;
    for (int64_t size : sizes)
      if (size < 1 || llvm::MulOverflow(product, size, product) ||
          product > kMostDevices)
        return in.failAt(place, "these sizes are no number of devices");
    for (size_t k = 0; k < sizes.size(); ++k) order.push_back(k);
    if (in.consume("T")) {
      llvm::SmallVector<int64_t, 4> all = order, sorted;
      order.clear();
      if (!in.expect("(") || !in.integers(")", order)) return false;
      sorted = order;
      llvm::sort(sorted);
      if (sorted != all)
        return in.failAt(place, "the order in `T(…)` is not a permutation");
    }
    if (!in.expect(")")) return false;
    const std::vector<int64_t> list = iotaOf(sizes, order);
    ids.append(list.begin(), list.end());
  } else if (!in.integers(round ? ")" : "]", ids)) {
    return false;
  }
  mesh.devices.assign(ids.begin(), ids.end());
  if (mesh.axes.empty() && ids.size() == 1) {
    if (ids[0] >= 0) return true;
    return in.failAt(place, "there is no device " + llvm::Twine(ids[0]));
  }
  llvm::sort(ids);
  for (auto [number, id] : llvm::enumerate(ids))
    if (id != static_cast<int64_t>(number) ||
        ids.size() != static_cast<size_t>(mesh.size))
      return in.failAt(place,
                       "the device ids are no permutation of the mesh's " +
                           llvm::Twine(mesh.size) + " devices");
  return !ids.empty() || mesh.size == 0 ||
         in.failAt(place, "the device ids are no permutation of the mesh's " +
                              llvm::Twine(mesh.size) + " devices");
}

bool readMesh(Cursor &in, Mesh &mesh) {
  if (!in.expect("[")) return false;
  bool hasIds = false;
  if (!in.consume("]")) {
    do {
      const size_t place = in.offset();
      if (in.consume("device_ids")) {
        hasIds = true;
        if (!in.expect("=") || !readDeviceIds(in, mesh)) return false;
        break;
      }
      Mesh::Axis axis;
      if (!in.quoted(axis.name) || !in.expect("=") || !in.integer(axis.size))
        return false;
      if (axis.size < 1 || llvm::MulOverflow(mesh.size, axis.size, mesh.size) ||
          mesh.size > kMostDevices)
        return in.failAt(place,
                         "the size of an axis is positive, and a mesh "
                         "has at most " +
                             llvm::Twine(kMostDevices) + " devices");
      for (const Mesh::Axis &other : mesh.axes)
        if (other.name == axis.name)
          return in.failAt(place, "the mesh has axis " + axis.name + " twice");
      mesh.axes.push_back(axis);
    } while (in.consume(","));
    if (!in.expect("]")) return false;
  }
  Cursor ahead = in;
  if (!hasIds && ahead.consume(",") && ahead.consume("device_ids")) {
    in = ahead;
    return in.expect("=") && readDeviceIds(in, mesh);
  }
  return true;
}

namespace {

bool overlap(const AxisPart &a, const AxisPart &b) {
  return a.axis == b.axis && a.before < b.before * b.size &&
         b.before < a.before * a.size;
}

bool readAxis(Cursor &in, const Mesh &mesh, std::vector<AxisPart> &used,
              llvm::SmallVectorImpl<AxisPart> &parts) {
  const size_t place = in.offset();
  std::string name;
  if (!in.quoted(name)) return false;
  auto axis = llvm::find_if(
      mesh.axes, [&](const Mesh::Axis &each) { return each.name == name; });
  if (axis == mesh.axes.end())
    return in.failAt(place, "the mesh has no axis " + name);
  AxisPart part{static_cast<size_t>(axis - mesh.axes.begin()), 1, axis->size};
  if (in.consume(":")) {
    int64_t end = 0;
    if (!in.expect("(") || !in.integer(part.before) || !in.expect(")") ||
        !in.integer(part.size))
      return false;
    if (part.before < 1 || part.size < 1 ||
        llvm::MulOverflow(part.before, part.size, end) || axis->size % end)
      return in.failAt(
          place, "a part of axis " + name + ": " + llvm::Twine(part.before) +
                     " times " + llvm::Twine(part.size) + " is " +
                     llvm::Twine(end) + ", and " + llvm::Twine(end) +
                     " does not divide " + llvm::Twine(axis->size));
  }
  for (const AxisPart &other : used)
    if (overlap(other, part))
      return in.failAt(place, "axis " + name +
                                  " twice, or parts of it that "
                                  "overlap");
  used.push_back(part);
  parts.push_back(part);
  return true;
}

}  // namespace

bool readAxes(Cursor &in, const Mesh &mesh, std::vector<AxisPart> &used,
              llvm::SmallVectorImpl<AxisPart> &parts) {
  if (!in.expect("{")) return false;
  if (!in.consume("}")) {
    do {
      if (in.consume("?")) break;
      if (!readAxis(in, mesh, used, parts)) return false;
    } while (in.consume(","));
    if (!in.expect("}")) return false;
  }
  if (in.peek() == 'p') {
    int64_t priority = 0;
    in.consume("p");
    return in.integer(priority);
  }
  return true;
}

llvm::SmallVector<int64_t, 4> MeshDigits::of(const AxisPart &part) const {
  llvm::SmallVector<int64_t, 4> digits;
  for (auto [k, origin] : llvm::enumerate(origins))
    if (origin.axis == part.axis && origin.before >= part.before &&
        origin.before < part.before * part.size)
      digits.push_back(k);
  return digits;
}

bool cutAxes(const Mesh &mesh, llvm::ArrayRef<AxisPart> parts,
             MeshDigits &digits) {
  for (auto [a, axis] : llvm::enumerate(mesh.axes)) {
    std::set<int64_t> cuts = {axis.size};
    for (const AxisPart &part : parts)
      if (part.axis == a) cuts.insert({part.before, part.before * part.size});
    int64_t before = 1;
    for (int64_t cut : cuts) {
      if (cut % before) return false;
      if (cut == before) continue;
      digits.sizes.push_back(cut / before);
      digits.origins.push_back({a, before});
      before = cut;
    }
  }
  return true;
}

}  // namespace indexical
