#include "indexical/command/thread_map_file.h"

#include <utility>

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/thread_map.h"
#include "indexical/command/command.h"
#include "indexical/command/reporter.h"

namespace indexical {

int readThreadMap(const std::string &said, std::optional<IndexingMap> &threads,
                  MessageStream &err) {
  if (said.empty()) return kDone;
  const bool isMap = llvm::StringRef(said).contains("->");
  const std::string path = isMap ? "--thread-map" : said;
  absl::StatusOr<Input> input = Input{path, said};
  if (!isMap) input = readInput(path);
  if (!input.ok()) {
    Reporter(err, path, "").error(input.status());
    return kWrongInput;
  }
  auto map = threadMapOf(input->text);
  if (!map.ok()) {
    Reporter(err, path, input->text).error(map.status());
    return kWrongInput;
  }
  threads = *std::move(map);
  return kDone;
}

}  // namespace indexical
