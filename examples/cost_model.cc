// A compiler pass that chooses between two loop orders of a fusion by what they
// move: threads run along the rows of the result, or along its columns.
//
//   bazel run //examples:cost_model
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace {

using namespace indexical;

// Both summands want threads along the columns, the result along its rows.
constexpr char kProgram[] = R"(
  f { a = f32[512,256] parameter(0)
      b = f32[512,256] parameter(1)
      sum = f32[512,256] add(a, b)
      ROOT turned = f32[256,512] transpose(sum), dimensions={1,0} }
  ENTRY main { a = f32[512,256] parameter(0)
               b = f32[512,256] parameter(1)
               ROOT k = f32[256,512] fusion(a, b), kind=kLoop, calls=f })";

// Sectors that the reads and writes of the kernel touch under a thread map.
absl::StatusOr<int64_t> sectorsMoved(const Kernel &kernel,
                                     const IndexingMap &threads) {
  auto launch = Coalescing::of(threads, *findDevice("h100"));
  if (!launch.ok()) return launch.status();
  int64_t sectors = 0;
  for (const auto *accesses : {&kernel.reads, &kernel.writes})
    for (const MemoryAccess &access : *accesses) {
      const ArrayShape &buffer = kernel.buffers[access.buffer];
      const Measured figures = launch->figures(access.map, buffer);
      if (!figures.ok())
        return absl::UnimplementedError("an access is not measured");
      sectors += figures->sectors.most;
    }
  return sectors;
}

absl::Status choose() {
  auto program = parseHlo(kProgram);
  if (!program.ok()) return program.status();
  ProgramIndexing maps(program->modules.front());
  auto kernel = kernelAt(maps, kernelSites(program->modules.front()).front());
  if (!kernel.ok()) return kernel.status();
  ArrayShape rows = kernel->launches.front().shape, columns = rows;
  columns.layout.emplace().minorToMajor = {0, 1};
  auto alongRows = sectorsMoved(*kernel, *linearThreads(rows));
  auto alongColumns = sectorsMoved(*kernel, *linearThreads(columns));
  if (!alongRows.ok() || !alongColumns.ok()) return alongRows.status();
  llvm::outs() << "along rows: " << *alongRows
               << " sectors, along columns: " << *alongColumns << ": "
               << (*alongRows <= *alongColumns ? "rows" : "columns") << '\n';
  return absl::OkStatus();
}

}  // namespace

int main() { return choose().ok() ? 0 : 1; }
