#include "indexical/writers/partitioned.h"

#include <string>

#include "indexical/answers/equality/keys.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/values.h"
#include "indexical/writers/verdict.h"

namespace indexical {
void writePartitionedResults(const PartitionedEquality &equality,
                             llvm::raw_ostream &os) {
  for (const PartitionedResult &result : equality.results) {
    const Verdict &verdict = result.verdict;
    if (verdict.isSame()) continue;
    os << "result " << result.result << ": "
       << verdictText(wordOf(verdict.answer), verdict) << '\n';
    if (verdict.witness) os << "  " << witnessText(*verdict.witness) << '\n';
    if (result.because)
      os << "  " << becauseText(*result.because) << ", on device "
         << result.because->device
         << (result.because->reason == verdict.reason
                 ? std::string()
                 : ": " + result.because->reason)
         << '\n';
    writeDeciders(verdict.decidedBy, os);
  }
}

void PartitionedReport::text(llvm::raw_ostream &os, TextStyle) {
  const Verdict &verdict = equality_.verdict;
  std::string words = wordOf(verdict.answer).str() + " (terms), " +
                      counted(equality_.devices, "device");
  if (!equality_.countedFrom.empty())
    words += ", from the " + equality_.countedFrom;
  os << verdictText(words, verdict) << '\n';
  if (equality_.isLocal)
    for (const UsedSharding &each : equality_.shardings)
      os << "  devices have the same array " << each.array
         << " of the parameters if its sharding says so: " << each.text << '\n';
  for (const std::string &op : equality_.forAny)
    os << "  for any values that `" << op << "` draws\n";
  writePartitionedResults(equality_, os);
}

void PartitionedReport::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(equality_, sink); });
}

void PartitionedReport::rows(Row row) {
  for (const PartitionedResult &result : equality_.results)
    row([&](ValueSink &to) {
      writeCells(equality_, to);
      writeCells(result, to);
    });
}

}  // namespace indexical
