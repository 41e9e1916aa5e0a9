// The trace of a function: its accesses, with pointers and masks as terms;
// private to import/triton.
//
//   %9 = tt.load %8, %6     pointer-add (pointer 0) (add i32 …), mask less …
//
// Every op is traced once for each way that leads to it, as if it ran. Integers
// and pointers become terms; floats have no meaning. A value that a loop
// carries has a closed form if every iteration adds the same to it
// (carried_values.h). The condition of a branch is a part of the masks in it.
// An op that is not understood is noted, and its results are unknown. tracer.h
// says in which file each kind of ops is.
#ifndef INDEXICAL_IMPORT_TRITON_TRACE_H
#define INDEXICAL_IMPORT_TRITON_TRACE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::triton {

using kernels::TermId;

struct TracedLoop {
  int64_t number = 0;  ///< of its Loop term
  TermId trips = 0;    ///< the number of iterations, 64 bits
  /// The iterations that a pipelined loop works on at once: its
  /// `tt.num_stages`, or 1.
  int64_t stages = 1;
};

/// A barrier that all threads of a program pass.
struct TracedBarrier {
  std::vector<TracedLoop> loops;  ///< around it, outermost first
  bool isAlways = true;           ///< it is in no branch
  size_t before = 0;              ///< the number of accesses in front of it
};

/// How many elements a lane changes at once by an atomic operation: one, as
/// many as a store would take, or an unknown number.
enum class AtomicWidth : uint8_t { One, Vector, Unknown };

struct TracedAccess {
  mlir::Operation *op = nullptr;
  kernels::AccessKind kind = kernels::AccessKind::Load;
  std::optional<TermId> pointer;  ///< nothing: it is not known
  std::optional<TermId> mask;     ///< with the conditions around it
  bool isMasked = false;
  std::vector<TracedLoop> loops;  ///< around it, outermost first
  /// The sides of the array that a block pointer or an op on tiles names: their
  /// sizes, 64 bits, and those of the tile.
  std::vector<std::pair<TermId, int64_t>> view;
  mlir::Type type;           ///< of what is loaded or stored
  mlir::Attribute encoding;  ///< of the tensor of pointers
  int64_t web = 0;           ///< equal for accesses that values join
  /// Why its elements are not known, whatever its pointer is; empty: they may
  /// be.
  std::string obstacle;
  /// Why its figures are not known, though its elements are; empty: they may
  /// be.
  std::string notMeasured;
  /// Whether a loop before it has a count that is not known, so that it may not
  /// end.
  bool isBehindOpenLoop = false;
  bool hasThreads = true;  ///< whether threads hold the tile
  int32_t phase = -1;      ///< kernels::KernelAccess says what it is
  /// The warps that make it. Nothing: those of the program.
  std::optional<int64_t> warps;
  /// For a copy to shared memory: the tile there, and how many elements in a
  /// row the file says are contiguous.
  mlir::RankedTensorType memory;
  int64_t contiguity = 1;
  AtomicWidth atomicWidth = AtomicWidth::One;
};

/// A load or a store of a whole tile of shared memory.
struct TracedShared {
  mlir::Operation *op = nullptr;
  kernels::AccessKind kind = kernels::AccessKind::Load;
  mlir::RankedTensorType tensor;  ///< the tile as threads hold it
  mlir::RankedTensorType memory;  ///< the tile as the memory holds it
  /// The tile that is allocated, of which this is a part, or all.
  llvm::SmallVector<int64_t, 4> whole;
};

struct Trace {
  kernels::Terms terms;
  int64_t steps = 0;  ///< ops, each counted as often as it was traced
  std::vector<TracedAccess> accesses;
  std::vector<TracedShared> shared;
  std::vector<TracedBarrier> barriers;
  /// The loops and the terms of values of the function itself, not of those
  /// that it calls.
  llvm::DenseMap<mlir::Operation *, TracedLoop> loops;
  llvm::DenseMap<mlir::Value, TermId> known;
  std::vector<mlir::RankedTensorType> allocated;  ///< in shared memory
  /// The ops of unknown meaning, by name, in the order of the first of each.
  struct PassedOver {
    std::string name;
    mlir::Operation *first = nullptr;
    int64_t count = 0;
  };
  std::vector<PassedOver> passedOver;
  mlir::Operation *unknown = nullptr;  ///< the first op that was not understood
  std::string reason;                  ///< about that
  mlir::Operation *openLoop = nullptr;  ///< the first one without a count
  /// How many programs run along x, by the domain of the first indexing map
  /// that takes the program's number alone.
  std::optional<int64_t> mapPrograms;
};

/// The sides of an array, and how many elements apart neighbours along each
/// are.
struct ArraySides {
  std::vector<int64_t> sizes, strides;
};

/// The numbers that the call gives: of programs, of arguments, and of the
/// arrays of arguments that are descriptors.
struct KnownSizes {
  std::optional<std::array<int64_t, 3>> grid;
  std::vector<std::optional<int64_t>> arguments;
  std::vector<std::optional<ArraySides>> arrays;
};

/// The causes that end a trace before its function's end. Past a number the
/// kernel is incomplete. Once the stop is reached the trace is not to be used.
struct TraceLimits {
  int64_t steps = 0, accesses = 0;
  const Stop *stop = nullptr;
};

/// Returns the trace of `function`, a tt.func with a body. A loop is followed
/// if its step is known to be positive.
Trace traceFunction(mlir::Operation *function, const KnownSizes &sizes,
                    const TraceLimits &limits);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TRACE_H
