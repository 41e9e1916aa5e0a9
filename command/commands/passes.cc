#include "indexical/writers/passes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/passes/compare_dumps.h"
#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/answers/ordered.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/command/progress.h"
#include "indexical/command/read_options.h"
#include "indexical/command/values_options.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

using llvm::StringRef;

struct PassesOptions {
  std::set<Verdict> only;
  ValuesAsked values;
  ReadOptions readAs;
};

Option onlyOption(PassesOptions &asked) {
  Option option;
  option.name = "only";
  option.value = "VERDICTS";
  option.sentence =
      "Show only these: different, undecided, fewer-reads, other-reads, equal; "
      "the others "
      "are counted";
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    for (StringRef each : llvm::split(word, ',')) {
      bool known = false;
      for (Verdict verdict :
           {Verdict::Equal, Verdict::FewerReads, Verdict::OtherReads,
            Verdict::Undecided, Verdict::Different}) {
        std::string name = wordOf(verdict).str();
        if (verdict == Verdict::OtherReads) name = "other-reads";
        for (char &c : name)
          if (c == ' ') c = '-';
        if (each.trim() != name) continue;
        asked.only.insert(verdict);
        known = true;
      }
      if (!known)
        return "verdicts with `,` between: different, undecided, fewer-reads, "
               "other-reads, equal";
    }
    return std::nullopt;
  };
  return option;
}

// A table of more terms is begun anew.
constexpr size_t kMostTerms = 4'000'000;

/// A dump that was read. Its program is made when it is first needed.
struct LoadedDump {
  explicit LoadedDump(size_t number) : number(number) {}
  size_t number;
  absl::StatusOr<Input> input = absl::UnknownError("");
  std::optional<absl::StatusOr<Program>> program;
  std::unique_ptr<const ProgramTerms> terms;  ///< of the program
};

/// A pair that was compared.
struct ComparedPair {
  absl::StatusOr<DumpComparison> found = absl::UnknownError("");
  /// A dump that could not be read: its number, its text and the mistake.
  struct Mistake {
    size_t dump;
    Input input;
    absl::Status status;
  };
  std::vector<Mistake> mistakes;
};

/// Compares neighbours on one thread. It keeps the last dump, which is the
/// first one of the next pair, and the terms that the chain has in common.
class PairWorker {
 public:
  PairWorker(const DumpChain &chain, const PassesOptions &asked,
             const DumpComparisonOptions &options)
      : chain_(chain), asked_(asked), options_(options) {}

  ComparedPair compare(size_t number) {
    ComparedPair pair;
    LoadedDump &before = dump(number);
    LoadedDump &after = dump(number + 1);
    if (before.input.ok() && after.input.ok() &&
        textOf(before) == textOf(after)) {
      pair.found = sameText(options_);
      // The program of one serves the other, as their texts are the same.
      if (before.program) std::swap(before, after);
      before.number = number;
      after.number = number + 1;
      return pair;
    }
    std::string reason;
    for (LoadedDump *each : {&before, &after}) {
      const absl::Status status = makeProgram(*each);
      if (status.ok()) continue;
      if (reason.empty())
        reason = "a dump cannot be read: " + std::string(status.message());
      pair.mistakes.push_back(
          {each->number,
           each->input.ok()
               ? *each->input
               : Input{chain_.dumps[each->number].file, std::string()},
           status});
    }
    if (!reason.empty())
      pair.found = notCompared(reason);
    else if (!options_.values && readAlike(before, after))
      pair.found = sameTerms();
    else
      pair.found = compareDumps(**before.program, **after.program, options_);
    return pair;
  }

 private:
  /// Whether terms show it, each dump's made once.
  bool readAlike(LoadedDump &before, LoadedDump &after) {
    for (const LoadedDump *each : {&before, &after})
      if ((*each->program)->modules.size() != 1 ||
          (*each->program)->modules[0].entry < 0)
        return false;
    if (table_->size() > kMostTerms) {
      before.terms.reset();
      after.terms.reset();
      table_ = std::make_unique<TermTable>();
    }
    for (LoadedDump *each : {&before, &after})
      if (!each->terms)
        each->terms = std::make_unique<const ProgramTerms>(
            (*each->program)->modules[0], *table_, llvm::ArrayRef<int32_t>(),
            options_);
    // Terms that a stop has cut short say nothing.
    return options_.check().ok() &&
           readAlikeByTerms({(*before.program)->modules[0], *before.terms},
                            {(*after.program)->modules[0], *after.terms});
  }

  static StringRef textOf(const LoadedDump &dump) {
    // Lines before a section are not its own.
    return StringRef(dump.input->text).ltrim('\n');
  }

  /// There are two places: pair n has the dumps n and n + 1.
  LoadedDump &dump(size_t number) {
    LoadedDump &place = dumps_[number % 2];
    if (place.number == number) return place;
    place = LoadedDump(number);
    place.input = readDump(chain_.dumps[number], file_);
    return place;
  }

  absl::Status makeProgram(LoadedDump &dump) {
    INDEXICAL_RETURN_IF_ERROR(dump.input.status());
    if (!dump.program)
      dump.program.emplace(readProgram(*dump.input, asked_.readAs));
    return dump.program->status();
  }

  const DumpChain &chain_;
  const PassesOptions &asked_;
  const DumpComparisonOptions options_;
  Input file_;  ///< that was read last
  std::unique_ptr<TermTable> table_ = std::make_unique<TermTable>();
  LoadedDump dumps_[2] = {LoadedDump(SIZE_MAX), LoadedDump(SIZE_MAX)};
};

/// Pairs of one worker follow each other, so that it reads a dump once.
std::vector<uint32_t> ownersOf(size_t pairs, size_t jobs) {
  std::vector<uint32_t> owners;
  for (size_t i = 0; i < pairs; ++i) owners.push_back(i * jobs / pairs);
  return owners;
}

absl::StatusOr<int> checkChain(const PassesOptions &asked, Call &call) {
  const DumpChain &chain = *call.chain();
  const size_t pairs = chain.dumps.size() - 1;
  const size_t jobs = std::clamp<size_t>(call.jobs(), 1, pairs);
  DumpComparisonOptions options(call.budget());
  options.values = asked.values.options();
  std::vector<std::unique_ptr<PairWorker>> workers;
  for (size_t i = 0; i < jobs; ++i)
    workers.push_back(std::make_unique<PairWorker>(chain, asked, options));
  std::vector<DumpComparison> compared;
  size_t nextMistake = 0;
  bool hasMistakes = false;
  Progress progress(call.err(), call.showsProgress(), pairs,
                    call.progressPrefix(), " passes");
  auto take = [&](size_t, ComparedPair pair) {
    if (!pair.found.ok()) return false;  // the call has ended
    for (const auto &mistake : pair.mistakes) {
      // The dump stands in two pairs.
      if (mistake.dump < nextMistake) continue;
      nextMistake = mistake.dump + 1;
      hasMistakes = true;
      progress.clear();
      Reporter(call.err(), mistake.input.displayName(), mistake.input.text)
          .error(mistake.status);
    }
    compared.push_back(*std::move(pair.found));
    progress.step();
    return true;
  };
  auto make = [&](size_t worker, size_t number) {
    return workers[worker]->compare(number);
  };
  if (jobs == 1) {
    for (size_t i = 0; i < pairs && take(i, make(0, i)); ++i) {
    }
  } else {
    inOrder<ComparedPair>(ownersOf(pairs, jobs), make, take);
  }
  progress.clear();
  int status = kDone;
  for (const DumpComparison &found : compared)
    status = worseOf(status, found.verdict == Verdict::Different   ? kDifferent
                             : found.verdict == Verdict::Undecided ? kUndecided
                                                                   : kDone);
  PassesResult result(chain, compared, asked.only);
  return call.writeAndEnd(result,
                          hasMistakes ? static_cast<int>(kWrongInput) : status);
}

}  // namespace

Command makePasses() {
  auto asked = std::make_shared<PassesOptions>();
  Command passes;
  passes.name = "passes";
  passes.words = {"reads", "undecided", "witness"};
  passes.sentence =
      "which passes of a compiler change what is read: the dumps between "
      "them, in their order, each compared with the one before";
  passes.example =
      "printf '%s\\n' '// -----// IR Dump Before CSE (cse) //----- //' \\\n"
      "  'func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {' \\\n"
      "  '  return %a : tensor<4xf32>' '}' \\\n"
      "  '// -----// IR Dump After CSE (cse) //----- //' \\\n"
      "  'func.func @f(%b: tensor<4xf32>) -> tensor<4xf32> {' \\\n"
      "  '  return %b : tensor<4xf32>' '}' | indexical passes -";
  passes.reads = Reads::Chains;
  passes.arguments = "[DIR|FILE|@LIST|-]...";
  passes.statuses = {{kDifferent, "a pass changes what is read"},
                     {kUndecided,
                      "of a pass that is not decided, and none is "
                      "known to change it"}};
  passes.offers = {Offer::Text, Offer::Structure, Offer::Page};
  passes.page = PageKind::Sections;
  passes.options = {onlyOption(*asked)};
  llvm::append_range(passes.options, valuesOptions(asked->values));
  passes.check = [asked] { return asked->values.mistake(); };
  addReadOptions(passes, asked->readAs);
  passes.run = [asked](Call &call) { return checkChain(*asked, call); };
  return passes;
}

}  // namespace indexical
