// The trace of a function: its accesses, with pointers and masks as terms;
// private to kernel/triton.
//
//   %9 = tt.load %8, %6     pointer-add (pointer 0) (add i32 …), mask less …
//
// Every op is taken once for each way that leads to it, as if it ran: integers
// and pointers become terms, floats nothing. A loop's body is taken twice, the
// first time with placeholders for what it carries: what grows by the same step
// each time then has a closed form. A branch gives its condition to the masks
// in it. What is not understood is noted with its op, and its results are
// unknown.
#ifndef INDEXICAL_KERNEL_TRITON_TRACE_H
#define INDEXICAL_KERNEL_TRITON_TRACE_H

#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/kernel/kernel.h"
#include "indexical/kernel/terms.h"

namespace indexical::triton {

using kernels::TermId;

struct TracedLoop {
  int64_t number = 0;  ///< of its Loop term
  TermId trips = 0;    ///< how often it runs, 64 bits
};

struct TracedAccess {
  mlir::Operation *op = nullptr;
  kernels::AccessKind kind = kernels::AccessKind::Load;
  std::optional<TermId> pointer;  ///< nothing: it is not known
  std::optional<TermId> mask;     ///< with the conditions around it
  bool isMasked = false;
  std::vector<TracedLoop> loops;  ///< around it, outermost first
  mlir::Type type;                ///< of what is loaded or stored
  mlir::Attribute encoding;       ///< of the tensor of pointers
  int64_t web = 0;                ///< equal for accesses that values join
};

struct Trace {
  kernels::Terms terms;
  std::vector<TracedAccess> accesses;
  mlir::Operation *unknown = nullptr;  ///< the first op that was not understood
  std::string reason;                  ///< about that
  /// Programs along x by the domain of the first indexing map that takes the
  /// program's number.
  std::optional<int64_t> mapPrograms;
};

/// `function` is a tt.func with a body.
Trace traceFunction(mlir::Operation *function);

}  // namespace indexical::triton

#endif  // INDEXICAL_KERNEL_TRITON_TRACE_H
