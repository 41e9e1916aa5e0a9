// The order in which computations call each other.
#ifndef INDEXICAL_IMPORT_HLO_CALL_GRAPH_H
#define INDEXICAL_IMPORT_HLO_CALL_GRAPH_H

#include <cstdint>
#include <vector>

#include "indexical/import/hlo/source.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Puts the numbers of the module's computations into `order`, each behind
/// those that it calls. Notes an error and returns false if a computation calls
/// itself, directly or not.
bool orderByCalls(Source &source, const Module &module,
                  std::vector<int32_t> &order);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_CALL_GRAPH_H
