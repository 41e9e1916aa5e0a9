// Hazards: may a result lie in the memory of an operand?
//
//   f { a = s32[4] parameter(0)
//       s = s32[3] slice(a), slice={[0:3]}
//       ROOT u = s32[4] dynamic-update-slice(a, s, 1) }
//
//   u over a    hazard: the thread of element 1 writes a[1], which the thread
//               of element 2 reads
//
// Rows 0 to 2 are written to rows 1 to 3 of the array that they are read from.
// In place, the result is 0 0 0 0, where 0 0 1 2 is right. The question is one
// of maps: is there an element that index i writes and that another index j
// still reads, W(i) = R(j)? Memory is bytes: the address of an element follows
// from its layout and its size.
//
// A *place* is a result array that lies, or could lie, in the memory of an
// operand: an update, a scatter, a fusion of one, an alias that the header or
// an attribute states, the arrays that calls, branches and loops pass on, and a
// copy, which could be left out. A place is right if every element of every
// result of the module has the value that it would have if each value had
// memory of its own.
//
//   safe in place   no allowed order lets a read see what was overwritten
//   safe if         exactly then: values of runtime variables, or an order
//   hazard          an order breaks it, and the module demands it
//   must copy       an order breaks it, and a compiler is free to copy
//   needless copy   a copy without which all is right; all so called may go
//   undecided       not known, with the reason
//
// Orders: threads of one kernel have no order; a thread reads all that it
// needs, then writes. Kernels run in the order of a schedule; without one, in
// every order that data and control allow. A library call may read and write at
// any time while it runs, and an asynchronous op at any time from its start to
// its done.
//
// Laws (tests/cost/hazards/): the answers are those of a run of the module that
// enumerates bytes, orders and runtime values; a witness is an element that is
// read after it was overwritten.
#ifndef INDEXICAL_COST_HAZARDS_HAZARDS_H
#define INDEXICAL_COST_HAZARDS_HAZARDS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/interval.h"
#include "indexical/program/module/memory_marks.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"

namespace indexical {

enum class HazardAnswer : uint8_t {
  SafeInPlace,
  NeedlessCopy,
  SafeIf,
  MustCopy,
  Undecided,
  Hazard,
};
/// Returns `safe in place`, `needless copy`, …
llvm::StringRef wordOf(HazardAnswer answer);

/// Why a place is safe.
enum class HazardReason : uint8_t {
  NotRead,      ///< the overwritten elements are not read
  SameElement,  ///< the writer of an element reads only that one
  Apart,        ///< the elements that are read are not overwritten
  ReadBefore,   ///< all reads come before the writes
  Unchanged,    ///< the written values are there already
};
/// Returns `not read`, `same element`, …
llvm::StringRef wordOf(HazardReason reason);

enum class PlaceKind : uint8_t {
  Update,
  Scatter,
  Fusion,
  Alias,
  Call,
  Carry,
  Copy,
  Async,
  Share,
};
/// Returns `update`, `scatter`, …
llvm::StringRef nameOf(PlaceKind kind);

/// Whether the module demands that memory is shared, allows it, or says
/// nothing.
enum class PlaceMark : uint8_t { None, May, Must };
/// Returns `none`, `may` or `must`.
llvm::StringRef nameOf(PlaceMark mark);

/// A sum of runtime variables that lies in an interval: `rt0 - rt1 in [0, 0]`.
struct HazardConstraint {
  std::string expression;
  Interval bounds;
};
/// A conjunction: all of these hold.
using HazardCondition = std::vector<HazardConstraint>;

/// A scalar that is known only at run time. If `isClamped`, the variable is the
/// scalar clamped to these bounds.
struct HazardVariable {
  std::string name;  ///< `rt0`
  Interval bounds;
  bool isClamped = false;
  Value source;
};

/// An instruction, and the index of its result that a thread computes.
struct HazardAccess {
  std::string instruction;
  std::vector<int64_t> index;
};

/// An element that is read after it was overwritten.
struct HazardWitness {
  std::string array;  ///< the instruction that makes the array
  std::vector<int64_t> element;
  HazardAccess writer, reader;
  std::vector<std::pair<std::string, int64_t>> runtime;
  std::optional<int64_t> turn;  ///< of the loop around both
};

/// An instruction that must run before another one.
struct HazardOrder {
  std::string first, then;
  bool operator==(const HazardOrder &o) const {
    return first == o.first && then == o.then;
  }
};

struct HazardPlace {
  ComputationId computation;
  InstructionId instruction;
  PlaceKind kind = PlaceKind::Update;
  PlaceMark mark = PlaceMark::None;
  LeafId result;
  /// The operand, and its leaf. For an alias: a parameter of the entry.
  std::optional<int64_t> operand, operandResult;
  HazardAnswer answer = HazardAnswer::SafeInPlace;
  HazardReason because = HazardReason::NotRead;  ///< of a safe one
  /// A place with the answer `safe if` is safe exactly if one of these holds;
  /// if the list is empty, the order alone decides.
  std::vector<HazardCondition> conditions;
  std::vector<HazardVariable> runtime;
  std::vector<HazardOrder> order;
  std::optional<HazardWitness> witness;
  std::string reason;  ///< of an undecided one
  /// Why the memory is not shared, if it is not for the witness, which then is
  /// an element of the array: `it changes the layout`.
  std::string stays;
  // Only a copy has the following.
  std::optional<int64_t> bytes;
  /// The parameter, and its leaf, whose donation makes the copy needless.
  std::optional<std::pair<int64_t, LeafId>> donate;
  /// The parameters that have to be donated with it, because the copy is in a
  /// computation that is called for several parameters.
  std::vector<std::pair<int64_t, LeafId>> donateToo;
  /// Whether the module without the needless copies is proved to compute the
  /// same; std::nullopt if that was not asked.
  std::optional<bool> isConfirmed;
};

/// An array of a result, and one of an operand in whose memory it is to lie:
/// `f{0}=1{}`.
struct HazardShare {
  std::string instruction;
  std::vector<int64_t> result;  ///< the path to the array, through tuples
  int64_t operand = 0;
  std::vector<int64_t> operandResult;  ///< the path in that operand
};

struct HazardQuestion {
  MemoryMarks marks;
  /// If not empty, only these pairs are asked about, and their operands are
  /// taken as donated.
  std::vector<HazardShare> shares;
  /// Whether needless copies are looked for, and confirmed by values.
  bool findsCopies = true, confirms = true;
  Budget budget;
};

/// Returns the places of the module, in the order of the file. Returns an error
/// if a share names an instruction or an array that does not exist, or if the
/// budget's stop is reached.
absl::StatusOr<std::vector<HazardPlace>> hazardsOf(
    const Module &module, const HazardQuestion &question);

/// Tells whether two kernels may be fused, as far as memory is concerned.
///
///   t = f32[4] transpose(p)
///   d = f32[4] dynamic-update-slice(p, v, z)    in the memory of p
///   e = f32[4] exponential(t)
///
///   mayBeOne(t, e)    false: as one kernel with e, t would read p behind d
///
/// Conservative: false when unknown. True is right if the module is scheduled;
/// false may be wrong, for the elements that are read may not be those that are
/// written.
class KernelJoins {
 public:
  /// The arguments must outlive the object.
  KernelJoins(const Module &module, const MemoryMarks &marks);
  ~KernelJoins();
  KernelJoins(KernelJoins &&) noexcept;

  /// Returns whether `first`, which runs before `second`, may be one kernel
  /// with it. Both are in one computation. Returns true if the computation does
  /// not run.
  bool mayBeOne(ComputationId computation, InstructionId first,
                InstructionId second) const;
  /// Overload for kernels of two computations, one of which calls the other, or
  /// which one computation calls. Returns false if either is called several
  /// times.
  bool mayBeOne(ComputationId ofFirst, InstructionId first,
                ComputationId ofSecond, InstructionId second) const;
  /// Returns whether `second` may read the operands of `first` in place of its
  /// result: no kernel overwrites them between the two. Conservative: false
  /// when unknown. Computations are as in mayBeOne().
  bool mayReadFor(ComputationId ofFirst, InstructionId first,
                  ComputationId ofSecond, InstructionId second) const;
  /// Returns whether a kernel may overwrite, at any time after this one, an
  /// array that this one reads. Conservative: true when unknown.
  bool isOverwrittenAfter(ComputationId computation,
                          InstructionId kernel) const;
  /// Returns whether a kernel may overwrite, at any time, an array that this
  /// one reads: also in another turn of a loop around it. Conservative: true
  /// when unknown.
  bool isEverOverwritten(ComputationId computation, InstructionId kernel) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_HAZARDS_H
