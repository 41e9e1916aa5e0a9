// The arrays that are live where the modules of a report need most memory.
#ifndef INDEXICAL_ANSWERS_REPORT_LIVE_H
#define INDEXICAL_ANSWERS_REPORT_LIVE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/cost/live/live_arrays.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The peak of a module of the program.
struct LiveAtPeak {
  const Program *program = nullptr;
  size_t module = 0;
  LivePeak peak;

  const Instruction &instructionOf(ComputationId computation,
                                   InstructionId instruction) const {
    return program->modules[module]
        .computations[computation]
        .instructions[instruction];
  }
  llvm::StringRef nameOf(ComputationId computation,
                         InstructionId instruction) const {
    return instructionOf(computation, instruction).name;
  }
};

struct LiveArrayEntry {
  const LiveAtPeak &in;
  const LiveArray &array;

  ArrayShape shape() const {
    return in.instructionOf(array.computation, array.value.instruction)
        .shape->leaves()[array.value.leaf];
  }
};

/// Returns the peaks of the modules of the program, which must outlive them;
/// none for a module that is not scheduled or has a symbolic size.
std::vector<LiveAtPeak> livePeaksOf(const Program &program);

/// Returns the bytes that an array takes in memory beyond those of its
/// elements; 0 if that is not known.
int64_t paddedBytes(const ArrayShape &shape);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_LIVE_H
