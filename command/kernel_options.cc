#include "indexical/command/kernel_options.h"

#include <functional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

/// `NAME=VALUE`, as often as it is given.
Option pairOption(llvm::StringRef name, llvm::StringRef value,
                  llvm::StringRef sentence,
                  std::function<std::optional<std::string>(
                      llvm::StringRef name, llvm::StringRef value)>
                      take) {
  Option option;
  option.name = name;
  option.value = value;
  option.sentence = sentence.str();
  option.repeatable = true;
  option.take = [take = std::move(take)](llvm::StringRef word) {
    const auto [key, text] = word.split('=');
    return take(key.ltrim('%'), text);
  };
  return option;
}

/// `X[,Y[,Z]]`: numbers, or sizes with names, which are read with the kernel.
Option gridOption(KernelQuestion &asked) {
  Option numbers = numbersOption(
      "grid", "X[,Y[,Z]]", 1, asked.grid,
      "How many programs of a Triton kernel run, as numbers or as `cdiv(n, B), "
      "H` (default: of its launch, of --of, or of its first indexing map)");
  auto takeNumbers = numbers.take;
  numbers.take = [&asked, takeNumbers](
                     llvm::StringRef word) -> std::optional<std::string> {
    const bool hasNames =
        llvm::any_of(word, [](char c) { return llvm::isAlpha(c) || c == '_'; });
    if (!hasNames) return takeNumbers(word);
    asked.gridSizes = word.str();
    return std::nullopt;
  };
  return numbers;
}

}  // namespace

void addPythonOptions(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(pairOption(
      "type", "NAME=TYPE",
      "The type of an argument of a kernel in Python, as x=*fp16 (default: of "
      "the file, else as it is used)",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a type, as `x=*fp16`";
        asked.types.push_back({name.str(), text.str()});
        return std::nullopt;
      }));
  options.push_back(pairOption(
      "const", "NAME=VALUE",
      "The value of a constant (tl.constexpr) of a kernel in Python, as B=128 "
      "(default: of the file)",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a value, as `B=128`";
        asked.constants.push_back({name.str(), text.str()});
        return std::nullopt;
      }));
  Option assume;
  assume.name = "assume";
  assume.value = "CONDITION";
  assume.sentence =
      "A bound of an argument without a value that is taken for granted, as `C "
      "<= B` or `n >= 16`";
  assume.repeatable = true;
  assume.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "a condition, as `C <= B`";
    asked.assumed.push_back(word.str());
    return std::nullopt;
  };
  options.push_back(std::move(assume));
}

void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(gridOption(asked));
  options.push_back(
      countOption("num-warps", asked.warps, "a number of warps",
                  "Warps of a program, where the module does not say"));
  options.push_back(
      numbersOption("block", "X[,Y[,Z]]", 1, asked.block,
                    "Threads of a program, in place of --num-warps"));
  options.push_back(pairOption(
      "arg", "NAME=VALUE",
      "The value of an argument of a kernel that is an integer or a float, by "
      "its name or number",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        int64_t value = 0;
        double number = 0;
        if (name.empty()) return "a name and a number, as `arg3=98432`";
        if (!text.getAsInteger(10, value))
          asked.arguments.push_back({name.str(), value});
        else if (!text.getAsDouble(number))
          asked.numbers.push_back({name.str(), number});
        else
          return "a name and a number, as `arg3=98432`";
        return std::nullopt;
      }));
}

void addShapeOption(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(pairOption(
      "shape", "NAME=SHAPE",
      "The shape of a pointer argument of a kernel, as f32[16,1024]{1,0} or "
      "f32[R,C]",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a shape, as `arg0=f32[16,1024]`";
        asked.shapes.push_back({name.str(), text.str()});
        return std::nullopt;
      }));
}

}  // namespace indexical
