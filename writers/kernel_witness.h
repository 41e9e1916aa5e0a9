// The proof that a kernel leaves other numbers than its fusion, or than another
// kernel: a line for each fact.
//
//   verdict: different from add of old.py, grid 8 x 1 x 1
//     sizes     n = 1000
//     element   0 of out
//     new       2 (line 10, program (0, 0, 0))
//     old       -4 (line 10, program (0, 0, 0))
//     where     x[0] = -1, y[0] = -3
#ifndef INDEXICAL_WRITERS_KERNEL_WITNESS_H
#define INDEXICAL_WRITERS_KERNEL_WITNESS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/program/check/witness.h"

namespace indexical {

/// Writes the lines of a witness of two kernels, of kind StoredOther or
/// NotStored: the element is of the array of that name.
void writeJudgeWitness(const Witness &witness, llvm::StringRef array,
                       llvm::ArrayRef<std::pair<std::string, int64_t>> sizes,
                       llvm::raw_ostream &os);

/// Writes the lines of a witness of a kernel and its fusion, of kind
/// StoredOther.
void writeStoredOther(const Witness &witness, llvm::raw_ostream &os);

/// Returns whether writeJudgeWitness has lines for the witness.
bool isOfBothKernels(const Witness &witness);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_KERNEL_WITNESS_H
