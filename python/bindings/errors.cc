#include "indexical/indexing/diagnostic.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;

void raise(const StatusError &error) {
  const absl::Status &status = error.status();
  const auto place = placeOf(status);
  const std::string suggestion = suggestionOf(status);
  const py::object kind =
      py::module_::import("indexical._errors")
          .attr(absl::IsInvalidArgument(status) || absl::IsNotFound(status)
                    ? "Error"
                    : "Unanswered");
  auto orNone = [](bool is, py::object value) {
    return is ? value : py::object(py::none());
  };
  const py::object made =
      kind(error.what(), orNone(!error.path().empty(), py::str(error.path())),
           orNone(place.has_value(), py::int_(place ? place->line : 0)),
           orNone(place.has_value(), py::int_(place ? place->column : 0)),
           orNone(!suggestion.empty(), py::str(suggestion)));
  PyErr_SetObject(kind.ptr(), made.ptr());
}

}  // namespace

void bindErrors(py::module_ &) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const StatusError &error) {
      raise(error);
    }
  });
}

}  // namespace indexical
