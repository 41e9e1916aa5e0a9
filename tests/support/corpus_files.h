// The files of the corpus that tests read, if INDEXICAL_CORPUS names its
// folder.
//
//   if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
//   for (const CorpusFile &file : corpusFiles("stablehlo/interpret", ".mlir"))
//     use(file.name, textOf(file));  // abs.mlir, func.func @abs_op_test_si64…
#ifndef INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H
#define INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H

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

/// Returns the text of a file, or "" if it cannot be read.
std::string textOf(const CorpusFile &file);
std::string textOfFile(const std::string &path);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_CORPUS_FILES_H
