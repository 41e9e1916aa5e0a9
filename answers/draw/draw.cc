#include "indexical/answers/draw/draw.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/draw/subject.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/answers/inputs/given_sizes.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/maps_input.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {
namespace {

using drawing::Subject;

absl::StatusOr<Picture> drawTiles(const PictureQuestion &asked,
                                  const Subject &subject, const Ask &ask) {
  const auto leaves = subject.root().shape.leaves();
  if (leaves.empty())
    return subject.error(absl::InvalidArgumentError(
        "`" + subject.root().name.str() + "` has no array"));
  TileSpace space =
      TileSpace::of(subject.module, subject.computation, subject.instruction);
  std::vector<TileExtent> extents;
  for (int64_t size : asked.tile) extents.push_back(TileExtent::of(size));
  space.sizes(std::move(extents));
  for (const StepQuestion &step : asked.steps)
    space.step(step.instruction, step.dimension, step.size);
  INDEXICAL_RETURN_IF_ERROR(space.status());
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(auto tiles,
                             tilesBehind(maps, space.withFirstResult()));
  // The first index of the tile, and then of a turn of each loop.
  const RootTile &tile = space.tile();
  std::vector<int64_t> at = asked.at, sizes;
  if (at.size() <= leaves[0].dimensions.size() &&
      (at.empty() || at.size() == leaves[0].dimensions.size()))
    at.resize(tile.shape.size(), 0);
  for (auto [size, extent] : llvm::zip_equal(tile.sizes, tile.shape))
    sizes.push_back(std::min(size.value, std::max<int64_t>(1, extent)));
  PictureOfTiles question{"tiles of " + subject.title(leaves[0]),
                          subject.where(),
                          tiles,
                          tile.shape,
                          sizes,
                          at,
                          {}};
  auto shown = shownOf(asked.dims, leaves[0].dimensions.size(), "the result");
  if (!shown.ok()) return subject.error(shown.status());
  question.shown = *std::move(shown);
  auto picture = pictureOfTiles(question);
  return picture.ok() ? picture : subject.error(picture.status());
}

/// The sharding that stands on the instruction.
absl::StatusOr<Picture> drawStated(const Program &program,
                                   const Subject &subject,
                                   const PictureQuestion &asked) {
  ShardingContext context = shardingContextOf(subject.module);
  if (asked.partitions) context.devices = *asked.partitions;
  INDEXICAL_RETURN_IF_ERROR(addMeshes(asked, context));
  const Instruction &root = subject.root();
  INDEXICAL_ASSIGN_OR_RETURN(auto shardings,
                             shardingsOf(program, subject.module, root, context,
                                         devicesOf(subject.module, context)));
  const auto leaves = root.shape.leaves();
  if (shardings.empty() || leaves.empty())
    return subject.error(absl::InvalidArgumentError("`" + root.name.str() +
                                                    "` has no sharding"));
  if (isPartitioned(subject.module))
    return subject.error(absl::InvalidArgumentError(
        "the module is partitioned, and its shapes are local"));
  auto relation =
      ShardedRelation::make(leaves[0].dimensions, shardings.front());
  if (!relation.ok()) return subject.error(relation.status());
  auto picture = pictureOfSharding(
      subject.title(leaves[0]) + " " + root.sharding.str(), *relation);
  return picture.ok() ? picture : subject.error(picture.status());
}

/// A picture is finite, so sizes that are not given are these.
constexpr int64_t kExampleSize = 6;

/// Gives example sizes to open dimensions, if they fit the program. Returns a
/// line that names them, or "" if there are none.
std::string takeExampleSizes(Program &program) {
  const GivenSizes example = exampleSizes(program, kExampleSize);
  if (example.empty()) return "";
  std::vector<Module> open = program.modules;
  const size_t notes = program.notes.size();
  const bool fit = giveSizes(program, example).ok();
  program.notes.resize(notes);
  if (!fit) {
    program.modules = std::move(open);
    return "";
  }
  std::string line = "an example: ";
  for (const auto &[i, size] : llvm::enumerate(example.sizes))
    line += (i ? ", " : "") + ("size " + std::to_string(size.dimension)) +
            " of " + size.parameter;
  return line + (example.sizes.size() > 1 ? " are " : " is ") +
         std::to_string(kExampleSize);
}

absl::StatusOr<Picture> drawMapsOf(const Input &input,
                                   const PictureQuestion &asked,
                                   const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const Maps maps, readMaps(input));
  auto picture = pictureOfMaps(maps, asked, ask);
  if (!picture.ok())
    return errorAt({1, 1}, std::string(picture.status().message()));
  return picture;
}

/// Whether the question is about a module, whatever the input looks like.
bool isOfModule(const PictureQuestion &asked) {
  return asked.warp || !asked.sharding.empty() || !asked.instruction.empty() ||
         !asked.computation.empty() || asked.readAs.format != InputFormat::Auto;
}

}  // namespace

absl::StatusOr<Picture> pictureOfProgram(Program program,
                                         const PictureQuestion &asked,
                                         const Ask &ask) {
  if (const auto mistake = mistakeOfPicture(asked))
    return absl::InvalidArgumentError(*mistake);
  const std::string example = takeExampleSizes(program);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named,
      findInstruction(program, asked.computation, asked.instruction));
  std::shared_ptr<const Measurement> triton;
  if (asked.warp)
    triton = TritonCalls(program, ModuleDevices{{&asked.on(), "", ""}, {}}, ask)
                 .at(named.module, {named.computation, named.instruction});
  const Subject subject{program.modules[named.module], named.computation,
                        named.instruction};
  if (!asked.sharding.empty()) return drawStated(program, subject, asked);
  auto picture = triton       ? drawing::triton(asked, subject, *triton)
                 : asked.warp ? drawing::warp(asked, subject, ask)
                 : !asked.tile.empty() ? drawTiles(asked, subject, ask)
                                       : drawing::reads(asked, subject, ask);
  if (picture.ok() && !example.empty()) picture->notes.push_back(example);
  return picture;
}

absl::StatusOr<Picture> pictureOfInput(const Input &file,
                                       const PictureQuestion &question,
                                       const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const Input input, withTextOfBitcode(file));
  if (const auto mistake = mistakeOfPicture(question))
    return absl::InvalidArgumentError(*mistake);
  PictureQuestion asked = question;
  if (asked.warp) asked.device = deviceFor(asked.device, input, ask.messages);
  if (!isOfModule(asked) && looksLikeMaps(input.text))
    return drawMapsOf(input, asked, ask);
  if (holdsKernels(input)) return drawing::kernel(input, asked, ask);
  INDEXICAL_ASSIGN_OR_RETURN(auto program,
                             readProgram(input, asked.readAs, ask));
  return pictureOfProgram(std::move(program), asked, ask);
}

absl::StatusOr<Picture> pictureOfGivenSharding(const ShardingWords &words) {
  INDEXICAL_ASSIGN_OR_RETURN(auto given, givenShardings(words));
  if (given.size() != 1)
    return absl::InvalidArgumentError("--global-shape is one array");
  INDEXICAL_ASSIGN_OR_RETURN(
      auto relation, ShardedRelation::make(given.front().shape.dimensions,
                                           given.front().sharding));
  return pictureOfSharding(words.shape + " " + words.sharding, relation);
}

std::optional<std::string> mistakeOfPicture(const PictureQuestion &asked) {
  if (!asked.steps.empty() && asked.tile.empty())
    return "--steps go with --tile of a module";
  if (llvm::any_of(asked.tile, [](int64_t size) { return size < 1; }) ||
      llvm::any_of(asked.steps,
                   [](const StepQuestion &step) { return step.size < 1; }))
    return "--tile and --steps have sizes of at least 1";
  if (asked.element && (!asked.tile.empty() || !asked.at.empty()))
    return "--element is one element: without --tile and --at";
  for (const auto *dims : {&asked.dims, &asked.operandDims}) {
    if (dims->size() > 2)
      return "one dimension is shown, or two: rows and columns";
    if (dims->size() == 2 && (*dims)[0] == (*dims)[1])
      return "two different dimensions are shown";
  }
  if (!asked.operandDims.empty() && asked.warp)
    return "--operand-dims goes with the elements that are read";
  if (!asked.shape.empty() && asked.sharding.empty())
    return "--global-shape goes with --sharding";
  if (!asked.sharding.empty() && asked.shape.empty() &&
      asked.sharding != "stated")
    return "--sharding goes with --global-shape, or is `stated`: that of the "
           "instruction";
  if (!asked.sharding.empty() &&
      (asked.warp || asked.element || !asked.tile.empty()))
    return "--sharding shows who holds what, without --warp, --element, "
           "--tile and --layout";
  if (auto wrong = mistakeOfLaunch(asked.triton)) return wrong;
  if (asked.warp && (asked.element || !asked.tile.empty()))
    return "--warp shows lanes, without --element and --tile";
  return std::nullopt;
}

}  // namespace indexical
