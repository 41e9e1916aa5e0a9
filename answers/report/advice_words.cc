// The words of advice.
#include <string>

#include "indexical/answers/fields.h"
#include "indexical/answers/report/avoidable.h"

namespace indexical {

namespace {

std::string quoted(const std::string &name) { return "`" + name + "`"; }
std::string percent(double part) { return decimal(100 * part, 0) + "%"; }

/// Returns ` for `reader``, or "" if no reader is known.
std::string forReader(const Avoidable &of) {
  return of.reader.empty() ? "" : " for " + quoted(of.reader);
}

/// Returns the array whose elements are moved: `p`, or what a kernel writes.
std::string wordsForSource(const Avoidable &of) {
  if (of.with.empty()) return "an array";
  return of.isParameter ? quoted(of.with)
                        : "what " + quoted(of.with) + " writes";
}

std::string wordsForLayout(const Avoidable &of) {
  const std::string from =
      of.with.empty() ? std::string("an array") : quoted(of.with);
  const std::string source = wordsForSource(of) + forReader(of);
  // A slice or a broadcast is another array, and not another layout.
  if (of.isPart || of.fills)
    return "only takes elements" +
           std::string(of.fills ? ", and constants, " : " ") + "of " + source +
           ": " +
           (of.isParameter ? "keep them as an array of their own (at most)"
                           : "let " + from + " write these (at most)");
  if (of.isParameter)
    return "only changes the layout of " + source + ": keep " + from +
           " in that layout";
  return "only changes the layout of " + source + ": let " + from +
         " write that layout";
}

std::string wordsForType(const Avoidable &of) {
  const std::string from = quoted(of.with);
  const std::string part = of.isPart || of.fills ? "elements of " : "";
  if (of.isParameter)
    return "only converts " + part + "the parameter " + from + ": keep " +
           (part.empty() ? from : "these") + " in that type";
  return "only converts " + part + "what " + from + " writes: let " + from +
         " write that type";
}

std::string wordsForJoin(const Avoidable &of) {
  const std::string more = std::to_string(of.sources - 1) + " more";
  std::string verb = of.converts ? "only converts and joins " : "only joins ";
  if (of.isPart) verb += "elements of ";
  if (of.isParameter)
    return verb + quoted(of.with) + " and " + more +
           (of.fills ? ", and constants," : "") + forReader(of) +
           (of.converts || of.isPart || of.fills
                ? ": keep the result as one array"
                : ": keep them as one array");
  return verb + "what " + quoted(of.with) + " writes and " + more +
         (of.fills ? ", and constants," : "") + forReader(of) +
         ": let them be written into one array (at most)";
}

std::string wordsForOrders(llvm::ArrayRef<HazardOrder> orders) {
  std::string words;
  for (const HazardOrder &order : orders)
    words += (words.empty() ? ", run " : " and ") + quoted(order.first) +
             " before " + quoted(order.then);
  return words;
}

}  // namespace

std::string adviceOf(const Avoidable &of, const AvoidedTime &time) {
  const std::string with = quoted(of.with);
  switch (time.by) {
    case AvoidBy::Nothing:
      break;
    case AvoidBy::View:
      return "only copies what lies in " + with + " in the same order" +
             (of.reader.empty() ? "" : ", for " + quoted(of.reader)) +
             ": a view of " + with + " would do";
    case AvoidBy::Donate:
      return "copies the parameter " + with +
             ", which is not donated: donate it (donate_argnums)" +
             wordsForOrders(of.orders) + ", and its memory is used again";
    case AvoidBy::Layout:
      return wordsForLayout(of);
    case AvoidBy::Join:
      return wordsForJoin(of);
    case AvoidBy::Type:
      return wordsForType(of);
    case AvoidBy::Loop:
      return "copies " + with +
             " for a loop that overwrites it: give the loop the only use of it";
    case AvoidBy::Fill:
      return "only fills an array for " + with + ": let " + with +
             " write all of it";
    case AvoidBy::Fuse:
      if (of.isWriter)
        return "only moves what " + with + " writes: " + with +
               " could write it so, as one kernel (at most)";
      return "only moves what " + with +
             " alone reads: as one kernel, this one goes (at most)";
    case AvoidBy::Readers:
      return "only moves data for " + std::to_string(of.readers) +
             " kernels: each could read " + with + " where it lies (at most)";
    case AvoidBy::FuseArray:
      return quoted(of.reader) +
             " alone reads the result: as one kernel, it does not pass through "
             "memory (at most)";
    case AvoidBy::Sectors:
      return "uncoalesced: " + percent(of.unused) +
             " of the bytes that it moves are not used";
    case AvoidBy::Again:
      return of.again >= 1 + kLeastAvoidable
                 ? "moves " + decimal(of.again, 1) +
                       " times the bytes of its arrays: some of them again"
                 : "its cores and caches do more than its bytes need: the same "
                   "ones are read again";
    case AvoidBy::Cores:
      return "its " + std::to_string(of.blocks) +
             " blocks do not fill the device's cores evenly: smaller blocks";
    case AvoidBy::Blocks:
      return "launch-bound: " + std::to_string(of.blocks) +
             " blocks take longer to start than to run: more elements a thread";
    case AvoidBy::Waits:
      return "launch-bound: too little work to fill the device: make it a part "
             "of another kernel";
    case AvoidBy::Library:
      return "slower than its bytes and products need: another shape, type or "
             "algorithm of the library";
    case AvoidBy::Measured:
      return "takes longer than the figures explain";
  }
  return "";
}

}  // namespace indexical
