// The words of advice.
#include <string>

#include "indexical/answers/fields.h"
#include "indexical/answers/report/avoidable.h"
#include "indexical/answers/report/kernel_cost.h"

namespace indexical {

using llvm::StringRef;

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

/// Returns ` and `q` and `r``.
std::string wordsForMore(llvm::ArrayRef<std::string> names) {
  std::string words;
  for (const std::string &name : names) words += " and " + quoted(name);
  return words;
}

/// Returns what would mend the access that wastes most, or "".
std::string wordsForRemedy(const Avoidable &of) {
  if (of.array.empty()) return "";
  const std::string access =
      of.isRead ? "its read of " + quoted(of.array) : "its write";
  return ", most by " + access +
         (of.remedy.empty() ? "" : ": " + of.remedy + " would mend it");
}

std::string wordsForSplit(const Avoidable &of) {
  const bool isOne = of.blocks == 1;
  return "runs on " + std::to_string(of.blocks) +
         (isOne ? " block" : " blocks") + " of " + std::to_string(of.threads) +
         (of.threads == 1 ? " thread" : " threads") + ", of which each makes " +
         decimal(of.reads, 0) +
         " reads one after the other: split the work over more blocks, or over "
         "more kernels";
}

}  // namespace

const std::string &Avoidable::partnerOf(AvoidBy by) const {
  return by == AvoidBy::FuseArray ? reader : with;
}

StringRef nameOf(AvoidBy by) {
  switch (by) {
    case AvoidBy::View:
      return "view";
    case AvoidBy::Donate:
      return "donate";
    case AvoidBy::Layout:
      return "layout";
    case AvoidBy::Type:
      return "type";
    case AvoidBy::Join:
      return "join";
    case AvoidBy::Loop:
      return "loop";
    case AvoidBy::Fill:
      return "fill";
    case AvoidBy::Fuse:
    case AvoidBy::FuseArray:
      return "fuse";
    case AvoidBy::Readers:
      return "readers";
    case AvoidBy::Gather:
      return "gather";
    case AvoidBy::Scan:
      return "scan";
    case AvoidBy::Split:
      return "split";
    case AvoidBy::Sectors:
      return "sectors";
    case AvoidBy::Again:
      return "again";
    case AvoidBy::Cores:
      return "cores";
    case AvoidBy::Blocks:
      return "blocks";
    case AvoidBy::Waits:
      return "waits";
    case AvoidBy::Library:
      return "library";
    case AvoidBy::Measured:
      return "measured";
    case AvoidBy::Nothing:
      break;
  }
  return "";
}

//===-- The change --------------------------------------------------------===//

std::string adviceOf(const Avoidable &of, const AvoidedTime &time,
                     size_t partners) {
  const std::string with = quoted(of.with);
  switch (time.by) {
    case AvoidBy::Nothing:
      break;
    case AvoidBy::View:
      return "only copies what lies in " + with + " in the same order" +
             (of.reader.empty() ? "" : ", for " + quoted(of.reader)) +
             ": a view of " + with + " would do";
    case AvoidBy::Donate:
      if (partners > 1)
        return "copy the parameter " + with + " and " +
               std::to_string(partners - 1) +
               " more, which are not donated: donate them (donate_argnums)" +
               wordsForOrders(of.orders) + ", and their memory is used again";
      if (!of.withToo.empty())
        return "copies the parameters " + with + wordsForMore(of.withToo) +
               ", which are not donated: donate them (donate_argnums)" +
               wordsForOrders(of.orders) + ", and their memory is used again";
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
    case AvoidBy::Gather:
      return "only transposes what " + with + " gathers along dimension " +
             std::to_string(of.gathered) +
             ": gather along dimension 0 what each device has transposed (at "
             "most)";
    case AvoidBy::FuseArray:
      return quoted(of.reader) +
             " alone reads the result: as one kernel, it does not pass through "
             "memory (at most)";
    case AvoidBy::Sectors:
      return "uncoalesced: " + percent(of.unused) +
             " of the bytes that it moves are not used" + wordsForRemedy(of);
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
      return "launch-bound: too little work to fill the device: give a launch "
             "more of it";
    case AvoidBy::Scan:
      return "reduces up to " + std::to_string(of.window) +
             " elements for each result, and each one anew: a scan (such as "
             "associative_scan) takes each element once";
    case AvoidBy::Split:
      return wordsForSplit(of);
    case AvoidBy::Library:
      return "slower than its bytes and products need: another shape, type or "
             "algorithm of the library";
    case AvoidBy::Measured:
      return "takes longer than the figures explain";
  }
  return "";
}

//===-- No change ---------------------------------------------------------===//

namespace {

std::string wordsForStay(const Avoidable &of) {
  if (!of.unknown.empty())
    return "whether it may go is not known: " + of.unknown;
  if (of.overwriter.empty() || of.lateReader.empty())
    return "what it moves may be overwritten before it is read";
  return "it must stay: " + quoted(of.overwriter) +
         " overwrites what it moves before " + quoted(of.lateReader) +
         " reads it";
}

}  // namespace

std::string whyNothing(const Avoidable &of, bool onlyMoves,
                       std::optional<TimeLimit> limit) {
  const std::string none = "nothing is known to be avoidable: ";
  if (of.stays) return none + wordsForStay(of);
  if (!limit)
    return none +
           "what runs it, and how long that takes at least, is not known";
  switch (*limit) {
    case TimeLimit::Memory:
      return none +
             (onlyMoves ? "it only moves data, each array once"
                        : "it moves each array once") +
             ", at the roof of memory (bandwidth-bound)";
    case TimeLimit::Operations:
      return none +
             "it is at the roof of the units for products, sines and powers "
             "(compute-bound)";
    case TimeLimit::Cache:
    case TimeLimit::Cores:
    case TimeLimit::Blocks:
    case TimeLimit::Waits:
      break;
  }
  return none + "its bytes and operations take as long at the device's roofs";
}

std::string whyNothing(const KernelCost &kernel) {
  const auto &time = kernel.time();
  return whyNothing(kernel.facts.avoidable, kernel.facts.moved.onlyMoves,
                    time ? std::optional(time->limit) : std::nullopt);
}

}  // namespace indexical
