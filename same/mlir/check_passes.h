// Passes of MLIR, checked while they run: does a function still read what it
// read?
//
//   mlir::PassManager passes(context);
//   CheckPassesOptions options;
//   options.report = [](const CheckedPass &checked) { … };
//   passes.addInstrumentation(createPassChecker(options));
//
// or, in a tool:
//
//   indexical-opt --indexical-check-passes --canonicalize --cse x.mlir
//   mlir-opt --pass-pipeline='builtin.module(indexical-check-passes{
//                pipeline=builtin.module(func.func(canonicalize,cse))})' x.mlir
//
//   x.mlir:3:3: error: `canonicalize` changes what @f reads: index (0, 1) of
//       result 0 read (1, 0) of argument 0, and does not now
//
// The op that a pass runs on (a module, or a function) is printed before and
// after the pass. If the two texts differ, they are compared as `indexical
// passes` compares dumps (passes/compare_dumps.h): each function of the same
// name, from its results to its arguments. Functions that a pass adds or takes
// away, and those whose types it changes, are not compared.
//
// Law (tests/import/stablehlo/opt/check_passes.mlir): a pass is reported
// exactly if it changes what is read; the check does not change what the pass
// does.
#ifndef INDEXICAL_SAME_MLIR_CHECK_PASSES_H
#define INDEXICAL_SAME_MLIR_CHECK_PASSES_H

#include <functional>
#include <memory>
#include <string>

#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"

#include "indexical/same/passes/compare_dumps.h"

namespace indexical {

/// A function before and after a pass that changed it.
struct CheckedPass {
  std::string pass;               ///< its argument, `canonicalize`, or its name
  std::string function;           ///< without `@`
  mlir::Operation *op = nullptr;  ///< on which the pass ran, after it
  DumpComparison comparison;
  /// The difference in a sentence; why it is undecided; or empty.
  std::string words;
};

struct CheckPassesOptions {
  DumpComparisonOptions comparison;
  /// Called for each function that was compared, by one thread at a time. If it
  /// is not set, a difference is an error of MLIR at the op, and an undecided
  /// comparison a remark.
  std::function<void(const CheckedPass &)> report;
  /// Whether a pass that changes what is read fails.
  bool fails = true;
};

/// Returns the instrumentation. It may watch several pass managers, of one
/// thread or of many.
std::unique_ptr<mlir::PassInstrumentation> createPassChecker(
    CheckPassesOptions options = {});

/// Makes `-indexical-check-passes{pipeline=… values=… fails=…}` known to tools:
/// it runs the pipeline, and checks each of its passes. `values` (false) asks
/// for what functions compute, too; `fails` (true) is
/// CheckPassesOptions::fails.
void registerCheckPassesPass();

}  // namespace indexical

#endif  // INDEXICAL_SAME_MLIR_CHECK_PASSES_H
