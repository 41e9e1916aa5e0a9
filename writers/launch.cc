#include "indexical/writers/launch.h"

#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/report/keys.h"

namespace indexical {

using llvm::StringRef;

namespace {

std::string times(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::ListSeparator by(" x ");
  for (int64_t size : sizes) text += StringRef(by).str() + std::to_string(size);
  return text;
}

/// Returns `module_0012.jit_f` of a path that XLA's dumper made, else the name
/// of the file.
StringRef shortFile(StringRef path) {
  StringRef name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("module_"))
    for (const StringRef mark : {".sm_", ".gfx", ".gpu_", ".cpu_", ".after_"})
      name = name.take_front(name.find(mark));
  return name;
}

}  // namespace

std::string whereText(const Report &report, const KernelCost &kernel) {
  const KernelNames names = report.names();
  std::string text = names.instructionOf(kernel).opcode.str() + " in " +
                     names.computationOf(kernel).name.str();
  if (kernel.module < report.files.size())
    text += (" of " + shortFile(report.files[kernel.module])).str();
  const Kernel &of = kernel.kernel();
  if (of.trips == 0)
    text += ", 0 trips: the runtime knows the count of the loop";
  else if (of.trips != 1)
    text += ", " + std::to_string(of.trips) + " trips";
  if (!of.tripsKnown) text += ", trips not known";
  return text;
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

std::string timeText(const KernelCost &kernel, double whole) {
  if (!kernel.time()) return "";
  std::string text = (isTimeAtLeast(kernel) ? "at least " : "") +
                     timeOf(kernel.time()->total());
  if (const double part = kernel.allTrips() / whole; whole > 0)
    text += ", " + decimal(100 * part, part < 0.0995 ? 1 : 0) +
            "% of the predicted time";
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
  const bool isCompiled = of.model == LaunchModel::Compiled;
  if (!of.emitter && !isCompiled) return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "emitter " << nameOf(of.emitter.value_or(Emitter::Unknown));
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
  if (isCompiled) os << ", launch: compiled";
  if (!of.reason.empty()) os << ": " << of.reason;
  return text;
}

bool areOfTriton(const SelectedRows &rows) {
  auto isOwn = [](const KernelRow &row) {
    return row.kernel->kernel().model == LaunchModel::Own;
  };
  return llvm::any_of(rows.kernels, isOwn) &&
         llvm::all_of(rows.kernels, [&](const KernelRow &row) {
           return isOwn(row) || row.kernel->kernel().bytesOnly;
         });
}

std::string threadsText(const ReportView &view) {
  if (view.ownThreads) return "the map that was given";
  const SelectedRows &rows = view.report.rows;
  if (rows.kernels.empty()) return "";
  if (areOfTriton(rows)) return "those of the kernels' own layouts";
  auto countOf = [&](LaunchModel model) {
    size_t count = 0;
    for (const KernelRow &row : rows.kernels)
      if (row.kernel->kernel().model == model) count += 1 + row.others.size();
    return count;
  };
  std::string text;
  auto add = [&](std::string words, size_t count) {
    text += (text.empty() ? "" : "; ") + std::move(words) + ", of " +
            std::to_string(count) + (count == 1 ? " kernel" : " kernels");
  };
  const size_t compiled = countOf(LaunchModel::Compiled);
  const size_t own = countOf(LaunchModel::Own);
  if (compiled > 0) add("those of the code beside the module", compiled);
  if (own > 0) add("those of their own layouts", own);
  const bool isXla = countOf(LaunchModel::Xla) > 0;
  if (!isXla && countOf(LaunchModel::Linear) == 0) return text;
  return text + (text.empty() ? "" : "; of others ") +
         (isXla ? "as XLA:GPU's emitters launch them"
                : "linear, 128 a block, vectors of 4, 2 or 1, whichever moves "
                  "least; reductions of rows: a warp a row, 4 a block");
}

}  // namespace indexical
