#include "indexical/answers/kernel/kernel_reading.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/inputs/shape_words.h"
#include "indexical/answers/kernel/fusion_grids.h"
#include "indexical/answers/kernel/given_values.h"
#include "indexical/answers/kernel/read_kernel.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/same/kernel/call_arguments.h"
#include "indexical/same/kernel/fusion_grid.h"

namespace indexical {
namespace {

using kernels::KernelSource;

/// Sets the grid from the kernel alone: that of its first indexing map, else
/// one program a tile of its store. Sets none if neither is there.
void takeGridOfKernel(llvm::StringRef text, const Computation &computation,
                      KernelReading &reading) {
  const auto own = kernels::readKernel(text, reading.options);
  if (own.ok()) {
    reading.options.grid = own->grid;
    return;
  }
  kernels::ReadOptions one = reading.options;
  one.grid = std::array<int64_t, 3>{1, 1, 1};
  const auto kernel = kernels::readKernel(text, one);
  if (!kernel.ok() || kernel->form == "llvm") return;
  const auto programs = kernels::programsThatStore(*kernel, computation);
  if (!programs) return;
  reading.options.grid = std::array<int64_t, 3>{*programs, 1, 1};
  reading.isGridGuessed = true;
}

/// The programs that tiles of these sizes, one a root, ask for. An error if
/// they do not go with the roots.
absl::StatusOr<int64_t> programsOf(
    llvm::ArrayRef<ArrayShape> roots,
    llvm::ArrayRef<llvm::ArrayRef<int64_t>> tiles) {
  if (tiles.size() > roots.size())
    return errorAt({},
                   absl::StrCat("--tiles has ", tiles.size(),
                                " tiles, and the fusion has ", roots.size(),
                                roots.size() == 1 ? " result" : " results"));
  std::optional<int64_t> programs;
  for (auto [r, tile] : llvm::enumerate(tiles)) {
    if (tile.size() != roots[r].dimensions.size())
      return errorAt(
          {}, absl::StrCat("--tiles: the tile of result ", r, " has ",
                           tile.size(), " sizes, and ", roots[r].str(), " has ",
                           roots[r].dimensions.size()));
    const int64_t own = kernels::programsOf(roots[r], tile);
    if (programs && own != *programs)
      return errorAt({},
                     absl::StrCat("--tiles: result 0 takes ", *programs,
                                  " programs, and result ", r, " takes ", own));
    programs = own;
  }
  return programs.value_or(1);
}

/// Sets the grid of a fusion's kernel: from the call's tiles, or those of the
/// fusion's launch, or the launch that the source gives, or the kernel. Sets
/// none if there is none of these, or if it does not fit the fusion's results.
/// Returns an error if the call's tiles do not fit.
absl::Status takeGrid(const KernelQuestion &question, const Fusion &fusion,
                      const FusionLaunch &launch, llvm::StringRef text,
                      KernelReading &reading) {
  const Computation &computation =
      fusion.module->computations[fusion.computation];
  const auto &results =
      shapesOf(computation.instructions[computation.root].op).results;
  const std::vector<ArrayShape> roots(results.begin(), results.end());
  std::optional<std::array<int64_t, 3>> &grid = reading.options.grid;
  if (!question.tiles.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto programs,
        programsOf(roots, std::vector<llvm::ArrayRef<int64_t>>(
                              question.tiles.begin(), question.tiles.end())));
    grid = {programs, 1, 1};
  } else if (auto programs = programsOf(
                 roots, std::vector<llvm::ArrayRef<int64_t>>(
                            launch.tiles.begin(), launch.tiles.end()));
             !launch.tiles.empty() && programs.ok()) {
    grid = {ceilDiv(*programs, launch.tilesOfProgram), 1, 1};
  } else if (!grid) {
    takeGridOfKernel(text, computation, reading);
    if (fusion.caller && !grid)
      if (auto blocks = gridOfFusion(*fusion.module, *fusion.caller);
          !blocks.empty()) {
        blocks.resize(3, 1);
        grid = {blocks[0], blocks[1], blocks[2]};
      }
  }
  return absl::OkStatus();
}

/// Returns the array that a descriptor of such a shape is of, or nothing if its
/// elements have no strides.
std::optional<kernels::ReadOptions::ArgumentArray> arrayOf(
    std::string argument, const ArrayShape &shape) {
  if (shape.dynamic.any() || shape.isEmpty() || !shape.elementCount() ||
      (shape.layout && !shape.layout->tiles.empty()))
    return std::nullopt;
  kernels::ReadOptions::ArgumentArray array;
  array.argument = std::move(argument);
  array.sizes.assign(shape.dimensions.begin(), shape.dimensions.end());
  array.strides.assign(array.sizes.size(), 1);
  int64_t step = 1;
  for (int64_t k : shape.minorToMajor()) {
    array.strides[k] = step;
    step *= array.sizes[k];
  }
  return array;
}

/// Adds the arrays of descriptors that the source, the fusion and the call
/// know, in this order. Texts that are no shapes are reported elsewhere.
void addArrays(const KernelSource &source, const NamedShapes &shapes,
               const std::optional<Fusion> &fusion,
               kernels::ReadOptions &read) {
  const auto add = [&](std::string argument, const ArrayShape &shape) {
    if (auto array = arrayOf(std::move(argument), shape))
      read.arrays.push_back(*std::move(array));
  };
  for (const auto &[number, shape] : source.shapes)
    add(absl::StrCat(number), shape);
  if (fusion)
    for (auto [k, shape] : llvm::enumerate(kernels::argumentShapes(
             fusion->module->computations[fusion->computation])))
      add(absl::StrCat("#", k), shape);
  for (const auto &[name, text] : shapes)
    if (const auto shape = shapeOfWords(text); shape.ok()) add(name, *shape);
}

}  // namespace

absl::StatusOr<KernelReading> readingOf(const KernelSource &source,
                                        const KernelQuestion &question,
                                        const std::optional<Fusion> &fusion,
                                        const Budget &budget) {
  KernelReading reading;
  kernels::ReadOptions &read = reading.options;
  read = source.read;
  read.stop = budget.stop;
  if (!question.function.empty())
    read.function = llvm::StringRef(question.function).ltrim('@').str();
  read.arguments.insert(read.arguments.end(), question.arguments.begin(),
                        question.arguments.end());
  read.numbers = question.numbers;
  read.aliases = question.aliases;
  INDEXICAL_ASSIGN_OR_RETURN(reading.launch, launchOfSizes(source, question));
  addArrays(source, reading.launch.shapes, fusion, read);
  read.vectorBytes = question.on().vectorBytes;
  FusionLaunch launch;
  read.values = fusion.has_value() || question.readsValues;
  if (fusion) launch = launchOf(*fusion);
  if (launch.warps && !read.warps) read.warps = launch.warps;
  if (question.warps) read.warps = static_cast<int64_t>(*question.warps);
  read.otherNames.insert(reading.launch.otherNames.begin(),
                         reading.launch.otherNames.end());
  read.ranges = reading.launch.ranges;
  read.conditions = reading.launch.conditions;
  if (!question.grid.empty()) {
    read.grid = threeOf(question.grid, 1);
  } else if (reading.launch.isSaid()) {
    read.grid = reading.launch.grid.value_or(std::array<int64_t, 3>{1, 1, 1});
  } else if (fusion) {
    INDEXICAL_RETURN_IF_ERROR(
        takeGrid(question, *fusion, launch, source.text, reading));
  }
  if (!question.block.empty()) read.block = threeOf(question.block, 1);
  if (source.written && !read.warps && question.block.empty()) {
    read.warps = kDefaultWarps;
    reading.launch.taken.push_back(
        {"warps", "", absl::StrCat(kDefaultWarps), "default"});
  }
  if (source.written && !read.grid && question.printsText)
    read.grid = std::array<int64_t, 3>{1, 1, 1};
  if (source.written || reading.launch.isOpen())
    read.sizes = reading.launch.sizesOf(read.grid);
  return reading;
}

}  // namespace indexical
