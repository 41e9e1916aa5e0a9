#include "indexical/writers/launch.h"

#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/report/keys.h"

namespace indexical {
namespace {

std::string times(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::ListSeparator by(" x ");
  for (int64_t size : sizes)
    text += llvm::StringRef(by).str() + std::to_string(size);
  return text;
}

}  // namespace

std::string timeOf(double microseconds) {
  static constexpr const char *kUnits[] = {"us", "ms", "s"};
  double time = microseconds;
  size_t unit = 0;
  while (time >= 999.95 && unit + 1 < std::size(kUnits)) {
    time /= 1000;
    ++unit;
  }
  return decimal(time, time < 9.995 ? 2 : 1) + " " + kUnits[unit];
}

std::string whyText(const KernelCost &kernel) {
  const CopyReason &why = kernel.facts.why;
  std::string text = nameOf(why.cause).str();
  if (!text.empty() && !why.reader.empty()) text += " for " + why.reader.str();
  return text;
}

std::string timeText(const KernelCost &kernel) {
  if (!kernel.time()) return "";
  std::string text = (isTimeAtLeast(kernel) ? "at least " : "") +
                     timeOf(kernel.time()->total());
  if (const auto &share = kernel.share)
    text +=
        ", " + decimal(100 * *share, *share < 0.0995 ? 1 : 0) + "% of the time";
  text += " (" + nameOf(kernel.time()->limit).str() + ")";
  return text + ", ideal " + timeOf(kernel.facts.ideal);
}

std::string timePartsText(const KernelCost &kernel) {
  if (!kernel.time()) return "";
  const PredictedTime &of = *kernel.time();
  std::string text = "predicted " +
                     std::string(isTimeAtLeast(kernel) ? "at least " : "") +
                     timeOf(of.total()) + ": launch " + timeOf(of.launch) +
                     ", then what takes longest of";
  llvm::ListSeparator comma(",");
  const std::pair<TimeLimit, double> parts[] = {
      {TimeLimit::Memory, of.memory}, {TimeLimit::Cache, of.cache},
      {TimeLimit::Cores, of.cores},   {TimeLimit::Blocks, of.blocks},
      {TimeLimit::Waits, of.waits},   {TimeLimit::Operations, of.operations}};
  for (const auto &[limit, time] : parts)
    if (time >= 0.005)
      text += llvm::StringRef(comma).str() + " " + nameOf(limit).str() + " " +
              timeOf(time);
  return text;
}

std::string launchText(const KernelCost &kernel) {
  const Kernel &of = kernel.kernel();
  if (!of.emitter) return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "emitter " << nameOf(*of.emitter);
  if (of.grid)
    os << ", grid " << times(of.grid->blocks) << ", block "
       << times(of.grid->threads);
  for (auto [tile, conflicts] :
       llvm::zip(of.shared, kernel.traffic().conflicts)) {
    os << ", shared " << times(tile.shape.dimensions) << " ("
       << bytesOf(tile.shape) << " B";
    if (conflicts) os << ", conflicts " << *conflicts;
    os << ')';
  }
  if (!of.reason.empty()) os << ": " << of.reason;
  return text;
}

}  // namespace indexical
