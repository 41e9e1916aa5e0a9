// The import of one module into a program: private to import/.
//
//   importer.cc          which computations there are; what is found once all
//                        of them are known: calls, what scatters' bodies read
//   region_importer.cc   the instructions of one of them
//   call_check.cc        whether an instruction's arguments fit a computation
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORTER_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORTER_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/import/stablehlo/import/labels.h"
#include "indexical/import/stablehlo/import/locations.h"
#include "indexical/import/stablehlo/import/regions.h"
#include "indexical/import/stablehlo/import/unwritten.h"

namespace indexical {

/// Adds `module`, and every module in it, to the program.
absl::Status importModule(mlir::ModuleOp module, Labels &labels,
                          const MlirOptions &options, Program &program,
                          ImportedOps *ops);

/// A set of functions.
using FunctionSet = llvm::DenseSet<mlir::Operation *>;

/// The state of the import of one module.
struct ModuleImport {
  ModuleImport(mlir::ModuleOp op, Labels &labels, const MlirOptions &options,
               Program &program, const FunctionSet &leftOut)
      : op(op),
        labels(labels),
        options(options),
        program(program),
        leftOut(leftOut),
        locations(module.frames, program.path,
                  [this](llvm::StringRef text) { return keep(text); }) {}

  mlir::ModuleOp op;
  Labels &labels;
  const MlirOptions &options;
  Program &program;
  const FunctionSet &leftOut;  ///< treated as only declared
  ImportedOps ops;

  Module module;
  std::vector<mlir::Region *> regions;  ///< the region of each computation
  llvm::DenseMap<mlir::Region *, int32_t> computations;
  Captures captures;
  llvm::StringMap<llvm::StringRef> kept;
  llvm::DenseMap<mlir::Type, SharedShape> shapes;
  Locations locations;  ///< its frames go into `module`
  std::string digest;   ///< of the module, once asked for
  std::optional<bool> areUnknownPure;
  std::optional<UnwrittenTensors> unwritten;  ///< once asked for
  llvm::StringSet<> warned;  ///< ops whose warning is given

  /// Returns the digest of the module's text.
  llvm::StringRef digestOfText();
  /// Returns whether an op of the module may have effects (configuration.h).
  bool hasEffects(mlir::Operation &op);
  /// Returns a copy of the text that lives as long as the program. Equal texts
  /// share one copy.
  llvm::StringRef keep(llvm::StringRef text);
};

/// Returns whether an op of a module's body is code of its own, rather than a
/// function, a module or a declaration: it has operands or results.
bool isLoose(mlir::Operation &op);

/// Returns whether an op of a region becomes an instruction of its computation.
bool isInstruction(mlir::Operation &op);

/// Fills in computation `computation`. The computations of its regions exist
/// already.
absl::Status importRegion(ModuleImport &module, int32_t computation);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORTER_H
