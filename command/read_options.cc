#include "indexical/command/read_options.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/inputs/given_sizes.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/command/reporter.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {
namespace {

constexpr llvm::StringLiteral kRightSize =
    "a parameter, one of its dimensions and its size, as `x:0=8`";

std::optional<std::string> takeSize(llvm::StringRef word,
                                    std::vector<GivenSize> &sizes) {
  const auto [place, value] = word.split('=');
  const auto [name, dimension] = place.rsplit(':');
  GivenSize size;
  size.parameter = name.trim().ltrim("%").str();
  if (size.parameter.empty() ||
      dimension.trim().getAsInteger(10, size.dimension) ||
      value.trim().getAsInteger(10, size.value) || size.dimension < 0 ||
      size.value < 0)
    return kRightSize.str();
  sizes.push_back(std::move(size));
  return std::nullopt;
}

/// Returns the options `--size` and `--arguments`.
std::vector<Option> givenSizesOptions(GivenSizes &given) {
  Option size;
  size.name = "size";
  size.value = "PARAMETER:DIMENSION=VALUE";
  size.sentence =
      "A size of a parameter that the module leaves open, as `x:0=8`";
  size.repeatable = true;
  size.take = [&given](llvm::StringRef word) {
    return takeSize(word, given.sizes);
  };
  Option arguments;
  arguments.name = "arguments";
  arguments.value = "TYPES";
  arguments.sentence =
      "The types of all parameters, with the sizes that the module leaves "
      "open: 'tensor<8x128xf32>, tensor<8xi32>', or HLO's shapes";
  arguments.take =
      [&given](llvm::StringRef word) -> std::optional<std::string> {
    auto shapes = shapesOfArguments(word);
    if (!shapes.ok())
      return absl::StrCat("types of MLIR or shapes of HLO (",
                          shapes.status().message(), ")");
    given.arguments = *std::move(shapes);
    return std::nullopt;
  };
  return {std::move(size), std::move(arguments)};
}

Option elementwiseOption(std::vector<std::string> &names) {
  Option option;
  option.name = "elementwise";
  option.value = "NAMES";
  option.sentence =
      "Unknown ops of MLIR, or targets of custom calls, that work element "
      "by element: bitops.popcount,bitops.parity";
  option.repeatable = true;
  option.take = [&names](llvm::StringRef word) -> std::optional<std::string> {
    for (llvm::StringRef name : llvm::split(word, ',')) {
      if (name.trim().empty()) return "names of ops with `,` between";
      names.push_back(name.trim().str());
    }
    return std::nullopt;
  };
  return option;
}

/// Reads the file of --ops, if there is one. Returns kDone, or the status to
/// end with after a message.
int prepareOps(ReadOptions &asked, MessageStream &err) {
  if (asked.opsFile.empty() && asked.elementwise.empty()) return kDone;
  absl::StatusOr<Input> file = Input{asked.opsFile, std::string()};
  if (!asked.opsFile.empty()) file = readInput(asked.opsFile);
  if (!file.ok()) {
    Reporter(err, asked.opsFile, "").error(file.status());
    return kWrongInput;
  }
  auto ops = definedOps(asked.elementwise, file->text);
  if (!ops.ok()) {
    const bool isOfFile = placeOf(ops.status()).has_value();
    Reporter(err, isOfFile ? asked.opsFile : "--elementwise", file->text)
        .error(ops.status());
    return isOfFile ? kWrongInput : kWrongWords;
  }
  asked.ops = *std::move(ops);
  return kDone;
}

}  // namespace

void addReadOptions(Command &command, ReadOptions &asked) {
  command.options.push_back(
      choiceOption<InputFormat>("input-format", "FORMAT", asked.format,
                                {{"auto", InputFormat::Auto},
                                 {"hlo", InputFormat::Hlo},
                                 {"stablehlo", InputFormat::StableHlo}},
                                "The format of the input (stablehlo: any "
                                "MLIR)"));
  command.options.push_back(elementwiseOption(asked.elementwise));
  command.options.push_back(
      fileOption("ops", asked.opsFile,
                 "A file with unknown ops, one a line: a name, then "
                 "`elementwise`, `broadcasting`, or a map for each operand"));
  llvm::append_range(command.options, givenSizesOptions(asked.sizes));
  command.prepare = [&asked, before = command.prepare](MessageStream &err) {
    const int status = before ? before(err) : kDone;
    return status == kDone ? prepareOps(asked, err) : status;
  };
}

absl::StatusOr<Program> readProgram(Call &call, const ReadAs &readAs,
                                    size_t input, LetPass letPass) {
  return readProgram(call.input(input), readAs,
                     Ask{call.budget(), call.jobs(), call.reporter(input)},
                     letPass);
}

}  // namespace indexical
