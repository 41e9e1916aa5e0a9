#include "indexical/tools/launch_report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/format.h"
#include "indexical/tools/wording.h"

namespace indexical {
namespace {

namespace json = llvm::json;

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

std::string times(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::ListSeparator by(" x ");
  for (int64_t size : sizes)
    text += llvm::StringRef(by).str() + std::to_string(size);
  return text;
}

}  // namespace

void writeLaunch(const MeasuredKernel &kernel, json::OStream &json) {
  const Kernel &of = kernel.kernel;
  json.attribute("launch", nameOf(of.model));
  if (of.emitter) json.attribute("emitter", nameOf(*of.emitter));
  if (of.grid) {
    writeNumbers(json, "grid", of.grid->blocks);
    writeNumbers(json, "block", of.grid->threads);
  }
  if (!of.shared.empty())
    json.attributeArray("shared", [&] {
      for (auto [tile, conflicts] :
           llvm::zip(of.shared, kernel.traffic.conflicts))
        json.object([&, &tile = tile, &conflicts = conflicts] {
          writeNumbers(json, "shape", tile.shape.dimensions);
          json.attribute("bytes", bytesOf(tile.shape));
          if (conflicts) json.attribute("conflicts", *conflicts);
        });
    });
}

void writePhase(const MeasuredKernel &kernel, const Traffic &traffic,
                json::OStream &json) {
  const Kernel &of = kernel.kernel;
  if (of.model == LaunchModel::Xla && !of.bytesOnly)
    json.attribute("phase", nameOf(of.userOf(traffic.access).phase));
}

std::string launchText(const MeasuredKernel &kernel) {
  const Kernel &of = kernel.kernel;
  if (of.model != LaunchModel::Xla || !of.emitter) return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "emitter " << nameOf(*of.emitter);
  if (of.grid)
    os << ", grid " << times(of.grid->blocks) << ", block "
       << times(of.grid->threads);
  for (auto [tile, conflicts] :
       llvm::zip(of.shared, kernel.traffic.conflicts)) {
    os << ", shared " << times(tile.shape.dimensions) << " ("
       << bytesOf(tile.shape) << " B";
    if (conflicts) os << ", conflicts " << *conflicts;
    os << ')';
  }
  if (!of.reason.empty()) os << ": " << of.reason;
  return text;
}

std::string reasonOf(const MeasuredKernel &kernel, const Traffic &traffic) {
  return kernel.kernel.bytesOnly && !kernel.kernel.reason.empty()
             ? kernel.kernel.reason
             : wordsOf(traffic.why);
}

}  // namespace indexical
