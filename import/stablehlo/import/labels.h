// Names and places of ops and values in the text of a module.
//
//   %sum, %max = "stablehlo.reduce"(…)        op: name `sum`, place 3:16
//   ^bb0(%a: tensor<f32>, …)                  argument: name `a`, its place
//
// Without a text, names are those that MLIR would print.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_LABELS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_LABELS_H

#include <memory>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct Label {
  std::string name;  ///< without `%`; empty: none
  Place place;
};

class Labels {
 public:
  /// Makes labels for a module without text.
  explicit Labels(mlir::ModuleOp module) : module_(module) {}
  /// Makes labels for a module that was read from text. `parsed` must outlive
  /// this object.
  explicit Labels(const MlirModule &parsed);

  /// Returns the label of an op. Its name is that of its first result. An op
  /// that the text does not contain has the place of the op around it.
  Label of(mlir::Operation *op);
  Label of(mlir::BlockArgument argument);

 private:
  Label in(llvm::SMRange range) const;
  /// Returns the name that MLIR prints, without `%` and a result's number.
  std::string numbered(mlir::Value value);

  mlir::ModuleOp module_;
  const MlirModule *parsed_ = nullptr;
  llvm::DenseMap<mlir::Value, llvm::SMRange> arguments_;
  std::unique_ptr<mlir::AsmState> numbers_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_LABELS_H
