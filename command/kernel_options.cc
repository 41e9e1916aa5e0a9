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
Option gridOption(llvm::StringRef name, llvm::StringRef sentence,
                  std::vector<int64_t> &grid, std::string &sizes) {
  Option numbers = numbersOption(name, "X[,Y[,Z]]", 1, grid, sentence);
  auto takeNumbers = numbers.take;
  numbers.take = [&sizes, takeNumbers](
                     llvm::StringRef word) -> std::optional<std::string> {
    const bool hasNames =
        llvm::any_of(word, [](char c) { return llvm::isAlpha(c) || c == '_'; });
    if (!hasNames) return takeNumbers(word);
    sizes = word.str();
    return std::nullopt;
  };
  return numbers;
}

/// The value of an argument that is an integer or a float.
Option valueOption(llvm::StringRef name, llvm::StringRef sentence,
                   std::vector<std::pair<std::string, int64_t>> &integers,
                   std::vector<std::pair<std::string, double>> &floats) {
  return pairOption(
      name, "NAME=VALUE", sentence,
      [&integers, &floats](llvm::StringRef argument,
                           llvm::StringRef text) -> std::optional<std::string> {
        int64_t value = 0;
        double number = 0;
        if (argument.empty()) return "a name and a number, as `arg3=98432`";
        if (!text.getAsInteger(10, value))
          integers.push_back({argument.str(), value});
        else if (!text.getAsDouble(number))
          floats.push_back({argument.str(), number});
        else
          return "a name and a number, as `arg3=98432`";
        return std::nullopt;
      });
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
      "An assumed condition of arguments without a value, as `C <= B`, `n mod "
      "16 = 0` or `stride = 2 * C`";
  assume.repeatable = true;
  assume.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "a condition, as `C <= B`";
    asked.assumed.push_back(word.str());
    return std::nullopt;
  };
  options.push_back(std::move(assume));
}

void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(gridOption(
      "grid",
      "The grid of a Triton kernel, as numbers or as `cdiv(n, B), H` "
      "(default: of its launch, of --of, or of its first indexing map)",
      asked.grid, asked.gridSizes));
  options.push_back(
      countOption("num-warps", asked.warps, "a number of warps",
                  "Warps of a program, if the module does not say (default: "
                  "of --of, else 4, as Triton has)"));
  options.push_back(
      numbersOption("block", "X[,Y[,Z]]", 1, asked.block,
                    "Threads of a program, in place of --num-warps"));
  options.push_back(valueOption(
      "arg",
      "The value of an argument of a kernel that is an integer or a float, by "
      "its name or number",
      asked.arguments, asked.numbers));
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

namespace {

/// Names of arrays, `y,z`.
Option arraysOption(llvm::StringRef name, llvm::StringRef sentence,
                    std::vector<std::string> &arrays) {
  Option option;
  option.name = name;
  option.value = "NAME[,NAME]...";
  option.sentence = sentence.str();
  option.take = [&arrays](llvm::StringRef word) -> std::optional<std::string> {
    llvm::SmallVector<llvm::StringRef, 4> names;
    word.split(names, ',');
    for (llvm::StringRef each : names) {
      each = each.trim().ltrim('%');
      if (each.empty()) return "names of arrays, as `y,z`";
      arrays.push_back(each.str());
    }
    return std::nullopt;
  };
  return option;
}

}  // namespace

void addPairOptions(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(pairOption(
      "pair", "NAME=NAME",
      "With a kernel of --of: an argument, and the one of that kernel that it "
      "stands for (default: by name, else in order)",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a name of the other kernel, as `out=z`";
        asked.pairing.pairs.push_back({name.str(), text.ltrim('%').str()});
        return std::nullopt;
      }));
  options.push_back(
      arraysOption("outputs",
                   "With a kernel of --of: the arrays that must be the same "
                   "in the end (default: all)",
                   asked.pairing.outputs));
  options.push_back(
      arraysOption("zero",
                   "With a kernel of --of: the arrays that hold 0 before the "
                   "launch, as those that atomic operations add to",
                   asked.pairing.zeros));
  options.push_back(gridOption(
      "of-grid",
      "The grid of the kernel of --of (default: of its file, else --grid)",
      asked.old.grid, asked.old.gridSizes));
  options.push_back(pairOption(
      "of-const", "NAME=VALUE",
      "The value of a constant of the kernel of --of (default: --const)",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a value, as `B=128`";
        asked.old.constants.push_back({name.str(), text.str()});
        return std::nullopt;
      }));
  options.push_back(valueOption(
      "of-arg",
      "The value of an argument of the kernel of --of (default: --arg)",
      asked.old.arguments, asked.old.numbers));
}

}  // namespace indexical
