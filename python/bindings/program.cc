#include "python/bindings/program.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/answers/dump/items.h"
#include "indexical/indexing/relation.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/shape.h"
#include "indexical/program/maps/each_way.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/bindings.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;

//===-- What programs are made of -----------------------------------------===//

/// Returns the argument of `Program(…)` as an input: text, the bytes that a
/// compiler serialized, a file, or an object of JAX that has one of these.
Input inputOf(const py::object &source, const std::string &path) {
  if (py::isinstance<py::str>(source) || py::isinstance<py::bytes>(source)) {
    const auto bytes = source.cast<std::string>();
    return unwrap(withoutLock([&] { return inputOfBytes(bytes, path); }), path);
  }
  if (py::hasattr(source, "__fspath__")) {
    const std::string file = py::str(source.attr("__fspath__")());
    return unwrap(withoutLock([&] { return readInput(file); }), file);
  }
  // jax.export.Exported
  if (py::hasattr(source, "mlir_module_serialized"))
    return inputOf(source.attr("mlir_module_serialized"), path);
  // jax.stages.Lowered and Compiled
  if (py::hasattr(source, "as_text"))
    return inputOf(source.attr("as_text")(), path);
  throw py::type_error(
      "a program is a str, bytes, a path, or an object with as_text() or "
      "mlir_module_serialized, and no " +
      py::str(py::type::of(source).attr("__name__")).cast<std::string>());
}

Held made(const py::object &source, const std::string &path,
          const std::string &format,
          const std::vector<std::string> &elementwise, const std::string &ops) {
  InputFormat asked = InputFormat::Auto;
  if (format == "hlo")
    asked = InputFormat::Hlo;
  else if (format == "stablehlo")
    asked = InputFormat::StableHlo;
  else if (format != "auto")
    throw py::value_error("a format is 'auto', 'hlo' or 'stablehlo', not '" +
                          format + "'");
  auto held = std::make_shared<HeldProgram>();
  held->input = inputOf(source, path);
  held->input.ops = unwrap(definedOps(elementwise, ops), "ops");
  held->format = formatOf(held->input, asked);
  held->program =
      unwrap(withoutLock([&] {
               return readProgram(held->input, ReadAs{held->format});
             }),
             held->input.path);
  static std::atomic<int64_t> modules{0};
  for (const Module &module : held->program.modules)
    held->maps.emplace_back(module).number = ++modules;
  return held;
}

//===-- Parts: a place in a program, which stays alive with them ----------===//

struct ModulePart {
  Held held;
  size_t number;
  const Module &get() const { return held->program.modules[number]; }
  bool operator==(const ModulePart &o) const {
    return held == o.held && number == o.number;
  }
  size_t hash() const { return llvm::hash_combine(held.get(), number); }
};

struct ComputationPart {
  ModulePart module;
  ComputationId number;
  const Computation &get() const { return module.get().computations[number]; }
  bool operator==(const ComputationPart &o) const {
    return module == o.module && number == o.number;
  }
  size_t hash() const {
    return llvm::hash_combine(module.hash(), int32_t{number});
  }
};

struct InstructionPart {
  ComputationPart computation;
  InstructionId number;
  const Instruction &get() const {
    return computation.get().instructions[number];
  }
  bool operator==(const InstructionPart &o) const {
    return computation == o.computation && number == o.number;
  }
  size_t hash() const {
    return llvm::hash_combine(computation.hash(), int32_t{number});
  }
};

py::tuple modulesOf(const Held &held) {
  py::tuple all(held->program.modules.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = ModulePart{held, i};
  return all;
}

ModulePart theModule(const Held &held) {
  if (held->program.modules.size() == 1) return {held, 0};
  throw py::value_error("the program has " +
                        std::to_string(held->program.modules.size()) +
                        " modules: ask one of `modules`");
}

ComputationPart entryOf(const ModulePart &module) {
  if (module.get().entry < 0) throw py::value_error("the module has no entry");
  return {module, module.get().entry};
}

py::tuple computationsOf(const ModulePart &module) {
  py::tuple all(module.get().computations.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = ComputationPart{module, ComputationId(i)};
  return all;
}

py::tuple instructionsOf(const ComputationPart &computation) {
  py::tuple all(computation.get().instructions.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = InstructionPart{computation, InstructionId(i)};
  return all;
}

InstructionPart rootOf(const ComputationPart &computation) {
  if (computation.get().root < 0)
    throw py::value_error("the computation has no root");
  return {computation, computation.get().root};
}

py::tuple parametersOf(const ComputationPart &computation) {
  py::tuple all(computation.get().parameters.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = InstructionPart{computation, computation.get().parameters[i]};
  return all;
}

ComputationPart computationNamed(const ModulePart &module,
                                 const std::string &name) {
  const ComputationId number = module.get().find(name);
  if (number < 0) throw py::key_error("there is no computation " + name);
  return {module, number};
}

InstructionPart instructionNamed(const ComputationPart &computation,
                                 const std::string &name) {
  const InstructionId number = computation.get().find(name);
  if (number < 0) throw py::key_error("there is no instruction " + name);
  return {computation, number};
}

py::tuple arraysOf(const Instruction &instruction) {
  const auto leaves = instruction.shape.leaves();
  py::tuple all(leaves.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = py::str(leaves[i].str(/*withLayout=*/true));
  return all;
}

py::tuple operandsOf(const InstructionPart &of) {
  const auto leaves = of.computation.get().operandLeaves(of.number);
  py::tuple all(leaves.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = InstructionPart{of.computation, leaves[i].instruction};
  return all;
}

//===-- Maps --------------------------------------------------------------===//

Direction directionOf(bool forward) {
  return forward ? Direction::InputToOutput : Direction::OutputToInput;
}

/// Returns the relation with sources that no other module has.
IndexingRelation withOwnSources(const HeldProgram::Maps &maps,
                                const IndexingRelation &relation) {
  auto renamed = [&](int64_t number) {
    return number < 0 ? number : (maps.number << 32) + number;
  };
  return withSources(relation, {renamed, renamed});
}

/// Returns the result of `ask`, with sources that no other module has.
IndexingRelation asked(
    const ModulePart &module,
    llvm::function_ref<absl::StatusOr<IndexingRelation>(ProgramIndexing &)>
        ask) {
  return unwrap(withoutLock([&]() -> absl::StatusOr<IndexingRelation> {
                  HeldProgram::Maps &maps = module.held->maps[module.number];
                  const std::lock_guard<std::mutex> alone(maps.busy);
                  INDEXICAL_ASSIGN_OR_RETURN(IndexingRelation answer,
                                             ask(maps.indexing));
                  return withOwnSources(maps, answer);
                }),
                module.held->input.path);
}

/// Returns each way as the names of its instructions, and its relation. Warns
/// if there may be more.
py::tuple waysBetween(const ComputationPart &in, InstructionId from,
                      int64_t result, InstructionId to, int64_t toResult) {
  const ModulePart &module = in.module;
  Ways ways =
      unwrap(withoutLock([&]() -> absl::StatusOr<Ways> {
               HeldProgram::Maps &maps = module.held->maps[module.number];
               const std::lock_guard<std::mutex> alone(maps.busy);
               INDEXICAL_ASSIGN_OR_RETURN(
                   Ways found, EachWay(maps.indexing)
                                   .between({in.number, from, LeafId(result)},
                                            {in.number, to, LeafId(toResult)}));
               for (Way &way : found.ways)
                 way.reads = withOwnSources(maps, way.reads);
               return found;
             }),
             module.held->input.path);
  if (!ways.areAll &&
      PyErr_WarnEx(
          PyExc_RuntimeWarning,
          ("the first " + std::to_string(ways.ways.size()) + " of at most " +
           std::to_string(ways.most) + " ways are returned")
              .c_str(),
          1) != 0)
    throw py::error_already_set();
  py::tuple all(ways.ways.size());
  for (size_t k = 0; k < all.size(); ++k) {
    const Way &way = ways.ways[k];
    py::tuple names(way.arrays.size());
    for (size_t n = 0; n < names.size(); ++n)
      names[n] = py::str(pathOf(module.get(), way.arrays[n]));
    all[k] = py::make_tuple(std::move(names), way.reads);
  }
  return all;
}

void check(int64_t number, size_t count, const char *what) {
  if (number < 0 || static_cast<size_t>(number) >= count)
    throw py::index_error("there is no " + std::string(what) + " " +
                          std::to_string(number) + ": there are " +
                          std::to_string(count));
}

template <bool forward>
IndexingRelation ofInstruction(const InstructionPart &of, int64_t operand,
                               int64_t result) {
  const ComputationPart &computation = of.computation;
  check(operand, computation.get().operandLeaves(of.number).size(), "operand");
  check(result, of.get().shape.leaves().size(), "result");
  return asked(computation.module, [&](ProgramIndexing &maps) {
    return maps.instruction({computation.number, of.number, LeafId(result)},
                            LeafId(operand), directionOf(forward));
  });
}

template <bool forward>
IndexingRelation ofComputation(const ComputationPart &of, int64_t parameter,
                               int64_t leaf, int64_t result) {
  const Computation &computation = of.get();
  check(parameter, computation.parameters.size(), "parameter");
  const Instruction &from =
      computation.instructions[computation.parameters[parameter]];
  check(leaf, from.shape.leaves().size(), "array of the parameter");
  check(result, rootOf(of).get().shape.leaves().size(), "result");
  return asked(of.module, [&](ProgramIndexing &maps) {
    return maps.computation(of.number, LeafId(result),
                            ParameterLeaf{parameter, LeafId(leaf)},
                            directionOf(forward));
  });
}

/// Returns what an instruction reads of another one that it depends on.
IndexingRelation through(const InstructionPart &from, const InstructionPart &to,
                         int64_t result, int64_t toResult) {
  if (!(from.computation == to.computation))
    throw py::value_error("the two are in different computations");
  check(result, from.get().shape.leaves().size(), "result");
  check(toResult, to.get().shape.leaves().size(), "result");
  return asked(from.computation.module, [&](ProgramIndexing &maps) {
    return maps.between({from.computation.number, from.number, LeafId(result)},
                        {from.computation.number, to.number, LeafId(toResult)},
                        Direction::OutputToInput);
  });
}

py::tuple waysThrough(const InstructionPart &from, const InstructionPart &to,
                      int64_t result, int64_t toResult) {
  if (!(from.computation == to.computation))
    throw py::value_error("the two are in different computations");
  check(result, from.get().shape.leaves().size(), "result");
  check(toResult, to.get().shape.leaves().size(), "result");
  return waysBetween(from.computation, from.number, result, to.number,
                     toResult);
}

py::tuple waysOfComputation(const ComputationPart &of, int64_t parameter,
                            int64_t leaf, int64_t result) {
  const Computation &computation = of.get();
  check(parameter, computation.parameters.size(), "parameter");
  const InstructionId to = computation.parameters[parameter];
  check(leaf, computation.instructions[to].shape.leaves().size(),
        "array of the parameter");
  const InstructionPart root = rootOf(of);
  check(result, root.get().shape.leaves().size(), "result");
  return waysBetween(of, root.number, result, to, leaf);
}

py::tuple notesOf(const Held &held) {
  py::tuple all(held->program.notes.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const Note &note = held->program.notes[i];
    all[i] = std::to_string(note.place.line) + ":" +
             std::to_string(note.place.column) +
             (note.kind == Note::Kind::Warning ? ": warning: " : ": note: ") +
             note.text;
  }
  return all;
}

/// Binds what the three kinds of parts have in common: they are values that can
/// be compared, with a name.
template <typename Part>
py::class_<Part> part(py::module_ &module, const char *name, const char *doc) {
  return py::class_<Part>(module, name, doc)
      .def(
          "__eq__", [](const Part &a, const Part &b) { return a == b; },
          py::arg("other"), py::is_operator())
      .def("__hash__", [](const Part &of) { return of.hash(); })
      .def_property_readonly("name",
                             [](const Part &of) { return of.get().name.str(); })
      .def("__repr__", [name](const Part &of) {
        return "<" + std::string(name) + " " + of.get().name.str() + ">";
      });
}

void bindInstruction(py::module_ &module) {
  const auto result = py::arg("result") = 0;
  part<InstructionPart>(module, "Instruction", "An instruction, and its maps.")
      .def_property_readonly(
          "opcode",
          [](const InstructionPart &of) { return of.get().opcode.str(); })
      .def_property_readonly("op_name",
                             [](const InstructionPart &of) {
                               return of.get().metadata.opName.str();
                             })
      .def_property_readonly(
          "line", [](const InstructionPart &of) { return of.get().place.line; })
      .def_property_readonly(
          "column",
          [](const InstructionPart &of) { return of.get().place.column; })
      .def_property_readonly(
          "shapes",
          [](const InstructionPart &of) { return arraysOf(of.get()); })
      .def_property_readonly("operands", &operandsOf)
      .def_property_readonly(
          "computation",
          [](const InstructionPart &of) { return of.computation; })
      .def("reads", &ofInstruction<false>, py::arg("operand") = 0,
           py::kw_only(), result)
      .def("users", &ofInstruction<true>, py::arg("operand") = 0, py::kw_only(),
           result)
      .def("reads_through", &through, py::arg("to"), py::kw_only(), result,
           py::arg("to_result") = 0)
      .def("ways_through", &waysThrough, py::arg("to"), py::kw_only(), result,
           py::arg("to_result") = 0)
      .def("_repr_svg_", [](const py::object &instruction) {
        return py::module_::import("indexical._calls")
            .attr("picture_or_none")(instruction);
      });
}

void bindComputation(py::module_ &module) {
  const auto leaf = py::arg("leaf") = 0, result = py::arg("result") = 0;
  part<ComputationPart>(module, "Computation",
                        "Instructions, and the maps between the root and the "
                        "parameters.")
      .def_property_readonly(
          "module", [](const ComputationPart &of) { return of.module; })
      .def_property_readonly("instructions", &instructionsOf)
      .def_property_readonly("parameters", &parametersOf)
      .def_property_readonly("root", &rootOf)
      .def("__getitem__", &instructionNamed, py::arg("name"))
      .def("reads", &ofComputation<false>, py::arg("parameter") = 0,
           py::kw_only(), leaf, result)
      .def("users", &ofComputation<true>, py::arg("parameter") = 0,
           py::kw_only(), leaf, result)
      .def("ways", &waysOfComputation, py::arg("parameter") = 0, py::kw_only(),
           leaf, result);
}

void bindModule(py::module_ &module) {
  part<ModulePart>(module, "Module", "Computations.")
      .def_property_readonly("program",
                             [](const ModulePart &of) { return of.held; })
      .def_property_readonly("computations", &computationsOf)
      .def_property_readonly("entry", &entryOf)
      .def_property_readonly(
          "is_scheduled",
          [](const ModulePart &of) { return of.get().isScheduled; })
      .def("__getitem__", &computationNamed, py::arg("name"));
}

}  // namespace

void bindProgram(py::module_ &module) {
  bindInstruction(module);
  bindComputation(module);
  bindModule(module);
  py::class_<HeldProgram, Held>(
      module, "Program",
      "HLO or StableHLO: text, bytes, a file, or what JAX lowers to.")
      .def(py::init(&made), py::arg("source"), py::kw_only(),
           py::arg("path") = "", py::arg("format") = "auto",
           py::arg("elementwise") = std::vector<std::string>(),
           py::arg("ops") = "")
      .def_property_readonly("path",
                             [](const Held &held) { return held->input.path; })
      .def_property_readonly(
          "format",
          [](const Held &held) {
            return held->format == InputFormat::Hlo ? "hlo" : "stablehlo";
          })
      .def_property_readonly("modules", &modulesOf)
      .def_property_readonly("module", &theModule)
      .def_property_readonly(
          "entry", [](const Held &held) { return entryOf(theModule(held)); })
      .def_property_readonly("notes", &notesOf)
      .def(
          "__getitem__",
          [](const Held &held, const std::string &name) {
            return computationNamed(theModule(held), name);
          },
          py::arg("name"))
      .def("__repr__", [](const Held &held) {
        size_t instructions = 0;
        for (const Module &each : held->program.modules)
          for (const Computation &computation : each.computations)
            instructions += computation.instructions.size();
        return "<Program of " + std::to_string(instructions) + " instructions>";
      });
}

}  // namespace indexical
