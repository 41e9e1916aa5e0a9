#include "python/bindings/inputs.h"

#include <string>
#include <utility>

#include "indexical/answers/inputs/input_list.h"
#include "python/bindings/program.h"
#include "python/bindings/status.h"

namespace indexical {

namespace py = pybind11;

namespace {

/// Adds the file of that path, or the files of a folder, as `report` takes
/// them.
void addFiles(const std::string &path, std::vector<Input> &inputs) {
  auto files = inputsOf({path}, /*endings=*/{}, TakenDumps::Scheduled);
  if (!files.ok()) throw StatusError(files.status(), path);
  for (const std::string &each : files->paths) {
    auto input = readInput(each);
    if (!input.ok()) throw StatusError(input.status(), each);
    inputs.push_back(*std::move(input));
  }
}

}  // namespace

std::vector<Input> inputsOf(const py::args &sources) {
  std::vector<Input> inputs;
  for (const py::handle &source : sources)
    if (py::hasattr(source, "__fspath__")) {
      addFiles(py::str(source.attr("__fspath__")()), inputs);
    } else if (py::isinstance<py::bytes>(source)) {
      auto input = inputOfBytes(source.cast<std::string>(), "<file>");
      if (!input.ok()) throw StatusError(input.status(), "<file>");
      inputs.push_back(*std::move(input));
    } else if (py::isinstance<py::str>(source)) {
      inputs.push_back({"<maps>", source.cast<std::string>()});
    } else {
      // None is a program that is not there.
      const Held program = source.cast<Held>();
      if (!program) throw py::type_error("a program is not None");
      inputs.push_back(program->input);
    }
  return inputs;
}

}  // namespace indexical
