#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/equality/equality.h"
#include "indexical/answers/equality/keys.h"
#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"
#include "indexical/command/option.h"
#include "indexical/command/progress.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/values_options.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/same/partitioned/local_modules.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "indexical/writers/equality.h"
#include "indexical/writers/partitioned.h"

namespace indexical {
namespace {

int statusOf(const Verdict &verdict) {
  if (verdict.isSame()) return kDone;
  return verdict.answer == Verdict::Different ? kDifferent : kUndecided;
}

absl::StatusOr<int> write(const EqualityAnswer &found, Call &call) {
  // Why there is no difference, where sizes say so.
  for (const std::string &line : found.certificates)
    call.err() << "  " << line << '\n';
  EqualityResult result(found);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return statusOf(found.same.verdict);
}

absl::StatusOr<int> equalMaps(bool explains, Call &call) {
  auto maps = readMapsOrUndefined(call.input());
  if (maps.ok() && maps->size() != 2)
    return errorAt({1, 1}, "two maps can be compared; there " +
                               std::string(maps->size() == 1 ? "is " : "are ") +
                               std::to_string(maps->size()));
  INDEXICAL_RETURN_IF_ERROR(maps.status());
  EqualityQuestion question;
  question.explain = explains;
  auto found = equalityOfMaps((*maps)[0], (*maps)[1], question, call.ask());
  if (!found.ok()) return aboutMap(found.status(), call.input().text, 1, 2);
  return write(*found, call);
}

struct EqualOptions {
  std::vector<int64_t> parameters;
  bool partitioned = false, assumesNoCopies = false;
  std::optional<size_t> partitions, replicas;
  std::vector<std::pair<int64_t, std::string>> parameterShardings,
      resultShardings;
  ValuesAsked values;
  ReadOptions readAs;
  bool explain = false;
};

absl::StatusOr<int> comparePartitions(const EqualOptions &asked,
                                      const Program &global,
                                      const Program &local, Call &call) {
  PartitionedOptions options;
  if (asked.partitions) options.partitions = *asked.partitions;
  if (asked.replicas) options.replicas = *asked.replicas;
  options.parameterShardings = asked.parameterShardings;
  options.resultShardings = asked.resultShardings;
  options.parameters.assign(asked.parameters.begin(), asked.parameters.end());
  options.assumesCopies = !asked.assumesNoCopies;
  if (const auto values = asked.values.options()) {
    options.areLocal = true;
    options.floats = values->floats;
  }
  if (call.budget().operations) options.operations = *call.budget().operations;
  options.stop = call.budget().stop;
  INDEXICAL_ASSIGN_OR_RETURN(auto equality,
                             comparePartitioned(global, local, options));
  PartitionedReport report(equality);
  INDEXICAL_RETURN_IF_ERROR(call.write(report));
  return statusOf(equality.verdict);
}

/// `0:{devices=[4]<=[4]}`: the number of an array, and its sharding.
Option shardingOption(llvm::StringRef name,
                      std::vector<std::pair<int64_t, std::string>> &values,
                      llvm::StringRef sentence) {
  Option option;
  option.name = name;
  option.value = "K:TEXT";
  option.sentence = sentence.str();
  option.repeatable = true;
  option.take = [&values](llvm::StringRef word) -> std::optional<std::string> {
    const auto [number, text] = word.split(':');
    int64_t array = 0;
    if (number.getAsInteger(10, array) || array < 0 || text.empty())
      return "the number of an array and its sharding, as in "
             "0:{devices=[4]<=[4]}";
    values.emplace_back(array, text.str());
    return std::nullopt;
  };
  return option;
}

/// `--assume-copies=none`.
Option copiesOption(bool &assumesNone) {
  Option option;
  option.name = "assume-copies";
  option.value = "none";
  option.sentence =
      "For two local modules: devices may have other parameters, whatever "
      "the shardings of the first module say";
  option.take =
      [&assumesNone](llvm::StringRef word) -> std::optional<std::string> {
    if (word != "none") return "none";
    assumesNone = true;
    return std::nullopt;
  };
  return option;
}

absl::StatusOr<int> equalModules(const EqualOptions &asked, Call &call) {
  std::vector<Program> programs;
  auto read =
      readPrograms({&call.input(0), &call.input(1)}, asked.readAs, call.jobs());
  for (auto [side, program] : llvm::enumerate(read)) {
    if (program.ok()) {
      for (const Note &note : program->notes) report(note, call.reporter(side));
      if (auto only = onlyModule(*program); !only.ok()) program = only.status();
    }
    if (!program.ok()) {
      call.reporter(side).error(program.status());
      return kWrongInput;
    }
    programs.push_back(*std::move(program));
  }
  PartitionedOptions local;
  if (asked.partitions) local.partitions = *asked.partitions;
  if (asked.replicas) local.replicas = *asked.replicas;
  local.parameters.assign(asked.parameters.begin(), asked.parameters.end());
  if (asked.partitioned ||
      (asked.values.values && areLocal(programs[0], programs[1], local)))
    return comparePartitions(asked, programs[0], programs[1], call);
  EqualityQuestion question;
  question.values = asked.values.options();
  question.parameters.assign(asked.parameters.begin(), asked.parameters.end());
  question.explain = asked.explain;
  std::optional<Progress> progress;
  question.progress = [&](int64_t, int64_t results) {
    if (!progress)
      progress.emplace(call.err(), call.showsProgress(), results,
                       call.progressPrefix(), "results");
    progress->step();
  };
  auto found =
      equalityOf(programs[0], programs[1], question,
                 {call.budget(), call.jobs(), call.reporter(/*number=*/1)});
  progress.reset();
  INDEXICAL_RETURN_IF_ERROR(found.status());
  return write(*found, call);
}

}  // namespace

Command makeEqual() {
  Command equal;
  equal.name = "equal";
  equal.words = {"reads", "exact", "cover", "undecided", "witness"};
  equal.sentence =
      "whether two maps of a maps file, or two modules (HLO or StableHLO, "
      "one a file), read the same elements. For modules every result and "
      "parameter is compared; computed values only with --values";
  equal.example =
      "printf '%s\\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' \\\n"
      "  '(d0) -> (d0 - d0 floordiv 8 * 8), domain: d0 in [0, 31]' |\n"
      "  indexical equal";
  equal.reads = Reads::Pair;
  equal.arguments = "[FILE|-] [AFTER]";
  equal.statuses = {{kDifferent, "they are different"},
                    {kUndecided, "undecided"}};
  equal.offers = {Offer::Text, Offer::Structure, Offer::Table};
  equal.columns = equalityColumns();
  auto asked = std::make_shared<EqualOptions>();
  equal.options = {numbersOption(
      "map-parameters", "NUMBERS", 0, asked->parameters,
      "For each parameter of the first module, in order, its number in the "
      "second: 0,2,1 where the last two of three are swapped")};
  equal.options.push_back(flagOption(
      "partitioned", asked->partitioned,
      "The second module is the first one, partitioned: compare every element "
      "of every device with that of the whole, or with that of the same device "
      "if the first is local, too"));
  equal.options.push_back(shardingOption(
      "parameter-sharding", asked->parameterShardings,
      "With --partitioned: the sharding of an array of the parameters, counted "
      "through all of them"));
  equal.options.push_back(
      shardingOption("result-sharding", asked->resultShardings,
                     "With --partitioned: the sharding of an array of the "
                     "result"));
  equal.options.push_back(devicesOption(
      "partitions", asked->partitions,
      "With --partitioned, and with --values of local modules: how many "
      "(default: what the modules say)"));
  equal.options.push_back(
      devicesOption("replicas", asked->replicas,
                    "With --partitioned, and with --values of local modules: "
                    "how many (default: what the modules say, else 1)"));
  equal.options.push_back(copiesOption(asked->assumesNoCopies));
  equal.options.push_back(flagOption(
      "explain", asked->explain,
      "Write to standard error the certificates that unknown sizes make no "
      "difference"));
  for (Option &option : valuesOptions(asked->values))
    equal.options.push_back(std::move(option));
  equal.check = [asked]() -> std::optional<std::string> {
    if (asked->partitioned && asked->values.values)
      return "--values does not go with --partitioned";
    if (auto mistake = asked->values.mistake()) return mistake;
    if (asked->partitions == size_t{0} || asked->replicas == size_t{0})
      return "--partitions and --replicas are numbers from 1";
    if (!asked->partitioned &&
        (!asked->parameterShardings.empty() || !asked->resultShardings.empty()))
      return "shardings go with --partitioned";
    if (!asked->partitioned && !asked->values.values &&
        (asked->partitions || asked->replicas || asked->assumesNoCopies))
      return "--partitions, --replicas and --assume-copies go with "
             "--partitioned, or with --values";
    return std::nullopt;
  };
  addReadOptions(equal, asked->readAs);
  equal.run = [asked](Call &call) {
    if (asked->partitioned && call.inputCount() == 1)
      return absl::StatusOr<int>(
          errorAt({1, 1},
                  "--partitioned compares two files: the module and the "
                  "partitioned one"));
    return call.inputCount() == 1 ? equalMaps(asked->explain, call)
                                  : equalModules(*asked, call);
  };
  return equal;
}

}  // namespace indexical
