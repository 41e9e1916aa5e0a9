// Questions about programs (answers/), whose answers become objects of Python:
// no words of a command, no files, no text in between.
//
//   document, text = equality(first, second, {"values": True})
//
// Each function returns the document of the answer, and a function that writes
// its text, which keeps what the answer refers to.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/Sequence.h"

#include "indexical/answers/equality/equality.h"
#include "indexical/answers/hazards/hazards.h"
#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/passes/passes.h"
#include "indexical/answers/reshard/reshard.h"
#include "indexical/answers/sparsity/keys.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/answers/uses/uses.h"
#include "indexical/writers/equality.h"
#include "indexical/writers/hazards.h"
#include "indexical/writers/partitioned.h"
#include "indexical/writers/passes.h"
#include "indexical/writers/reshard.h"
#include "indexical/writers/sparsity.h"
#include "indexical/writers/tile_search.h"
#include "indexical/writers/tiles.h"
#include "indexical/writers/uses.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/asking.h"
#include "python/bindings/bindings.h"
#include "python/bindings/launches.h"
#include "python/bindings/program.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using llvm::StringRef;

//===-- The questions -----------------------------------------------------===//

std::vector<int32_t> parametersOf(const Keywords &asked) {
  return asked.get<std::vector<int32_t>>("map_parameters")
      .value_or(std::vector<int32_t>());
}

py::tuple equality(const Held &first, const Held &second,
                   const py::dict &given) {
  const Keywords asked(given);
  EqualityQuestion question;
  question.parameters = parametersOf(asked);
  question.values = valuesIn(asked);
  const auto before = programOf(first, asked), after = programOf(second, asked);
  if (auto only = onlyModule(*before); !only.ok())
    throw StatusError(only.status(), first->input.path);
  Limits limits(asked);
  EqualityAnswer found = limits.finish(
      withoutLock(
          [&] { return equalityOf(*before, *after, question, limits.ask()); }),
      second->input.path);
  return answered<EqualityResult>(std::move(found));
}

py::tuple partitionedEquality(const Held &whole, const Held &local,
                              const py::dict &given) {
  const Keywords asked(given);
  using Shardings = std::vector<std::pair<int64_t, std::string>>;
  PartitionedOptions options;
  options.parameters = parametersOf(asked);
  options.partitions = asked.get<int64_t>("partitions");
  options.replicas = asked.get<int64_t>("replicas");
  for (const auto &count : {options.partitions, options.replicas})
    if (count && *count < 1)
      wrong("`partitions` and `replicas` are numbers from 1");
  options.parameterShardings =
      asked.get<Shardings>("parameter_shardings").value_or(Shardings());
  options.resultShardings =
      asked.get<Shardings>("result_shardings").value_or(Shardings());
  Limits limits(asked);
  options.operations = limits.budget().operations;
  options.stop = limits.budget().stop;
  for (const Held &each : {whole, local})
    if (auto only = onlyModule(each->program); !only.ok())
      throw StatusError(only.status(), each->input.path);
  PartitionedEquality found = limits.finish(
      withoutLock([&] {
        return comparePartitioned(whole->program, local->program, options);
      }),
      local->input.path);
  return answered<PartitionedReport>(std::move(found));
}

/// Answers without a program.
py::tuple reshard(const py::dict &given) {
  const Keywords asked(given);
  ReshardQuestion question;
  question.from = asked.get<std::string>("source").value_or("");
  question.to = asked.get<std::string>("target").value_or("");
  question.shape = asked.get<std::string>("global_shape").value_or("");
  question.meshes = meshesIn(asked, "mesh");
  question.fromMeshes = meshesIn(asked, "from_mesh");
  if (const auto count = asked.count("partitions")) question.partitions = *count;
  question.memory = asked.bytes("device_memory");
  question.latency = asked.bytes("latency").value_or(0);
  const std::string form = asked.get<std::string>("emit").value_or("hlo");
  if (form != "hlo" && form != "stablehlo" && form != "sdy")
    wrong("`emit` is hlo, stablehlo or sdy");
  Limits limits(asked);
  const auto found = std::make_shared<const ReshardAnswer>(limits.finish(
      withoutLock([&] { return reshardPlans(question, limits.ask()); }), ""));
  const auto result = [found, form] {
    return ReshardResult(*found,
                         form == "sdy"         ? PlanForm::Shardy
                         : form == "stablehlo" ? PlanForm::StableHlo
                                               : PlanForm::Hlo,
                         /*showsText=*/true);
  };
  ReshardResult document = result();
  return py::make_tuple(documentOf(document),
                        writerOf([result](llvm::raw_ostream &os) {
                          result().text(os, TextStyle::Plain);
                        }));
}

/// Returns the answer about each chain among the files and folders.
py::list passes(const std::vector<std::string> &paths, const py::dict &given) {
  const Keywords asked(given);
  PassesQuestion question;
  question.values = valuesIn(asked);
  for (const std::string &word : asked.texts("only")) {
    const std::optional<Verdict::Answer> answer = answerNamed(word);
    if (!answer)
      wrong(
          "`only` has some of different, undecided, fewer-reads, "
          "other-reads, equal");
    question.only.insert(*answer);
  }
  std::vector<std::string> said;
  question.mistake = [&](const Dump &dump, const DumpText *,
                         const absl::Status &status) {
    const Place place = placeOf(status).value_or(Place());
    said.push_back(dump.file +
                   (place.known() ? ":" + std::to_string(place.line) + ":" +
                                        std::to_string(place.column)
                                  : "") +
                   ": error: " + std::string(status.message()));
  };
  ReadAs readAs;
  readAs.sizes = sizesIn(asked);
  Limits limits(asked);
  const auto chains = std::make_shared<const DumpChains>(
      unwrap(withoutLock([&] { return chainsOf(paths); })));
  py::list all;
  for (const DumpChain &chain : chains->chains) {
    PassesAnswer found = withoutLock([&] {
      return passesOf(chain, dumpReader(readAs), question, limits.ask());
    });
    for (const std::string &each : std::exchange(said, {})) warn(each);
    found = limits.finish(absl::StatusOr<PassesAnswer>(std::move(found)),
                          chain.name);
    all.append(answered<PassesResult>(std::move(found), chains,
                                      {{"chain", chain.name}}));
  }
  return all;
}

py::tuple sparsity(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  SparsityQuestion question;
  question.computation = asked.get<std::string>("computation").value_or("");
  question.result = asked.get<int64_t>("result");
  question.parameter = asked.get<int64_t>("parameter");
  const auto program = programOf(held, asked);
  Limits limits(asked);
  const auto found = std::make_shared<const Sparsity>(limits.finish(
      withoutLock([&] { return sparsityOf(*program, question, limits.ask()); }),
      held->input.path));
  SparsityResult document({*found, /*seeds=*/true, /*places=*/true});
  // Its text is without the lists of seeds and of entries.
  return py::make_tuple(documentOf(document),
                        writerOf([found, program](llvm::raw_ostream &os) {
                          SparsityResult({*found}).text(os, TextStyle::Plain);
                        }),
                        writerOf([found, program](llvm::raw_ostream &os) {
                          SparsityResult({*found}).picture(os);
                        }));
}

//===-- Memory that is shared ---------------------------------------------===//

py::tuple hazards(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  HazardsQuestion question;
  for (const std::string &text : asked.texts("shares")) {
    auto share = parseShare(text);
    if (!share)
      wrong(
          "`shares` are pairs such as `f{0}=1{}`: an instruction, the array "
          "of its result, an operand and the array of it");
    question.shares.push_back(std::move(*share));
  }
  question.device = deviceIn(asked);
  if (!question.device)
    question.device = targetDeviceOf(nullptr, held->input).device;
  const auto program = programOf(held, asked);
  Limits limits(asked);
  const auto found = std::make_shared<const ProgramHazards>(limits.finish(
      withoutLock([&] { return hazardsIn(*program, question, limits.ask()); }),
      held->input.path));
  const auto result = [found, program, held] {
    return HazardsResult(
        *found, held->input.path,
        held->format == InputFormat::Hlo ? "hlo" : "stablehlo");
  };
  HazardsResult document = result();
  return py::make_tuple(documentOf(document),
                        writerOf([result](llvm::raw_ostream &os) {
                          result().text(os, TextStyle::Plain);
                        }));
}

//===-- Tiles, and what is used -------------------------------------------===//

/// Which sizes are tried, and how many are shown.
struct SearchAsked : TileSearchQuestion {
  explicit SearchAsked(const Keywords &asked) {
    if (const Device *named = deviceIn(asked)) device = named;
    shared = asked.bytes("shared");
    if (const auto most = asked.count("top")) top = *most;
    const auto sizes = asked.get<py::object>("sizes");
    if (!sizes) return;
    const std::string word = py::isinstance<py::str>(*sizes)
                                 ? sizes->cast<std::string>()
                                 : std::string();
    if (word == "powers") return;
    if (word == "divisors") {
      choice.kind = SizeChoice::Kind::Divisors;
      return;
    }
    choice.kind = SizeChoice::Kind::List;
    choice.list = asked.numbers("sizes", 1);
  }
  /// Whether something is asked that only a search has.
  bool isAsked() const {
    return choice.kind != SizeChoice::Kind::Powers || shared || top;
  }

  std::optional<size_t> top;
};

py::tuple tiles(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  TileQuestion question;
  question.computation = asked.name("computation");
  question.instruction = asked.name("instruction");
  asked.tileSizes("tile", question.sizes, question.otherSizes);
  asked.tileSizes("strides", question.strides, question.otherStrides);
  question.steps = stepsIn(asked);
  question.forward = asked.isTrue("forward");
  question.oneOperand = asked.isTrue("one_operand");
  question.candidates = asked.numberLists("tries", 1);
  const SearchAsked search(asked);
  if (question.oneOperand && question.candidates.empty())
    wrong("`one_operand` belongs to `tries`");
  const auto program = programOf(held, asked);
  Limits limits(asked);
  if (!asked.isTrue("search")) {
    if (search.isAsked())
      wrong("`sizes`, `shared` and `top` belong to `search`");
    Tiles found = limits.finish(
        withoutLock([&] { return tilesOf(*program, question, limits.ask()); }),
        held->input.path);
    return answered<TilesResult>(std::move(found), program);
  }
  if (question.forward) wrong("`search` is of what a tile reads");
  if (!question.candidates.empty())
    wrong("`search` tries sizes of its own, without `tries`");
  for (StringRef stride : question.strides)
    if (int64_t value = 0; stride.getAsInteger(10, value))
      wrong("`search` takes `strides` that are numbers");
  const auto found = std::make_shared<const TileSizes>(limits.finish(
      withoutLock([&] {
        return tileSizesOf(*program, question, search, limits.ask());
      }),
      held->input.path));
  TileSearchResult result(*found, search.top);
  return py::make_tuple(
      documentOf(result),
      writerOf([found, program, top = search.top](llvm::raw_ostream &os) {
        TileSearchResult(*found, top).text(os, TextStyle::Plain);
      }));
}

py::tuple uses(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  UseQuestion question;
  question.computation = asked.name("computation");
  question.instruction = asked.name("instruction");
  question.tile = asked.numbers("tile", 1);
  question.at = asked.numbers("at", 0);
  question.threads = threadsIn(asked);
  question.block = asked.numbers("at_block", 0);
  for (auto &[name, value] : asked.byName<int64_t>("runtime"))
    question.runtime.emplace_back(name, value);
  question.inside = asked.isTrue("inside");
  if (!question.at.empty() && question.tile.empty())
    wrong("`at` goes with `tile`");
  if (!question.block.empty() && !question.threads)
    wrong("`at_block` goes with `thread_map`");
  if (!question.tile.empty() && question.threads)
    wrong("either `tile` or `thread_map` says which share");
  if (question.block.size() > 3)
    wrong("`at_block` has the block's three indices");
  const auto program = programOf(held, asked);
  auto find = [program, path = held->input.path](const UseQuestion &question,
                                                 const py::dict &given) {
    Limits limits{Keywords(given)};
    return limits.finish(
        withoutLock([&] { return usesOf(*program, question, limits.ask()); }),
        path);
  };
  const InstructionUses found = find(question, given);
  UsesResult result(question, found);
  // People are also told what is never read.
  question.unread = true;
  return py::make_tuple(documentOf(result),
                        py::cpp_function([find, question, given] {
                          const InstructionUses found = find(question, given);
                          UsesResult result(question, found);
                          return textOf(result);
                        }));
}

}  // namespace

void bindQuestions(py::module_ &module) {
  module.def("equality", &equality, py::arg("first"), py::arg("second"),
             py::arg("options"));
  module.def("partitioned_equality", &partitionedEquality, py::arg("whole"),
             py::arg("local"), py::arg("options"));
  module.def("reshard", &reshard, py::arg("options"));
  module.def("passes", &passes, py::arg("paths"), py::arg("options"));
  module.def("hazards", &hazards, py::arg("program"), py::arg("options"));
  module.def("sparsity", &sparsity, py::arg("program"), py::arg("options"));
  module.def("tiles", &tiles, py::arg("program"), py::arg("options"));
  module.def("uses", &uses, py::arg("program"), py::arg("options"));
}

}  // namespace indexical
