#include "indexical/import/stablehlo/import/import.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/importer.h"
#include "indexical/import/stablehlo/import/labels.h"
#include "indexical/import/stablehlo/import/loop_forms.h"
#include "indexical/import/stablehlo/import/memory_forms.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

void noteWhatIsPassedOver(const MlirModule &module, Program &program) {
  for (const MlirModule::PassedOver &op : module.passedOver)
    program.notes.push_back(
        {Note::Kind::Warning, op.place,
         (op.broken.empty() ? "the syntax of `" + op.name + "` is not known"
                            : op.broken) +
             ": " + std::to_string(op.count) +
             (op.count == 1 ? " op is passed over, and its results are opaque"
                            : " ops are passed over, and their results are "
                              "opaque")});
}

}  // namespace

absl::StatusOr<Program> importMlir(std::string text, std::string path,
                                   const MlirOptions &options) {
  return importMlir(std::make_shared<const std::string>(std::move(text)),
                    std::move(path), options);
}

absl::StatusOr<Program> importMlir(std::shared_ptr<const std::string> text,
                                   std::string path,
                                   const MlirOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack(
        [&] { return importMlir(std::move(text), std::move(path), options); });
  MlirParseOptions parse;
  parse.trustBytecode = options.trustBytecode;
  INDEXICAL_ASSIGN_OR_RETURN(auto file, parseMlir(*text, path, parse));
  Program program;
  program.path = std::move(path);
  program.text = std::move(text);
  for (MlirModule &module : file.modules) {
    if (module.module->getBody()->empty()) continue;  // comments alone
    // The module is freed once it is imported.
    MlirModule read = std::move(module);
    writeMemory(read);
    Labels labels(read);
    const LoopForms forms(*read.module);
    noteWhatIsPassedOver(read, program);
    INDEXICAL_RETURN_IF_ERROR(importModule(*read.module, labels, options,
                                           program,
                                           /*ops=*/nullptr));
  }
  return program;
}

absl::StatusOr<Program> importMlir(mlir::ModuleOp module,
                                   const MlirOptions &options,
                                   ImportedOps *ops) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return importMlir(module, options, ops); });
  Program program;
  program.text = std::make_shared<const std::string>();
  Labels labels(module);
  INDEXICAL_RETURN_IF_ERROR(
      importModule(module, labels, options, program, ops));
  return program;
}

}  // namespace indexical
