// The tracer: it follows the ops of a function and keeps the meaning of each
// value; private to import/triton. trace.h describes its result.
//
//   trace.cc          values and the choice by an op's name
//   integer_ops.cc    arith: integers become terms; XLA's indexing maps
//   control_flow.cc   loops, branches and calls
//   tensor_ops.cc     Triton's ops that place elements: splat, broadcast, trans
//   memory_ops.cc     pointers to blocks, loads, stores and atomics
//   descriptors.cc    copies by descriptors
//   tensor_maps.cc    descriptors in memory
//   amd_ops.cc        AMD's ops on buffers and tiles
//   while_loops.cc    loops of which is not known how often they run
//   warps_apart.cc    warps that work apart from each other
//
// An op that is followed sets the meanings of its results; what it does not set
// has none, even if the op was traced before, in another call. An op whose
// integers cannot be followed gets results that are unknown: an unknown term
// may differ from program to program, from iteration to iteration, from lane to
// lane and from call to call, and equals itself. An op that may do anything is
// noted in the trace as well (`note`), and makes the kernel incomplete. Floats
// have no meaning.
//
// A loop's body is traced twice, the first time dry: carried_values.h says why.
// A dry trace records no access and notes nothing, and traces the loops in it
// dry alone: the body of a loop in d others is traced d + 2 times.
#ifndef INDEXICAL_IMPORT_TRITON_TRACER_H
#define INDEXICAL_IMPORT_TRITON_TRACER_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/triton/carried_values.h"
#include "indexical/import/triton/meanings.h"
#include "indexical/import/triton/trace.h"
#include "indexical/import/triton/value_webs.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/families.h"

namespace indexical::triton {

class Tracer {
 public:
  /// Makes a tracer of `function`, which must be a tt.func with a body.
  Tracer(mlir::Operation *function, const KnownSizes &sizes,
         const TraceLimits &limits);
  Trace run();

 private:
  kernels::Terms &terms() { return trace_.terms; }

  // Values: trace.cc.

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
  /// Counts the op as a step. Returns false, and for good, if a limit ends the
  /// trace.
  bool takesStep(mlir::Operation &op);
  void trace(mlir::Block &block);
  /// Traces a block of which is not known how often it runs: its accesses are
  /// there, and have no figures for that reason.
  void traceAnyway(mlir::Block &block, std::string obstacle);
  void traceOp(mlir::Operation &op);

  // Integers: integer_ops.cc.

  void traceArith(mlir::Operation &op);
  void traceArithmetic(mlir::Operation &op, kernels::TermKind kind);
  /// Sets the result to a comparison of two integers, signed if `kind` is.
  void setLess(mlir::Operation &op, kernels::TermKind kind, TermId a, TermId b);
  void traceConstant(mlir::arith::ConstantOp op);
  void traceCompare(mlir::arith::CmpIOp op);
  void traceCast(mlir::Operation &op, kernels::TermKind extension);
  void traceSelect(mlir::Operation &op);
  /// Returns the meaning that is `yes` if the condition holds, else `no`.
  /// Returns nothing if the two are not alike.
  Meaning chosen(TermId condition, const Meaning &yes, const Meaning &no);
  /// Traces an indexing map `#xla.indexing_map<"…">` of the op's operands.
  void traceIndexing(mlir::Operation &op);
  bool isProgramAlone(TermId id);
  std::optional<TermId> ofForm(const IndexingMap &map, FormId form,
                               const TermList &operands);
  std::optional<TermId> ofAtom(const IndexingMap &map, const Atom &atom,
                               const TermList &operands);

  // Loops, branches and calls: control_flow.cc.

  void traceFor(mlir::scf::ForOp loop);
  /// Returns how often the loop runs, in 64 bits, or nothing if that is not
  /// known to be a number of 64 bits. `reason` says why.
  std::optional<TermId> tripsOf(mlir::scf::ForOp loop, std::string &reason);
  CarriedValues carriedBy(mlir::scf::ForOp loop, int64_t number);
  /// Returns whether the call says that the term is positive.
  bool isPositive(TermId id);
  void traceIf(mlir::scf::IfOp choice);
  void traceMask(mlir::Operation &op);
  /// A way into a block: the conditions on it, all of which hold, and the
  /// values of the block's arguments.
  struct Way {
    TermList conditions;
    mlir::OperandRange values;
  };
  /// Traces the blocks of a function that branches forward, as after a `return`
  /// in the middle, each under the conditions that lead to it.
  void traceBlocks(mlir::Region &region);
  /// Sets the arguments of a block, and returns the conditions for which it
  /// runs.
  TermList enter(mlir::Block &block, llvm::ArrayRef<Way> ways);
  /// Traces one side of a branch and returns the meanings that it yields.
  std::vector<Meaning> traceSide(mlir::Region &region, TermId condition);
  void traceCall(mlir::Operation &op);
  /// Returns the function that the op calls, if it is one that can be traced.
  mlir::Operation *calleeOf(mlir::Operation &op);
  // while_loops.cc.
  void traceWhile(mlir::scf::WhileOp loop);
  void traceIteration(mlir::scf::WhileOp loop, std::optional<TermId> trips);
  std::optional<TermId> tripsOf(mlir::scf::WhileOp loop,
                                const CarriedValues &carried);
  /// Returns the value of a term of constants and of arguments that the call
  /// gives, and nothing for another term.
  std::optional<int64_t> valueOf(TermId id);
  /// Returns a truth value of the op that is not known.
  TermId anyBit(mlir::Operation &op);
  // warps_apart.cc.
  void traceApart(mlir::Operation &op);

  // Tensors: tensor_ops.cc.

  void traceTriton(mlir::Operation &op, llvm::StringRef name);
  /// Traces an op that makes integers or pointers, or gives elements other
  /// places. Returns false for other ops.
  bool traceTensor(mlir::Operation &op, llvm::StringRef name);
  void traceProgram(mlir::Operation &op, kernels::TermKind kind);
  void traceRange(mlir::Operation &op);
  void traceMoved(mlir::Operation &op, llvm::StringRef name);
  void traceBitcast(mlir::Operation &op);
  /// Returns the coordinates in the operand of the element that is at the
  /// tile's coordinates in the result, and nothing if they are not known.
  std::optional<TermList> sourceOf(mlir::Operation &op, llvm::StringRef name);
  TermList reshaped(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
  void traceJoin(mlir::Operation &op);
  void traceAddPointer(mlir::Operation &op);

  // Pointers and accesses: memory_ops.cc.

  /// Traces an op on block pointers or memory. Returns false for other ops.
  bool traceMemory(mlir::Operation &op, llvm::StringRef name);
  void traceBlock(mlir::Operation &op, bool isDescriptor);
  void traceAdvance(mlir::Operation &op);
  TracedAccess accessOf(mlir::Operation &op, kernels::AccessKind kind);
  /// Masks the access by one condition more.
  void addCondition(TracedAccess &access, TermId condition);
  /// Masks the access by operand `number` of its op, if the op has so many.
  void addMask(TracedAccess &access, unsigned number);
  /// Masks the access by that value, known or not.
  void addMask(TracedAccess &access, mlir::Value mask);
  void record(TracedAccess access);
  /// Sets the pointer of each element of a block, and masks the dimensions that
  /// are checked.
  void pointInto(TracedAccess &access, const BlockPointer &block,
                 llvm::ArrayRef<int32_t> checked);
  /// Points the access at the elements of the block's array that have these
  /// indices, and masks the dimensions that are checked.
  void pointAtIndices(TracedAccess &access, const BlockPointer &block,
                      llvm::ArrayRef<TermId> at,
                      llvm::ArrayRef<int32_t> checked);
  void pointAt(TracedAccess &access, mlir::Value pointer);
  void traceLoad(mlir::Operation &op);
  /// Sets the result of a load, whose mask and other value may be null.
  void setLoaded(mlir::Operation &op, std::optional<TermId> pointer,
                 mlir::Value mask, mlir::Value other);
  /// Sets a result of integers to what an array holds at the pointer.
  void setElement(mlir::Operation &op, TermId pointer, mlir::Value mask,
                  mlir::Value other);
  void traceStore(mlir::Operation &op);
  void traceAtomic(mlir::Operation &op, llvm::StringRef name);
  void traceCopy(mlir::Operation &op);
  void tracePoll(mlir::Operation &op);

  /// Traces a copy by a descriptor (TMA, TDM), or a change of a descriptor:
  /// descriptors.cc. Returns false for other ops.
  bool traceDescriptorOp(mlir::Operation &op, llvm::StringRef name);
  std::optional<TermList> indicesOfBox(mlir::Operation &op,
                                       const BlockPointer &array,
                                       llvm::ArrayRef<int64_t> tile);
  std::optional<TermList> indicesOfRows(mlir::Operation &op,
                                        const BlockPointer &array,
                                        llvm::ArrayRef<int64_t> tile);
  void addPredicates(TracedAccess &access, size_t from);
  void traceUpdate(mlir::Operation &op);
  /// Traces an op on a descriptor that the kernel writes into memory (TMA):
  /// tensor_maps.cc. Returns false for other ops.
  bool traceTensorMap(mlir::Operation &op, llvm::StringRef name);
  void traceTensorMapCreate(mlir::Operation &op);
  /// Traces an op of AMD's: amd_ops.cc. Returns false for other ops.
  bool traceAmd(mlir::Operation &op, llvm::StringRef name);
  void traceBuffer(mlir::Operation &op, llvm::StringRef name,
                   kernels::AccessKind kind, unsigned pointer, unsigned values);
  void traceCopyOut(mlir::Operation &op);
  void traceSlice(mlir::Operation &op);
  void traceConcat(mlir::Operation &op);
  /// Traces XLA's `extract` or `insert` of a tile: xla_tiles.cc.
  void traceTile(mlir::Operation &op);
  /// Returns the pointer of each element of the tile, whose numbers begin at
  /// that operand, and masks the dimensions of the buffer.
  std::optional<TermId> tilePointer(mlir::Operation &op, unsigned operand,
                                    TracedAccess &access);
  /// Records an op that loads, stores or allocates a tile of shared memory.
  void traceShared(mlir::Operation &op, llvm::StringRef name);
  /// Traces an op of TritonGPU.
  void traceGpu(mlir::Operation &op, llvm::StringRef name);

  mlir::Operation *function_;
  const KnownSizes &sizes_;
  const TraceLimits &limits_;
  mlir::ModuleOp symbols_;  ///< the module, null if there is none
  ValueWebs webs_;
  Trace trace_;
  llvm::DenseMap<mlir::Value, Meaning> values_;
  using CallPath = std::vector<mlir::Operation *>;
  CallPath calls_;  ///< around the op, outermost first
  /// The numbers of unknown and loaded values, and of loops.
  std::map<std::pair<const void *, CallPath>, int64_t> numbers_, loopNumbers_;
  /// The op that writes a descriptor into a piece of memory.
  llvm::DenseMap<mlir::Value, mlir::Operation *> tensorMaps_;
  llvm::DenseSet<mlir::Operation *> passedOver_;  ///< each counted once
  std::vector<TracedLoop> loops_;   ///< around the op, outermost first
  std::vector<TermId> conditions_;  ///< of the branches around the op
  std::string obstacle_;            ///< to the maps of accesses, empty: none
  std::string notMeasured_;         ///< why accesses have no figures
  std::optional<int64_t> warps_;    ///< of the partition around the op
  int64_t nextPlaceholder_ = 0;
  bool isDry_ = false;
  bool isOver_ = false;   ///< a limit was reached
  int32_t barriers_ = 0;  ///< that were passed, in the function itself
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TRACER_H
