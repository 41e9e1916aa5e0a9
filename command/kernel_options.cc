#include "indexical/command/kernel_options.h"

#include <functional>
#include <utility>

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

}  // namespace

void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked) {
  options.push_back(
      numbersOption("grid", "X[,Y[,Z]]", 1, asked.grid,
                    "How many programs of a Triton kernel run (default: of its "
                    "launch, of --of, or of its first indexing map)"));
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
      "The shape of a pointer argument of a kernel, as f32[16,1024]{1,0}",
      [&asked](llvm::StringRef name,
               llvm::StringRef text) -> std::optional<std::string> {
        if (name.empty() || text.empty())
          return "a name and a shape, as `arg0=f32[16,1024]`";
        asked.shapes.push_back({name.str(), text.str()});
        return std::nullopt;
      }));
}

}  // namespace indexical
