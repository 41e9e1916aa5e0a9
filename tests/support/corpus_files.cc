#include "tests/support/corpus_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace indexical::testing {

namespace fs = std::filesystem;

std::string corpusPath() {
  const char *path = std::getenv("INDEXICAL_CORPUS");
  return path ? path : "";
}

bool isSampled(size_t number) {
  constexpr size_t kOneIn = 3;
  if (corpusPath().empty() || std::getenv("INDEXICAL_WHOLE_CORPUS"))
    return true;
  const char *seed = std::getenv("INDEXICAL_SEED");
  return (number + (seed ? std::strtoull(seed, nullptr, 10) : 0)) % kOneIn == 0;
}

namespace {

std::vector<CorpusFile> filesIn(const fs::path &root,
                                const std::string &extension) {
  std::vector<CorpusFile> files;
  if (!fs::is_directory(root)) return files;
  for (const auto &entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file() &&
        (extension.empty() || entry.path().extension() == extension))
      files.push_back(
          {entry.path().string(), fs::relative(entry.path(), root).string()});
  std::sort(files.begin(), files.end(),
            [](const CorpusFile &a, const CorpusFile &b) {
              return fs::path(a.path) < fs::path(b.path);
            });
  return files;
}

/// The own files, which are data of this library.
std::vector<CorpusFile> ownFiles(const std::string &extension) {
  std::vector<CorpusFile> files;
  for (const char *folder : {"examples", "tests/cost/launch/measured",
                             "tests/import/stablehlo/vhlo"})
    for (CorpusFile &file : filesIn(folder, extension))
      files.push_back(std::move(file));
  return files;
}

}  // namespace

std::vector<CorpusFile> corpusFiles(const std::string &folder,
                                    const std::string &extension) {
  if (corpusPath().empty()) return {};
  return filesIn(fs::path(corpusPath()) / folder, extension);
}

std::vector<CorpusFile> hloFiles() {
  if (corpusPath().empty()) return ownFiles(".hlo");
  std::vector<CorpusFile> files;
  for (CorpusFile &file : corpusFiles("hlo"))
    // Those beside the modules are no HLO: rows of JSON, MLIR text.
    if (fs::path(file.path).extension() != ".jsonl" &&
        file.path.find("oracle_ttir") == std::string::npos)
      files.push_back(std::move(file));
  return files;
}

std::vector<CorpusFile> stablehloFiles() {
  return corpusPath().empty() ? ownFiles(".mlir")
                              : corpusFiles("stablehlo", ".mlir");
}

std::string textOfFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string textOf(const CorpusFile &file) { return textOfFile(file.path); }

}  // namespace indexical::testing
