// Modules of StableHLO, run through the maps.
//
//   func.func @slice_op_test() {
//     %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
//     %b = stablehlo.slice %a [1:4:2] : (tensor<4xi32>) -> tensor<2xi32>
//     check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi32>
//   }
//
//   1 function, 1 check, 2 elements compared; what %b reads of %a is
//   (d0) -> (d0 * 2 + 1), evaluated at 0 and 1
//
// The module is imported into a program. Every op is then run as op_run.h says,
// from its instruction's descriptor. Values are constants, and what follows
// from them. Calls, branches and loops are followed as they are. Programs that
// `interpreter.run_parallel` starts run side by side, and a collective runs on
// all of them at once.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_EXECUTE_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_EXECUTE_H

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/import/import.h"
#include "tests/import/stablehlo/op_reads.h"
#include "tests/import/stablehlo/op_run.h"

namespace indexical::testing {

/// The numbers of functions, checks and elements that were run, and the
/// elements that were not as expected.
struct ExecutionReport {
  int64_t functions = 0, checks = 0, elements = 0;
  MapCounts maps;
  std::vector<std::string> mismatches;
};

/// One copy of a program that runs, on one device.
struct Device {
  int64_t replica = 0, partition = 0;
  llvm::DenseMap<mlir::Value, ArrayValues> values;  ///< array leaves of each
};

class Executor {
 public:
  Executor(mlir::ModuleOp module, ExecutionReport &report)
      : module_(module), report_(report) {}

  /// Runs `main` with the array leaves of its arguments, and returns its
  /// results. If there is no `main`, runs every function without arguments that
  /// no other function names. An Unimplemented status names an op that is not
  /// run. Any other error is one of the maps.
  absl::StatusOr<ArrayValues> run(ArrayValues arguments = {});

  /// Called after each op that has been run, with its operands and results.
  /// `reads` is null if the op was not run through maps of its own.
  using Observer = std::function<absl::Status(
      mlir::Operation *op, OpReads *reads, const ArrayValues &operands,
      const ArrayValues &results)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  using Function = mlir::FunctionOpInterface;

  absl::Status import();
  absl::StatusOr<Function> functionOf(mlir::Attribute symbol) const;
  absl::StatusOr<ArrayValues> call(Function function, ArrayValues arguments,
                                   Device &device);
  absl::StatusOr<ArrayValues> runRegion(mlir::Region &region,
                                        ArrayValues arguments, Device &device);
  absl::Status runOp(mlir::Operation *op, Device &device);
  absl::StatusOr<ArrayValues> resultsOf(mlir::Operation *op, Device &device);

  absl::StatusOr<ArrayValues> runByMaps(mlir::Operation *op, Device &device);
  absl::StatusOr<ArrayValues> runIf(mlir::Operation *op, Device &device);
  absl::StatusOr<ArrayValues> runCase(mlir::Operation *op, Device &device);
  absl::StatusOr<ArrayValues> runWhile(mlir::Operation *op, Device &device);
  absl::StatusOr<ArrayValues> runCustomCall(mlir::Operation *op,
                                            Device &device);
  absl::Status check(mlir::Operation *op, const ArrayValue &got,
                     const ArrayValue &wanted, Match match);
  absl::StatusOr<bool> runCheck(mlir::Operation *op, Device &device);

  // execute_parallel.cc
  absl::StatusOr<ArrayValues> runParallel(mlir::Operation *op, Device &device);
  absl::Status runCollective(mlir::Operation *op, std::vector<Device> &devices);
  absl::Status runOnGroup(mlir::Operation *op, std::vector<Device> &devices,
                          const std::vector<size_t> &group);

  absl::StatusOr<const Op *> descriptorOf(mlir::Operation *op) const;
  /// The array leaves of an op's operands.
  ArrayValues operandsOf(mlir::Operation *op, Device &device) const;
  /// Results without values.
  absl::StatusOr<ArrayValues> emptyResults(mlir::Operation *op) const;
  /// Gives each result its leaves.
  void setResults(mlir::Operation *op, ArrayValues leaves, Device &device);

  mlir::ModuleOp module_;
  ExecutionReport &report_;
  Program program_;
  ImportedOps ops_;
  std::map<mlir::Operation *, OpReads> reads_;
  std::deque<ArrayValues> infeed_;
  Observer observer_;
};

/// Returns the types of the array leaves of a value of that type.
std::vector<mlir::Type> leafTypes(mlir::Type type);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_EXECUTE_H
