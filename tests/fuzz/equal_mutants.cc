// Modules against mutants of themselves.
//
//   equal_mutants --pairs=10000 FILE|FOLDER…     INDEXICAL_SEED=S
//
// Each pair is compared by `equal`, both ways round: no crash, and an answer
// within a minute. Where the interpreter of tests can run both, what they read
// is found out by running them, and held against the answer. The status is 1 if
// one is wrong.
//
// Built with --config=asan it shows what reads memory that is gone.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/support/module_mutants.h"
#include "tests/support/program_run.h"
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace indexical::testing {
namespace {

/// Modules of more text are left out, and those of more elements are not run.
constexpr size_t kMostText = 150'000;
constexpr int64_t kMostElements = 1500;

/// The pair that is compared, for whoever looks at a crash or a hang.
std::string current;

/// Asks for the end after so many seconds of work: those of the process, for a
/// machine may have other work. 0 takes it back.
void setTimer(time_t seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

extern "C" void tellAndEnd(int) {
  const char what[] = "equal_mutants: no answer within a minute\n";
  [[maybe_unused]] ssize_t written = write(2, what, sizeof(what) - 1);
  written = write(2, current.data(), current.size());
  std::abort();
}

bool isMlir(const std::string &path) {
  return llvm::StringRef(path).ends_with(".mlir");
}

std::optional<Program> read(const std::string &path, const std::string &text) {
  auto program = isMlir(path) ? importMlir(text, path) : parseHlo(text, path);
  if (!program.ok() || program->modules.size() != 1 ||
      program->modules[0].entry < 0)
    return std::nullopt;
  return *std::move(program);
}

/// Returns whether a run of the module can say what it reads: the module is
/// small, and each op has a definition.
bool canRun(const Module &module) {
  int64_t elements = 0;
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions) {
      const Op &op = innermost(instruction.op);
      if (op.isOneOf<CoverOp, CustomOp, WhileOp, ScanOp, AllGatherOp,
                     AllReduceOp, ReduceScatterOp, AllToAllOp,
                     CollectiveBroadcastOp, CollectivePermuteOp,
                     RaggedAllToAllOp>() ||
          traitsOf(op).hasSideEffects ||
          traitsOf(op).precision < Precision::Exact)
        return false;
      for (const ShapeList *shapes :
           {&shapesOf(op).operands, &shapesOf(op).results})
        for (size_t i = 0; i < shapes->size(); ++i) {
          const ArrayShape &shape = (*shapes)[i];
          if (shape.hasUnknownSize() || shape.dynamic.any()) return false;
          int64_t count = 1;
          for (int64_t size : shape.dimensions)
            if (__builtin_mul_overflow(count, size, &count)) return false;
          if (count > kMostElements) return false;
          elements += count;
        }
    }
  return elements <= 20 * kMostElements;
}

class Runs {
 public:
  Runs(const Module &first, const Module &second, Random &random)
      : modules_{&first, &second} {
    const Computation &entry = first.computations[first.entry];
    std::vector<std::vector<ProgramRun::Values>> arguments;
    for (int32_t parameter : entry.parameters) {
      arguments.emplace_back();
      for (const ArrayShape &leaf :
           entry.instructions[parameter].shape.leaves()) {
        ProgramRun::Values &values = arguments.back().emplace_back();
        int64_t count = 1;
        for (int64_t size : leaf.dimensions) count *= size;
        for (int64_t i = 0; i < count; ++i)
          values.push_back(leaf.type == ElementType::Pred ? random.in(0, 1)
                                                          : random.in(0, 5));
      }
    }
    for (int side : {0, 1})
      runs_.push_back(std::make_unique<ProgramRun>(
          *modules_[side], modules_[side]->entry, arguments));
  }

  /// Returns what is wrong with the answer, or "" if nothing is found.
  std::string check(const LeafEquality &leaf) const {
    if (leaf.decision.answer == Answer::Undecided) return "";
    const std::set<Pair> reads[] = {pairsOf(0, leaf), pairsOf(1, leaf)};
    if (leaf.decision.answer == Answer::Yes)
      return reads[0] == reads[1] ? "" : "told to be equal";
    const auto &witness = leaf.decision.witness;
    if (!witness || !witness->runtime.empty() || !leaf.forSome.empty())
      return "";
    const Pair pair = {Index(witness->index.begin(), witness->index.end()),
                       Index(witness->element.begin(), witness->element.end())};
    const int only = witness->onlyIn == PairWitness::Side::First ? 0 : 1;
    return reads[only].count(pair) && !reads[1 - only].count(pair)
               ? ""
               : "the witness is none";
  }

 private:
  std::set<Pair> pairsOf(int side, const LeafEquality &leaf) const {
    const Module &module = *modules_[side];
    const Computation &entry = module.computations[module.entry];
    int64_t number = leaf.parameter;
    for (int32_t parameter : entry.parameters) {
      const int64_t leaves = entry.instructions[parameter].shape.leafCount();
      if (number < leaves) {
        const auto pairs = runs_[side]->pairs(
            {entry.root, leaf.result}, ProgramRun::Leaf{parameter, number});
        return {pairs.begin(), pairs.end()};
      }
      number -= leaves;
    }
    return {};
  }

  const Module *modules_[2];
  std::vector<std::unique_ptr<ProgramRun>> runs_;
};

struct Counts {
  int64_t pairs = 0, equal = 0, different = 0, undecided = 0, refused = 0,
          run = 0, wrong = 0;
};

class Comparison {
 public:
  explicit Comparison(uint64_t seed) : random_(seed) {}
  Counts counts;

  /// One pair, if the mutant is a module.
  void compare(const std::string &path, const std::string &text) {
    const std::string other = mutantOf(text, random_);
    if (other == text) return;
    const auto first = read(path, text), second = read(path, other);
    if (!first || !second) return;
    current = path + "\n" + other;
    setTimer(60);
    EqualityOptions options;
    options.operations = 200'000;
    const Module &a = first->modules[0], &b = second->modules[0];
    const auto there = compareReads(a, b, options);
    const auto back = compareReads(b, a, options);
    setTimer(0);
    ++counts.pairs;
    if (!there.ok() || !back.ok()) {
      ++counts.refused;
      if (there.ok() != back.ok()) wrong("refused one way round");
      return;
    }
    count(there->answer);
    if ((there->answer == Answer::Yes && back->answer == Answer::No) ||
        (there->answer == Answer::No && back->answer == Answer::Yes))
      wrong("the other way round it is another answer");
    if (!canRun(a) || !canRun(b)) return;
    ++counts.run;
    const Runs runs(a, b, random_);
    for (const LeafEquality &leaf : there->leaves)
      if (const std::string problem = runs.check(leaf); !problem.empty())
        return wrong("result " + std::to_string(leaf.result) + ", parameter " +
                     std::to_string(leaf.parameter) + ": " + problem);
  }

 private:
  void count(Answer answer) {
    ++(answer == Answer::Yes  ? counts.equal
       : answer == Answer::No ? counts.different
                              : counts.undecided);
  }
  void wrong(const std::string &what) {
    ++counts.wrong;
    std::cerr << "WRONG: " << what << "\n" << current << "\n";
  }

  Random random_;
};

void addFiles(const std::string &path, std::vector<std::string> &files) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path)) return files.push_back(path);
  for (const auto &entry : fs::recursive_directory_iterator(path)) {
    const std::string extension = entry.path().extension();
    if (entry.is_regular_file() && entry.file_size() <= kMostText &&
        (extension == ".hlo" || extension == ".txt" || extension == ".mlir" ||
         extension == ".hlotxt"))
      files.push_back(entry.path());
  }
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  std::stringstream buffer;
  buffer << file.rdbuf();
  return buffer.str();
}

int mutate(int argc, char **argv) {
  int64_t pairs = 1000;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word.consume_front("--pairs="))
      word.getAsInteger(10, pairs);
    else
      addFiles(word.str(), files);
  }
  if (const std::string corpus = std::getenv("INDEXICAL_CORPUS")
                                     ? std::getenv("INDEXICAL_CORPUS")
                                     : "";
      !corpus.empty())
    addFiles(corpus, files);
  llvm::sort(files);
  // A file that is no module by itself has no mutants.
  llvm::erase_if(files, [](const std::string &path) {
    return !read(path, contentOf(path));
  });
  if (files.empty()) {
    std::cerr << "equal_mutants: no modules\n";
    return 1;
  }
  std::signal(SIGVTALRM, tellAndEnd);
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  Comparison comparison(seed);
  const Counts &counts = comparison.counts;
  // Some files have nothing to change.
  for (int64_t tries = 0; counts.pairs < pairs && tries < 20 * pairs; ++tries) {
    const std::string &path = files[tries % files.size()];
    comparison.compare(path, contentOf(path));
  }
  std::printf(
      "seed %llu: %zu modules, %lld pairs: %lld equal, %lld different, %lld "
      "undecided, %lld of other shapes; %lld run, %lld wrong\n",
      static_cast<unsigned long long>(seed), files.size(),
      static_cast<long long>(counts.pairs),
      static_cast<long long>(counts.equal),
      static_cast<long long>(counts.different),
      static_cast<long long>(counts.undecided),
      static_cast<long long>(counts.refused),
      static_cast<long long>(counts.run), static_cast<long long>(counts.wrong));
  return counts.wrong > 0 || counts.pairs == 0;
}

}  // namespace
}  // namespace indexical::testing

int main(int argc, char **argv) {
  return indexical::testing::mutate(argc, argv);
}
