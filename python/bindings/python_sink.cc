#include "python/bindings/python_sink.h"

#include "llvm/Support/JSON.h"

namespace indexical {

namespace py = pybind11;

py::str pythonText(llvm::StringRef text) {
  const std::string fixed =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  return py::str(fixed);
}

void PythonSink::number(llvm::StringRef digits) {
  const py::str text = pythonText(digits);
  if (digits.find_first_not_of("-0123456789") == llvm::StringRef::npos)
    put(py::int_(text));
  else
    put(py::float_(text));
}

void PythonSink::written(llvm::StringRef text) {
  put(py::module_::import("json").attr("loads")(pythonText(text)));
}

void PythonSink::put(const py::object &value) {
  const py::object &top = open_.back();
  if (py::isinstance<py::list>(top))
    top.attr("append")(value);
  else
    top[py::str(key_)] = value;
}

py::dict documentHead() {
  py::dict document;
  document["schema"] = pythonText(kSchema);
  document["version"] = kVersion;
  return document;
}

}  // namespace indexical
