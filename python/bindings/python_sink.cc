#include "python/bindings/python_sink.h"

#include "llvm/Support/JSON.h"

namespace indexical {

namespace py = pybind11;

py::str pythonText(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? py::str(text.data(), text.size())
                                  : py::str(llvm::json::fixUTF8(text));
}

void PythonSink::key(llvm::StringRef name) {
  py::object &known = keys_[name];
  if (!known) known = pythonText(name);
  key_ = known;
}

void PythonSink::number(llvm::StringRef digits) {
  int64_t integer = 0;
  double real = 0;
  const bool isInteger =
      digits.find_first_not_of("-0123456789") == llvm::StringRef::npos;
  if (isInteger && !digits.getAsInteger(10, integer))
    put(py::int_(integer));
  else if (isInteger)
    put(py::int_(pythonText(digits)));
  else if (!digits.getAsDouble(real))
    put(py::float_(real));
  else
    put(py::float_(pythonText(digits)));
}

void PythonSink::written(llvm::StringRef text) {
  put(py::module_::import("json").attr("loads")(pythonText(text)));
}

void PythonSink::put(const py::object &value) {
  const py::object &top = open_.back();
  const int failed = PyList_Check(top.ptr())
                         ? PyList_Append(top.ptr(), value.ptr())
                         : PyDict_SetItem(top.ptr(), key_.ptr(), value.ptr());
  if (failed) throw py::error_already_set();
}

py::dict documentHead() {
  py::dict document;
  document["schema"] = pythonText(kSchema);
  document["version"] = kVersion;
  return document;
}

}  // namespace indexical
