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
// In place, 0 0 0 0 comes out where 0 0 1 2 is right. The question is one of
// maps: is there an element that index i writes and that another index j still
// reads, W(i) = R(j)? Memory is bytes: where an element lies follows from its
// layout and its size.
//
// A *place* is a result array that lies, or could lie, in the memory of an
// operand: an update, a scatter, a fusion of one, what the header or an
// attribute aliases, the arrays that calls, branches and loops pass on, and a
// copy, which could be left out. A place is right if every element of every
// result of the module is what it would be if each value had memory of its own.
//
//   safe in place   no allowed order lets a read see what was overwritten
//   safe if         exactly then: values of runtime variables, or an order
//   hazard          an order breaks it, and the module demands it
//   must copy       an order breaks it, and a compiler is free to copy
//   needless copy   a copy without which all is right; all so called may go
//   undecided       not known, with the reason
//
// Orders: threads of one kernel have none; a thread reads all that it needs,
// then writes. Kernels run in the order of a schedule; without one, in every
// order that data and control allow. A library call may read and write at any
// time while it runs, and so may what is begun and done later.
//
// Laws (tests/cost/hazards/): the words are those of a run of the module that
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
  NotRead,      ///< nobody reads what is overwritten
  SameElement,  ///< who writes an element reads that one alone
  Apart,        ///< what is read is not overwritten
  ReadBefore,   ///< all reads come first
  Unchanged,    ///< what is written is there already
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

/// The module demands that memory is shared, allows it, or says nothing.
enum class PlaceMark : uint8_t { None, May, Must };
/// Returns `none`, `may` or `must`.
llvm::StringRef nameOf(PlaceMark mark);

/// A sum of runtime variables that lies in an interval: `rt0 - rt1 in [0, 0]`.
struct HazardConstraint {
  std::string expression;
  Interval bounds;
};
/// All of these hold.
using HazardCondition = std::vector<HazardConstraint>;

/// A scalar that is known in the run alone. If it is clamped, the variable is
/// the scalar clamped to these bounds.
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
  /// The operand, and the leaf of it. Of an alias: a parameter of the entry.
  std::optional<int64_t> operand, operandResult;
  HazardAnswer answer = HazardAnswer::SafeInPlace;
  HazardReason because = HazardReason::NotRead;  ///< of a safe one
  /// A place that is `safe if` is so exactly if one of these holds; with none,
  /// the order alone decides.
  std::vector<HazardCondition> conditions;
  std::vector<HazardVariable> runtime;
  std::vector<HazardOrder> order;
  std::optional<HazardWitness> witness;
  std::string reason;  ///< of an undecided one
  // A copy has these, and no other place does.
  std::optional<int64_t> bytes;
  /// The number of the parameter whose giving away makes the copy needless, and
  /// the leaf of it.
  std::optional<std::pair<int64_t, LeafId>> donate;
  /// Those that are to be given away with it: the copy stands in a computation
  /// that is called for several parameters.
  std::vector<std::pair<int64_t, LeafId>> donateToo;
  /// Whether the module without the needless copies is known to compute the
  /// same; nothing if it was not asked.
  std::optional<bool> isConfirmed;
};

/// An array of a result, and one of an operand in whose memory it is to lie:
/// `f{0}=1{}`.
struct HazardShare {
  std::string instruction;
  std::vector<int64_t> result;  ///< the way to the array, through tuples
  int64_t operand = 0;
  std::vector<int64_t> operandResult;  ///< the same, in that operand
};

struct HazardQuestion {
  MemoryMarks marks;
  /// If there is any, only these pairs are asked about, the operands taken as
  /// given away.
  std::vector<HazardShare> shares;
  /// Whether needless copies are looked for, and confirmed by values.
  bool findsCopies = true, confirms = true;
  Budget budget;
};

/// Returns the places of the module, in the order of the file. Returns an error
/// for a share that names nothing, or if the budget's stop is reached.
absl::StatusOr<std::vector<HazardPlace>> hazardsOf(
    const Module &module, const HazardQuestion &question);

/// Says whether two kernels may be one, as far as memory is concerned.
///
///   t = f32[4] transpose(p)
///   d = f32[4] dynamic-update-slice(p, v, z)    in the memory of p
///   e = f32[4] exponential(t)
///
///   mayBeOne(t, e)    false: as one kernel with e, t would read p behind d
///
/// True is sure to be right where the module is scheduled. False is not: what
/// is read may be apart from what is written.
class KernelJoins {
 public:
  /// The arguments must outlive the object.
  KernelJoins(const Module &module, const MemoryMarks &marks);
  ~KernelJoins();
  KernelJoins(KernelJoins &&) noexcept;

  /// Whether `first`, which runs before `second`, may be one kernel with it.
  /// Both are of one computation; true of a computation that does not run.
  bool mayBeOne(ComputationId computation, InstructionId first,
                InstructionId second) const;
  /// The same of kernels of two computations, one of which calls the other, or
  /// which are called by one: false if either is called several times.
  bool mayBeOne(ComputationId ofFirst, InstructionId first,
                ComputationId ofSecond, InstructionId second) const;
  /// Whether `second` may read what `first` reads, in place of what `first`
  /// makes of it: nobody overwrites that, from the one to the other.
  /// Computations are as in mayBeOne().
  bool mayReadFor(ComputationId ofFirst, InstructionId first,
                  ComputationId ofSecond, InstructionId second) const;
  /// Whether somebody may overwrite what a kernel reads, at any time after it.
  /// False is sure.
  bool isOverwrittenAfter(ComputationId computation,
                          InstructionId kernel) const;
  /// Whether somebody may overwrite what a kernel reads, at any time, so also
  /// in another turn of a loop around it. False is sure.
  bool isEverOverwritten(ComputationId computation, InstructionId kernel) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_HAZARDS_H
