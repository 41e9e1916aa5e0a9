// The files of the corpus that tests read, if INDEXICAL_CORPUS names its
// folder. Without a corpus, tests of any modules run on the project's own: its
// examples, and those whose kernels were measured.
//
//   if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
//   for (const CorpusFile &file : corpusFiles("stablehlo/interpret", ".mlir"))
//     use(file.name, textOf(file));  // abs.mlir, func.func @abs_op_test_si64…
#ifndef INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H
#define INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H

#include <cstddef>
#include <string>
#include <vector>

namespace indexical::testing {

/// The message of a test that is skipped because there is no corpus.
inline constexpr char kNoCorpus[] = "INDEXICAL_CORPUS is not set";

/// The file with the HLO snippets of C++ tests, one row of JSON each.
inline constexpr char kHloSnippets[] = "/hlo/cc_snippets/xla_cc_snippets.jsonl";

/// Returns the corpus' folder, or "" if there is none.
std::string corpusPath();

struct CorpusFile {
  std::string path;
  std::string name;  ///< the path from the folder that was asked for
};

/// Returns the files in that folder of the corpus and in those below it, in the
/// order of their names: those with `extension` (as `.mlir`), or all if it is
/// "". Returns no files if there is no such folder.
std::vector<CorpusFile> corpusFiles(const std::string &folder,
                                    const std::string &extension = "");

/// Whether a test over the corpus that takes long takes its part of this
/// number: one in three, of which INDEXICAL_SEED says the first, and all of them
/// if INDEXICAL_WHOLE_CORPUS is set (scripts/long_tests.sh).
bool isSampled(size_t number);

/// Returns the modules of HLO of the corpus or, if there is none, the own ones.
std::vector<CorpusFile> hloFiles();
/// Returns the files of StableHLO likewise.
std::vector<CorpusFile> stablehloFiles();

/// Returns the first number if there is a corpus, else the number that the own
/// modules must reach.
template <typename T>
T ofCorpus(T corpus, T own) {
  return corpusPath().empty() ? own : corpus;
}

/// Returns the text of a file, or "" if it cannot be read.
std::string textOf(const CorpusFile &file);
std::string textOfFile(const std::string &path);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H
