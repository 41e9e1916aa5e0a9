#include "tests/support/corpus.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/hlo/hlo_parser.h"

namespace indexical::testing {

size_t forEachHloFile(ProgramVisitor visit) {
  size_t files = 0;
  for (const CorpusFile &file : corpusFiles("hlo")) {
    // Those beside the modules are no HLO: rows of JSON, MLIR text.
    if (llvm::StringRef(file.path).ends_with(".jsonl") ||
        file.path.find("oracle_ttir") != std::string::npos)
      continue;
    auto program = parseHlo(textOf(file), file.path);
    if (!program.ok()) continue;
    ++files;
    visit(*program, file.path);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return files;
}

size_t forEachHloSnippet(ProgramVisitor visit) {
  std::istringstream rows(textOfFile(corpusPath() + kHloSnippets));
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
