#include "indexical/indexing/relation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexical/cost/use/elements.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using Budgeted = std::optional<int64_t>;

IndexingRelation made(const std::vector<IndexingMap> &maps,
                      const std::string &precision) {
  IndexingRelation relation;
  for (const IndexingMap &map : maps) relation.add(map);
  for (Precision each :
       {Precision::Exact, Precision::Cover, Precision::Opaque}) {
    if (precisionName(each) != precision) continue;
    relation.weaken(each);
    return relation;
  }
  throw py::value_error("a precision is 'exact', 'cover' or 'opaque', not '" +
                        precision + "'");
}

py::tuple piecesOf(const IndexingRelation &relation) {
  py::tuple pieces(relation.pieces().size());
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = relation.pieces()[i];
  return pieces;
}

IndexingRelation composed(const IndexingRelation &first,
                          const IndexingRelation &second) {
  return unwrap(withoutLock([&] { return compose(first, second); }));
}

std::string textOf(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += (text.empty() ? "" : "\n") + piece.strOneLine();
  return text.empty() ? "KNOWN EMPTY" : text;
}

/// Returns the relation in a line, as Python writes it; of many pieces the
/// first one, and how many there are.
std::string lineOf(const IndexingRelation &relation) {
  const std::string precision = precisionName(relation.precision()).str();
  constexpr size_t kMostWritten = 2;
  const size_t count = relation.pieces().size();
  if (count <= kMostWritten)
    return "Relation(" + py::repr(piecesOf(relation)).cast<std::string>() +
           ", precision='" + precision + "')";
  return "<Relation of " + std::to_string(count) + " pieces, " + precision +
         ": " + relation.pieces()[0].strOneLine() + ", and " +
         std::to_string(count - 1) + " more>";
}

/// A query of one relation, and a query of two.
using One = absl::StatusOr<Decision> (*)(const IndexingRelation &,
                                         const ExactOptions &);
using Two = absl::StatusOr<Decision> (*)(const IndexingRelation &,
                                         const IndexingRelation &,
                                         const ExactOptions &);

template <One ask>
Decision decided(const IndexingRelation &relation, Budgeted budget) {
  return unwrap(
      withoutLock([&] { return ask(relation, exactOptions(budget)); }));
}

template <Two ask>
Decision compared(const IndexingRelation &relation,
                  const IndexingRelation &other, Budgeted budget) {
  return unwrap(
      withoutLock([&] { return ask(relation, other, exactOptions(budget)); }));
}

Counts counted(const IndexingRelation &relation, Budgeted budget) {
  return unwrap(withoutLock([&]() -> absl::StatusOr<Counts> {
    const ExactOptions options = exactOptions(budget);
    INDEXICAL_ASSIGN_OR_RETURN(auto image, countImage(relation, options));
    INDEXICAL_ASSIGN_OR_RETURN(auto pairs, countPairs(relation, options));
    return Counts{std::nullopt, std::move(image), std::move(pairs)};
  }));
}

/// Returns the elements that an index reads if runtime variables have these
/// values.
Elements elementsOf(const IndexingRelation &relation, const py::args &index,
                    size_t most, const py::kwargs &given) {
  std::vector<int64_t> at;
  for (const py::handle &value : index) at.push_back(integerOf(value));
  for (const IndexingMap &piece : relation.pieces())
    if (piece.dimensions().size() != at.size())
      throw py::type_error(
          "the relation has " + std::to_string(piece.dimensions().size()) +
          " dimensions, and the index " + std::to_string(at.size()));
  std::vector<std::pair<std::string, int64_t>> runtime;
  for (const auto &[name, value] : given)
    runtime.emplace_back(py::str(name), integerOf(value));
  ElementsOptions options;
  options.most = most;
  options.runtimeValue = [&](const IndexingMap &map,
                             size_t i) -> std::optional<int64_t> {
    const std::string name =
        map.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)});
    for (const auto &[known, value] : runtime)
      if (known == name) return value;
    return std::nullopt;
  };
  return unwrap(withoutLock([&] { return elementsAt(relation, at, options); }));
}

py::object listedOf(const Elements &elements) {
  if (!elements.listed) return py::none();
  py::tuple all(elements.listed->size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = pythonIndex((*elements.listed)[i]);
  return std::move(all);
}

void bindElements(py::module_ &module) {
  py::class_<Elements>(module, "Elements",
                       "The elements that one index reads: sorted, each once; "
                       "None where values that are not known decide.")
      .def_property_readonly("listed", &listedOf)
      .def_readonly("more", &Elements::more)
      .def_readonly("count", &Elements::count)
      .def_readonly("exact", &Elements::isExact)
      .def("__repr__", [](const Elements &elements) {
        return "Elements(" + py::repr(listedOf(elements)).cast<std::string>() +
               (elements.more ? ", more" : "") +
               (elements.isExact ? ")" : ", at most these)");
      });
}

}  // namespace

void bindRelation(py::module_ &module) {
  bindElements(module);
  const auto budget = py::arg("budget") = py::none();
  py::class_<IndexingRelation>(
      module, "Relation",
      "What a result reads of an operand: a union of maps, and whether that is "
      "all (exact), at most (cover) or not known (opaque).")
      .def(py::init(&made), py::arg("pieces"), py::kw_only(),
           py::arg("precision") = "exact")
      .def(py::init(
               [](const IndexingMap &map) { return IndexingRelation(map); }),
           py::arg("map"))
      .def_property_readonly("pieces", &piecesOf)
      .def_property_readonly("precision",
                             [](const IndexingRelation &relation) {
                               return precisionName(relation.precision()).str();
                             })
      .def("__len__",
           [](const IndexingRelation &of) { return of.pieces().size(); })
      .def("__iter__",
           [](const IndexingRelation &of) { return py::iter(piecesOf(of)); })
      .def("__call__", &elementsOf, py::kw_only(), py::arg("most") = 1000)
      .def(
          "__matmul__",
          [](const IndexingRelation &outer, const IndexingRelation &inner) {
            return composed(inner, outer);
          },
          py::arg("inner"), py::is_operator())
      // Of a map and a relation.
      .def(
          "__rmatmul__",
          [](const IndexingRelation &inner, const IndexingRelation &outer) {
            return composed(inner, outer);
          },
          py::arg("outer"), py::is_operator())
      .def("then", &composed, py::arg("second"))
      .def("inverse",
           [](const IndexingRelation &of) {
             return unwrap(withoutLock([&] { return inverse(of); }));
           })
      .def("image",
           [](const IndexingRelation &of) {
             return unwrap(withoutLock([&] { return image(of); }));
           })
      .def(
          "__and__",
          [](const IndexingRelation &a, const IndexingRelation &b) {
            return unwrap(withoutLock([&] { return intersect(a, b); }));
          },
          py::arg("other"), py::is_operator())
      .def(
          "__or__",
          [](const IndexingRelation &a, const IndexingRelation &b) {
            return unwrap(withoutLock([&] { return unite(a, b); }));
          },
          py::arg("other"), py::is_operator())
      .def(
          "__sub__",
          [](const IndexingRelation &a, const IndexingRelation &b) {
            return unwrap(withoutLock([&] { return difference(a, b); }));
          },
          py::arg("other"), py::is_operator())
      .def("equal", &compared<areEqual>, py::arg("other"), py::kw_only(),
           budget)
      .def("is_subset", &compared<isSubset>, py::arg("other"), py::kw_only(),
           budget)
      .def("is_disjoint", &compared<areDisjoint>, py::arg("other"),
           py::kw_only(), budget)
      .def("is_empty", &decided<isEmpty>, py::kw_only(), budget)
      .def("is_identity", &decided<isIdentity>, py::kw_only(), budget)
      .def("is_injective", &decided<isInjective>, py::kw_only(), budget)
      .def("count", &counted, py::kw_only(), budget)
      .def(
          "__eq__",
          [](const IndexingRelation &a, const IndexingRelation &b) {
            return a == b;
          },
          py::arg("other"), py::is_operator())
      .def("__str__", &textOf)
      .def("__repr__", &lineOf)
      .def("_repr_svg_", [](const py::object &relation) {
        return py::module_::import("indexical._calls")
            .attr("picture_or_none")(relation);
      });
  py::implicitly_convertible<IndexingMap, IndexingRelation>();
}

}  // namespace indexical
