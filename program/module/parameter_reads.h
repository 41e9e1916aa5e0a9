// Which parameters a computation's result reads, without element types and
// sizes: all that an op needs to know of the computation that it applies.
//
//   f { a = f32[] parameter(0)  b = f32[] parameter(1)
//       c = f32[] custom-call(a)  ROOT r = f32[] add(b, c) }
//   parameterReads(f)      {{Maybe, Always}}: one row a leaf of the root, one
//                          entry a parameter leaf
//
// Law: Never says that no path of ops leads from the leaf to the parameter on
// which each op may read what comes before it. Always says that there is a path
// of scalars on which each op reads it, whatever the values are.
#ifndef INDEXICAL_PROGRAM_MODULE_PARAMETER_READS_H
#define INDEXICAL_PROGRAM_MODULE_PARAMETER_READS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// In order of strength.
enum class ParameterRead : uint8_t { Never, Maybe, Always };

using ParameterReads = std::vector<llvm::SmallVector<ParameterRead, 4>>;

/// Returns what the root of the computation reads, or nothing if that would
/// take too many steps. Requires that the computation's ops are valid.
std::optional<ParameterReads> parameterReads(const Module &module,
                                             ComputationId computation);

/// Returns what the update computation of a scatter with so many inputs reads
/// of their elements, as ScatterOp has it. The list is empty if that is not
/// known.
llvm::SmallVector<ScatterOp::BodyRead, 1> scatterReads(
    const Module &module, ComputationId computation, size_t inputs);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_PARAMETER_READS_H
