// The data that the page of a report computes with: the maps that the report
// names, and the layouts of its arrays.
#include "llvm/Support/Path.h"

#include "indexical/answers/report/keys.h"
#include "indexical/writers/report.h"

namespace indexical {

void ReportResult::page(Structure &to, PageData &data) {
  // The page is named for its file.
  to.head([&](ValueSink &sink) {
    const llvm::StringRef path = view_.report.program->path;
    const llvm::StringRef name = llvm::sys::path::filename(path);
    if (view_.report.files.empty() && !name.empty())
      KeyValue(sink, "path").text(name);
  });
  structure(to);
  auto take = [&](const IndexingRelation &relation) {
    for (const IndexingMap &map : relation.pieces()) data.map(map);
  };
  for (const KernelRow &row :
       llvm::ArrayRef(selected().kernels).take_front(selected().shown)) {
    const Kernel &kernel = row.kernel->kernel();
    for (const IndexingMap &map : row.kernel->traffic().threads) data.map(map);
    for (const SharedTile &tile : kernel.shared) {
      data.map(tile.written);
      data.map(tile.read);
    }
    for (const bool isRead : {true, false})
      for (const Traffic *traffic : isRead ? row.reads : row.writes) {
        const MemoryAccess &access = traffic->access;
        data.array(kernel.buffers[access.buffer]);
        if (kernel.bytesOnly) continue;
        const KernelUser &user = kernel.userOf(access);
        take(user.tile ? user.fromRoot : access.map);
        if (const auto threads = threadsOf(*row.kernel, access)) take(*threads);
      }
  }
}

}  // namespace indexical
