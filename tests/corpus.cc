#include "tests/corpus.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "hlo/hlo_parser.h"

namespace indexical::testing {

namespace fs = std::filesystem;

std::string corpusPath() {
  const char *path = std::getenv("INDEXICAL_CORPUS");
  return path ? path : "";
}

size_t forEachHloFile(ProgramVisitor visit) {
  size_t files = 0;
  for (const auto &entry :
       fs::recursive_directory_iterator(fs::path(corpusPath()) / "hlo")) {
    // Those beside the modules are no HLO: rows of JSON, MLIR text.
    std::string name = entry.path().string();
    if (!entry.is_regular_file() || entry.path().extension() == ".jsonl" ||
        name.find("oracle_ttir") != std::string::npos)
      continue;
    std::ifstream file(entry.path());
    std::stringstream buffer;
    buffer << file.rdbuf();
    auto program = parseHlo(buffer.str(), name);
    if (!program.ok()) continue;
    ++files;
    visit(*program, name);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return files;
}

size_t forEachHloSnippet(ProgramVisitor visit) {
  std::ifstream rows(fs::path(corpusPath()) / "hlo" / "cc_snippets" /
                     "xla_cc_snippets.jsonl");
  std::string line;
  size_t snippets = 0;
  while (std::getline(rows, line)) {
    auto row = llvm::json::parse(line);
    if (!row) {
      ADD_FAILURE() << "a row of the snippets is no JSON";
      llvm::consumeError(row.takeError());
      break;
    }
    auto program = parseHlo(row->getAsObject()->getString("text")->str());
    if (!program.ok()) continue;
    ++snippets;
    visit(*program,
          row->getAsObject()->getString("path")->str() + ":" +
              std::to_string(*row->getAsObject()->getInteger("line")));
    if (::testing::Test::HasFatalFailure()) break;
  }
  return snippets;
}

}  // namespace indexical::testing
