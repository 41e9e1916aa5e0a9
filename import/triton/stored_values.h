// The stored values of a kernel, as a tree (program/kernel/values.h); private
// to import/triton.
//
//   tt.store %p, %2   with %2 = arith.addf %0, %1
//     value 0  load of argument 0, value 1  load of argument 1
//     value 2  add of 0 and 1
//
// The trace has run: it knows the integers, the pointers and masks of loads,
// and how often loops run. A value is followed from where it is stored to what
// makes it. Where that ends (foreign code, a loop of which is not known how
// often it runs) the value is unknown, and says why.
#ifndef INDEXICAL_IMPORT_TRITON_STORED_VALUES_H
#define INDEXICAL_IMPORT_TRITON_STORED_VALUES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/triton/trace.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/kernel/sized_terms.h"
#include "indexical/program/kernel/values.h"

namespace indexical::triton {

class StoredValues {
 public:
  /// `programs` is the space of the kernel's programs, `numbers` has the values
  /// of arguments that are floats, and `lineOf` gives the line of an op. The
  /// trace and the stop, which may be null, have to outlive this, and so does
  /// `sized`, which is there if sizes have no values: their loops are those of
  /// `programs`.
  StoredValues(Trace &trace, mlir::Operation *function,
               kernels::PieceSpace programs, std::map<int64_t, double> numbers,
               std::function<int64_t(mlir::Operation *)> lineOf,
               const Stop *stop, kernels::SizedTerms *sized = nullptr);

  /// Returns the number of the value that the store stores.
  int64_t storedBy(const TracedAccess &store);
  std::vector<kernels::KernelValue> take() { return std::move(values_); }

 private:
  using KernelValue = kernels::KernelValue;
  using Loops = std::vector<kernels::PieceSpace::LoopCount>;

  int64_t add(KernelValue value);
  int64_t of(mlir::Value value);
  KernelValue make(mlir::Value value);
  /// Returns a value of that type, tile and line.
  KernelValue spaceOf(mlir::Value value) const;
  KernelValue unknown(KernelValue value, std::string reason);
  /// Returns the loops around the value, or nothing if it is not known how
  /// often one runs.
  std::optional<Loops> loopsOf(mlir::Value value);
  std::optional<Loops> loopsAround(mlir::Operation *op);
  std::optional<kernels::PieceSpace::LoopCount> countOf(mlir::Operation *loop);
  /// Returns the value as an integer of the space, if it is one.
  std::optional<KernelValue> index(KernelValue value, TermId term);
  // undefined_ops.cc
  /// Returns whether it is known that the op has a result wherever it is
  /// computed.
  bool isDefined(mlir::Operation &op);
  /// Returns whether an op of the integer that is not in its term may have no
  /// result.
  bool leavesOutUndefined(mlir::Value value, TermId term);
  /// Returns the same of the pointer and the mask of an access.
  bool mayBeNowhere(const TracedAccess &access);
  KernelValue constant(KernelValue value, mlir::Operation &op);
  KernelValue loaded(KernelValue value, mlir::Operation &op);
  // moved_values.cc
  KernelValue moved(KernelValue value, mlir::OpResult result);
  /// Returns the number of a value with the tile of `value`: that one, or a
  /// scalar at each of its coordinates.
  int64_t spread(const KernelValue &value, int64_t number);
  /// Returns the value with its elements along `axis` in the other order.
  KernelValue turnedAround(const KernelValue &value, int64_t number,
                           int64_t axis);
  // held_values.cc
  /// Returns the number of what the memory holds where the op reads it.
  int64_t heldBy(mlir::Value memory, mlir::Operation *reader);
  /// Returns the op that fills the memory for the reader. Nothing: it is not
  /// known, and `reason` says why.
  std::optional<mlir::Operation *> filledBy(mlir::Value memory,
                                            mlir::Operation *reader,
                                            std::string &reason);
  /// Returns the map from a view's elements to the viewed elements.
  std::optional<IndexingMap> mapOfView(const KernelValue &value,
                                       mlir::Operation &view);
  std::optional<int64_t> numberOf(mlir::Value value) const;
  // tensor_memory.cc
  /// Returns the number of what tensor memory holds where the op reads it.
  int64_t tensorHeldBy(mlir::Value memory, mlir::Operation *reader);
  bool isAlways(mlir::Value truth, int64_t number) const;
  bool addsFromSecond(mlir::scf::ForOp loop, mlir::Value use) const;
  /// Returns the number of an operand: of a value, or of what memory holds.
  int64_t operandOf(mlir::Operation &op, unsigned k);
  KernelValue reduced(KernelValue value, mlir::Operation &op, unsigned number);
  std::optional<KernelValue> reducedTogether(const KernelValue &value,
                                             mlir::Operation &op,
                                             unsigned number);
  KernelValue scanned(KernelValue value, mlir::Operation &op);
  // looped_values.cc
  KernelValue looped(KernelValue value, mlir::scf::ForOp loop, unsigned k);
  KernelValue carried(KernelValue value, mlir::scf::ForOp loop, unsigned k);
  // picked_values.cc
  /// Returns the value if the loop picks one pair of many by their order, of
  /// which it is one side.
  std::optional<KernelValue> pickedBy(const KernelValue &value,
                                      mlir::scf::ForOp loop, unsigned k);
  /// Returns the number of the function of two pairs that makes the value.
  int64_t givenOf(mlir::Value value,
                  const llvm::DenseMap<mlir::Value, int64_t> &given);
  KernelValue turned(KernelValue value, mlir::scf::ForOp loop, unsigned k);
  /// If the k-th value that a loop carries is a reduction over its iterations:
  /// what one iteration adds, and by what op.
  struct Added {
    std::string by;
    int64_t value = -1;
  };
  std::optional<Added> addedBy(mlir::scf::ForOp loop, unsigned k);
  /// Returns the iterations that run, as maps of the space of the body, which
  /// are nothing if that is not known.
  std::optional<std::vector<kernels::PointerMap>> runs(const KernelValue &of,
                                                       mlir::scf::ForOp loop);
  KernelValue chosen(KernelValue value, mlir::scf::IfOp choice, unsigned k);
  /// Returns the disjoint maps of a pointer where the mask holds. An error says
  /// why they are not known exactly. `Addresses` are those of loads, and
  /// `Turns` are of loops, for which integers are taken not to wrap if sizes
  /// have no values.
  enum class PiecesOf : uint8_t { Numbers, Turns, Addresses };
  absl::StatusOr<std::vector<kernels::PointerMap>> pieces(
      const KernelValue &of, TermId pointer, std::optional<TermId> mask,
      PiecesOf what = PiecesOf::Numbers);
  /// Returns whether the term depends on programs, loops and coordinates alone.
  bool isOfIndices(TermId term) const;
  /// Returns the map from the value's space to one of the same programs and
  /// loops. `source` gives the coordinates there for those of the tile.
  std::optional<IndexingMap> placed(
      const KernelValue &value,
      llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                              llvm::SmallVectorImpl<Expr> &)>
          source) const;

  Trace &trace_;
  mlir::Operation *function_;
  const kernels::PieceSpace programs_;
  const std::map<int64_t, double> numbers_;
  const std::function<int64_t(mlir::Operation *)> lineOf_;
  const Stop *stop_;
  kernels::SizedTerms *sized_;
  std::map<mlir::Operation *, const TracedAccess *> accesses_;
  std::vector<KernelValue> values_;
  llvm::DenseMap<mlir::Value, int64_t> known_;
  std::map<std::pair<mlir::Operation *, unsigned>, std::optional<Added>> added_;
  /// The functions by which loops pick, by the values carried.
  std::map<std::pair<const void *, const void *>, std::pair<int64_t, int64_t>>
      picks_;
  int depth_ = 0;
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_STORED_VALUES_H
