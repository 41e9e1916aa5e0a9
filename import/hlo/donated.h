// Donated parameters: arrays of the entry whose memory results may take.
//
//   HloModule step, input_output_alias={ {0}: (1, {}, may-alias),
//                                        {1}: (2, {0}, must-alias) },
//                   buffer_donor={ (3, {}) }
//
//   parameter 1, whole; element 0 of parameter 2; parameter 3, whole
//
// The program (program/module/program.h) does not hold them: no map depends on
// them. They are read from the module's text on request. A module of StableHLO
// may have no text, as one in bytecode: the configuration of a parameter then
// holds the attributes of its argument.
#ifndef INDEXICAL_IMPORT_HLO_DONATED_H
#define INDEXICAL_IMPORT_HLO_DONATED_H

#include <cstdint>
#include <set>
#include <utility>

#include "indexical/program/module/memory_marks.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Numbers of a parameter of the entry and of one of its arrays, depth first.
using DonatedLeaves = std::set<std::pair<int64_t, int64_t>>;

/// Returns the leaves that the header of the module donates or, of a module of
/// StableHLO, the attributes of the entry's arguments (`tf.aliasing_output`,
/// `jax.buffer_donor`). Returns nothing for a module without a text, and for
/// entries that are not understood.
DonatedLeaves donatedLeaves(const Module &module);

/// Returns what the module's text says of memory: the header's
/// `input_output_alias` and `buffer_donor`, and `output_to_operand_aliasing` of
/// instructions; of a module of StableHLO the attributes of the entry's
/// arguments. Leaves out entries that are not understood. Returns nothing for
/// a module without a text.
MemoryMarks memoryMarks(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_DONATED_H
