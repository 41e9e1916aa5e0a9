#include "indexical/writers/launch.h"

#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/words.h"
#include "indexical/writers/format.h"

namespace indexical {
namespace {

namespace json = llvm::json;

std::string times(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::ListSeparator by(" x ");
  for (int64_t size : sizes)
    text += llvm::StringRef(by).str() + std::to_string(size);
  return text;
}

}  // namespace

llvm::StringRef nameOf(LaunchModel model) {
  switch (model) {
    case LaunchModel::Xla:
      return "xla";
    case LaunchModel::Own:
      return "own";
    case LaunchModel::Linear:
      break;
  }
  return "linear";
}

std::string decimal(double number, int decimals) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", decimals, number);
  if (!llvm::StringRef(text).contains('.')) return text;
  return llvm::StringRef(text).rtrim('0').rtrim('.').str();
}

void writeNumber(json::OStream &json, llvm::StringRef name, double number,
                 int decimals) {
  json.attributeBegin(name);
  json.rawValue(decimal(number, decimals));
  json.attributeEnd();
}

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

bool isTimeAtLeast(const KernelCost &kernel) {
  return kernel.time() && kernel.measurement->demand &&
         kernel.measurement->demand->isLeast;
}

void writeTime(const KernelCost &kernel, json::OStream &json) {
  if (!kernel.time()) return;
  writeNumber(json, "predicted_us", kernel.time()->total(), 3);
  if (kernel.share) writeNumber(json, "share", *kernel.share, 6);
  json.attribute("limited_by", nameOf(kernel.time()->limit));
  if (isTimeAtLeast(kernel)) json.attribute("predicted_least", true);
}

void writeIdeal(const KernelCost &kernel, json::OStream &json) {
  json.attribute("needed_bytes", kernel.facts.neededBytes);
  writeNumber(json, "ideal_us", kernel.facts.ideal, 6);
  if (kernel.time()) writeNumber(json, "lost_us", kernel.lost(), 6);
}

void writeUse(const KernelCost &kernel, json::OStream &json) {
  json.attribute("time_use", nameOf(timeUseOf(kernel)));
  if (kernel.facts.alikeCount > 1) json.attribute("alike", kernel.facts.alike);
}

void writeWhy(const KernelCost &kernel, json::OStream &json) {
  if (const llvm::StringRef why = nameOf(kernel.facts.why.cause); !why.empty())
    json.attribute("reason", why);
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

void writeLaunch(const KernelCost &kernel, json::OStream &json) {
  const Kernel &of = kernel.kernel();
  json.attribute("launch", nameOf(of.model));
  if (of.emitter) json.attribute("emitter", nameOf(*of.emitter));
  if (of.grid) {
    writeNumbers(json, "grid", of.grid->blocks);
    writeNumbers(json, "block", of.grid->threads);
  }
  if (!of.shared.empty())
    json.attributeArray("shared", [&] {
      for (auto [tile, conflicts] :
           llvm::zip(of.shared, kernel.traffic().conflicts))
        json.object([&, &tile = tile, &conflicts = conflicts] {
          writeNumbers(json, "shape", tile.shape.dimensions);
          json.attribute("bytes", bytesOf(tile.shape));
          if (conflicts) json.attribute("conflicts", *conflicts);
          json.attribute("write_map", jsonString(tile.written.strOneLine()));
          json.attribute("read_map", jsonString(tile.read.strOneLine()));
        });
    });
}

void writePhase(const KernelCost &kernel, const Traffic &traffic,
                json::OStream &json) {
  const Kernel &of = kernel.kernel();
  if (of.model == LaunchModel::Xla && !of.bytesOnly)
    json.attribute("phase", nameOf(of.userOf(traffic.access).phase));
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

std::string reasonOf(const KernelCost &kernel, const Traffic &traffic) {
  return kernel.kernel().bytesOnly && !kernel.kernel().reason.empty()
             ? kernel.kernel().reason
             : wordsOf(traffic.why);
}

}  // namespace indexical
