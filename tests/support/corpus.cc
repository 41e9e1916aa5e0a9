#include "tests/support/corpus.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/import/hlo/hlo_parser.h"

namespace indexical::testing {

size_t forEachHloFile(ProgramVisitor visit) {
  size_t files = 0;
  for (const CorpusFile &file : hloFiles()) {
    auto program = parseHlo(textOf(file), file.path);
    if (!program.ok()) continue;
    ++files;
    visit(*program, file.path);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return files;
}

size_t forEachHloSnippet(ProgramVisitor visit) {
  if (corpusPath().empty()) return 0;
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
