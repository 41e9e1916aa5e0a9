#include "indexical/tools/exact_commands.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/exact/exact.h"
#include "indexical/tools/equality_report.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/json_map.h"
#include "indexical/tools/maps_file.h"
#include "indexical/tools/output.h"
#include "indexical/tools/report.h"

namespace indexical {
namespace {

namespace json = llvm::json;

int statusOf(Answer answer) {
  switch (answer) {
    case Answer::Yes:
      return kDone;
    case Answer::No:
      return kDifferent;
    case Answer::Undecided:
      return kUndecided;
  }
  return kUndecided;
}

int writeEquality(const StreamOptions &options, const ModuleEquality &equality,
                  Compared what, llvm::raw_ostream &out, Reporter &reporter) {
  Output output(options.output, out);
  absl::Status status = output.open();
  if (status.ok()) {
    if (options.format == OutputFormat::Json ||
        options.format == OutputFormat::JsonLines)
      writeEqualityJson(equality, what, output.stream());
    else
      writeEqualityText(equality, what, output.stream());
    status = output.close();
  }
  if (status.ok()) return statusOf(equality.answer);
  reporter.error(status);
  return kWrongInput;
}

//===-- count -------------------------------------------------------------===//

/// The three figures of one map.
struct Figures {
  Count domain, image, pairs;

  bool areKnown() const { return domain.value && image.value && pairs.value; }
  Engine engine() const {
    return std::max({domain.engine, image.engine, pairs.engine});
  }
};

/// The values of the map's runtime variables: those given, else the lower
/// bound. `used` notes the names that some map has.
llvm::SmallVector<int64_t, 4> runtimeOf(
    const IndexingMap &map,
    const std::vector<std::pair<std::string, int64_t>> &given,
    llvm::SmallVectorImpl<bool> &used) {
  llvm::SmallVector<int64_t, 4> values;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const Interval bounds = map.runtime()[i].bounds;
    values.push_back(bounds.hasLower() ? bounds.lower : 0);
    for (auto [k, entry] : llvm::enumerate(given)) {
      if (entry.first != map.nameOf({VariableKind::Runtime, i})) continue;
      values.back() = entry.second;
      used[k] = true;
    }
  }
  return values;
}

void writeCount(const Count &count, llvm::raw_ostream &os,
                const char *unknown) {
  if (count.value)
    os << *count.value;
  else
    os << unknown;
}

void writeCountsText(llvm::ArrayRef<Figures> all, llvm::raw_ostream &os) {
  for (const Figures &figures : all) {
    os << "domain ";
    writeCount(figures.domain, os, "undecided");
    os << ", image ";
    writeCount(figures.image, os, "undecided");
    os << ", pairs ";
    writeCount(figures.pairs, os, "undecided");
    os << " (" << engineName(figures.engine()) << ")\n";
  }
}

/// Numbers are written as they are: they can be past 64 bits.
void writeFigures(const Figures &figures, json::OStream &json) {
  auto number = [&](const char *name, const Count &count) {
    json.attributeBegin(name);
    json.rawValue(
        [&](llvm::raw_ostream &os) { writeCount(count, os, "null"); });
    json.attributeEnd();
  };
  number("domain", figures.domain);
  number("image", figures.image);
  number("pairs", figures.pairs);
  json.attribute("engine", engineName(figures.engine()));
}

void writeCountsJson(llvm::ArrayRef<Figures> all, llvm::raw_ostream &os) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("schema", kSchema);
    json.attributeArray("counts", [&] {
      for (const Figures &figures : all)
        json.object([&] { writeFigures(figures, json); });
    });
  });
  os << '\n';
}

void writeCountsJsonLines(llvm::ArrayRef<Figures> all, llvm::raw_ostream &os) {
  for (auto [index, figures] : llvm::enumerate(all)) {
    {
      json::OStream json(os);
      json.object([&, index = index, &figures = figures] {
        json.attribute("schema", kSchema);
        json.attribute("kind", "count");
        json.attribute("index", index);
        writeFigures(figures, json);
      });
    }
    os << '\n';
  }
}

absl::StatusOr<std::vector<Figures>> countAll(const CountOptions &options,
                                              const Maps &maps,
                                              llvm::StringRef text) {
  std::vector<Figures> all;
  llvm::SmallVector<bool, 4> used(options.runtime.size(), false);
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto runtime = runtimeOf(map, options.runtime, used);
    auto domain = countDomain(map, runtime);
    auto image = countImage(map, runtime);
    auto pairs = countPairs(map, runtime);
    for (const auto *count : {&domain, &image, &pairs})
      if (!count->ok()) return aboutMap(count->status(), text, i, maps.size());
    all.push_back({*std::move(domain), *std::move(image), *std::move(pairs)});
  }
  for (auto [k, entry] : llvm::enumerate(options.runtime))
    if (!used[k])
      return absl::InvalidArgumentError("no map has a runtime variable `" +
                                        entry.first + "`");
  return all;
}

//===-- inverse -----------------------------------------------------------===//

absl::StatusOr<Maps> invertAll(const Maps &maps, llvm::StringRef text) {
  Maps inverses;
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto turned = inverse(IndexingRelation(map));
    if (!turned.ok()) return aboutMap(turned.status(), text, i, maps.size());
    if (turned->isEmpty()) inverses.push_back(IndexingMap::knownEmpty());
    inverses.insert(inverses.end(), turned->pieces().begin(),
                    turned->pieces().end());
  }
  return inverses;
}

}  // namespace

int equalMaps(const StreamOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  absl::StatusOr<Maps> maps = readMaps(input);
  if (maps.ok() && maps->size() != 2)
    maps = errorAt({1, 1}, "two maps can be compared; there " +
                               std::string(maps->size() == 1 ? "is " : "are ") +
                               std::to_string(maps->size()));
  if (!maps.ok()) {
    reporter.error(maps.status());
    return kWrongInput;
  }
  auto decision =
      areEqual(IndexingRelation((*maps)[0]), IndexingRelation((*maps)[1]));
  if (!decision.ok()) {
    reporter.error(aboutMap(decision.status(), input.text, 1, 2));
    return kWrongInput;
  }
  ModuleEquality equality;
  equality.answer = decision->answer;
  equality.engine = decision->engine;
  equality.leaves.emplace_back().decision = *std::move(decision);
  return writeEquality(options, equality, Compared::Maps, out, reporter);
}

int equalModules(const StreamOptions &options, const Input &first,
                 const Input &second, llvm::raw_ostream &out,
                 llvm::raw_ostream &err) {
  std::vector<Program> programs;
  for (const Input *input : {&first, &second}) {
    Reporter reporter(err, input->displayName(), input->text);
    absl::StatusOr<Program> program = readProgram(*input, InputFormat::Auto);
    if (program.ok()) {
      for (const Note &note : program->notes) report(note, reporter);
      if (program->modules.size() != 1)
        program = errorAt({1, 1}, "one module can be compared; there are " +
                                      std::to_string(program->modules.size()));
    }
    if (!program.ok()) {
      reporter.error(program.status());
      return kWrongInput;
    }
    programs.push_back(*std::move(program));
  }
  Reporter reporter(err, second.displayName(), second.text);
  auto equality = compareReads(programs[0].modules[0], programs[1].modules[0]);
  if (!equality.ok()) {
    reporter.error(equality.status());
    return kWrongInput;
  }
  return writeEquality(options, *equality, Compared::Modules, out, reporter);
}

int inverseMaps(const StreamOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return runOnMaps(options, input, out, err, invertAll);
}

int countMaps(const CountOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  absl::StatusOr<Maps> maps = readMaps(input);
  absl::StatusOr<std::vector<Figures>> all;
  absl::Status status = maps.status();
  if (status.ok()) {
    all = countAll(options, *maps, input.text);
    status = all.status();
  }
  Output output(options.output, out);
  if (status.ok()) status = output.open();
  if (status.ok()) {
    if (options.format == OutputFormat::Json)
      writeCountsJson(*all, output.stream());
    else if (options.format == OutputFormat::JsonLines)
      writeCountsJsonLines(*all, output.stream());
    else
      writeCountsText(*all, output.stream());
    status = output.close();
  }
  if (!status.ok()) {
    reporter.error(status);
    return kWrongInput;
  }
  auto isKnown = [](const Figures &figures) { return figures.areKnown(); };
  return llvm::all_of(*all, isKnown) ? kDone : kUndecided;
}

}  // namespace indexical
