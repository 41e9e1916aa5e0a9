// The tables of docs/keys.md that answers describe (answers/fields.h).
//
//   bazel run //docs:write_formats < docs/keys.md > FORMATS
//
// prints the page with these tables as the code has them.

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/conditions/keys.h"
#include "indexical/answers/count/keys.h"
#include "indexical/answers/dump/keys.h"
#include "indexical/answers/element/keys.h"
#include "indexical/answers/equality/keys.h"
#include "indexical/answers/fields.h"
#include "indexical/answers/hazards/keys.h"
#include "indexical/answers/help/keys.h"
#include "indexical/answers/kernel/keys.h"
#include "indexical/answers/layout/keys.h"
#include "indexical/answers/maps/keys.h"
#include "indexical/answers/passes/keys.h"
#include "indexical/answers/report/keys.h"
#include "indexical/answers/reshard/keys.h"
#include "indexical/answers/sharding/keys.h"
#include "indexical/answers/sparsity/keys.h"
#include "indexical/answers/tiles/keys.h"
#include "indexical/answers/uses/keys.h"

int main() {
  auto page = llvm::MemoryBuffer::getSTDIN();
  if (!page) return 1;
  std::vector<indexical::Described> answers;
  for (const auto &tables :
       {indexical::reportTables(), indexical::kernelTables(),
        indexical::dumpTables(), indexical::mapTables(),
        indexical::tileTables(), indexical::usesTables(),
        indexical::sparsityTables(), indexical::hazardsTables(),
        indexical::equalityTables(), indexical::passesTables(),
        indexical::countTables(), indexical::shardingTables(),
        indexical::reshardTables(),
        indexical::conditionsTables(), indexical::layoutTables(),
        indexical::elementTables(), indexical::helpTables()})
    answers.insert(answers.end(), tables.begin(), tables.end());
  const std::string text = indexical::withTables((*page)->getBuffer(), answers);
  llvm::outs() << text;
  if (text.empty()) llvm::errs() << "a heading of a table is missing\n";
  return text.empty() ? 1 : 0;
}
