#include "indexical/program/sharding/sharding.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/program/sharding/reshard.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;

/// The normal form of a text that has one leaf.
Sharding made(const std::string &text, size_t rank,
              std::optional<int64_t> devices,
              std::map<std::string, std::string> meshes) {
  ShardingContext context;
  context.devices = devices.value_or(-1);
  context.meshes = std::move(meshes);
  const auto leaves = unwrap(parseShardingText(text, context));
  if (leaves.size() != 1)
    throw py::value_error("the text has " + std::to_string(leaves.size()) +
                          " shardings, and a Sharding is that of one array");
  return unwrap(Sharding::of(leaves[0], rank, context.devices));
}

py::object devicesOf(const Sharding &sharding) {
  if (sharding.devices() < 0) return py::none();
  return py::int_(sharding.devices());
}

py::object reasonText(const Sharding &sharding) {
  if (sharding.none() == NoElements::None) return py::none();
  return py::str(reasonOf(sharding.none()).str());
}

std::vector<int64_t> integersOf(const py::iterable &values) {
  std::vector<int64_t> integers;
  for (const py::handle &value : values) integers.push_back(integerOf(value));
  return integers;
}

py::object indexOrNone(const std::optional<Int64s> &index) {
  if (!index) return py::none();
  return pythonIndex(*index);
}

py::object boxOf(const ShardedRelation &relation, int64_t device) {
  const auto box = relation.box(device);
  if (!box) return py::none();
  py::tuple sides(box->size());
  for (size_t k = 0; k < box->size(); ++k)
    sides[k] = py::make_tuple((*box)[k].first, (*box)[k].second);
  return std::move(sides);
}

/// `relation.localOf` and `globalOf` take an index of the array's rank.
Int64s indexFor(const ShardedRelation &relation, const py::iterable &values) {
  const std::vector<int64_t> index = integersOf(values);
  if (index.size() != relation.global().size())
    throw py::type_error("the index has " + std::to_string(index.size()) +
                         " numbers, and the array rank " +
                         std::to_string(relation.global().size()));
  return Int64s(index.begin(), index.end());
}

std::string textOf(const py::handle &value) {
  return py::repr(value).cast<std::string>();
}

/// Returns the sharding in a line: what is usual is left out.
std::string lineOf(const Sharding &of) {
  std::string line = "Sharding(";
  if (of.isReplicated())
    line += "replicated, rank=" + std::to_string(of.rank());
  else
    line += "tiles=" + textOf(pythonIndex(of.tiles()));
  line += ", devices=" + textOf(devicesOf(of));
  if (of.groups() > 1) line += ", groups=" + std::to_string(of.groups());
  if (const std::string reduction = of.reduction().str(); !reduction.empty())
    line += ", reduction=" + textOf(py::str(reduction));
  if (const py::object reason = reasonText(of); !reason.is_none())
    line += ", reason=" + textOf(reason);
  return line + ")";
}

std::string lineOf(const ShardedRelation &of) {
  return "ShardedRelation(" + textOf(pythonIndex(of.global())) + ", " +
         lineOf(of.sharding()) + ", local=" + textOf(pythonIndex(of.local())) +
         ")";
}

void bindSharding(py::module_ &module, py::class_<Sharding> &sharding) {
  py::class_<Sharding::Holding>(
      module, "Holding",
      "The place of what a device holds: its tile, and its part and group.")
      .def_property_readonly(
          "tile",
          [](const Sharding::Holding &of) { return pythonIndex(of.tile); })
      .def_readonly("part", &Sharding::Holding::part)
      .def_readonly("group", &Sharding::Holding::group)
      .def(
          "__eq__",
          [](const Sharding::Holding &a, const Sharding::Holding &b) {
            return a == b;
          },
          py::arg("other"), py::is_operator())
      .def("__repr__", [](const Sharding::Holding &of) {
        return "Holding(tile=" +
               py::repr(pythonIndex(of.tile)).cast<std::string>() +
               ", part=" + std::to_string(of.part) +
               ", group=" + std::to_string(of.group) + ")";
      });
  sharding
      .def(py::init(&made), py::arg("text"), py::arg("rank"), py::kw_only(),
           py::arg("devices") = py::none(),
           py::arg("meshes") = std::map<std::string, std::string>())
      .def_static(
          "replicated",
          [](size_t rank, int64_t devices) {
            if (devices > kMostDevices)
              throw py::value_error("a sharding has at most " +
                                    std::to_string(kMostDevices) + " devices");
            return Sharding::replicated(rank, devices);
          },
          py::arg("rank"), py::arg("devices"))
      .def_property_readonly("rank", &Sharding::rank)
      .def_property_readonly("devices", &devicesOf)
      .def_property_readonly(
          "tiles", [](const Sharding &of) { return pythonIndex(of.tiles()); })
      .def_property_readonly("parts", &Sharding::parts)
      .def_property_readonly("groups", &Sharding::groups)
      .def_property_readonly(
          "reduction", [](const Sharding &of) { return of.reduction().str(); })
      .def_property_readonly("reason", &reasonText)
      .def_property_readonly("is_replicated", &Sharding::isReplicated)
      .def("holding", &Sharding::holding, py::arg("device"))
      .def(
          "__eq__", [](const Sharding &a, const Sharding &b) { return a == b; },
          py::arg("other"), py::is_operator())
      .def("__repr__", [](const Sharding &of) { return lineOf(of); });
}

void bindNeeds(py::module_ &module) {
  py::class_<ReshardNeeds>(
      module, "ReshardNeeds",
      "The elements that must move from one sharding to another one.")
      .def_property_readonly(
          "receives",
          [](const ReshardNeeds &of) { return pythonIndex(of.receives); })
      .def_readonly("all", &ReshardNeeds::all)
      .def_property_readonly(
          "sends_once",
          [](const ReshardNeeds &of) { return pythonIndex(of.sendsOnce); })
      .def_readonly("through_replication", &ReshardNeeds::throughReplication)
      .def("__repr__", [](const ReshardNeeds &of) {
        return "<ReshardNeeds: " + std::to_string(of.all) +
               " elements, over all devices>";
      });
  module.def(
      "needs_of",
      [](const ShardedRelation &from, const ShardedRelation &to) {
        return unwrap(withoutLock([&] { return needsOf(from, to); }));
      },
      py::arg("before"), py::arg("after"));
}

py::tuple copiesOf(const ShardedRelation &relation,
                   const py::iterable &element) {
  if (relation.sharding().devices() < 0)
    throw py::value_error(
        "the value is replicated, and nothing says over how many devices");
  const auto copies = relation.copiesOf(indexFor(relation, element));
  py::tuple all(copies.size());
  for (size_t k = 0; k < copies.size(); ++k)
    all[k] = py::make_tuple(copies[k].device, copies[k].part,
                            pythonIndex(copies[k].local));
  return all;
}

}  // namespace

void bindShardings(py::module_ &module) {
  py::class_<Sharding> sharding(
      module, "Sharding", "Which device has which tile of an array: the text.");
  bindSharding(module, sharding);
  py::class_<ShardedRelation>(module, "ShardedRelation",
                              "An array of these sizes and its sharding.")
      .def(py::init([](const py::iterable &sizes, const Sharding &sharding) {
             const std::vector<int64_t> global = integersOf(sizes);
             if (global.size() != sharding.rank())
               throw py::type_error(
                   "the array has rank " + std::to_string(global.size()) +
                   ", and the sharding " + std::to_string(sharding.rank()));
             return unwrap(ShardedRelation::make(global, sharding));
           }),
           py::arg("sizes"), py::arg("sharding"))
      .def_property_readonly("sharding", &ShardedRelation::sharding,
                             py::return_value_policy::copy)
      .def_property_readonly(
          "global_sizes",
          [](const ShardedRelation &of) { return pythonIndex(of.global()); })
      .def_property_readonly(
          "local_sizes",
          [](const ShardedRelation &of) { return pythonIndex(of.local()); })
      .def("box", &boxOf, py::arg("device"))
      .def(
          "global_of",
          [](const ShardedRelation &of, int64_t device,
             const py::iterable &local) {
            return indexOrNone(of.globalOf(device, indexFor(of, local)));
          },
          py::arg("device"), py::arg("local"))
      .def(
          "local_of",
          [](const ShardedRelation &of, int64_t device,
             const py::iterable &element) {
            return indexOrNone(of.localOf(device, indexFor(of, element)));
          },
          py::arg("device"), py::arg("element"))
      .def("copies_of", &copiesOf, py::arg("element"))
      .def("__repr__", [](const ShardedRelation &of) { return lineOf(of); })
      .def("map",
           [](const ShardedRelation &of) {
             return unwrap(
                 withoutLock([&] { return of.map(Direction::OutputToInput); }));
           })
      .def("inverse", [](const ShardedRelation &of) {
        return unwrap(
            withoutLock([&] { return of.map(Direction::InputToOutput); }));
      });
  bindNeeds(module);
}

}  // namespace indexical
