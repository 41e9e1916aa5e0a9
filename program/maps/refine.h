// Refinement: a module of unknown sizes with the sizes of its arguments given.
//
//   main(p: f32[?,4])  r = f32[?] dynamic_reshape(p, n * 4)
//   with p: f32[3,4]   r = f32[12] dynamic_reshape(p, 12)
//
// Sizes are followed through the computation (program/values/shapes.h) and
// through the computations that it calls: a call gets a copy of the computation
// for its own sizes. A size of an argument may be left open. Other sizes that
// stay open do not follow from the arguments: openSizes() says what they depend
// on.
//
// Law (tests/documents/given_sizes_test.cc): the maps are those of the same
// module written with these sizes.
#ifndef INDEXICAL_PROGRAM_MAPS_REFINE_H
#define INDEXICAL_PROGRAM_MAPS_REFINE_H

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// One array leaf of an argument.
struct KnownArgument {
  ArrayShape shape;  ///< a size may be open as the parameter's is: it stays so
  /// Its elements in row major order, if they are integers and known: sizes may
  /// follow from them.
  std::vector<int64_t> values;
};

/// Why a size is open.
struct OpenSize {
  enum Kind : uint8_t {
    Argument,  ///< it is one of a parameter, and not given
    Element,   ///< some size is an element of this tensor
    Own,       ///< an op gives this tensor a size that nothing else tells
  };
  ComputationId computation;
  InstructionId instruction;
  LeafId leaf;
  int64_t dimension = 0;  ///< -1 of an Element
  Kind kind = Argument;
};

/// Returns the sources that the open sizes of a module's computations follow
/// from, each once. If all of them are sizes of parameters, then giving these
/// makes all sizes known: the module is refinable (StableHLO's dynamism RFC,
/// P4).
std::vector<OpenSize> openSizes(const Module &module);

/// Returns the module with arguments for one of its computations, in the order
/// of the parameters' leaves. The names are the module's own: it must outlive
/// the result. Returns an error, with the place, if there are more or fewer
/// arguments than parameters, if one does not fit its type, or if an op does
/// not take the sizes that follow.
absl::StatusOr<Module> refined(const Module &module, ComputationId computation,
                               llvm::ArrayRef<KnownArgument> arguments);

/// Returns an error if the op, of a refined module, does not take its sizes.
/// That is what verify() says, but a size that was set (set-dimension-size) is
/// a number there, at most as large as the operand's.
absl::Status verifyRefined(const Op &op);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_REFINE_H
