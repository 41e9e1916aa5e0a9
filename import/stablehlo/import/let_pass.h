// Rules of StableHLO's specification that its own verifier does not check, so
// that real files break them:
//
//   "stablehlo.all_gather"(%0) {all_gather_dim = 1, replica_groups =
//       dense<[[0], [1]]>} : (tensor<16x8xf32>) -> tensor<16x16xf32>
//
//   C6: the result is twice as large as the operand, but a group has one member
//
// Such an op is described by a cover, and a warning names the rule that it
// breaks; a strict import refuses it. If the elements read do not depend on the
// rule, as for C13 of dot_general on element types, there is only the warning.
// The verifiers of the dialect check all other rules, and refuse an op that
// breaks one.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_LET_PASS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_LET_PASS_H

#include "absl/status/status.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/import/importer.h"

namespace indexical {

/// Adds a warning if `op` breaks a rule that StableHLO's own verifier does not
/// check, and makes its instruction a cover if the elements read depend on the
/// rule. Returns an error with the rule's number if the import is strict.
absl::Status coverWhatIsLetPass(ModuleImport &import, mlir::Operation &op,
                                Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_LET_PASS_H
