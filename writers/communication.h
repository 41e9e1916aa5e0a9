// The traffic between devices, in all formats of `report`.
//
//   4 devices receive 384 B in 1 collective; what their readers use needs 192 B
//
//      #     saved     moves     needs ratio  reshard
//      1     192 B     384 B     192 B  2.00  v f32[16]  all-reduce s
//
// A page has the same, and a matrix of devices for each collective.
#ifndef INDEXICAL_WRITERS_COMMUNICATION_H
#define INDEXICAL_WRITERS_COMMUNICATION_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/report/communication.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Writes the reshards, or their groups, for people; nothing if there are none.
/// With `showsStacks`, all frames of a source line.
void writeText(const Communication &communication, bool showsStacks,
               llvm::raw_ostream &os);
/// Writes the lists `collectives`, `reshards` and, with a group,
/// `communication_groups`, or nothing if there are no collectives.
void writeStructure(const Communication &communication, Structure &to);
}  // namespace indexical

#endif  // INDEXICAL_WRITERS_COMMUNICATION_H
