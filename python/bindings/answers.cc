#include "python/bindings/answers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"

#include "indexical/exact/engines.h"
#include "indexical/simplifier/sizes.h"
#include "pybind11/stl.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;

py::object bound(const Interval &bounds, bool upper) {
  if (upper) return bounds.hasUpper() ? py::cast(bounds.upper) : py::none();
  return bounds.hasLower() ? py::cast(bounds.lower) : py::none();
}

Engine engineOf(const Counts &counts) {
  const Engine engine = std::max(counts.image.engine, counts.pairs.engine);
  return counts.domain ? std::max(engine, counts.domain->engine) : engine;
}

py::object numberOf(const Counts &counts) {
  return counts.domain ? pythonInt(counts.domain->value) : py::none();
}

std::string written(const py::object &value) {
  return py::str(value).cast<std::string>();
}

bool isYes(const Decision &decision) {
  if (decision.answer == Answer::Undecided)
    throw StatusError(absl::ResourceExhaustedError(
        "undecided: " +
        (decision.reason.empty() ? "the budget ended" : decision.reason)));
  return decision.answer == Answer::Yes;
}

py::dict runtimeOf(const PairWitness &witness) {
  py::dict values;
  for (const auto &[name, value] : witness.runtime)
    values[py::str(name)] = value;
  return values;
}

}  // namespace

py::object pythonInt(const std::optional<llvm::DynamicAPInt> &value) {
  if (!value) return py::none();
  std::string digits;
  llvm::raw_string_ostream os(digits);
  os << *value;
  return py::int_(py::str(digits));
}

int64_t integerOf(py::handle value) {
  const auto index =
      py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) throw py::error_already_set();
  const long long number = PyLong_AsLongLong(index.ptr());
  if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
  return number;
}

py::tuple pythonIndex(llvm::ArrayRef<int64_t> index) {
  py::tuple values(index.size());
  for (size_t i = 0; i < index.size(); ++i) values[i] = py::int_(index[i]);
  return values;
}

ExactOptions exactOptions(std::optional<int64_t> operations) {
  ExactOptions options;
  options.operations = operations;
  return options;
}

void bindAnswers(py::module_ &module) {
  py::class_<NamedBounds>(module, "Bounds",
                          "A variable, or an expression, and its bounds; both "
                          "are in it, and an open side is None.")
      .def_readonly("name", &NamedBounds::name)
      .def_property_readonly(
          "lower",
          [](const NamedBounds &of) { return bound(of.bounds, false); })
      .def_property_readonly(
          "upper", [](const NamedBounds &of) { return bound(of.bounds, true); })
      .def(
          "__eq__",
          [](const NamedBounds &a, const NamedBounds &b) {
            return a.name == b.name && a.bounds == b.bounds;
          },
          py::arg("other"), py::is_operator())
      .def("__repr__", [](const NamedBounds &of) {
        return of.name + " in " + of.bounds.str();
      });

  py::class_<Counts>(module, "Counts",
                     "Numbers of points, of different elements, and of "
                     "different (index, element) pairs; what was not found is "
                     "None.")
      .def_property_readonly("domain", &numberOf)
      .def_property_readonly(
          "image", [](const Counts &of) { return pythonInt(of.image.value); })
      .def_property_readonly(
          "pairs", [](const Counts &of) { return pythonInt(of.pairs.value); })
      .def_property_readonly(
          "engine",
          [](const Counts &of) { return engineName(engineOf(of)).str(); })
      .def("__repr__", [](const Counts &of) {
        return "Counts(domain=" + written(numberOf(of)) +
               ", image=" + written(pythonInt(of.image.value)) +
               ", pairs=" + written(pythonInt(of.pairs.value)) + ", engine='" +
               engineName(engineOf(of)).str() + "')";
      });

  py::class_<PairWitness>(
      module, "Witness",
      "Why an answer is no: a pair of an index and an element.")
      .def_property_readonly(
          "index", [](const PairWitness &of) { return pythonIndex(of.index); })
      .def_property_readonly(
          "element",
          [](const PairWitness &of) { return pythonIndex(of.element); })
      .def_property_readonly(
          "other_index",
          [](const PairWitness &of) { return pythonIndex(of.otherIndex); })
      .def_property_readonly("runtime", &runtimeOf)
      .def_property_readonly(
          "only_in",
          [](const PairWitness &of) {
            return of.onlyIn == PairWitness::Side::First ? "first" : "second";
          })
      .def("__repr__", [](const PairWitness &of) {
        return "Witness(index=" +
               py::repr(pythonIndex(of.index)).cast<std::string>() +
               ", element=" +
               py::repr(pythonIndex(of.element)).cast<std::string>() + ")";
      });

  py::class_<Decision>(module, "Decision",
                       "yes, no or undecided. As a condition: whether it is "
                       "yes; of an undecided one that is an error.")
      .def_property_readonly(
          "answer",
          [](const Decision &of) { return answerName(of.answer).str(); })
      .def_property_readonly(
          "engine",
          [](const Decision &of) { return engineName(of.engine).str(); })
      .def_readonly("reason", &Decision::reason)
      .def_readonly("witness", &Decision::witness)
      .def("__bool__", &isYes)
      .def("__repr__", [](const Decision &of) {
        return "Decision('" + answerName(of.answer).str() + "', engine='" +
               engineName(of.engine).str() + "')";
      });

  py::class_<sizes::Answer>(module, "SizeAnswer",
                            "Whether a relation of sizes is proven, and the "
                            "proof. As a condition: whether it is.")
      .def_readonly("follows", &sizes::Answer::follows)
      .def_readonly("certificate", &sizes::Answer::certificate)
      .def("__bool__", [](const sizes::Answer &of) { return of.follows; })
      .def("__repr__", [](const sizes::Answer &of) {
        return std::string("SizeAnswer(follows=") +
               (of.follows ? "True)" : "False)");
      });
  module.def(
      "follows",
      [](const std::vector<std::string> &givens, const std::string &claim) {
        return unwrap(
            withoutLock([&] { return sizes::follows(givens, claim); }));
      },
      py::arg("givens"), py::arg("claim"));
}

}  // namespace indexical
