// Compiles and runs MLIR with MLIR's own tools.
//
//   MachineCode code;
//   code.numbersOf("func.func @main() { … call @printI64(%x) … }")
//     {{3, 4}, {5}}     the numbers of each line that was printed
//
// mlir-opt turns loops, memory and arithmetic into LLVM's dialect. mlir-runner
// compiles that with LLVM's optimiser, which relies on what a flag promises,
// and runs `main`. The variables MLIR_OPT and MLIR_RUNNER name both tools.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_MACHINE_CODE_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_MACHINE_CODE_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace indexical::testing {

using Lines = std::vector<std::vector<int64_t>>;

/// Returns the numbers that the module's `main` prints, or an error with the
/// tools' messages. Adds declarations of printI64, printComma and printNewline.
absl::StatusOr<Lines> runMain(const std::string &module);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_MACHINE_CODE_H
