// Meshes and their axes, private to sharding/.
//
//   <["x"=2, "y"=4]>                 devices 0 … 7, y varies fastest
//   {"y":(2)2, "x"}                  the minor half of y, then x
//
// A mesh cuts each axis where a part that a text names begins or ends. Each
// piece is a digit of a device's position in the mesh.
#ifndef INDEXICAL_PROGRAM_SHARDING_MESH_H
#define INDEXICAL_PROGRAM_SHARDING_MESH_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/sharding/cursor.h"

namespace indexical {

struct Mesh {
  struct Axis {
    std::string name;
    int64_t size = 1;
  };
  llvm::SmallVector<Axis, 4> axes;
  std::vector<int64_t> devices;  ///< by their position; empty: they are 0, 1, …
  int64_t size = 1;              ///< the product of the axes' sizes
  bool isMaximal() const { return axes.empty() && devices.size() == 1; }
};

/// A part of an axis: `"y":(2)2` has `size` members of the axis, and `before`
/// members are major to them.
struct AxisPart {
  size_t axis = 0;
  int64_t before = 1, size = 1;
};

/// Reads `["x"=2, …]`. `device_ids=[…]` may be the last entry in the bracket,
/// or follow it behind a comma. Returns false, with an error in `in`, if the
/// text is wrong, an axis is there twice, or there are too many devices.
bool readMesh(Cursor &in, Mesh &mesh);
/// Reads `device_ids=(…)`, `[…]` or `([2,2]T(1,0))`. Requires the axes of the
/// mesh.
bool readDeviceIds(Cursor &in, Mesh &mesh);
/// Reads axes of the mesh, `{"x", "y":(1)2, ?}p1`, and appends them to `parts`
/// and `used`. The `?` and the priority may be left out, and are not kept.
/// Returns false, with an error in `in`, if the text is wrong, if the mesh has
/// no such axis, or if the axis overlaps one of `used`.
bool readAxes(Cursor &in, const Mesh &mesh, std::vector<AxisPart> &used,
              llvm::SmallVectorImpl<AxisPart> &parts);

/// The digits of a mesh, which are the pieces of its axes. The major one comes
/// first.
struct MeshDigits {
  llvm::SmallVector<int64_t, 8> sizes;
  struct Origin {
    size_t axis;
    int64_t before;
  };
  llvm::SmallVector<Origin, 8> origins;
  /// Returns the digits of a part, the major one first.
  llvm::SmallVector<int64_t, 4> of(const AxisPart &part) const;
};
/// Cuts the axes where parts begin and end. Returns false if two cuts of one
/// axis do not divide each other.
bool cutAxes(const Mesh &mesh, llvm::ArrayRef<AxisPart> parts,
             MeshDigits &digits);

/// Moves a position to the next one in row-major order. Returns false if it was
/// the last one of the grid.
bool advance(llvm::MutableArrayRef<int64_t> position,
             llvm::ArrayRef<int64_t> sizes);
/// Returns the numbers 0, 1, …, reshaped to `sizes` and transposed by `order`,
/// in row-major order.
std::vector<int64_t> iotaOf(llvm::ArrayRef<int64_t> sizes,
                            llvm::ArrayRef<int64_t> order);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_MESH_H
