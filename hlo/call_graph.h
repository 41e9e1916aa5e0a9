// The order in which computations call each other.
#ifndef INDEXICAL_HLO_CALL_GRAPH_H
#define INDEXICAL_HLO_CALL_GRAPH_H

#include <cstdint>
#include <vector>

#include "indexical/hlo/source.h"
#include "indexical/program/program.h"

namespace indexical {

/// Every computation of the module after those that it calls. A computation
/// that calls itself, directly or not, is an error.
bool orderByCalls(Source &source, const Module &module,
                  std::vector<int32_t> &order);

}  // namespace indexical

#endif  // INDEXICAL_HLO_CALL_GRAPH_H
