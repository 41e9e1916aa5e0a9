// The uses of time, for people: a line for each use that takes some.
//
//   where the time goes:
//     11.0 ms  90%  in 28 kernels that only move data
//      1.1 ms   9%  in 57 libraries' kernels, and what is not known; 2 kernels
//                   have no predicted time
//      62.1 us   1%  in the rest, 65 kernels

#include <string>

#include "indexical/answers/fields.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

std::string kernels(size_t count) {
  return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

std::string wordsOf(TimeUse use, const TimeUses &uses) {
  const std::string count = kernels(uses.kernels[size_t(use)]);
  switch (use) {
    case TimeUse::Unused:
      return "for sectors of which nothing is used, of " + count;
    case TimeUse::BlocksWaits:
      return "in " + count + " that the start of blocks binds, or waits";
    case TimeUse::Movement:
      return "in " + count + " that only move data";
    case TimeUse::Libraries:
      return "in " + count + " of libraries, and of what is not known";
    case TimeUse::Rest:
      break;
  }
  return "in the rest, " + count;
}

}  // namespace

void writeUsesText(const TimeUses &uses, double whole, llvm::raw_ostream &os) {
  if (!(whole > 0)) return;
  os << "where the time goes:\n";
  for (const TimeUse use :
       {TimeUse::Unused, TimeUse::BlocksWaits, TimeUse::Movement,
        TimeUse::Libraries, TimeUse::Rest}) {
    const double time = uses.time[size_t(use)];
    if (!(time > 0)) continue;
    const double percent = 100 * time / whole;
    os << rightAligned(timeOf(time), 9)
       << rightAligned(decimal(percent, percent < 0.95 ? 1 : 0) + "%", 6)
       << "  ";
    TextFlow flow(os, columnsOf(os), 17, 17);
    flow.sentence(wordsOf(use, uses));
    flow.endLine();
  }
  if (uses.unknown > 0)
    writeSentence("no time is predicted of " + kernels(uses.unknown),
                  columnsOf(os), os);
}

}  // namespace indexical
