#include "python/bindings/launches.h"

#include <cstdint>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/status.h"

namespace indexical {

namespace py = pybind11;
using llvm::StringRef;

std::optional<LaunchModel> launchIn(const Keywords &asked) {
  const auto word = asked.get<std::string>("launch");
  if (!word) return std::nullopt;
  if (*word == "xla") return LaunchModel::Xla;
  if (*word == "linear") return LaunchModel::Linear;
  wrong("`launch` is \"xla\" or \"linear\", and not `" + *word + "`");
}

void setLaunch(const Keywords &asked, KernelQuestion &question) {
  question.function = asked.name("function");
  // A text has names: `cdiv(n, B), H`.
  const auto grid = asked.get<py::object>("grid");
  if (grid && py::isinstance<py::str>(*grid) &&
      llvm::any_of(grid->cast<std::string>(),
                   [](char c) { return llvm::isAlpha(c) || c == '_'; }))
    question.gridSizes = grid->cast<std::string>();
  else
    question.grid = asked.numbers("grid", 1);
  question.types = asked.byName<std::string>("types");
  for (auto &[name, value] : asked.byName<py::object>("constants"))
    question.constants.emplace_back(name,
                                    py::isinstance<py::str>(value)
                                        ? value.cast<std::string>()
                                        : py::repr(value).cast<std::string>());
  question.assumed = asked.texts("assume");
  question.block = asked.numbers("block", 1);
  question.warps = asked.count("num_warps");
  for (auto &[name, value] : asked.byName<py::object>("arg"))
    if (py::isinstance<py::float_>(value))
      question.numbers.emplace_back(name, value.cast<double>());
    else
      question.arguments.emplace_back(name, integerOf(value));
  question.shapes = asked.byName<std::string>("shape");
  if (const auto mistake = mistakeOfLaunch(question))
    throw StatusError(inKeywords(absl::InvalidArgumentError(*mistake)));
}

std::vector<StepQuestion> stepsIn(const Keywords &asked) {
  using Steps = std::vector<std::pair<std::string, int64_t>>;
  std::vector<StepQuestion> steps;
  for (const auto &[place, size] :
       asked.get<Steps>("steps").value_or(Steps())) {
    StepQuestion step;
    step.size = size;
    const auto [name, number] = StringRef(place).rsplit(':');
    const bool isNamed = !place.empty();
    if (isNamed) step.instruction = name.trim().str();
    if (size < 1 ||
        (isNamed && (step.instruction.empty() ||
                     number.trim().getAsInteger(10, step.dimension) ||
                     step.dimension < 0)))
      wrong(
          "`steps` are numbers of at least 1, as 64 or {\"d:0\": 64, "
          "\"h:0\": 32}");
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace indexical
