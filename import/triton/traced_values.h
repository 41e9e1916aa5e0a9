// The meanings of a function's values while it is traced, and what holds around
// the op that is traced now; private to import/triton.
//
//   %2 = arith.addi %0, %1 : i32     term(%2): add(Program 0, Argument 3)
//   %3 = math.exp %x : f32           of(%3): nothing
//
// An op that is followed sets the meanings of its results; a result that it
// does not set has none, even if the op was traced before, in another call. An
// op whose integers cannot be followed gets results that are unknown: an
// unknown term may differ from program to program, from iteration to iteration,
// from lane to lane and from call to call, and equals itself. An op that may do
// anything is noted in the trace as well (`note`), and makes the kernel
// incomplete. Floats have no meaning.
#ifndef INDEXICAL_IMPORT_TRITON_TRACED_VALUES_H
#define INDEXICAL_IMPORT_TRITON_TRACED_VALUES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/triton/meanings.h"
#include "indexical/import/triton/trace.h"
#include "indexical/import/triton/value_webs.h"

namespace indexical::triton {

class TracedValues {
 protected:
  TracedValues(mlir::Operation *function, const KnownSizes &sizes);

  kernels::Terms &terms() { return trace_.terms; }

  /// Notes that the kernel is incomplete, because of this op.
  void note(mlir::Operation *op, std::string reason);
  /// Notes an op that may do anything, with its name in the file. `what` says
  /// what is wrong: `is not known`.
  void passOver(mlir::Operation &op, llvm::StringRef name,
                llvm::StringRef what);
  Meaning argumentMeaning(mlir::Value argument, int64_t number);
  Meaning descriptorMeaning(int64_t argument);
  /// Returns the coordinates of a tile of that type, in order.
  TermList ownCoordinates(mlir::Type type);
  /// Returns a number that stands for the value's elements in this call of its
  /// function.
  int64_t numberOf(mlir::Value value);
  /// Returns a term of its own for an integer of at most 64 bits, and nothing
  /// for another value.
  Meaning unknown(mlir::Value value);
  void setUnknown(mlir::Operation *op);
  Meaning of(mlir::Value value);
  /// Returns the value's term, if its meaning is one.
  std::optional<TermId> term(mlir::Value value);
  /// Returns the value's block pointer, if its meaning is one.
  std::optional<BlockPointer> block(mlir::Value value);
  TermId wide(TermId id);
  TermId number(int64_t value, int32_t bits = 64);
  TermId conjunction(TermId a, TermId b);
  /// Returns a truth value of the op that is not known.
  TermId anyBit(mlir::Operation &op);

  mlir::Operation *function_;
  const KnownSizes &sizes_;
  mlir::ModuleOp symbols_;  ///< the module, null if there is none
  ValueWebs webs_;
  Trace trace_;
  llvm::DenseMap<mlir::Value, Meaning> values_;
  using CallPath = std::vector<mlir::Operation *>;
  CallPath calls_;  ///< around the op, outermost first
  /// The numbers of unknown and loaded values, and of loops.
  std::map<std::pair<const void *, CallPath>, int64_t> numbers_, loopNumbers_;
  llvm::DenseSet<mlir::Operation *> passedOver_;  ///< each counted once
  std::vector<TracedLoop> loops_;   ///< around the op, outermost first
  std::vector<TermId> conditions_;  ///< of the branches around the op
  std::string obstacle_;            ///< to the maps of accesses, empty: none
  std::string notMeasured_;         ///< why accesses have no figures
  std::optional<int64_t> warps_;    ///< of the partition around the op
  int64_t nextPlaceholder_ = 0;
  bool isDry_ = false;
  int32_t barriers_ = 0;  ///< that were passed, in the function itself
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TRACED_VALUES_H
