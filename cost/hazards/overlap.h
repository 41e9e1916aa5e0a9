// Is there an element that one thread writes and another one reads? Not part of
// the public surface.
//
//   writes   d0, rt0 <= d0 <= rt0 + 2        by thread d0
//   reads    a[d0 - rt0], for the same d0    by thread d0
//
//   found    for rt0 in [1, 2]: safe if rt0 in [0, 0] or rt0 in [3, 3]
//
// Both accesses are put into one system (exact/system.h): an element of each,
// whose bytes overlap, and two threads that differ. If both arrays have the
// same sizes, type and layout, the elements are compared by their indices, else
// by their byte addresses.
//
// A runtime variable is a clamped scalar. Scalars that differ by a constant,
// such as k and k + 1, are written over one scalar, also where the sum
// overflows its type. Scalars that are computed of one root, such as k and the
// remainder of k by 4, keep their names, and only values that they can have
// together count. A scalar that differs in each turn of a loop, or is the
// element of an array, cannot be named in a condition: it may have any value.
#ifndef INDEXICAL_COST_HAZARDS_OVERLAP_H
#define INDEXICAL_COST_HAZARDS_OVERLAP_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/hazards/memory_flow.h"
#include "indexical/cost/hazards/related_scalars.h"
#include "indexical/cost/hazards/thread_access.h"
#include "indexical/exact/engines.h"
#include "indexical/exact/isl.h"
#include "indexical/exact/system.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// An access, and the frame of its kernel.
struct FramedAccess {
  const ThreadAccess *access = nullptr;
  int32_t frame = 0;
  /// For a write: for each thread, the element of the memory whose value it
  /// writes. Where that is the element itself, nothing changes. Null: the
  /// source of the value is unknown.
  const ThreadAccess *moved = nullptr;
  /// For a read: the threads that count, which write these. Null: all count.
  const ThreadAccess *only = nullptr;
};

/// How the threads of two accesses are related.
enum class ThreadRule : uint8_t {
  Any,       ///< any thread of one, at any time of the other
  Distinct,  ///< a thread reads before it writes: others count
};

/// An overlap that was found.
struct FoundOverlap {
  std::vector<int64_t> writer, reader;  ///< threads; empty: any
  std::vector<int64_t> written, read;   ///< the element, of each array
  std::vector<std::pair<std::string, int64_t>> runtime;
  std::optional<int64_t> turn;
  size_t pair = 0;  ///< of add()
};

/// The answer for all pairs together.
struct Overlaps {
  enum class Kind : uint8_t { None, Always, Sometimes, Unknown };
  Kind kind = Kind::None;
  /// If Sometimes: there is no overlap exactly if one of these holds.
  std::vector<HazardCondition> conditions;
  std::vector<HazardVariable> runtime;
  std::optional<FoundOverlap> found;
  std::string reason;  ///< if Unknown
};

/// Points at which two accesses of a module meet, found once for each system: a
/// module asks the same question in each round of a search for copies, and for
/// equal pairs. An undecided system that has used up its operations leaves
/// fewer for each later one, in any question, so that hundreds of them end
/// soon.
class OverlapSamples {
 public:
  explicit OverlapSamples(const Budget &budget)
      : budget_(budget),
        operations_(budget.operationsOr(ExactOptions::kUsualOperations)) {}

  const Budget &budget() const { return budget_; }
  /// Returns the values of the set's results at one of its points, or that it
  /// has no point, or that neither is known.
  Sample resultsIn(const IndexingMap &set);
  /// Returns System::simplified(), once for equal systems: the fusions of equal
  /// layers ask the same.
  absl::StatusOr<IndexingMap> setOf(System &system);

 private:
  const Budget budget_;
  int64_t operations_;  ///< for the next system
  std::map<std::string, Sample> known_;
  std::map<std::vector<int64_t>, IndexingMap> sets_;
};

/// The question whether any of some pairs of accesses overlap.
class OverlapQuestion {
 public:
  OverlapQuestion(const MemoryFlow &flow, ProgramIndexing &maps,
                  OverlapSamples &samples)
      : flow_(flow), maps_(maps), samples_(samples) {}

  /// Adds a pair. If there are `kept`, only elements that all of these have
  /// count. All accesses must outlive the object.
  void add(FramedAccess writes, FramedAccess reads, ThreadRule rule,
           std::vector<FramedAccess> kept = {});
  /// Returns the answer for all pairs that were added.
  Overlaps answer();

 private:
  struct Pair {
    FramedAccess writes, reads;
    ThreadRule rule;
    std::vector<FramedAccess> kept;
  };
  /// A scalar, and the sum that a runtime variable clamps.
  struct Scalar {
    Value base;
    int64_t offset = 0;
    Interval type = Interval::all();  ///< values of the sum's type
    bool wraps = false;
    std::optional<int64_t> known;
    std::vector<int64_t> index;  ///< in the base, unless that is a scalar
  };
  struct Parameter {
    Value base;
    Interval values;
    bool isNamed = true;  ///< in conditions
    /// For a counter: the base is first + step * the parameter.
    bool isCounter = false;
    int64_t first = 0, step = 1;
    /// If all variables of the base are this one: they are the parameter.
    std::optional<RuntimeVariable> only;
    Interval type = Interval::all();  ///< bounds of the base
  };
  struct Placed {
    System::Forms thread, element;
    bool hasThread = false;
  };

  /// Scalars that are computed of one root.
  struct Relation {
    Interval values;                                        ///< of the root
    std::vector<std::pair<size_t, DerivedScalar>> members;  ///< parameters
  };

  std::optional<Scalar> scalarOf(const FramedAccess &access,
                                 const IndexingMap &map,
                                 const RuntimeVariable &variable);
  Scalar behindSums(Value value);
  void collect(const FramedAccess &access);
  Placed place(System &system, const FramedAccess &access,
               const ThreadPiece &piece, llvm::ArrayRef<FormId> parameters);
  FormId variableForm(System &system, const FramedAccess &access,
                      const IndexingMap &map, const RuntimeVariable &variable,
                      llvm::ArrayRef<FormId> parameters);
  /// Replaces the systems by those in which the thread changes its element.
  /// Returns false if that is not known.
  bool requireChange(const Pair &pair, const Placed &write,
                     llvm::ArrayRef<FormId> parameters,
                     std::vector<System> &systems);
  void requireThreads(const Pair &pair, const Placed &read,
                      llvm::ArrayRef<FormId> parameters,
                      std::vector<System> &systems);
  bool meet(System &system, const ThreadAccess &a, const Placed &x,
            const ThreadAccess &b, const Placed &y);
  void ask(const Pair &pair, size_t number);
  void askPieces(const Pair &pair, size_t number, const ThreadPiece &write,
                 const ThreadPiece &read);
  void askSystem(const System &system, const Placed &write, const Placed &read,
                 llvm::ArrayRef<FormId> parameters, size_t number);
  void findRelations();
  /// Requires that parameters which are computed of one root are so.
  void relate(System &system, llvm::ArrayRef<FormId> parameters) const;
  bool mayHold(llvm::ArrayRef<isl::BoundedSum> conjunction,
               llvm::ArrayRef<size_t> named);
  void findConditions(Overlaps &overlaps);
  bool isInLoop(const Value &value) const;
  std::string nameOf(size_t parameter) const {
    return "rt" + std::to_string(parameter);
  }

  const MemoryFlow &flow_;
  ProgramIndexing &maps_;
  OverlapSamples &samples_;
  std::vector<Pair> pairs_;
  std::vector<Parameter> parameters_;
  /// By the base, and the index in it unless it is a scalar.
  std::map<std::pair<Value, std::vector<int64_t>>, size_t> numbers_;
  std::vector<Relation> relations_;
  std::vector<IndexingMap> sets_;  // of parameters with an overlap
  bool isAlways_ = false, isUncertain_ = false;
  std::string reason_;
  std::optional<FoundOverlap> found_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_OVERLAP_H
