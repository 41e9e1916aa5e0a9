// A kernel as relations: what each of its accesses reads or writes, of which
// buffer, under which mask, and by which threads.
//
//   tt.store %15, %13, %6         store, argument 2, mask exact
//     (bl_x, bl_y, bl_z, t0) -> (bl_x * 1024 + t0),
//     domain: … bl_x * 1024 + t0 in [0, 9999]
//     layout blocked, 4 elements a lane
//
// This is plain data. import/triton makes it of Triton's IR; other readers can
// make it of other kernels. The maps go from programs, loops and the
// coordinates of a tile to the number of an element, in pieces where a division
// or a choice of pointer needs them; pieces of one access are disjoint.
// cost/kernel measures and checks it.
#ifndef INDEXICAL_PROGRAM_KERNEL_KERNEL_H
#define INDEXICAL_PROGRAM_KERNEL_KERNEL_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/layout/layout.h"
#include "indexical/program/kernel/pieces.h"
#include "indexical/program/kernel/values.h"
#include "indexical/program/kernel/wraps.h"

namespace indexical::kernels {

using layouts::Coordinates;

struct KernelArgument {
  std::string name, type;
  /// The element type that the caller gives for a pointer without a type:
  /// `bf16`, `i32`; empty: the type says it, or nothing does.
  std::string elementType;
  bool isPointer = false;  ///< or a descriptor, which is of an array, too
  bool isFloat = false;
  int64_t elementBits = 0;  ///< of the pointer's elements, or of the integer
  std::optional<int64_t> value, divisibility;
  std::optional<double> number;  ///< the value of a float
  /// How many bytes may be read behind a pointer, if the file says so.
  std::optional<int64_t> bytes;
  /// The first argument that points to the same array, if the call says that
  /// it does; -1: this one has an array of its own.
  int64_t sameAs = -1;
};

enum class AccessKind : uint8_t { Load, Store, Atomic };
/// None means that every element of the tile is accessed. Cover means that a
/// part of the mask is not known: the maps have every element that it may let
/// through.
enum class MaskKind : uint8_t { None, Exact, Cover };
enum class LayoutSource : uint8_t { None, File, Coalescing };

/// A line of the user's program, from which an access comes.
struct SourceFrame {
  std::string function, file;
  int64_t line = 0, column = 0;
};

/// A side of the array in which a tile lies, and how much of it a tile takes.
struct ViewSide {
  int64_t size = 0, tile = 1;
};

struct KernelAccess {
  AccessKind kind = AccessKind::Load;
  std::string op;  ///< `tt.load`
  Place place;
  std::vector<SourceFrame> stack;  ///< innermost first
  int64_t elementBits = 0;
  std::string elementType;             ///< of what is loaded or stored: `bf16`
  llvm::SmallVector<int64_t, 4> tile;  ///< of a scalar: empty
  /// The array that a block pointer, a descriptor or an op on tiles names, in
  /// the order that it has there. Empty: there is none, or its sizes are not
  /// known.
  std::vector<ViewSide> view;
  std::vector<PieceSpace::LoopCount> loops;
  /// Each map goes from (bl_x, bl_y, bl_z, loops…, tile…) to the number of the
  /// element.
  std::vector<PointerMap> maps;
  /// The bounds of the types of the runtime variables, by their names. A mask
  /// may narrow those of a map's variable.
  std::map<std::string, Interval> values;
  std::string reason;  ///< why there are no maps; empty: there are
  /// The elements of an access that has a reason, if its terms have values for
  /// each value of a coordinate, a loop or a program: a map each. They are too
  /// many to be compared, and are measured alone.
  std::vector<PointerMap> enumerated;
  /// Why a thread may not come to it, though the maps and the mask say so: a
  /// loop before it may not end. Empty: it comes.
  std::string mayNotCome;
  /// The argument of maps that a grid without a value took; -1: none is known.
  int64_t closedArgument = -1;
  /// The runtime variables of the maps whose bounds the call gives: they may
  /// have any value within.
  std::vector<std::string> given;
  /// Why there are no figures, whatever the maps are; empty: there may be.
  std::string notMeasured;
  /// The warps that make it, if they work apart from the program's others.
  std::optional<int64_t> warps;
  MaskKind mask = MaskKind::None;
  /// How many barriers a program passes before it, if a program comes to it
  /// once and always: it is in no loop, branch or function that is called. Else
  /// it is -1.
  int32_t phase = -1;
  /// For a store: the number of the value that is stored, or -1. For an atomic
  /// addition: that of the summand.
  int64_t value = -1;
  /// Its number among all accesses of the file, those of shared memory, too.
  int64_t number = 0;

  /// From register, lane, warp and block to the tile.
  std::optional<layouts::Layout> layout;
  std::string layoutText;
  LayoutSource layoutFrom = LayoutSource::None;
  std::string layoutReason;             ///< why there is no layout
  llvm::SmallVector<int64_t, 4> order;  ///< of dimensions, the fastest first
  int64_t vector = 1;                   ///< elements a lane takes at once

  /// Returns the argument that all maps access, and -1 if they access several.
  int64_t argument() const {
    const std::vector<PointerMap> &known = maps.empty() ? enumerated : maps;
    int64_t all = known.empty() ? -1 : known.front().argument;
    for (const PointerMap &map : known)
      if (map.argument != all) return -1;
    return all;
  }
  /// Returns argument(), or the closed argument if there are no maps.
  int64_t namedArgument() const {
    return maps.empty() && enumerated.empty() ? closedArgument : argument();
  }
};

/// A load or a store of shared memory: a whole tile.
struct SharedAccess {
  AccessKind kind = AccessKind::Load;
  std::string op;  ///< `ttg.local_load`
  Place place;
  std::vector<SourceFrame> stack;  ///< innermost first
  int64_t elementBits = 0;
  llvm::SmallVector<int64_t, 4> tile;
  std::optional<layouts::Layout> layout;  ///< which thread holds an element
  /// Where it lies: from offset and block to the tile, or the other way.
  std::optional<layouts::Layout> memory;
  std::string layoutText, memoryText;
  std::string reason;  ///< why one of the two is not there
  /// For a kernel that was compiled: the variable, and the numbers of the
  /// elements in it, as of a KernelAccess.
  std::string symbol;
  std::vector<PieceSpace::LoopCount> loops;
  std::vector<PointerMap> maps;
  std::vector<PointerMap> enumerated;  ///< as of a KernelAccess
  std::string mayNotCome;              ///< as of a KernelAccess
  MaskKind mask = MaskKind::None;
  int64_t vector = 1;
  int64_t number = 0;
};

/// A barrier that all threads of a program pass together.
struct KernelBarrier {
  std::vector<int64_t> loops;  ///< around it, by their numbers, outermost first
  bool isAlways = true;        ///< it is in no branch
  /// Whether each turn of the innermost loop passes it before the next turn
  /// begins. The last turn may leave it out if it is not passed always.
  bool isInEachTurn = true;
  size_t before = 0;  ///< the number of accesses in front of it
  /// The accesses whose threads pass it in the same turn of its loops, if it is
  /// not passed always, in ascending order.
  std::vector<size_t> with = {};
  /// Like `before` and `with`, for the accesses of shared memory of a compiled
  /// kernel.
  size_t sharedBefore = 0;
  std::vector<size_t> sharedWith = {};
};

/// The first part of a kernel that was not understood, and why.
struct NotUnderstood {
  std::string reason;
  Place place;
};

/// Ops of one name whose meaning is unknown.
struct PassedOver {
  std::string name;  ///< `tlx.local_alias`
  Place place;       ///< of the first
  int64_t count = 0;
};

struct TritonKernel {
  std::string function, form;  ///< `ttir`, `ttgir`, `llvm`
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// Threads of a block along x, y and z, of a kernel that was compiled: the
  /// tile of each access is the block, and the elements of a vector. Its sides
  /// are powers of two, of which the masks leave out threads that are not
  /// there.
  std::optional<std::array<int64_t, 3>> block;
  /// How many coordinates of a tile, from the first, are those of a thread. 0:
  /// which thread has an element is for the layouts to say.
  size_t threadSides = 0;
  std::optional<int64_t> warps;
  int64_t lanes = 32;  ///< of a warp
  std::vector<KernelArgument> arguments;
  std::vector<KernelAccess> accesses;   ///< in the order of the file
  std::vector<KernelValue> values;      ///< that are stored, operands first
  std::vector<SharedAccess> shared;     ///< in the order of the file
  std::vector<KernelBarrier> barriers;  ///< in the order of the file
  /// Why the threads of a program may have an order that `barriers` do not
  /// say, for a kernel that was compiled: a loop that waits, a barrier that
  /// some threads pass. Empty: they have no other order.
  std::string otherOrder;
  /// Like otherOrder, for the lanes of one warp, which exchange values.
  std::string orderOfLanes;
  /// Like otherOrder, for programs.
  std::string orderOfPrograms;
  /// Why a compiled kernel may access shared memory otherwise than `shared`
  /// says; empty: it does not.
  std::string sharedUnknown;
  /// Bytes of all tiles that are allocated in shared memory. Tiles that a
  /// compiler puts into one place are counted one by one.
  int64_t sharedBytes = 0;
  std::optional<NotUnderstood> incomplete;
  /// Why a kernel may not end as its accesses say: a loop may run for ever, or
  /// threads of a compiled kernel come to what has no defined result.
  std::optional<NotUnderstood> mayNotEnd;
  /// Whether the text assumes something of numbers that are loaded: other
  /// numbers show nothing about what it leaves.
  bool hasAssumptions = false;
  /// A claim of the text about numbers that is not known to hold: where it is
  /// false, the kernel has no defined result.
  std::optional<NotUnderstood> assumed;
  std::optional<WrapsCheck> wraps;  ///< if they were looked for
  /// The ops that were skipped, by name in the order of the file. Their results
  /// are not known, and the kernel is incomplete.
  std::vector<PassedOver> passedOver;
  /// Why no access can be measured; empty: some can.
  std::string notMeasured;

  /// Returns why the memory that the kernel leaves is not known, whatever its
  /// accesses are; null if they say it.
  const NotUnderstood *openEnd() const {
    return incomplete ? &*incomplete : mayNotEnd ? &*mayNotEnd : nullptr;
  }
  /// Returns the argument that stands for the array of an argument: the first
  /// one that points to it.
  int64_t arrayOf(int64_t argument) const {
    if (argument < 0 || argument >= static_cast<int64_t>(arguments.size()))
      return argument;
    const int64_t same = arguments[argument].sameAs;
    return same < 0 ? argument : same;
  }
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_KERNEL_H
