#include "indexical/writers/partitioned.h"

#include <string>

#include "llvm/Support/JSON.h"

#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

namespace json = llvm::json;

void writeWitness(const PartitionedWitness &witness, llvm::raw_ostream &os) {
  os << "  at " << tupleText(witness.index) << " of device " << witness.device
     << ", which is " << tupleText(witness.globalIndex) << " of the whole";
  if (witness.numbers) os << numbersText(*witness.numbers);
  const char *side = kSides[witness.onlyInGlobal ? 0 : 1];
  if (witness.element)
    os << "; only the " << side << " reads "
       << tupleText(witness.element->second) << " of array "
       << witness.element->first << " of the parameters";
  else if (witness.isPadding)
    os << "; the second reads padding";
  else if (witness.counted)
    os << "; a sum over devices counts the same summand " << *witness.counted
       << " times";
  os << '\n';
}

}  // namespace

void writePartitionedResult(const PartitionedResult &result,
                            json::OStream &out) {
  out.attribute("result", int64_t{result.result});
  const auto &witness = result.witness;
  if (witness && witness->element)
    out.attribute("parameter", witness->element->first);
  out.attribute("answer", equalityWord(result.answer));
  if (!result.reason.empty()) out.attribute("reason", result.reason);
  if (result.because)
    out.attributeObject("because", [&] {
      writeBecause(*result.because, out);
      out.attribute("device", result.because->device);
    });
  if (witness)
    out.attributeObject("witness", [&] {
      out.attribute("device", witness->device);
      writeNumbers(out, "index", witness->index);
      writeNumbers(out, "global_index", witness->globalIndex);
      writeNumbers(out, "runtime", witness->runtime);
      if (witness->element)
        writeNumbers(out, "element", witness->element->second);
      if (witness->element || witness->isPadding)
        out.attribute("only_in", kSides[witness->onlyInGlobal ? 0 : 1]);
      if (witness->isPadding) out.attribute("padding", true);
      if (witness->counted) out.attribute("counted", *witness->counted);
      if (witness->numbers) writeInputs(*witness->numbers, out);
    });
}

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
     << (equality_.devices == 1 ? " device\n" : " devices\n");
  for (const std::string &op : equality_.forAny)
    os << "  for any values that `" << op << "` draws\n";
  writePartitionedResults(equality_, os);
}

void PartitionedReport::structure(Structure &to) {
  to.head([&](json::OStream &out) {
    out.attribute("answer", equalityWord(equality_.answer));
    out.attribute("engine", "terms");
    out.attribute("partitioned", true);
    out.attribute("devices", equality_.devices);
    out.attribute("replicas", equality_.replicas);
    out.attributeArray("shardings", [&] {
      for (const UsedSharding &used : equality_.shardings)
        out.object([&] {
          out.attribute(used.isResult ? "result" : "parameter", used.array);
          out.attribute("text", jsonString(used.text));
          out.attribute("source", used.source);
        });
    });
    if (!equality_.forAny.empty())
      out.attributeArray("for_any", [&] {
        for (const std::string &op : equality_.forAny) out.value(op);
      });
    out.attributeArray("pairs", [&] {
      for (const PartitionedResult &result : equality_.results)
        out.object([&] { writePartitionedResult(result, out); });
    });
  });
}

}  // namespace indexical
