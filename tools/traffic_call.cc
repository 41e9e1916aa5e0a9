#include "indexical/tools/traffic_call.h"

#include "indexical/analysis/memory/thread_map.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/tools/report.h"
#include "indexical/tools/traffic_report.h"

namespace indexical {
namespace {

/// The thread map of `--thread-map`; a message, and the status to end with,
/// where it is none.
int readThreads(const std::string &path, std::optional<IndexingMap> &threads,
                llvm::raw_ostream &err) {
  if (path.empty()) return kDone;
  absl::StatusOr<Input> input = readInput(path);
  if (!input.ok()) {
    Reporter(err, path, "").error(input.status());
    return kWrongInput;
  }
  Reporter reporter(err, path, input->text);
  auto maps = parseMaps(input->text);
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

}  // namespace

void addTraffic(Command &command,
                const std::shared_ptr<TrafficOptions> &asked) {
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
  command.options.push_back(choiceOption<const Device *>(
      "device", "NAME", asked->device, std::move(known), "The GPU"));
  command.options.push_back(choiceOption<LaunchModel>(
      "launch", "MODEL", asked->launch,
      {{"linear", LaunchModel::Linear}, {"xla", LaunchModel::Xla}},
      "How kernels are launched: linear, a thread an element, a row a warp for "
      "reductions of rows; or as XLA:GPU's emitters do on the device"));
  command.options.push_back(fileOption(
      "thread-map", asked->threadMap,
      "A file with a map (th_x, th_y, th_z, bl_x, bl_y, bl_z)[loops] to the "
      "result, in place of the launch's"));
  command.options.push_back(
      flagOption("stack", asked->stacks,
                 "In text, all frames of a source line, the innermost first"));
  command.options.push_back(inputFormatOption(asked->inputFormat));
  command.offers = {Offer::Text, Offer::Structure, Offer::Table};
  command.columns = trafficColumns();
  command.prepare = [asked](llvm::raw_ostream &err) {
    return readThreads(asked->threadMap, asked->threads, err);
  };
}

}  // namespace indexical
