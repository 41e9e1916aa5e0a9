// Layouts of any notation: texts, values, holders, and their algebra.
#include "indexical/layout/layout.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/layout/keys.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_sink.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using layouts::Coordinates;
using layouts::Notation;

layouts::Layout parsed(const std::string &text) {
  return unwrap(withoutLock([&] { return layouts::parseLayout(text); }));
}

/// The text of the layout in its own notation, or as a map.
std::string textOf(const layouts::Layout &layout) {
  if (!layout.notes().text.empty()) return layout.notes().text;
  if (auto modes = print(layout, Notation::Cute)) return *std::move(modes);
  return print(layout, Notation::Map).value_or("");
}

Coordinates numbersOf(const py::args &values) {
  Coordinates numbers;
  for (const py::handle &value : values) numbers.push_back(integerOf(value));
  return numbers;
}

/// A number for each input, or the number of a point.
Coordinates pointAt(const layouts::Layout &layout, const py::args &values) {
  Coordinates point = numbersOf(values);
  const auto points = layout.points();
  if (point.size() == 1 && layout.box().size() != 1) {
    if (point[0] < 0 || !points || point[0] >= *points)
      throw py::index_error("the layout has no point " +
                            std::to_string(point[0]));
    return layouts::pointOf(point[0], layout.box());
  }
  if (point.size() != layout.box().size())
    throw py::type_error(
        "the layout has " + std::to_string(layout.box().size()) +
        " inputs, and the call " + std::to_string(point.size()) + " numbers");
  for (auto [number, space] : llvm::zip(point, layout.inputs()))
    if (number < 0 || number >= space.size)
      throw py::index_error(space.name + " is 0 to " +
                            std::to_string(space.size - 1) + ", and not " +
                            std::to_string(number));
  return point;
}

py::tuple spacesOf(llvm::ArrayRef<layouts::Space> spaces) {
  py::tuple all(spaces.size());
  for (const auto &[k, space] : llvm::enumerate(spaces))
    all[k] = py::make_tuple(space.name, space.size == 0
                                            ? py::object(py::none())
                                            : py::object(py::int_(space.size)));
  return all;
}

/// The sums of the form as dictionaries, with the keys of docs/keys.md.
py::object formOf(const layouts::Layout &layout) {
  if (!layout.form()) return py::none();
  py::tuple sums(layout.form()->size());
  for (const auto &[k, sum] : llvm::enumerate(*layout.form())) {
    py::dict keys;
    PythonSink sink(keys);
    writeKeys(SumEntry{layout, sum}, sink);
    sums[k] = keys;
  }
  return std::move(sums);
}

py::tuple holdersOf(const layouts::Layout &layout, const py::args &values) {
  const Coordinates element = numbersOf(values);
  const auto found =
      unwrap(withoutLock([&] { return layout.holders(element); }));
  py::tuple all(found.size());
  for (const auto &[k, point] : llvm::enumerate(found)) {
    py::dict holder;
    for (auto [space, number] : llvm::zip(layout.inputs(), point))
      holder[py::str(space.name)] = number;
    all[k] = holder;
  }
  return all;
}

bool haveEqualValues(const layouts::Layout &a, const layouts::Layout &b) {
  const layouts::Equality found =
      withoutLock([&] { return layouts::equal(a, b); });
  if (found.answer == Answer::Undecided)
    throw StatusError(absl::ResourceExhaustedError(found.reason));
  return found.answer == Answer::Yes;
}

std::optional<std::string> printed(const layouts::Layout &layout,
                                   const std::string &notation,
                                   const std::string &type) {
  const std::pair<const char *, Notation> known[] = {
      {"cute", Notation::Cute},
      {"linear", Notation::Linear},
      {"bases", Notation::Bases},
      {"xla", Notation::Xla},
      {"map", Notation::Map}};
  for (const auto &[name, each] : known)
    if (notation == name) return print(layout, each, type);
  throw py::value_error("`" + notation +
                        "` is no notation: cute, linear, bases, xla or map");
}

std::string pictureText(const layouts::Layout &layout,
                        const layouts::Layout *second) {
  const Picture picture = unwrap(withoutLock(
      [&] { return pictureOfLayouts(textOf(layout), layout, second); }));
  std::string svg;
  llvm::raw_string_ostream os(svg);
  writeSvg(picture, os);
  return svg;
}

/// What the move takes, with the keys of docs/keys.md.
py::dict moveOf(const layouts::Layout &from, const layouts::Layout &to,
                const std::string &type,
                const std::optional<layouts::Layout> &through) {
  LayoutQuestion asked;
  asked.type = type;
  const auto move = unwrap(
      withoutLock([&] { return moveBetween(from, to, through, asked); }));
  if (!move)
    throw py::value_error(
        "the layouts do not say whether they are of registers or of memory, or "
        "of which type an element is");
  py::dict found;
  PythonSink sink(found);
  writeKeys(*move, sink);
  return found;
}

}  // namespace

void bindLayouts(py::module_ &module) {
  py::class_<layouts::Layout>(
      module, "Layout", "A layout of CuTe, Triton or XLA, of bases or a map.")
      .def(py::init(&parsed), py::arg("text"))
      .def_property_readonly(
          "inputs",
          [](const layouts::Layout &of) { return spacesOf(of.inputs()); })
      .def_property_readonly(
          "outputs",
          [](const layouts::Layout &of) { return spacesOf(of.outputs()); })
      .def_property_readonly("form", &formOf)
      .def_property_readonly("reason",
                             [](const layouts::Layout &of) -> py::object {
                               if (of.form()) return py::none();
                               return py::str(of.reason());
                             })
      .def_property_readonly("points", &layouts::Layout::points)
      .def("map",
           [](const layouts::Layout &of) {
             return unwrap(withoutLock([&] { return of.map(); }));
           })
      .def("print", &printed, py::arg("notation"), py::arg("type") = "")
      .def(
          "named",
          [](const layouts::Layout &of, const std::vector<std::string> &inputs,
             const std::vector<std::string> &outputs) {
            return unwrap(of.withNames(inputs, outputs));
          },
          py::arg("inputs"), py::arg("outputs"))
      .def("inverse",
           [](const layouts::Layout &of) {
             return unwrap(withoutLock([&] { return layouts::inverted(of); }));
           })
      .def("holders", &holdersOf)
      .def("__call__",
           [](const layouts::Layout &of, const py::args &values) {
             return pythonIndex(of.at(pointAt(of, values)));
           })
      .def(
          "__matmul__",
          [](const layouts::Layout &outer, const layouts::Layout &inner) {
            return unwrap(
                withoutLock([&] { return layouts::compose(outer, inner); }));
          },
          py::arg("inner"), py::is_operator())
      .def("__eq__", &haveEqualValues, py::arg("other"), py::is_operator())
      .def("__str__", &textOf)
      .def("__repr__",
           [](const layouts::Layout &of) {
             return "Layout(" +
                    py::repr(py::str(textOf(of))).cast<std::string>() + ")";
           })
      .def("_repr_svg_",
           [](const layouts::Layout &of) { return pictureText(of, nullptr); })
      .def(
          "_moved_svg",
          [](const layouts::Layout &of, const layouts::Layout &to) {
            return pictureText(of, &to);
          },
          py::arg("after"));
  module.def("move_of", &moveOf, py::arg("before"), py::arg("after"),
             py::arg("type") = "", py::arg("through") = py::none());
}

}  // namespace indexical
