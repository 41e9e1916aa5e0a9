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

/// Returns `130,976`.
std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (size_t k = text.size(); k > 3 && text[k - 4] != '-'; k -= 3)
    text.insert(k - 3, ",");
  return text;
}

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
           (of.isParameter ? "keep them as an array of their own (upper bound)"
                           : "let " + from + " write these (upper bound)");
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
         ": write them into one array (upper bound)";
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

/// Returns the recommendation for the access that wastes most, or "".
std::string wordsForRemedy(const Avoidable &of) {
  if (of.array.empty()) return "";
  const std::string access =
      of.isRead ? "its read of " + quoted(of.array) : "its write";
  return ", most by " + access +
         (of.remedy.empty() ? "" : "; recommendation: " + of.remedy);
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
  const std::string copy =
      of.isNeedless ? "needless copy of " : "contiguous copy of ";
  switch (time.by) {
    case AvoidBy::Nothing:
      break;
    case AvoidBy::View:
      if (of.isOverwritten && !of.reader.empty())
        return "copies elements of " + wordsForSource(of) + forReader(of) +
               ", which overwrites them: let " + quoted(of.reader) +
               " update " + with + " itself" +
               (of.isParameter ? ", and donate it (donate_argnums)" : "");
      if (of.isReturned && of.isParameter)
        return copy + with +
               " for the module's caller: use a view of " + with + " there";
      return copy + with + forReader(of) + ": use a view of " + with;
    case AvoidBy::Donate:
      if (partners > 1)
        return "defensive copies of parameter " + with + " and " +
               std::to_string(partners - 1) +
               " more: donate them (donate_argnums)" +
               wordsForOrders(of.orders) + ", so that XLA reuses their buffers";
      if (!of.withToo.empty())
        return "defensive copy of parameters " + with +
               wordsForMore(of.withToo) + ": donate them (donate_argnums)" +
               wordsForOrders(of.orders) + ", so that XLA reuses their buffers";
      return "defensive copy of parameter " + with +
             ": donate it (donate_argnums)" + wordsForOrders(of.orders) +
             ", so that XLA reuses its buffer";
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
      if (!of.isOverwritten)
        return "only fills an array with one value for " + with + ": let " +
               with + " use the value";
      return "only fills an array for " + with + ": let " + with +
             " write all of it (upper bound)";
    case AvoidBy::Fuse:
      if (of.isWriter)
        return "only moves the result of " + with + ": fuse it into " + with +
               " (upper bound)";
      return "only moves data for its single consumer " + with +
             ": fuse it into " + with + " (upper bound)";
    case AvoidBy::Readers:
      return "only moves data for " + std::to_string(of.readers) +
             " kernels: let each read " + with + " directly (upper bound)";
    case AvoidBy::Gather:
      return "only transposes what " + with + " gathers along dimension " +
             std::to_string(of.gathered) +
             ": transpose on each device, and gather along dimension 0 (upper "
             "bound)";
    case AvoidBy::FuseArray:
      return "single consumer " + quoted(of.reader) +
             ": fuse to avoid the DRAM round trip (upper bound)";
    case AvoidBy::Sectors:
      return "uncoalesced accesses: " + percent(of.unused) +
             " of the transferred bytes are unused" + wordsForRemedy(of);
    case AvoidBy::Again:
      if (of.atomics > 0)
        return "adds " + grouped(of.atomics) +
               " elements to its result one by one (atomics): sort the "
               "indices, and add up those of one place first";
      return of.again >= 1 + kLeastAvoidable
                 ? "transfers " + decimal(of.again, 1) +
                       " times the bytes of its arrays: it reads some of them "
                       "again"
                 : "its SMs and caches do more than its bytes need: it reads "
                   "the same bytes again";
    case AvoidBy::Cores:
      return "its " + std::to_string(of.blocks) +
             " blocks do not fill the device's SMs evenly: use smaller blocks";
    case AvoidBy::Blocks:
      return "limited by block scheduling (" + grouped(of.blocks) +
             " blocks): process more elements per thread";
    case AvoidBy::Waits:
      return "latency-bound: too little work to fill the device: give each "
             "launch more work";
    case AvoidBy::Scan:
      return "reduces up to " + std::to_string(of.window) +
             " elements for each result, and each one anew: a scan (such as "
             "associative_scan) takes each element once";
    case AvoidBy::Split:
      return wordsForSplit(of);
    case AvoidBy::Library:
      return "slower than its bytes and products need: try another shape, "
             "type or algorithm of the library";
    case AvoidBy::Measured:
      return "takes longer than the figures explain";
  }
  return "";
}

//===-- No change ---------------------------------------------------------===//

namespace {

/// A part of the bytes so large that the time would show it, if it moved
/// through memory.
constexpr double kMuchUnused = 0.1;

std::string wordsForStay(const Avoidable &of) {
  if (!of.unknown.empty())
    return "whether it may go is not known: " + of.unknown;
  if (!of.staysFor.empty()) return "it must stay: " + of.staysFor;
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
      if (of.unused >= kMuchUnused)
        return none +
               "caches hold the sector bytes that a warp leaves unused, so "
               "each array moves once, at the roof of memory "
               "(bandwidth-bound)";
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
