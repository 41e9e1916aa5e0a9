#include "indexical/answers/passes/passes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/ordered.h"

namespace indexical {

using llvm::StringRef;

namespace {

// A table of more terms is begun anew.
constexpr size_t kMostTerms = 4'000'000;

/// A dump that was read. Its program is made when it is first needed.
struct LoadedDump {
  explicit LoadedDump(size_t number) : number(number) {}
  size_t number;
  absl::StatusOr<std::shared_ptr<const DumpText>> read = absl::UnknownError("");
  std::optional<absl::StatusOr<Program>> program;
  std::unique_ptr<const ProgramTerms> terms;  ///< of the program

  absl::Status makeProgram() {
    if (!read.ok()) return read.status();
    if (!program) program.emplace((*read)->program());
    return program->status();
  }
  /// Lines before a section are not its own.
  StringRef ownText() const { return (*read)->text().ltrim('\n'); }
};

/// A pair that was compared.
struct ComparedPair {
  absl::StatusOr<DumpComparison> found = absl::UnknownError("");
  /// A dump that could not be read: its number, its text and the mistake.
  struct Mistake {
    size_t dump;
    std::shared_ptr<const DumpText> text;
    absl::Status status;
  };
  std::vector<Mistake> mistakes;
};

/// Compares neighbours on one thread. It keeps the last dump, which is the
/// first one of the next pair, and the terms that the chain has in common.
class PairWorker {
 public:
  PairWorker(const DumpChain &chain, ReadDumpText read,
             const DumpComparisonOptions &options,
             const PassesQuestion &question)
      : chain_(chain),
        read_(std::move(read)),
        options_(options),
        question_(question) {}

  ComparedPair compare(size_t number) {
    ComparedPair pair;
    LoadedDump &before = dump(number);
    LoadedDump &after = dump(number + 1);
    if (chain_.dumps[number + 1].isCompiled) {
      if (!after.read.ok())
        pair.found = notCompared("the compiled kernels cannot be read: " +
                                 std::string(after.read.status().message()));
      else if (!question_.compiled)
        pair.found = notCompared("compiled kernels are not compared here");
      else
        pair.found =
            question_.compiled(chain_.dumps[number], (*after.read)->text());
      return pair;
    }
    if (before.read.ok() && after.read.ok() &&
        before.ownText() == after.ownText()) {
      pair.found = sameText(options_);
      // The program of one serves the other, as their texts are the same.
      if (before.program) std::swap(before, after);
      before.number = number;
      after.number = number + 1;
      return pair;
    }
    std::string reason;
    for (LoadedDump *each : {&before, &after}) {
      const absl::Status status = each->makeProgram();
      if (status.ok()) continue;
      if (reason.empty())
        reason = "a dump cannot be read: " + std::string(status.message());
      pair.mistakes.push_back(
          {each->number, each->read.ok() ? *each->read : nullptr, status});
    }
    if (!reason.empty())
      pair.found = notCompared(reason);
    else if (!options_.values && readAlike(before, after))
      pair.found = sameTerms((*before.program)->modules[0],
                             (*after.program)->modules[0]);
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

  /// There are two places: pair n has the dumps n and n + 1.
  LoadedDump &dump(size_t number) {
    LoadedDump &place = dumps_[number % 2];
    if (place.number == number) return place;
    place = LoadedDump(number);
    place.read = read_(chain_.dumps[number]);
    return place;
  }

  const DumpChain &chain_;
  const ReadDumpText read_;
  const DumpComparisonOptions options_;
  const PassesQuestion &question_;
  std::unique_ptr<TermTable> table_ = std::make_unique<TermTable>();
  LoadedDump dumps_[2] = {LoadedDump(SIZE_MAX), LoadedDump(SIZE_MAX)};
};

/// Pairs of one worker follow each other, so that it reads a dump once.
std::vector<uint32_t> ownersOf(size_t pairs, size_t jobs) {
  std::vector<uint32_t> owners;
  for (size_t i = 0; i < pairs; ++i) owners.push_back(i * jobs / pairs);
  return owners;
}

void add(const DumpComparison &found, PassesAnswer &answer) {
  ChainFigures &figures = answer.figures;
  figures.changed += !found.sameText;
  switch (found.verdict.answer) {
    case Verdict::Same:
    case Verdict::OtherReads:
      ++figures.equal;
      break;
    case Verdict::FewerReads:
      ++figures.fewerReads;
      break;
    case Verdict::More:
    case Verdict::Undecided:
      ++figures.undecided;
      break;
    case Verdict::Less:
    case Verdict::Different:
      ++figures.different;
      if (!answer.first) answer.first = answer.compared.size();
      break;
  }
}

}  // namespace

std::optional<Verdict::Answer> answerNamed(StringRef word) {
  for (Verdict::Answer answer :
       {Verdict::Same, Verdict::FewerReads, Verdict::OtherReads,
        Verdict::Undecided, Verdict::Different}) {
    std::string name =
        answer == Verdict::OtherReads ? "other-reads" : wordOf(answer).str();
    std::replace(name.begin(), name.end(), ' ', '-');
    if (word == name) return answer;
  }
  return std::nullopt;
}

int64_t ChainFigures::changedEqual() const {
  return equal - (pairs() - changed);
}

PassesAnswer passesOf(const DumpChain &chain,
                      const std::function<ReadDumpText()> &reader,
                      const PassesQuestion &question, const Ask &ask) {
  const size_t pairs = chain.dumps.size() - 1;
  const size_t jobs = std::clamp<size_t>(ask.jobs, 1, pairs);
  DumpComparisonOptions options(ask.budget);
  options.values = question.values;
  std::vector<std::unique_ptr<PairWorker>> workers;
  for (size_t i = 0; i < jobs; ++i)
    workers.push_back(
        std::make_unique<PairWorker>(chain, reader(), options, question));
  PassesAnswer answer;
  answer.chain = &chain;
  answer.only = question.only;
  answer.figures.dumps = static_cast<int64_t>(chain.dumps.size());
  size_t nextMistake = 0;
  auto take = [&](size_t, ComparedPair pair) {
    if (!pair.found.ok()) return false;  // the call has ended
    for (const auto &mistake : pair.mistakes) {
      // The dump stands in two pairs.
      if (mistake.dump < nextMistake) continue;
      nextMistake = mistake.dump + 1;
      answer.hasMistakes = true;
      if (question.mistake)
        question.mistake(chain.dumps[mistake.dump], mistake.text.get(),
                         mistake.status);
    }
    add(*pair.found, answer);
    answer.compared.push_back(*std::move(pair.found));
    if (ask.itemDone) ask.itemDone();
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
  return answer;
}

}  // namespace indexical
