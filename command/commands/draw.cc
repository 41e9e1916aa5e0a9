#include "indexical/command/draw.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/tiles/tile_space.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/shape_words.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/command/command.h"
#include "indexical/command/kernel_options.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/tile_search_options.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding.h"
#include "indexical/layout/listing.h"
#include "indexical/layout/parse.h"
#include "indexical/pictures/pictures.h"
#include "indexical/sharding/program_shardings.h"

namespace indexical {
namespace {

using llvm::StringRef;

class PictureResult : public Result {
 public:
  explicit PictureResult(const Picture &picture) : picture_(picture) {}
  void text(llvm::raw_ostream &os, TextStyle) override { picture(os); }
  void picture(llvm::raw_ostream &os) override { writeSvg(picture_, os); }

 private:
  const Picture &picture_;
};

/// Returns whether a file holds maps, and no module, by its first word.
bool looksLikeMaps(StringRef text) {
  while (true) {
    text = text.ltrim();
    const bool isComment = text.starts_with("//") || text.starts_with("# ");
    if (!isComment) break;
    text = text.split('\n').second;
  }
  return text.starts_with("(") || text.starts_with("#xla.indexing_map") ||
         text.starts_with("KNOWN") || layouts::beginsLayout(text);
}

//===-- Modules -----------------------------------------------------------===//

absl::StatusOr<Picture> drawTiles(const DrawOptions &options,
                                  const DrawSubject &subject, Call &call) {
  const auto leaves = subject.root().shape.leaves();
  if (leaves.empty())
    return subject.error(absl::InvalidArgumentError(
        "`" + subject.root().name.str() + "` has no array"));
  TileSpace space =
      TileSpace::of(subject.module, subject.computation, subject.instruction);
  std::vector<TileExtent> extents;
  for (int64_t size : options.tile) extents.push_back(TileExtent::of(size));
  space.sizes(std::move(extents));
  for (const StepQuestion &step : options.steps)
    space.step(step.instruction, step.dimension, step.size);
  INDEXICAL_RETURN_IF_ERROR(space.status());
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, call.budget());
  INDEXICAL_ASSIGN_OR_RETURN(auto tiles,
                             tilesBehind(maps, space.withFirstResult()));
  // The first index of the tile, and then of a turn of each loop.
  const RootTile &tile = space.tile();
  std::vector<int64_t> at = options.at, sizes;
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
  auto shown = shownOf(options.dims, leaves[0].dimensions.size(), "the result");
  if (!shown.ok()) return subject.error(shown.status());
  question.shown = *std::move(shown);
  auto picture = pictureOfTiles(question);
  return picture.ok() ? picture : subject.error(picture.status());
}

/// The sharding that stands on the instruction.
absl::StatusOr<Picture> drawStated(const Program &program,
                                   const DrawSubject &subject,
                                   const DrawOptions &options) {
  ShardingContext context = shardingContextOf(program, subject.module);
  if (options.partitions) context.devices = *options.partitions;
  INDEXICAL_RETURN_IF_ERROR(addMeshes(options, context));
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

absl::StatusOr<Picture> drawModule(const DrawOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, options.readAs));
  const std::string example = takeExampleSizes(program);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named,
      findInstruction(program, options.computation, options.instruction));
  std::shared_ptr<const Measurement> triton;
  LaunchQuestion launch;
  launch.device = options.device;
  if (options.warp)
    triton = TritonCalls(program, launch, call.ask())
                 .at(named.module, {named.computation, named.instruction});
  const DrawSubject subject{program.modules[named.module], named.computation,
                            named.instruction};
  // A picture says what it shows, and keeps nothing of the program.
  if (!options.sharding.empty()) return drawStated(program, subject, options);
  auto picture = triton                  ? drawTriton(options, subject, *triton)
                 : options.warp          ? drawWarp(options, subject, call)
                 : !options.tile.empty() ? drawTiles(options, subject, call)
                                         : drawReads(options, subject, call);
  if (picture.ok() && !example.empty()) picture->notes.push_back(example);
  return picture;
}

//===-- Layouts -----------------------------------------------------------===//

/// Whether the text is a shape of XLA, `f32[4,8]{0,1}`.
bool isShape(StringRef text) {
  return layouts::bitsOfType(text.trim().split('[').first) &&
         text.contains('[');
}

absl::StatusOr<Picture> drawShape(const DrawOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOfWords(options.layout));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto shown, shownOf(options.dims, shape.dimensions.size(), "the array"));
  return pictureOfLayout(shape, shown, options.at);
}

/// A layout of any notation, and what moves to a second one.
absl::StatusOr<Picture> drawAnyLayout(const DrawOptions &options, Call &call) {
  std::vector<layouts::Layout> all;
  for (const std::string &text : options.layouts) {
    auto layout = layouts::parseLayout(text);
    if (!layout.ok()) {
      Reporter(call.err(), "--layout", text).error(layout.status());
      return absl::InvalidArgumentError("--layout is no layout");
    }
    all.push_back(*std::move(layout));
  }
  return pictureOfLayouts(options.layout, all.front(),
                          all.size() > 1 ? &all.back() : nullptr);
}

absl::StatusOr<int> drawLayout(const DrawOptions &options,
                               llvm::ArrayRef<std::string> words, Call &call) {
  if (!words.empty()) {
    call.err() << "indexical: --layout draws a shape, and reads no file\n";
    return kWrongWords;
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      auto picture, options.layouts.size() == 1 && isShape(options.layout)
                        ? drawShape(options)
                        : drawAnyLayout(options, call));
  picture.title = options.layout;
  PictureResult result(picture);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

absl::StatusOr<int> drawSharding(const DrawOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto given, givenShardings(options));
  if (given.size() != 1)
    return absl::InvalidArgumentError("--global-shape is one array");
  INDEXICAL_ASSIGN_OR_RETURN(
      auto relation, ShardedRelation::make(given.front().shape.dimensions,
                                           given.front().sharding));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto picture,
      pictureOfSharding(options.shape + " " + options.sharding, relation));
  PictureResult result(picture);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

absl::StatusOr<int> draw(const DrawOptions &options, Call &call) {
  const bool ofMaps = !options.isOfModule() && looksLikeMaps(call.input().text);
  INDEXICAL_ASSIGN_OR_RETURN(auto picture, ofMaps ? drawMaps(options, call)
                                           : holdsKernels(call.input())
                                               ? drawKernel(options, call)
                                               : drawModule(options, call));
  PictureResult result(picture);
  return call.writeAndEnd(result, kDone);
}

std::optional<std::string> problemOf(const DrawOptions &options) {
  if (!options.steps.empty() && options.tile.empty())
    return "--steps go with --tile of a module";
  if (options.element && (!options.tile.empty() || !options.at.empty()))
    return "--element is one element: without --tile and --at";
  for (const auto *dims : {&options.dims, &options.operandDims}) {
    if (dims->size() > 2)
      return "one dimension is shown, or two: rows and columns";
    if (dims->size() == 2 && (*dims)[0] == (*dims)[1])
      return "two different dimensions are shown";
  }
  if (!options.operandDims.empty() && (options.warp || !options.layout.empty()))
    return "--operand-dims goes with the elements that are read";
  if (!options.shape.empty() && options.sharding.empty())
    return "--global-shape goes with --sharding";
  if (!options.sharding.empty() && options.shape.empty() &&
      options.sharding != "stated")
    return "--sharding goes with --global-shape, or is `stated`: that of the "
           "instruction";
  if (!options.sharding.empty() &&
      (options.warp || options.element || !options.tile.empty() ||
       !options.layout.empty()))
    return "--sharding shows who holds what, without --warp, --element, "
           "--tile and --layout";
  if (auto wrong = mistakeOfLaunch(options.triton)) return wrong;
  if (options.warp && (options.element || !options.tile.empty()))
    return "--warp shows lanes, without --element and --tile";
  return std::nullopt;
}

Option warpOption(DrawOptions &asked) {
  Option option;
  option.name = "warp";
  option.value = "N|worst";
  option.sentence =
      "Of a module or a kernel of Triton, the lanes of this warp against "
      "sectors of memory; `worst`: of the one that wastes most";
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    size_t number = 0;
    asked.worstWarp = word == "worst";
    if (!asked.worstWarp && word.getAsInteger(10, number))
      return "the number of a warp, or `worst`";
    asked.warp = number;
    return std::nullopt;
  };
  return option;
}

Option layoutOption(DrawOptions &asked) {
  Option option;
  option.name = "layout";
  option.value = "LAYOUT";
  option.repeatable = true;
  option.sentence =
      "A layout of any notation: a tile with the lanes that hold it, or where "
      "elements lie in memory, `f32[4,8]{0,1:T(2,4)}`; a second one: what "
      "moves";
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "a layout, f32[4,8]{0,1} or (4,8):(8,1)";
    if (asked.layouts.size() == 2) return "two layouts at most";
    asked.layouts.push_back(word.str());
    asked.layout = asked.layouts.front();
    return std::nullopt;
  };
  return option;
}

}  // namespace

Command makeDraw() {
  auto asked = std::make_shared<DrawOptions>();
  Command draw;
  draw.name = "draw";
  draw.sentence =
      "a picture, as SVG: what elements read, a layout, a warp, a tile, a "
      "sharding";
  draw.example =
      "echo '(d0, d1) -> (d1, d0 * 2), domain: d0 in [0, 3], d1 in [0, 7]' |\n"
      "  indexical draw --element=1,5 -o map.svg";
  draw.offers = {Offer::Picture};
  draw.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "Of a module, the computation (default: the entry); of a "
                 "record of Triton's, the launch"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "Of a module, the instruction (default: the root); of Triton, "
                 "the function"),
      indexOption("element", asked->element,
                  "The element that is asked about (default: the first one)"),
      numbersOption("tile", "SIZES", 1, asked->tile,
                    "A tile in place of the element; of a module, what it is "
                    "in every instruction behind it"),
      stepsOption(asked->steps),
      numbersOption("at", "INDEX", 0, asked->at,
                    "Where the tile begins, and the index of the dimensions "
                    "that are not shown (default: the first one); behind "
                    "these, with --steps, where the turns begin"),
      numbersOption("dims", "DIMENSIONS", 0, asked->dims,
                    "The dimensions of the result that are shown, rows and "
                    "columns (default: the last two)"),
      numbersOption("operand-dims", "DIMENSIONS", 0, asked->operandDims,
                    "Those of the operands (default: those which follow from "
                    "what is shown of the result)"),
      warpOption(*asked),
      deviceOption(asked->device, asked->deviceIsNamed,
                   "With --warp, the GPU (default: the one that the dump was "
                   "compiled for, else h100)"),
      choiceOption<std::optional<LaunchModel>>(
          "launch", "MODEL", asked->launch,
          {{"linear", LaunchModel::Linear}, {"xla", LaunchModel::Xla}},
          "With --warp, how the kernel is launched (default: xla where the "
          "module is scheduled, else linear)"),
      layoutOption(*asked),
      runtimeOption(asked->runtime,
                    "The value of a runtime variable: of maps by its name "
                    "(default: its lower bound), of a module by the "
                    "instruction that it comes from"),
  };
  llvm::append_range(
      draw.options,
      shardingOptions(*asked,
                      "Who holds which elements of --global-shape over this "
                      "sharding; "
                      "`stated`: of the instruction, over its own"));
  addLaunchOptions(draw.options, asked->triton);
  addReadOptions(draw, asked->readAs);
  draw.check = [asked] { return problemOf(*asked); };
  draw.needsNoInput = [asked] {
    return !asked->layout.empty() || !asked->shape.empty();
  };
  draw.runOnWords = [asked](llvm::ArrayRef<std::string> words, Call &call) {
    if (!asked->shape.empty()) return drawSharding(*asked, call);
    return drawLayout(*asked, words, call);
  };
  draw.run = [asked](Call &call) {
    DrawOptions options = *asked;
    if (options.warp)
      options.device = deviceFor(asked->device, asked->deviceIsNamed,
                                 call.input(), call.reporter());
    return indexical::draw(options, call);
  };
  return draw;
}

}  // namespace indexical
