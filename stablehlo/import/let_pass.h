// Rules of StableHLO's specification that its own verifier lets pass, so that
// real files break them:
//
//   "stablehlo.all_gather"(%0) {all_gather_dim = 1, replica_groups =
//       dense<[[0], [1]]>} : (tensor<16x8xf32>) -> tensor<16x16xf32>
//
//   C6: the result is twice as large as the operand, but a group has one member
//
// Such an op is answered with a cover, and a warning says which rule it breaks;
// an importer that is strict refuses it. If no element that is read depends on
// the rule, as on C13 of dot_general about element types, there is the warning
// and the answer stays. All other rules are the verifiers' of
// the dialect, which refuse what breaks them.
#ifndef INDEXICAL_STABLEHLO_IMPORT_LET_PASS_H
#define INDEXICAL_STABLEHLO_IMPORT_LET_PASS_H

#include "absl/status/status.h"
#include "mlir/IR/Operation.h"

#include "indexical/stablehlo/import/importer.h"

namespace indexical {

/// If `op` breaks one of these rules, there is a warning, and its instruction
/// becomes a cover where what is read depends on the rule; an error with the
/// rule's number if the import is strict.
absl::Status coverWhatIsLetPass(ModuleImport &import, mlir::Operation &op,
                                Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_LET_PASS_H
