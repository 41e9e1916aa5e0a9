#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/launch/kernels.h"
#include "indexical/analysis/memory/traffic.h"
#include "indexical/analysis/tiles/tile.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/ops/address.h"
#include "indexical/pictures/pictures.h"
#include "indexical/sharding/program_shardings.h"
#include "indexical/tools/command.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/kernel_input.h"
#include "indexical/tools/kernel_options.h"
#include "indexical/tools/maps_file.h"
#include "indexical/tools/named.h"
#include "indexical/tools/shape_words.h"
#include "indexical/tools/sharding_words.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/triton_kernels.h"

namespace indexical {
namespace {

using llvm::StringRef;

struct DrawOptions : ShardingWords {
  std::string computation, instruction, layout;
  std::optional<std::vector<int64_t>> element;
  std::vector<int64_t> tile, at, dims, operandDims;
  std::optional<size_t> warp;
  const Device *device = &defaultDevice();
  LaunchModel launch = LaunchModel::Linear;
  std::vector<std::pair<std::string, int64_t>> runtime;
  ReadAs readAs;
  KernelQuestion triton;  ///< how a kernel of Triton is launched

  bool isOfModule() const {
    return warp || !sharding.empty() || !instruction.empty() ||
           !computation.empty() || readAs.format != InputFormat::Auto;
  }
};

class PictureResult : public Result {
 public:
  explicit PictureResult(const Picture &picture) : picture_(picture) {}
  void text(llvm::raw_ostream &os, TextStyle) override { picture(os); }
  void picture(llvm::raw_ostream &os) override { writeSvg(picture_, os); }

 private:
  const Picture &picture_;
};

/// Whether a file holds maps, and no module: what its first word tells.
bool looksLikeMaps(StringRef text) {
  while (true) {
    text = text.ltrim();
    const bool isComment = text.starts_with("//") || text.starts_with("# ");
    if (!isComment) break;
    text = text.split('\n').second;
  }
  return text.starts_with("(") || text.starts_with("#xla.indexing_map") ||
         text.starts_with("KNOWN");
}

std::optional<int64_t> given(const DrawOptions &options, StringRef name) {
  for (const auto &[known, value] : options.runtime)
    if (name == known) return value;
  return std::nullopt;
}

/// The dimensions that an option names, of a space of this rank.
absl::StatusOr<llvm::SmallVector<size_t, 2>> shownOf(
    llvm::ArrayRef<int64_t> dims, size_t rank, StringRef what) {
  llvm::SmallVector<size_t, 2> shown;
  for (int64_t k : dims) {
    if (k >= static_cast<int64_t>(rank))
      return absl::InvalidArgumentError("there is no dimension " +
                                        std::to_string(k) + ": " + what.str() +
                                        " has " + std::to_string(rank));
    shown.push_back(k);
  }
  return shown;
}

/// Sets what is asked about: the element, or the tile, in a result of the
/// rank; by default the first element.
absl::Status ask(const DrawOptions &options, PictureOfReads &question) {
  const auto &sides = question.result.sides;
  for (const Interval &side : sides) question.at.push_back(side.lower);
  if (options.element)
    question.at.assign(options.element->begin(), options.element->end());
  if (!options.at.empty())
    question.at.assign(options.at.begin(), options.at.end());
  question.sizes.assign(sides.size(), 1);
  if (!options.tile.empty())
    question.sizes.assign(options.tile.begin(), options.tile.end());
  auto shown = shownOf(options.dims, sides.size(), "the result");
  if (!shown.ok()) return shown.status();
  question.result.shown = *std::move(shown);
  for (PictureOperand &operand : question.operands) {
    auto beside =
        shownOf(options.operandDims, operand.space.sides.size(), "an operand");
    if (!beside.ok()) return beside.status();
    operand.space.shown = *std::move(beside);
  }
  return absl::OkStatus();
}

absl::Status checkSides(llvm::ArrayRef<Interval> sides, const char *what) {
  for (const Interval &side : sides)
    if (!side.isFinite())
      return absl::InvalidArgumentError(
          std::string(what) +
          " has no end: it cannot be drawn (--size gives the size of a "
          "parameter)");
  return absl::OkStatus();
}

//===-- Maps --------------------------------------------------------------===//

absl::StatusOr<Picture> drawMaps(const DrawOptions &options, Call &call) {
  auto maps = readMaps(call.input());
  if (!maps.ok()) return maps.status();
  PictureOfReads question;
  question.title = "what is read by an index";
  question.result.title = "indices";
  for (auto [number, map] : llvm::enumerate(*maps)) {
    if (map.isKnownEmpty()) continue;
    auto &sides = question.result.sides;
    const auto dimensions = map.dimensions();
    if (sides.empty())
      for (const Variable &variable : dimensions)
        sides.push_back(variable.bounds);
    if (sides.size() != dimensions.size())
      return errorAt({1, 1},
                     "maps of one picture have as many dimensions; map " +
                         std::to_string(number + 1) + " has " +
                         std::to_string(dimensions.size()) + ", not " +
                         std::to_string(sides.size()));
    for (auto [side, variable] : llvm::zip_equal(sides, dimensions))
      side = side.hull(variable.bounds);
    PictureOperand operand;
    operand.space.title = maps->size() == 1
                              ? "elements"
                              : "elements of map " + std::to_string(number + 1);
    auto boundsOf = [&, &map = map](VariableId id) {
      return map.variable(id).bounds;
    };
    FormBounds bounds(map.expressions(), boundsOf);
    for (FormId form : map.results())
      operand.space.sides.push_back(bounds(form));
    if (auto status = checkSides(operand.space.sides, "a result"); !status.ok())
      return errorAt({1, 1}, std::string(status.message()));
    operand.relation = IndexingRelation(map);
    question.operands.push_back(std::move(operand));
  }
  if (question.operands.empty())
    return errorAt({1, 1}, "there is nothing to draw: the map is empty");
  auto status = checkSides(question.result.sides, "a dimension");
  if (status.ok()) status = ask(options, question);
  if (!status.ok()) return errorAt({1, 1}, std::string(status.message()));
  ElementsOptions how;
  how.exact = ExactOptions(call.budget());
  how.runtimeValue = [&](const IndexingMap &map, size_t i) {
    const auto value = given(
        options, map.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)}));
    return value ? value : std::optional(map.runtime()[i].bounds.lower);
  };
  auto picture = pictureOfReads(question, how);
  if (!picture.ok())
    return errorAt({1, 1}, std::string(picture.status().message()));
  return picture;
}

//===-- Modules -----------------------------------------------------------===//

/// The instruction that is drawn.
struct Subject {
  const Module &module;
  int32_t computation, instruction;

  const Computation &where() const { return module.computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
  std::string title(const ArrayShape &shape) const {
    return root().name.str() + " " + shape.str(/*withLayout=*/true);
  }
  absl::Status error(const absl::Status &status) const {
    return errorAt(root().place, std::string(status.message()));
  }
};

llvm::SmallVector<Interval, 4> sidesOf(const ArrayShape &shape) {
  llvm::SmallVector<Interval, 4> sides;
  for (int64_t size : shape.dimensions)
    sides.push_back(size == kDynamicSize
                        ? Interval::all()
                        : Interval{0, std::max<int64_t>(0, size - 1)});
  return sides;
}

absl::StatusOr<Picture> drawReads(const DrawOptions &options,
                                  const Subject &subject, Call &call) {
  const Instruction &root = subject.root();
  const auto results = root.shape.leaves();
  if (results.empty())
    return subject.error(
        absl::InvalidArgumentError("`" + root.name.str() + "` has no array"));
  PictureOfReads question;
  question.title =
      "what " + root.name.str() + " (" + root.opcode.str() + ") reads";
  question.result.title = subject.title(results[0]);
  question.result.sides = sidesOf(results[0]);
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, call.budget());
  const auto leaves = subject.where().operandLeaves(subject.instruction);
  for (auto [l, leaf] : llvm::enumerate(leaves)) {
    auto relation = maps.instruction(subject.computation, subject.instruction,
                                     Direction::OutputToInput, 0, l);
    if (!relation.ok()) return relation.status();
    const Instruction &from = subject.where().instructions[leaf.instruction];
    const ArrayShape shape = from.shape.leaves()[leaf.result];
    PictureOperand operand;
    operand.space.title =
        from.name.str() + " " + shape.str(/*withLayout=*/true);
    operand.space.sides = sidesOf(shape);
    operand.relation = *std::move(relation);
    if (auto status = checkSides(operand.space.sides, "an operand");
        !status.ok())
      return subject.error(status);
    question.operands.push_back(std::move(operand));
  }
  auto status = checkSides(question.result.sides, "the result");
  if (status.ok()) status = ask(options, question);
  if (!status.ok()) return subject.error(status);
  ElementsOptions how;
  how.exact = ExactOptions(call.budget());
  how.runtimeValue = [&](const IndexingMap &map,
                         size_t i) -> std::optional<int64_t> {
    const RuntimeSource &source = map.runtime()[i].source;
    if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
    return given(options, sourceName(subject.module, subject.computation, &root,
                                     maps.value(source.tensor)));
  };
  auto picture = pictureOfReads(question, how);
  return picture.ok() ? picture : subject.error(picture.status());
}

absl::StatusOr<Picture> drawTiles(const DrawOptions &options,
                                  const Subject &subject, Call &call) {
  const auto leaves = subject.root().shape.leaves();
  if (leaves.empty())
    return subject.error(absl::InvalidArgumentError(
        "`" + subject.root().name.str() + "` has no array"));
  RootTile tile;
  tile.shape.assign(leaves[0].dimensions.begin(), leaves[0].dimensions.end());
  for (int64_t size : options.tile) tile.sizes.push_back(TileExtent::of(size));
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, call.budget());
  auto tiles = tilesOf(maps, subject.computation, subject.instruction, 0, tile);
  if (!tiles.ok()) return tiles.status();
  std::vector<int64_t> at = options.at, sizes = options.tile;
  at.resize(at.empty() ? tile.shape.size() : at.size(), 0);
  for (auto [size, extent] : llvm::zip_equal(sizes, tile.shape))
    size = std::min(size, std::max<int64_t>(1, extent));
  PictureOfTiles question{"tiles of " + subject.title(leaves[0]),
                          subject.where(),
                          *tiles,
                          tile.shape,
                          sizes,
                          at,
                          {}};
  auto shown = shownOf(options.dims, tile.shape.size(), "the result");
  if (!shown.ok()) return subject.error(shown.status());
  question.shown = *std::move(shown);
  auto picture = pictureOfTiles(question);
  return picture.ok() ? picture : subject.error(picture.status());
}

/// A picture has an end: an array whose size is not known has all elements that
/// are touched.
void endBuffers(const KernelTraffic &traffic, Kernel &kernel) {
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      ArrayShape &buffer = kernel.buffers[of.access.buffer];
      const int64_t bits = storedBits(buffer);
      if (buffer.rank() != 1 || bits == 0 || of.bytes == 0) continue;
      int64_t &size = buffer.dimensions[0];  // kDynamicSize is below all
      size = std::max(size, of.bytes * 8 / bits);
    }
}

/// Draws a warp of an instruction that was measured.
absl::StatusOr<Picture> drawMeasured(const DrawOptions &options,
                                     const Subject &subject,
                                     const Kernel &kernel,
                                     const KernelTraffic &traffic) {
  const auto operands = subject.where().operandLeaves(subject.instruction);
  auto nameOf = [&](const Traffic &access, bool isRead) {
    const ArrayShape &buffer = kernel.buffers[access.access.buffer];
    const auto leaf = static_cast<size_t>(kernel.leafOf(access.access));
    // A kernel of Triton may read what is a result (triton_kernels.h).
    const std::string array =
        !isRead ? "result " + std::to_string(leaf)
        : leaf < operands.size()
            ? subject.where()
                  .instructions[operands[leaf].instruction]
                  .name.str()
            : "result " + std::to_string(leaf - operands.size());
    return array + " " + buffer.str(/*withLayout=*/true);
  };
  auto picture = pictureOfWarp({"a warp of " + subject.root().name.str(),
                                kernel, traffic, *options.device,
                                static_cast<int64_t>(*options.warp), nameOf});
  return picture.ok() ? picture : subject.error(picture.status());
}

absl::StatusOr<Picture> drawTriton(const DrawOptions &options,
                                   const Subject &subject,
                                   const Measurement &measured) {
  Kernel kernel = measured.kernel;
  KernelTraffic traffic = measured.traffic;
  // The others have no threads.
  for (auto *accesses : {&traffic.reads, &traffic.writes})
    llvm::erase_if(*accesses, [](const Traffic &of) { return !of.figures; });
  endBuffers(traffic, kernel);
  return drawMeasured(options, subject, kernel, traffic);
}

absl::StatusOr<Picture> drawWarp(const DrawOptions &options,
                                 const Subject &subject, Call &call) {
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, call.budget());
  LaunchChoice choice;
  if (options.launch == LaunchModel::Xla) choice.xla = options.device;
  auto kernel =
      kernelAt(maps, {subject.computation, subject.instruction}, choice);
  if (!kernel.ok()) return kernel.status();
  TrafficMeter meter(*options.device, CoalescingOptions(call.budget()));
  const KernelTraffic traffic = meter.measure(*kernel);
  return drawMeasured(options, subject, *kernel, traffic);
}

/// The sharding that stands on the instruction.
absl::StatusOr<Picture> drawStated(const Program &program,
                                   const Subject &subject,
                                   const DrawOptions &options) {
  ShardingContext context = shardingContextOf(program, subject.module);
  if (options.partitions) context.devices = *options.partitions;
  if (auto status = addMeshes(options, context); !status.ok()) return status;
  const Instruction &root = subject.root();
  auto shardings = shardingsOf(program, subject.module, root, context,
                               devicesOf(subject.module, context));
  if (!shardings.ok()) return shardings.status();
  const auto leaves = root.shape.leaves();
  if (shardings->empty() || leaves.empty())
    return subject.error(absl::InvalidArgumentError("`" + root.name.str() +
                                                    "` has no sharding"));
  if (isPartitioned(subject.module))
    return subject.error(absl::InvalidArgumentError(
        "the module is partitioned, and its shapes are local"));
  auto relation =
      ShardedRelation::make(leaves[0].dimensions, shardings->front());
  if (!relation.ok()) return subject.error(relation.status());
  auto picture = pictureOfSharding(
      subject.title(leaves[0]) + " " + root.sharding.str(), *relation);
  return picture.ok() ? picture : subject.error(picture.status());
}

/// A picture has an end: sizes that nobody gives are these.
constexpr int64_t kExampleSize = 6;

/// Gives sizes to what is open, where they fit the program; a line that says
/// which, or nothing.
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
  auto program = readProgram(call.input(), options.readAs, call.reporter());
  if (!program.ok()) return program.status();
  const std::string example = takeExampleSizes(*program);
  auto named =
      findInstruction(*program, options.computation, options.instruction);
  if (!named.ok()) return named.status();
  std::shared_ptr<const Measurement> triton;
  if (options.warp)
    triton =
        TritonCalls(*program, *options.device, call.budget(), call.reporter())
            .at(named->module, {named->computation, named->instruction});
  const Subject subject{program->modules[named->module], named->computation,
                        named->instruction};
  // A picture says what it shows, and keeps nothing of the program.
  if (!options.sharding.empty()) return drawStated(*program, subject, options);
  auto picture = triton                  ? drawTriton(options, subject, *triton)
                 : options.warp          ? drawWarp(options, subject, call)
                 : !options.tile.empty() ? drawTiles(options, subject, call)
                                         : drawReads(options, subject, call);
  if (picture.ok() && !example.empty()) picture->notes.push_back(example);
  return picture;
}

//===-- Kernels of Triton -------------------------------------------------===//

/// The warp of a kernel in a text of Triton or a record, which the function's
/// name and, of a record, the launch choose.
absl::StatusOr<Picture> drawKernel(const DrawOptions &options, Call &call) {
  if (!options.warp)
    return absl::InvalidArgumentError(
        "of a kernel of Triton a warp is drawn: --warp=N");
  KernelQuestion question = options.triton;
  question.device = options.device;
  auto read = readTritonProgram(question, call);
  if (!read.ok()) return read.status();
  const Module &module = read->program.modules[0];
  const MeasuredKernel *chosen = nullptr;
  for (const MeasuredKernel &kernel : read->kernels) {
    const Computation &computation = module.computations[kernel.computation];
    const Instruction &function = computation.instructions[kernel.instruction];
    const bool isNamed =
        (options.computation.empty() ||
         computation.name == options.computation) &&
        (options.instruction.empty() || function.name == options.instruction);
    if (!isNamed) continue;
    if (chosen)
      return absl::InvalidArgumentError(
          "there are several such kernels; --instruction names a function, and "
          "--computation=launch.N a launch");
    chosen = &kernel;
  }
  if (!chosen)
    return absl::InvalidArgumentError("there is no kernel of that name");
  const Subject subject{module, chosen->computation, chosen->instruction};
  return drawTriton(options, subject, *chosen->measurement);
}

//===-- Layouts -----------------------------------------------------------===//

absl::StatusOr<int> drawLayout(const DrawOptions &options,
                               llvm::ArrayRef<std::string> words, Call &call) {
  if (!words.empty()) {
    call.err() << "indexical: --layout draws a shape, and reads no file\n";
    return kWrongWords;
  }
  auto shape = shapeOfWords(options.layout);
  if (!shape.ok()) return shape.status();
  auto shown = shownOf(options.dims, shape->dimensions.size(), "the array");
  if (!shown.ok()) return shown.status();
  auto picture = pictureOfLayout(*shape, *shown, options.at);
  if (!picture.ok()) return picture.status();
  picture->title = options.layout;
  PictureResult result(*picture);
  if (absl::Status status = call.write(result); !status.ok()) return status;
  return kDone;
}

absl::StatusOr<int> drawSharding(const DrawOptions &options, Call &call) {
  auto given = givenShardings(options);
  if (!given.ok()) return given.status();
  if (given->size() != 1)
    return absl::InvalidArgumentError("--shape is one array");
  auto relation = ShardedRelation::make(given->front().shape.dimensions,
                                        given->front().sharding);
  if (!relation.ok()) return relation.status();
  auto picture =
      pictureOfSharding(options.shape + " " + options.sharding, *relation);
  if (!picture.ok()) return picture.status();
  PictureResult result(*picture);
  if (absl::Status status = call.write(result); !status.ok()) return status;
  return kDone;
}

absl::StatusOr<int> draw(const DrawOptions &options, Call &call) {
  const bool ofMaps = !options.isOfModule() && looksLikeMaps(call.input().text);
  auto picture = ofMaps                       ? drawMaps(options, call)
                 : holdsKernels(call.input()) ? drawKernel(options, call)
                                              : drawModule(options, call);
  if (!picture.ok()) return picture.status();
  PictureResult result(*picture);
  return call.writeAndEnd(result, kDone);
}

std::optional<std::string> problemOf(const DrawOptions &options) {
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
    return "--shape goes with --sharding";
  if (!options.sharding.empty() && options.shape.empty() &&
      options.sharding != "stated")
    return "--sharding goes with --shape, or is `stated`: that of the "
           "instruction";
  if (!options.sharding.empty() &&
      (options.warp || options.element || !options.tile.empty() ||
       !options.layout.empty()))
    return "--sharding shows who holds what, without --warp, --element, "
           "--tile and --layout";
  if (auto wrong = wrongLaunch(options.triton)) return wrong;
  if (options.warp && (options.element || !options.tile.empty()))
    return "--warp shows lanes, without --element and --tile";
  return std::nullopt;
}

Option layoutOption(std::string &shape) {
  Option option;
  option.name = "layout";
  option.value = "SHAPE";
  option.sentence =
      "Where the elements of a shape lie in memory: `f32[4,8]{0,1:T(2,4)}`";
  option.take = [&shape](StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "a shape with its layout, f32[4,8]{0,1}";
    shape = word.str();
    return std::nullopt;
  };
  return option;
}

}  // namespace

Command makeDraw() {
  auto asked = std::make_shared<DrawOptions>();
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
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
      numbersOption("at", "INDEX", 0, asked->at,
                    "Where the tile begins, and the index of the dimensions "
                    "that are not shown (default: the first one)"),
      numbersOption("dims", "DIMENSIONS", 0, asked->dims,
                    "The dimensions of the result that are shown, rows and "
                    "columns (default: the last two)"),
      numbersOption("operand-dims", "DIMENSIONS", 0, asked->operandDims,
                    "Those of the operands (default: those which follow from "
                    "what is shown of the result)"),
      countOption("warp", asked->warp, "the number of a warp",
                  "Of a module or a kernel of Triton, the lanes of this warp "
                  "against sectors of memory"),
      choiceOption<const Device *>("device", "NAME", asked->device,
                                   std::move(known), "With --warp, the GPU"),
      choiceOption<LaunchModel>(
          "launch", "MODEL", asked->launch,
          {{"linear", LaunchModel::Linear}, {"xla", LaunchModel::Xla}},
          "With --warp, how the kernel is launched"),
      layoutOption(asked->layout),
      runtimeOption(asked->runtime,
                    "The value of a runtime variable: of maps by its name "
                    "(default: its lower bound), of a module by the "
                    "instruction that it comes from"),
  };
  llvm::append_range(
      draw.options,
      shardingOptions(*asked,
                      "Who holds which elements of --shape over this sharding; "
                      "`stated`: of the instruction, over its own"));
  addLaunchOptions(draw.options, asked->triton);
  addReadAs(draw, asked->readAs);
  draw.check = [asked] { return problemOf(*asked); };
  draw.needsNoInput = [asked] {
    return !asked->layout.empty() || !asked->shape.empty();
  };
  draw.runOnWords = [asked](llvm::ArrayRef<std::string> words, Call &call) {
    if (!asked->shape.empty()) return drawSharding(*asked, call);
    return drawLayout(*asked, words, call);
  };
  draw.run = [asked](Call &call) { return indexical::draw(*asked, call); };
  return draw;
}

}  // namespace indexical
