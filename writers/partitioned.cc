#include "indexical/writers/partitioned.h"

#include <string>

#include "indexical/answers/equality/keys.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

void writeWitness(const PartitionedWitness &witness, llvm::raw_ostream &os) {
  os << "  at " << tupleText(witness.index) << " of device " << witness.device
     << ", which is " << tupleText(witness.globalIndex) << " of the whole";
  if (witness.numbers) os << numbersText(*witness.numbers);
  const char *side = kSides[witness.onlyInGlobal ? 0 : 1];
  if (witness.element)
    os << "; only the " << side << " reads "
       << tupleText(witness.element->second) << " of array "
       << witness.element->first << " of the parameters";
  else if (witness.counted)
    os << "; a sum over devices counts the same summand " << *witness.counted
       << " times";
  if (witness.isPadding)
    os << "; the second reads padding, which may be any number";
  os << '\n';
}

}  // namespace

void writePartitionedResults(const PartitionedEquality &equality,
                             llvm::raw_ostream &os) {
  for (const PartitionedResult &result : equality.results) {
    if (result.answer == PartitionedAnswer::Equal) continue;
    os << "result " << result.result << ": " << equalityWord(result.answer);
    if (!result.reason.empty()) os << ": " << result.reason;
    os << '\n';
    if (result.witness) writeWitness(*result.witness, os);
    if (result.because)
      os << "  " << becauseText(*result.because) << ", on device "
         << result.because->device
         << (result.because->reason == result.reason
                 ? std::string()
                 : ": " + result.because->reason)
         << '\n';
  }
}

void PartitionedReport::text(llvm::raw_ostream &os, TextStyle) {
  os << equalityWord(equality_.answer) << " (terms), " << equality_.devices
     << (equality_.devices == 1 ? " device" : " devices")
     << assumedText(equality_.assumed) << '\n';
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
