// The plugin that mlir-opt and similar tools load: the dialects that are read
// here, `#indexical.map`, and the passes.
//
//   mlir-opt --load-dialect-plugin=IndexicalPlugin.so
//            --load-pass-plugin=IndexicalPlugin.so
//            --pass-pipeline='builtin.module(indexical-annotate-maps)' x.mlir
//
// CMake builds it (scripts/cmake/plugin.cmake). It uses the MLIR of the tool
// that loads it, never archives of its own, or each type would exist twice.
#include "llvm/Support/Compiler.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/indexical/annotate.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/lower/lower_to_affine.h"
#include "indexical/same/mlir/check_passes.h"
#include "indexical/version.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Indexical", indexical::kVersion,
          [](mlir::DialectRegistry *registry) {
            indexical::registerDialects(*registry);
            registry->insert<indexical::ir::IndexicalDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Indexical", indexical::kVersion, [] {
            indexical::registerAnnotateMapsPass();
            indexical::registerCheckPassesPass();
            indexical::registerLowerToAffinePass();
          }};
}
