#include "indexical/import/stablehlo/dialect/conv_numbers.h"

#include <optional>

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/stablehlo/dialect/fields.h"

namespace indexical::stablehlo {

namespace {

using Numbers = llvm::SmallVector<int64_t>;

// One bracketed list: the places of two letters and of the numbers 0, 1, 2…
struct LetterList {
  LetterList(llvm::StringRef firstLetter, llvm::StringRef secondLetter)
      : letters{firstLetter, secondLetter} {}

  llvm::StringRef letters[2];
  int64_t places[2] = {-1, -1};
  Numbers spatial;
};

mlir::ParseResult parseSide(mlir::AsmParser &parser, LetterList &side) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<std::pair<int64_t, int64_t>> numbered;  // number, place
  int64_t place = 0;
  auto parseEntry = [&]() -> mlir::ParseResult {
    llvm::SMLoc here = parser.getCurrentLocation();
    int64_t current = place++;
    if (mlir::succeeded(parser.parseOptionalQuestion())) return mlir::success();
    int64_t number = 0;
    mlir::OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      if (mlir::failed(*isNumber)) return mlir::failure();
      if (number < 0)
        return parser.emitError(here)
               << "a spatial dimension is numbered from 0, not " << number;
      numbered.push_back({number, current});
      return mlir::success();
    }
    llvm::StringRef letter;
    if (mlir::succeeded(parser.parseOptionalKeyword(&letter)))
      for (int which : {0, 1}) {
        if (letter != side.letters[which]) continue;
        if (side.places[which] >= 0)
          return parser.emitError(here) << "`" << letter << "` is given twice";
        side.places[which] = current;
        return mlir::success();
      }
    return parser.emitError(here)
           << "expected `" << side.letters[0] << "`, `" << side.letters[1]
           << "`, the number of a spatial dimension, or `?`";
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseEntry))
    return mlir::failure();
  for (int which : {0, 1})
    if (side.places[which] < 0)
      return parser.emitError(start)
             << "this list lacks `" << side.letters[which] << "`";
  llvm::sort(numbered);
  for (auto [expected, entry] : llvm::enumerate(numbered)) {
    if (entry.first != static_cast<int64_t>(expected))
      return parser.emitError(start)
             << "spatial dimensions are numbered 0, 1, 2… without gaps: "
             << expected << " is missing or " << entry.first << " too many";
    side.spatial.push_back(entry.second);
  }
  return mlir::success();
}

ConvDimensionNumbersAttr parseRaw(mlir::AsmParser &parser) {
  int64_t inputBatch = 0, inputFeature = 0, kernelInput = 0, kernelOutput = 0,
          outputBatch = 0, outputFeature = 0;
  Numbers inputSpatial, kernelSpatial, outputSpatial;
  if (parseFieldsToClose(parser,
                         {{"input_batch_dimension", &inputBatch},
                          {"input_feature_dimension", &inputFeature},
                          {"input_spatial_dimensions", &inputSpatial},
                          {"kernel_input_feature_dimension", &kernelInput},
                          {"kernel_output_feature_dimension", &kernelOutput},
                          {"kernel_spatial_dimensions", &kernelSpatial},
                          {"output_batch_dimension", &outputBatch},
                          {"output_feature_dimension", &outputFeature},
                          {"output_spatial_dimensions", &outputSpatial}}))
    return {};
  return ConvDimensionNumbersAttr::get(
      parser.getContext(), inputBatch, inputFeature, inputSpatial, kernelInput,
      kernelOutput, kernelSpatial, outputBatch, outputFeature, outputSpatial);
}

// Returns the entries of one list, or nothing if the short form cannot give
// them.
std::optional<llvm::SmallVector<std::string>> entries(
    llvm::ArrayRef<std::pair<int64_t, llvm::StringRef>> lettered,
    llvm::ArrayRef<int64_t> spatial) {
  int64_t rank = lettered.size() + spatial.size();
  llvm::SmallVector<std::string> result(rank);
  auto put = [&](int64_t place, std::string text) {
    if (place < 0 || place >= rank || !result[place].empty()) return false;
    result[place] = std::move(text);
    return true;
  };
  for (auto [place, letter] : lettered)
    if (!put(place, letter.str())) return std::nullopt;
  for (auto [number, place] : llvm::enumerate(spatial))
    if (!put(place, std::to_string(number))) return std::nullopt;
  return result;
}

}  // namespace

ConvDimensionNumbersAttr parseConvNumbersInAngles(mlir::AsmParser &parser) {
  if (parser.parseLess()) return {};
  if (mlir::succeeded(parser.parseOptionalKeyword("raw")))
    return parseRaw(parser);
  ConvDimensionNumbersAttr numbers = parseConvNumbers(parser);
  if (!numbers || parser.parseGreater()) return {};
  return numbers;
}

ConvDimensionNumbersAttr parseConvNumbers(mlir::AsmParser &parser) {
  if (mlir::succeeded(parser.parseOptionalKeyword("raw")))
    return parser.parseLess() ? ConvDimensionNumbersAttr() : parseRaw(parser);
  LetterList input("b", "f"), kernel("i", "o"), output("b", "f");
  if (parseSide(parser, input) || parser.parseKeyword("x") ||
      parseSide(parser, kernel) || parser.parseArrow() ||
      parseSide(parser, output))
    return {};
  return ConvDimensionNumbersAttr::get(
      parser.getContext(), input.places[0], input.places[1], input.spatial,
      kernel.places[0], kernel.places[1], kernel.spatial, output.places[0],
      output.places[1], output.spatial);
}

static bool printShort(mlir::AsmPrinter &printer,
                       ConvDimensionNumbersAttr numbers) {
  auto input = entries({{numbers.getInputBatchDimension(), "b"},
                        {numbers.getInputFeatureDimension(), "f"}},
                       numbers.getInputSpatialDimensions());
  auto kernel = entries({{numbers.getKernelInputFeatureDimension(), "i"},
                         {numbers.getKernelOutputFeatureDimension(), "o"}},
                        numbers.getKernelSpatialDimensions());
  auto output = entries({{numbers.getOutputBatchDimension(), "b"},
                         {numbers.getOutputFeatureDimension(), "f"}},
                        numbers.getOutputSpatialDimensions());
  if (!input || !kernel || !output || input->size() != kernel->size() ||
      input->size() != output->size())
    return false;
  printer << '[' << llvm::join(*input, ", ") << "]x["
          << llvm::join(*kernel, ", ") << "]->[" << llvm::join(*output, ", ")
          << ']';
  return true;
}

static void printRaw(mlir::AsmPrinter &printer,
                     ConvDimensionNumbersAttr numbers) {
  FieldPrinter(printer)
      .number("input_batch_dimension", numbers.getInputBatchDimension())
      .number("input_feature_dimension", numbers.getInputFeatureDimension())
      .list("input_spatial_dimensions", numbers.getInputSpatialDimensions())
      .number("kernel_input_feature_dimension",
              numbers.getKernelInputFeatureDimension())
      .number("kernel_output_feature_dimension",
              numbers.getKernelOutputFeatureDimension())
      .list("kernel_spatial_dimensions", numbers.getKernelSpatialDimensions())
      .number("output_batch_dimension", numbers.getOutputBatchDimension())
      .number("output_feature_dimension", numbers.getOutputFeatureDimension())
      .list("output_spatial_dimensions", numbers.getOutputSpatialDimensions());
  printer << '>';
}

void printConvNumbersInAngles(mlir::AsmPrinter &printer,
                              ConvDimensionNumbersAttr numbers) {
  printer << '<';
  if (printShort(printer, numbers)) {
    printer << '>';
    return;
  }
  printer << "raw ";
  printRaw(printer, numbers);
}

void printConvNumbers(mlir::AsmPrinter &printer,
                      ConvDimensionNumbersAttr numbers) {
  if (printShort(printer, numbers)) return;
  printer << "raw<";
  printRaw(printer, numbers);
}

}  // namespace indexical::stablehlo
