#include "indexical/command/thread_map_file.h"

#include "indexical/analysis/memory/thread_map.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/command/command.h"
#include "indexical/command/reporter.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/layout/listing.h"

namespace indexical {

int readThreadMap(const std::string &said, std::optional<IndexingMap> &threads,
                  llvm::raw_ostream &err) {
  if (said.empty()) return kDone;
  const bool isMap = llvm::StringRef(said).contains("->");
  const std::string path = isMap ? "--thread-map" : said;
  absl::StatusOr<Input> input = Input{path, said};
  if (!isMap) input = readInput(path);
  if (!input.ok()) {
    Reporter(err, path, "").error(input.status());
    return kWrongInput;
  }
  Reporter reporter(err, path, input->text);
  auto maps = layouts::mapsOrLayouts(input->text);
  absl::Status status = maps.status();
  if (status.ok() && maps->size() != 1)
    status = errorAt({1, 1}, "a thread map is one map, and there are " +
                                 std::to_string(maps->size()));
  if (status.ok())
    if (auto checked = checkThreadMap(maps->front()); !checked.ok())
      status = errorAt({1, 1}, std::string(checked.message()));
  if (!status.ok()) {
    reporter.error(status);
    return kWrongInput;
  }
  threads = maps->front();
  return kDone;
}

}  // namespace indexical
