#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/relation.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"
#include "pybind11/numpy.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using Numbers = py::array_t<int64_t, py::array::c_style>;

IndexingMap parsed(const std::string &text) {
  return unwrap(withoutLock([&] { return parseMap(text); }));
}

std::vector<IndexingMap> allParsed(const std::string &text) {
  return unwrap(withoutLock([&] { return parseMaps(text); }));
}

NamedBounds variableAt(const IndexingMap &map, VariableKind kind, uint32_t i) {
  return {map.nameOf({kind, i}), map.variable({kind, i}).bounds};
}

py::tuple variablesOf(const IndexingMap &map, VariableKind kind, size_t count) {
  py::tuple all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = variableAt(map, kind, i);
  return all;
}

py::tuple resultsOf(const IndexingMap &map) {
  py::tuple all(map.results().size());
  for (auto [i, form] : llvm::enumerate(map.results()))
    all[i] = py::str(map.str(form));
  return all;
}

py::tuple constraintsOf(const IndexingMap &map) {
  py::tuple all(map.constraints().size());
  for (auto [i, constraint] : llvm::enumerate(map.constraints()))
    all[i] = NamedBounds{map.str(constraint.form), constraint.bounds};
  return all;
}

/// The range and runtime variables that keywords have to name.
struct Keyword {
  std::string name;
  bool isRange;
  uint32_t number;
};

std::vector<Keyword> keywordsOf(const IndexingMap &map) {
  std::vector<Keyword> all;
  for (uint32_t i = 0; i < map.ranges().size(); ++i)
    all.push_back({map.nameOf({VariableKind::Range, i}), true, i});
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i)
    all.push_back({map.nameOf({VariableKind::Runtime, i}), false, i});
  return all;
}

[[noreturn]] void wrongCall(const std::string &message) {
  throw py::type_error(message);
}

/// Each keyword's value, in the order of `keywordsOf`.
std::vector<py::object> valuesOf(const IndexingMap &map,
                                 const py::kwargs &given) {
  std::vector<py::object> values;
  const std::vector<Keyword> keywords = keywordsOf(map);
  for (const Keyword &keyword : keywords) {
    if (!given.contains(keyword.name))
      wrongCall("the map needs a value of `" + keyword.name + "`, as " +
                keyword.name + "=…");
    values.push_back(given[keyword.name.c_str()]);
  }
  for (const auto &[name, value] : given) {
    const std::string word = py::str(name);
    if (llvm::none_of(keywords, [&, &word = word](const Keyword &keyword) {
          return keyword.name == word;
        }))
      wrongCall("the map has no range or runtime variable `" + word + "`");
  }
  return values;
}

/// A point with nothing but the values of hidden variables, which no result
/// uses.
IndexingMap::Point emptyPoint(const IndexingMap &map) {
  IndexingMap::Point point;
  point.dimensions.resize(map.dimensions().size());
  point.ranges.resize(map.ranges().size());
  for (const RuntimeVariable &variable : map.runtime())
    point.runtime.push_back(variable.bounds.hasLower() ? variable.bounds.lower
                                                       : 0);
  return point;
}

void set(IndexingMap::Point &point, const Keyword &keyword, int64_t value) {
  (keyword.isRange ? point.ranges : point.runtime)[keyword.number] = value;
}

IndexingMap::Point pointOf(const IndexingMap &map, const py::args &index,
                           const py::kwargs &given) {
  IndexingMap::Point point = emptyPoint(map);
  if (index.size() != point.dimensions.size())
    wrongCall("the map has " + std::to_string(point.dimensions.size()) +
              " dimensions, and the index " + std::to_string(index.size()));
  for (auto [value, to] : llvm::zip_equal(index, point.dimensions))
    to = integerOf(value);
  const std::vector<py::object> values = valuesOf(map, given);
  for (auto [keyword, value] : llvm::zip_equal(keywordsOf(map), values))
    set(point, keyword, integerOf(value));
  return point;
}

absl::Status outside(const IndexingMap &map, const IndexingMap::Point &point) {
  std::string text;
  for (int64_t value : point.dimensions)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  text = "(" + text + ")";
  for (const Keyword &keyword : keywordsOf(map))
    text += ", " + keyword.name + " = " +
            std::to_string((keyword.isRange ? point.ranges
                                            : point.runtime)[keyword.number]);
  return absl::InvalidArgumentError(text + " is not in the domain of the map");
}

absl::StatusOr<llvm::SmallVector<int64_t, 6>> valueAt(
    const IndexingMap &map, const IndexingMap::Point &point) {
  if (map.isKnownEmpty() || !map.contains(point)) return outside(map, point);
  auto results = map.evaluate(point);
  if (!results) return absl::InvalidArgumentError("a result leaves 64 bits");
  return *std::move(results);
}

//===-- Arrays of points --------------------------------------------------===//

/// A column of values: one for all points, or one each.
struct Column {
  Keyword keyword;
  Numbers values;
  const int64_t *data;
  size_t step;
};

std::vector<Column> columnsOf(const IndexingMap &map, const py::kwargs &given,
                              size_t points) {
  std::vector<Column> columns;
  const std::vector<py::object> values = valuesOf(map, given);
  for (auto [keyword, value] : llvm::zip_equal(keywordsOf(map), values)) {
    Numbers numbers = Numbers::ensure(value);
    if (!numbers) throw py::error_already_set();
    const bool isOne = numbers.ndim() == 0;
    if (!isOne &&
        (numbers.ndim() != 1 || static_cast<size_t>(numbers.size()) != points))
      wrongCall("`" + keyword.name + "` is one integer, or one for each of " +
                std::to_string(points) + " points");
    const int64_t *data = numbers.data();
    columns.push_back({keyword, std::move(numbers), data, isOne ? 0u : 1u});
  }
  return columns;
}

/// Refuses numbers that an array of integers would silently cut.
Numbers integersOf(const py::array &points) {
  const char kind = points.dtype().kind();
  if (kind != 'i' && kind != 'u' && kind != 'b')
    wrongCall("points are integers");
  Numbers numbers = Numbers::ensure(points);
  if (!numbers) throw py::error_already_set();
  return numbers;
}

Numbers valuesAt(const IndexingMap &map, const py::array &array,
                 const py::kwargs &given) {
  const Numbers points = integersOf(array);
  const size_t rank = map.dimensions().size(), width = map.results().size();
  if (points.ndim() != 2 || static_cast<size_t>(points.shape(1)) != rank)
    wrongCall("an array of points has a row for each, of " +
              std::to_string(rank) + " indices");
  const size_t count = points.shape(0);
  const std::vector<Column> columns = columnsOf(map, given, count);
  Numbers results({count, width});
  const int64_t *from = points.data();
  int64_t *to = results.mutable_data();
  auto evaluate = [&]() -> absl::Status {
    IndexingMap::Point point = emptyPoint(map);
    for (size_t n = 0; n < count; ++n) {
      point.dimensions.assign(from + n * rank, from + (n + 1) * rank);
      for (const Column &column : columns)
        set(point, column.keyword, column.data[n * column.step]);
      INDEXICAL_ASSIGN_OR_RETURN(auto value, valueAt(map, point));
      llvm::copy(value, to + n * width);
    }
    return absl::OkStatus();
  };
  if (absl::Status status = withoutLock(evaluate); !status.ok())
    throw StatusError(status);
  return results;
}

/// The results at a point, or at each row of an array.
py::object called(const IndexingMap &map, const py::args &index,
                  const py::kwargs &given) {
  // Looking for numpy would import it.
  const bool isArray = index.size() == 1 && !PyLong_Check(index[0].ptr()) &&
                       py::hasattr(index[0], "dtype") &&
                       py::hasattr(index[0], "ndim") &&
                       py::cast<int>(index[0].attr("ndim")) > 0;
  if (isArray) return valuesAt(map, py::array(index[0]), given);
  return pythonIndex(unwrap(valueAt(map, pointOf(map, index, given))));
}

bool contains(const IndexingMap &map, const py::args &index,
              const py::kwargs &given) {
  return !map.isKnownEmpty() && map.contains(pointOf(map, index, given));
}

//===-- Questions ---------------------------------------------------------===//

IndexingMap simplified(const IndexingMap &map) {
  return unwrap(withoutLock([&] {
    ExactProver prover;
    SimplifyOptions options;
    options.prover = &prover;
    return simplify(map, options);
  }));
}

IndexingMap composed(const IndexingMap &first, const IndexingMap &second) {
  return unwrap(withoutLock([&] { return compose(first, second); }));
}

Decision equal(const IndexingMap &map, const IndexingRelation &other,
               std::optional<int64_t> budget) {
  return unwrap(withoutLock([&] {
    return areEqual(IndexingRelation(map), other, exactOptions(budget));
  }));
}

Counts counted(const IndexingMap &map, std::optional<int64_t> budget,
               const py::kwargs &given) {
  const IndexingMap::Point empty = emptyPoint(map);
  llvm::SmallVector<int64_t, 4> runtime(
      llvm::ArrayRef(empty.runtime).take_front(map.visibleRuntimeCount()));
  for (const auto &[name, value] : given) {
    const std::string word = py::str(name);
    bool isKnown = false;
    for (uint32_t i = 0; i < runtime.size(); ++i) {
      if (map.nameOf({VariableKind::Runtime, i}) != word) continue;
      runtime[i] = integerOf(value);
      isKnown = true;
    }
    if (!isKnown) wrongCall("the map has no runtime variable `" + word + "`");
  }
  return unwrap(withoutLock([&]() -> absl::StatusOr<Counts> {
    const ExactOptions options = exactOptions(budget);
    INDEXICAL_ASSIGN_OR_RETURN(auto domain, countDomain(map, runtime, options));
    INDEXICAL_ASSIGN_OR_RETURN(auto image, countImage(map, runtime, options));
    INDEXICAL_ASSIGN_OR_RETURN(auto pairs, countPairs(map, runtime, options));
    return Counts{std::move(domain), std::move(image), std::move(pairs)};
  }));
}

}  // namespace

void bindMap(py::module_ &module) {
  py::class_<IndexingMap>(module, "Map",
                          "From an index to the elements that it depends on: "
                          "expressions of dimensions, ranges and runtime "
                          "variables, on a domain.")
      .def(py::init(&parsed), py::arg("text"))
      .def_property_readonly("dimensions",
                             [](const IndexingMap &map) {
                               return variablesOf(map, VariableKind::Dimension,
                                                  map.dimensions().size());
                             })
      .def_property_readonly("ranges",
                             [](const IndexingMap &map) {
                               return variablesOf(map, VariableKind::Range,
                                                  map.ranges().size());
                             })
      .def_property_readonly("runtime",
                             [](const IndexingMap &map) {
                               return variablesOf(map, VariableKind::Runtime,
                                                  map.visibleRuntimeCount());
                             })
      .def_property_readonly("results", &resultsOf)
      .def_property_readonly("constraints", &constraintsOf)
      .def_property_readonly("is_known_empty", &IndexingMap::isKnownEmpty)
      .def("__call__", &called)
      .def("contains", &contains)
      .def(
          "__matmul__",
          [](const IndexingMap &outer, const IndexingMap &inner) {
            return composed(inner, outer);
          },
          py::arg("inner"), py::is_operator())
      .def("then", &composed, py::arg("second"))
      .def("simplify", &simplified)
      .def("inverse",
           [](const IndexingMap &map) {
             return unwrap(
                 withoutLock([&] { return inverse(IndexingRelation(map)); }));
           })
      .def("equal", &equal, py::arg("other"), py::kw_only(),
           py::arg("budget") = py::none())
      .def("count", &counted, py::kw_only(), py::arg("budget") = py::none())
      .def(
          "__eq__",
          [](const IndexingMap &a, const IndexingMap &b) { return a == b; },
          py::arg("other"), py::is_operator())
      .def("__hash__", &IndexingMap::hash)
      .def("__str__", &IndexingMap::strOneLine)
      .def("__repr__",
           [](const IndexingMap &map) {
             return "Map('" + map.strOneLine() + "')";
           })
      .def("_repr_svg_",
           [](const py::object &map) {
             return py::module_::import("indexical._calls")
                 .attr("picture_or_none")(map);
           })
      .def(py::pickle(
          [](const IndexingMap &map) { return py::make_tuple(map.str()); },
          [](const py::tuple &state) {
            return parsed(state[0].cast<std::string>());
          }));
  module.def("parse_maps", &allParsed, py::arg("text"));
}

}  // namespace indexical
