// Which instructions are launches, and what kind of: the one place below the
// front ends that looks at names of ops.
//
//   dot_general      Bytes: a library does it
//   negate           Follow: its maps say what it reads
//   while            Runs: what it calls are launches
//   tuple            Nothing
#ifndef INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H
#define INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/memory/kernels.h"
#include "indexical/program/program.h"

namespace indexical {

/// HLO's spelling: `stablehlo.dot_general` is `dot-general`.
std::string plainOpcode(llvm::StringRef opcode);

/// What a launch is to a report.
enum class Role : uint8_t {
  Nothing,  ///< moves nothing by itself
  Runs,     ///< a computation: call, while, branches
  Bytes,
  Follow,
};
Role roleOf(const Instruction &instruction);

bool isFusion(const Instruction &instruction);
/// A fusion whose threads repeat what a reduction in it reads.
bool isLoopFusion(const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H
