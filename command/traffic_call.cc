#include "indexical/command/traffic_call.h"

#include "indexical/answers/report/keys.h"
#include "indexical/command/thread_map_file.h"

namespace indexical {

Option deviceOption(const Device *&device, llvm::StringRef sentence) {
  std::vector<Choice<const Device *>> known;
  for (const Device &each : devices())
    known.push_back({each.name.str(), &each});
  return choiceOption<const Device *>("device", "NAME", device,
                                      std::move(known), sentence);
}

void addTraffic(Command &command, LaunchQuestion &question,
                TrafficOptions &options) {
  command.options.push_back(deviceOption(
      question.device,
      "The GPU (default: the one that the dump was compiled for, else h100)"));
  command.options.push_back(choiceOption<std::optional<LaunchModel>>(
      "launch", "MODEL", question.launch,
      {{"xla", LaunchModel::Xla}, {"linear", LaunchModel::Linear}},
      "How kernels are launched: xla, as XLA:GPU's emitters do on the "
      "device (default if the module is scheduled; report first takes the "
      "compiled code that stands beside it); or linear, a thread an element, "
      "a row a warp for reductions of rows (default if it is not scheduled)"));
  command.options.push_back(
      fileOption("thread-map", options.threadMap,
                 "A map, or a file with one: (th_x, th_y, th_z, bl_x, bl_y, "
                 "bl_z)[loops] to the "
                 "result, in place of the launch's"));
  command.options.push_back(
      flagOption("stack", options.stacks,
                 "In text, all frames of a source line, the innermost first"));
  command.offers = {Offer::Text, Offer::Structure, Offer::Table};
  command.columns = accessColumns();
  command.prepare = [&question, &options](MessageStream &err) {
    return readThreadMap(options.threadMap, question.threads, err);
  };
  addReadOptions(command, options.readAs);
}

}  // namespace indexical
