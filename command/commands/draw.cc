#include "indexical/answers/draw/draw.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/inputs/shape_words.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/command/command.h"
#include "indexical/command/kernel_options.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/tile_search_options.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding.h"
#include "indexical/layout/parse.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The options of a call of `draw`.
struct DrawOptions : PictureQuestion {
  std::string layout;
  std::vector<std::string> layouts;  ///< `layout`, and a second one
  ReadOptions readOptions;
};

class PictureResult : public Result {
 public:
  explicit PictureResult(const Picture &picture) : picture_(picture) {}
  void text(llvm::raw_ostream &os, TextStyle) override { picture(os); }
  void picture(llvm::raw_ostream &os) override { writeSvg(picture_, os); }

 private:
  const Picture &picture_;
};

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
      return absl::InvalidArgumentError("--layout is not a layout");
    }
    all.push_back(*std::move(layout));
  }
  return pictureOfLayouts(options.layout, all.front(),
                          all.size() > 1 ? &all.back() : nullptr);
}

absl::StatusOr<int> drawLayout(const DrawOptions &options,
                               llvm::ArrayRef<std::string> words, Call &call) {
  if (!words.empty()) {
    call.err().wrongWords("--layout draws a shape, and reads no file");
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
  INDEXICAL_ASSIGN_OR_RETURN(auto picture, pictureOfGivenSharding(options));
  PictureResult result(picture);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

std::optional<std::string> problemOf(const DrawOptions &options) {
  if (auto mistake = mistakeOfPicture(options)) return mistake;
  if (options.layout.empty()) return std::nullopt;
  if (!options.operandDims.empty())
    return "--operand-dims goes with the elements that are read";
  if (!options.sharding.empty())
    return "--sharding shows who holds what, without --warp, --element, "
           "--tile and --layout";
  return std::nullopt;
}

Option warpOption(DrawOptions &asked) {
  Option option;
  option.name = "warp";
  option.value = "N|worst";
  option.sentence =
      "In a module or a kernel of Triton, the lanes of this warp and the "
      "sectors that they touch; `worst`: the warp that wastes most";
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
      "a picture, as SVG, of reads, a layout, a warp, a tile or a sharding";
  draw.example =
      "echo '(d0, d1) -> (d1, d0 * 2), domain: d0 in [0, 3], d1 in [0, 7]' |\n"
      "  indexical draw --element=1,5 -o map.svg";
  draw.offers = {Offer::Picture};
  draw.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "In a module, the computation (default: the entry); in a "
                 "record of Triton's, the launch"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "In a module, the instruction (default: the root); for "
                 "Triton, the function"),
      indexOption("element", asked->element,
                  "The element whose reads are drawn (default: the first "
                  "one)"),
      numbersOption("tile", "SIZES", 1, asked->tile,
                    "A tile in place of the element; in a module, "
                    "propagated to every producer"),
      stepsOption(asked->steps),
      numbersOption("at", "INDEX", 0, asked->at,
                    "Where the tile begins, and the index of the dimensions "
                    "that are not shown (default: the first one); behind "
                    "these, with --steps, where the iterations begin"),
      numbersOption("dims", "DIMENSIONS", 0, asked->dims,
                    "The dimensions of the result that are shown, rows and "
                    "columns (default: the last two)"),
      numbersOption("operand-dims", "DIMENSIONS", 0, asked->operandDims,
                    "The dimensions of the operands (default: those that "
                    "follow from the result's)"),
      warpOption(*asked),
      deviceOption(asked->device,
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
                      "The devices that hold the elements of --global-shape "
                      "by this sharding; `stated`: of the instruction, by "
                      "its own"));
  draw.options.push_back(
      nameOption("function", Names::None, asked->triton.function,
                 "In a file of several kernels, the one to draw (default: "
                 "the only one that no other calls)"));
  addLaunchOptions(draw.options, asked->triton);
  addReadOptions(draw, asked->readOptions);
  draw.check = [asked] { return problemOf(*asked); };
  draw.needsNoInput = [asked] {
    return !asked->layout.empty() || !asked->shape.empty();
  };
  draw.runOnWords = [asked](llvm::ArrayRef<std::string> words, Call &call) {
    if (!asked->shape.empty()) return drawSharding(*asked, call);
    return drawLayout(*asked, words, call);
  };
  draw.run = [asked](Call &call) -> absl::StatusOr<int> {
    PictureQuestion question = *asked;
    question.readAs = asked->readOptions;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto picture, pictureOfInput(call.input(), question, call.ask()));
    PictureResult result(picture);
    return call.writeAndEnd(result, kDone);
  };
  return draw;
}

}  // namespace indexical
