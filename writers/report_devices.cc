// The devices that a report's figures are for.
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/writers/report.h"
#include "indexical/writers/terminal.h"

namespace indexical {

namespace {

/// The most modules that are named for one device.
constexpr size_t kMostNamedModules = 4;

}  // namespace

void writeDevice(const ReportView &view, llvm::raw_ostream &os) {
  const Report &report = view.report;
  // Each device once, with its modules.
  const llvm::ArrayRef<TargetDevice> each = report.devices.each;
  for (size_t m = 0; m < each.size(); ++m) {
    const Device &device = *each[m].device;
    auto isIt = [&](const TargetDevice &of) { return of.device == &device; };
    if (llvm::any_of(each.take_front(m), isIt)) continue;
    std::string why, modules;
    size_t modulesOf = 0;
    for (size_t k = m; k < each.size(); ++k) {
      if (!isIt(each[k])) continue;
      if (why.empty()) why = each[k].why;
      if (++modulesOf > kMostNamedModules) continue;
      modules += (modules.empty() ? "" : ", ") +
                 printable(view.names.program.modules[k].name);
    }
    if (modulesOf > kMostNamedModules)
      modules +=
          " and " + std::to_string(modulesOf - kMostNamedModules) + " more";
    writeSentence("device " + device.name.str() + ": warps of " +
                      std::to_string(device.warp) + " lanes, sectors of " +
                      std::to_string(device.sector) + " bytes, lines of " +
                      std::to_string(device.line) + "; of " + modules +
                      (why.empty() ? "" : ", by " + why),
                  columnsOf(os), os);
  }
  if (!each.empty()) {
    writeSentence(
        "the figures of each module are for the device that it was compiled "
        "for; --device=NAME takes one for all",
        columnsOf(os), os);
    return;
  }
  os << "device " << view.device.name << ": warps of " << view.device.warp
     << " lanes, sectors of " << view.device.sector << " bytes, lines of "
     << view.device.line << '\n';
  if (!report.devices.first.why.empty())
    writeSentence("the device follows from " + report.devices.first.why +
                      "; --device=NAME takes another",
                  columnsOf(os), os);
}

}  // namespace indexical
