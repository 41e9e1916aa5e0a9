// Meshes and their axes, private to sharding/.
//
//   <["x"=2, "y"=4]>                 devices 0 … 7, y varies fastest
//   {"y":(2)2, "x"}                  the minor half of y, then x
//
// Axes that a text names are cut where their parts end; each piece is a digit
// of a device's position in the mesh.
#ifndef INDEXICAL_SHARDING_MESH_H
#define INDEXICAL_SHARDING_MESH_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/sharding/cursor.h"

namespace indexical {

struct Mesh {
  struct Axis {
    std::string name;
    int64_t size = 1;
  };
  llvm::SmallVector<Axis, 4> axes;
  std::vector<int64_t> devices;  ///< by position; empty: 0, 1, …
  int64_t size = 1;              ///< the product of the axes' sizes
  bool isMaximal() const { return axes.empty() && devices.size() == 1; }
};

/// `"y":(2)2`: `size` members of the axis, with `before` major to them.
struct AxisPart {
  size_t axis = 0;
  int64_t before = 1, size = 1;
};

/// Reads `[ "x"=2, … ]` and `device_ids=[…]`, before or behind the bracket.
bool readMesh(Cursor &in, Mesh &mesh);
/// Reads `device_ids=(…)`, `[…]` or `([2,2]T(1,0))`, for a mesh whose axes are
/// known.
bool readDeviceIds(Cursor &in, Mesh &mesh);
/// Reads `{"x", "y":(1)2, ?}` with a priority, adds its axes to `parts`, and
/// marks them in `used`, which refuses an axis that is there already.
bool readAxes(Cursor &in, const Mesh &mesh, std::vector<AxisPart> &used,
              llvm::SmallVectorImpl<AxisPart> &parts);

/// The digits of a mesh: what its axes are cut into, major first.
struct MeshDigits {
  llvm::SmallVector<int64_t, 8> sizes;
  struct Origin {
    size_t axis;
    int64_t before;
  };
  llvm::SmallVector<Origin, 8> origins;
  /// The digits of a part, major first.
  llvm::SmallVector<int64_t, 4> of(const AxisPart &part) const;
};
/// Cuts the axes where parts begin and end. False where two cuts of one axis do
/// not divide each other.
bool cutAxes(const Mesh &mesh, llvm::ArrayRef<AxisPart> parts,
             MeshDigits &digits);

/// Increments a position in a grid, the last dimension first; false behind the
/// last one.
bool advance(llvm::MutableArrayRef<int64_t> position,
             llvm::ArrayRef<int64_t> sizes);
/// 0, 1, … reshaped to `sizes`, transposed by `order`, in row-major order.
std::vector<int64_t> iotaOf(llvm::ArrayRef<int64_t> sizes,
                            llvm::ArrayRef<int64_t> order);

}  // namespace indexical

#endif  // INDEXICAL_SHARDING_MESH_H
