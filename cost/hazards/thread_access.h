// Which elements the threads of a kernel write, and which they read. Not part
// of the public surface.
//
//   f { a = f32[6] parameter(0), k = s32[] parameter(1)
//       n = f32[3] negate(slice(a, [0:3]))
//       ROOT u = f32[6] dynamic-update-slice(a, n, k) }
//
//   in place   a thread for each element of n: writes d0, d0 - rt0 in [0, 2],
//              and reads a[d0 - rt0]
//   else       a thread for each element of u: writes d0, and reads a[d0] or
//              a[d0 - rt0]
//
// A thread has the index of the element of the result that it computes; for a
// scatter in place, the index of the update's element. The *hero* of a result
// is the instruction that determines this: upstream of tuples and, for an
// update in place, of bitcasts.
#ifndef INDEXICAL_COST_HAZARDS_THREAD_ACCESS_H
#define INDEXICAL_COST_HAZARDS_THREAD_ACCESS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/program/module/value.h"

namespace indexical {

struct ReduceOp;  // ops/reduction/reduce.h

/// A map with the thread on one side, and the element on one.
struct ThreadPiece {
  enum class Side : uint8_t { Dimensions, Results, None };
  IndexingMap map;
  /// The side with the thread's index; None: any thread makes the access.
  Side thread = Side::Dimensions;
  Side element = Side::Results;
};

struct ThreadAccess {
  std::vector<ThreadPiece> pieces;
  Precision precision = Precision::Exact;
  ArrayShape shape;  ///< of the array with the elements
  /// The calls from the kernel's computation to the one with the runtime
  /// variables of the maps.
  llvm::SmallVector<CallSite, 1> way;
  /// Whether any element may be accessed at any time.
  bool isAnytime = false;
  std::string obstacle;  ///< why it is unknown; "" if it is known
};

/// The instruction that computes a result of a kernel.
struct KernelHero {
  enum class Form : uint8_t { Plain, Window, Scatter };
  ComputationId computation;
  InstructionId instruction;
  LeafId leaf;
  Form form = Form::Plain;
  bool isFused = false;
  CallSite site;  ///< of a fusion
};

class ThreadAccesses {
 public:
  explicit ThreadAccesses(ProgramIndexing &maps)
      : maps_(maps), module_(maps.module()) {}

  /// Returns the hero of a result. `inPlace`: whether it overwrites its operand
  /// as an update does.
  KernelHero heroOf(Leaf result, bool inPlace) const;
  const ThreadAccess &writes(Leaf result, bool inPlace);
  /// Returns the elements of a leaf of the operands that the threads of a
  /// result read.
  const ThreadAccess &reads(Leaf result, bool inPlace, int64_t operandLeaf);
  /// Returns, for each thread of a result, the element of the operand whose
  /// value it writes unchanged; null if some thread computes another value.
  const ThreadAccess *moves(Leaf result, bool inPlace, int64_t operandLeaf);
  /// Returns the reduction that computes a result, if its kernel is a fusion
  /// with the reduction as a root; else null.
  const ReduceOp *reductionOf(Leaf result) const;
  /// Returns the elements that a reduction, a result of a fusion, reads through
  /// the elements that it reduces: the thread has the index of such an element.
  const ThreadAccess &readsByElement(Leaf result, int64_t operandLeaf);
  /// Returns the elements of the result that an update in place keeps, as maps
  /// of them to themselves.
  const ThreadAccess &keeps(Leaf result);
  /// Returns the access of all elements of an array by any thread.
  static ThreadAccess wholeOf(const ArrayShape &shape);
  /// Returns whether the instruction is a library call, which may read and
  /// write at any time while it runs.
  static bool isLibrary(const Instruction &instruction);
  /// Returns whether threads of a scatter in place may write one element in any
  /// order: they combine commutatively, or never write the same one.
  /// Conservative: false when unknown.
  bool scattersInAnyOrder(const KernelHero &hero) const;

 private:
  using Key = std::tuple<int32_t, int32_t, int64_t, bool, int64_t>;
  ThreadAccess findWrites(Leaf result, bool inPlace);
  ThreadAccess findReads(Leaf result, bool inPlace, int64_t operandLeaf);
  std::optional<Leaf> parameterOf(const KernelHero &hero, Leaf result,
                                  int64_t operandLeaf) const;
  void take(absl::StatusOr<IndexingRelation> relation, ThreadAccess &to,
            ThreadPiece::Side thread, ThreadPiece::Side element);
  void readThrough(const KernelHero &hero, int64_t operand, Leaf parameter,
                   ThreadAccess &to);

  ProgramIndexing &maps_;
  const Module &module_;
  std::map<Key, ThreadAccess> writes_, reads_;
  std::map<Leaf, ThreadAccess> keeps_;
  std::map<Key, ThreadAccess> moves_;
  std::map<std::pair<Leaf, int64_t>, ThreadAccess> byElement_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_THREAD_ACCESS_H
