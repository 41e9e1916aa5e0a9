// The uses of time, for people: a line for each use that takes some.
//
//   where the time goes:
//     11.0 ms  90%  in 28 kernels that only move data, most in copy.3 (391 us)
//      1.1 ms   9%  in 57 library and unmodelled kernels
//      62.1 us   1%  in 65 kernels at the roof of memory (bandwidth-bound)

#include <string>
#include <utility>

#include "indexical/answers/fields.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

std::string kernels(size_t count) {
  return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

std::string wordsOf(TimeUse use, const TimePart &part) {
  const std::string count = kernels(part.kernels);
  switch (use) {
    case TimeUse::Unused:
      return "in unused sector bytes (uncoalesced accesses) of " + count;
    case TimeUse::Movement:
      return "in " + count +
             (part.kernels == 1 ? " that only moves data"
                                : " that only move data");
    case TimeUse::Libraries:
      return "in " + std::to_string(part.kernels) +
             (part.kernels == 1 ? " library or unmodelled kernel"
                                : " library and unmodelled kernels");
    case TimeUse::BlocksWaits:
    case TimeUse::Rest:
      break;
  }
  return "in the rest, " + count;
}

std::string bound(const char *word, const TimePart &part) {
  return "in " + std::to_string(part.kernels) + " " + word +
         (part.kernels == 1 ? " kernel" : " kernels");
}

/// The time by what binds its kernels: that of BlocksWaits, and the rest.
std::string wordsOf(TimeLimit limit, const TimePart &part) {
  const std::string in = "in " + kernels(part.kernels) + " at the roof of ";
  switch (limit) {
    case TimeLimit::Memory:
      return in + "memory (bandwidth-bound)";
    case TimeLimit::Cache:
      return in + "the shared cache";
    case TimeLimit::Operations:
      return in + "the units for products, sines and powers (compute-bound)";
    case TimeLimit::Blocks:
      return bound("block-scheduling-bound", part);
    case TimeLimit::Waits:
      return bound("latency-bound", part);
    case TimeLimit::Cores:
      break;
  }
  return in + "the cores' own caches";
}

void writePart(const TimePart &part, std::string words, double whole,
               llvm::raw_ostream &os) {
  if (!(part.time > 0)) return;
  const double percent = 100 * part.time / whole;
  os << rightAligned(timeOf(part.time), 9)
     << rightAligned(decimal(percent, percent < 0.95 ? 1 : 0) + "%", 6) << "  ";
  TextFlow flow(os, columnsOf(os), 17, 17);
  if (part.kernels > 1 && !part.largest.empty())
    words += ", most in " + printable(part.largest) + " (" +
             timeOf(part.ofLargest) + ")";
  flow.sentence(words);
  flow.endLine();
}

}  // namespace

void writeUsesText(const TimeUses &uses, double whole, llvm::raw_ostream &os) {
  if (!(whole > 0)) return;
  os << "where the time goes:\n";
  auto write = [&](TimeUse use) {
    writePart(uses.of(use), wordsOf(use, uses.of(use)), whole, os);
  };
  write(TimeUse::Movement);
  write(TimeUse::Unused);
  for (const auto &[limit, part] : {std::pair(TimeLimit::Blocks, uses.blocks),
                                    std::pair(TimeLimit::Waits, uses.waits)})
    writePart(part, wordsOf(limit, part), whole, os);
  write(TimeUse::Libraries);
  TimePart rest = uses.of(TimeUse::Rest);
  for (size_t k = 0; k < kTimeLimits; ++k) {
    writePart(uses.roofs[k], wordsOf(TimeLimit(k), uses.roofs[k]), whole, os);
    rest.time -= uses.roofs[k].time;
    rest.kernels -= uses.roofs[k].kernels;
  }
  // Measured kernels of which no time is predicted have no roof.
  if (rest.kernels > 0)
    writePart({rest.time, rest.kernels, "", 0}, wordsOf(TimeUse::Rest, rest),
              whole, os);
  if (uses.unknown > 0)
    writeSentence("no time is predicted of " + kernels(uses.unknown),
                  columnsOf(os), os);
}

}  // namespace indexical
