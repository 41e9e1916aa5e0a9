// The tracer: it follows the ops of a function and keeps the meaning of each
// value; private to import/triton. trace.h describes its result.
//
// It is made in layers, each of which knows those below it alone:
//
//   TracedValues      meanings of values, what holds around an op
//   IntegerOps        arith, and XLA's indexing maps
//   TensorOps         Triton's ops that place elements: splat, broadcast, trans
//   MemoryOps         pointers to blocks, loads, stores, atomics
//   TileCopies        copies by descriptors, AMD's buffers, XLA's tiles
//   Tracer            the choice by an op's name (trace.cc); loops, branches and
//                     calls (control_flow.cc); loops of which is not known how
//                     often they run (while_loops.cc); warps that work apart
//                     from each other (warps_apart.cc)
//
// A loop's body is traced twice, the first time dry: carried_values.h says why.
// A dry trace records no access and notes nothing, and traces the loops in it
// dry alone: the body of a loop in d others is traced d + 2 times.
#ifndef INDEXICAL_IMPORT_TRITON_TRACER_H
#define INDEXICAL_IMPORT_TRITON_TRACER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "indexical/import/triton/carried_values.h"
#include "indexical/import/triton/tile_copies.h"

namespace indexical::triton {

class Tracer : private TileCopies {
 public:
  /// Makes a tracer of `function`, which must be a tt.func with a body.
  Tracer(mlir::Operation *function, const KnownSizes &sizes,
         const TraceLimits &limits)
      : TileCopies(function, sizes), limits_(limits) {}
  Trace run();

 private:
  /// Counts the op as a step. Returns false, and for good, if a limit ends the
  /// trace.
  bool takesStep(mlir::Operation &op);
  void trace(mlir::Block &block);
  /// Traces a block of which is not known how often it runs: its accesses are
  /// there, and have no figures for that reason.
  void traceAnyway(mlir::Block &block, std::string obstacle);
  void traceOp(mlir::Operation &op);
  void traceTriton(mlir::Operation &op, llvm::StringRef name);

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

  // warps_apart.cc.

  void traceApart(mlir::Operation &op);

  const TraceLimits &limits_;
  bool isOver_ = false;  ///< a limit was reached
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TRACER_H
