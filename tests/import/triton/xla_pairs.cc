#include "tests/import/triton/xla_pairs.h"

#include <array>
#include <sstream>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/triton/read.h"
#include "indexical/ops/address.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/kernel/fusion_grid.h"
#include "tests/support/corpus_files.h"

namespace indexical::kernels {

std::vector<XlaPair> xlaPairs() {
  const std::string folder = testing::corpusPath();
  std::vector<XlaPair> pairs;
  if (folder.empty()) return pairs;
  std::istringstream lines(testing::textOfFile(folder + "/ORACLE_TTIR.tsv"));
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    llvm::SmallVector<llvm::StringRef> cells, sides;
    llvm::StringRef(line).split(cells, '\t');
    XlaPair pair{cells[1].str(),
                 folder + "/" + cells[1].str(),
                 folder + "/" + cells[0].str(),
                 cells[2].str(),
                 {}};
    cells[4].split(sides, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef side : sides)
      pair.tile.push_back(std::stoll(side.str()));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

absl::StatusOr<ReadPair> readPair(const XlaPair &pair, const std::string &text,
                                  int64_t warps) {
  ReadPair both;
  auto program = parseHlo(testing::textOfFile(pair.fusion), pair.fusion);
  if (!program.ok()) return program.status();
  both.program = *std::move(program);
  const Module &module = both.program.modules[0];
  both.computation = module.find(pair.computation);
  const auto shapes = argumentShapes(module.computations[both.computation]);
  ReadOptions options;
  options.warps = warps;
  options.values = true;
  options.grid = std::array<int64_t, 3>{1, 1, 1};
  llvm::SmallVector<int64_t> tile = pair.tile;
  if (tile.empty()) {
    auto one = parseKernel(text, options);
    if (!one.ok()) return one.status();
    for (const KernelAccess &access : one->accesses)
      if (access.kind == AccessKind::Store)
        tile.assign(access.tile.begin(), access.tile.end());
  }
  options.grid = std::array<int64_t, 3>{programsOf(shapes.back(), tile), 1, 1};
  auto kernel = parseKernel(text, options);
  if (!kernel.ok()) return kernel.status();
  both.kernel = *std::move(kernel);
  for (const ArrayShape &shape : shapes)
    both.sizes.push_back(storedElements(shape));
  return both;
}

}  // namespace indexical::kernels
