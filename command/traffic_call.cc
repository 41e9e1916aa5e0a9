#include "indexical/command/traffic_call.h"

#include "indexical/answers/report/keys.h"
#include "indexical/command/thread_map_file.h"

namespace indexical {

Option deviceOption(const Device *&device, bool &isNamed,
                    llvm::StringRef sentence) {
  std::vector<Choice<const Device *>> known;
  for (const Device &each : devices())
    known.push_back({each.name.str(), &each});
  Option option = choiceOption<const Device *>("device", "NAME", device,
                                               std::move(known), sentence);
  option.take = [&isNamed,
                 take = std::move(option.take)](llvm::StringRef word) {
    isNamed = true;
    return take(word);
  };
  return option;
}

void addTraffic(Command &command,
                const std::shared_ptr<TrafficOptions> &asked) {
  command.options.push_back(deviceOption(
      asked->device, asked->deviceIsNamed,
      "The GPU (default: the one that the dump was compiled for, else h100)"));
  command.options.push_back(choiceOption<std::optional<LaunchModel>>(
      "launch", "MODEL", asked->launch,
      {{"xla", LaunchModel::Xla}, {"linear", LaunchModel::Linear}},
      "How kernels are launched: xla, as XLA:GPU's emitters do on the device "
      "(default where the module is scheduled); or linear, a thread an "
      "element, "
      "a row a warp for reductions of rows (default where it is not)"));
  command.options.push_back(
      fileOption("thread-map", asked->threadMap,
                 "A map, or a file with one: (th_x, th_y, th_z, bl_x, bl_y, "
                 "bl_z)[loops] to the "
                 "result, in place of the launch's"));
  command.options.push_back(
      flagOption("stack", asked->stacks,
                 "In text, all frames of a source line, the innermost first"));
  command.offers = {Offer::Text, Offer::Structure, Offer::Table};
  command.columns = accessColumns();
  command.prepare = [asked](llvm::raw_ostream &err) {
    return readThreadMap(asked->threadMap, asked->threads, err);
  };
  addReadOptions(command, asked->readAs);
}

}  // namespace indexical
