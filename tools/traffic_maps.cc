// The maps that a report names, for writers that compute with them.
#include "indexical/tools/traffic_report.h"

namespace indexical {

void TrafficResult::maps(MapVisitor visit) {
  for (const KernelRow &row :
       llvm::ArrayRef(rows_.kernels).take_front(rows_.shown)) {
    for (const IndexingMap &map : row.kernel->traffic.threads) visit(map);
    for (const bool isRead : {true, false})
      for (const Traffic *traffic : isRead ? row.reads : row.writes) {
        for (const IndexingMap &map : traffic->access.map.pieces()) visit(map);
        if (const auto threads = threadsOf(*row.kernel, traffic->access))
          for (const IndexingMap &map : threads->pieces()) visit(map);
      }
  }
}

}  // namespace indexical
