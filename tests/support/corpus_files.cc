#include "tests/support/corpus_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace indexical::testing {

namespace fs = std::filesystem;

std::string corpusPath() {
  const char *path = std::getenv("INDEXICAL_CORPUS");
  return path ? path : "";
}

std::vector<CorpusFile> corpusFiles(const std::string &folder,
                                    const std::string &extension) {
  std::vector<CorpusFile> files;
  const fs::path root = fs::path(corpusPath()) / folder;
  if (corpusPath().empty() || !fs::is_directory(root)) return files;
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

std::string textOfFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string textOf(const CorpusFile &file) { return textOfFile(file.path); }

}  // namespace indexical::testing
