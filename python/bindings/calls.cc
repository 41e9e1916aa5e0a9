// The command as a function: what tests compare answers with.
//
//   call(["draw", "--warp=0"], program)
//   call(["report", "--format=json"], pathlib.Path("dumps/"))

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/bindings.h"
#include "python/bindings/inputs.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;

/// Returns the message of the first error, or of the command about its words.
std::string messageOf(llvm::StringRef said) {
  for (llvm::StringRef mark : {"error: ", "indexical: "}) {
    const size_t at = said.find(mark);
    if (at == llvm::StringRef::npos) continue;
    const llvm::StringRef above = said.take_front(at);
    const llvm::StringRef before =
        above.drop_front(above.rfind('\n') + 1).rtrim(": ");
    const llvm::StringRef message =
        said.drop_front(at + mark.size()).split('\n').first;
    const bool isOfFile = mark == "error: " && !before.empty();
    return (isOfFile ? before + ": " + message : llvm::Twine(message)).str();
  }
  return said.rtrim().str();
}

/// Gives what is said beside an answer to Python's `warnings`: warnings, and
/// errors of files without which there is an answer.
void warn(llvm::StringRef said) {
  for (llvm::StringRef line : llvm::split(said, '\n'))
    if (line.contains("warning: ") || line.contains("error: "))
      if (PyErr_WarnEx(PyExc_UserWarning, line.str().c_str(), 3) < 0)
        throw py::error_already_set();
}

/// Returns what the call prints. A status that reports an answer (modules
/// differ, a figure was not found) is no error.
py::bytes call(const std::vector<std::string> &words, const py::args &sources) {
  std::vector<Input> inputs = inputsOf(sources);
  const std::string path = inputs.empty() ? "" : inputs.back().path;
  std::string out, err;
  const CallEnd end = withoutLock([&] {
    llvm::raw_string_ostream toOut(out), toErr(err);
    const std::vector<llvm::StringRef> all(words.begin(), words.end());
    return runOnInputs(all, std::move(inputs), toOut, toErr);
  });
  if (!end.error.ok()) throw StatusError(end.error, path);
  if (end.status == kWrongWords || (end.status == kWrongInput && out.empty()))
    throw StatusError(absl::InvalidArgumentError(messageOf(err)));
  warn(err);
  return py::bytes(out);
}

}  // namespace

void bindCalls(py::module_ &module) {
  module.def("call", &call, py::arg("words"));
}

}  // namespace indexical
