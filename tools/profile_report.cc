#include "indexical/tools/profile_report.h"

#include <map>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/launch/reuse.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/tools/format.h"
#include "indexical/tools/launch_report.h"

namespace indexical {

namespace json = llvm::json;
using llvm::StringRef;

namespace {

constexpr double kMicroseconds = 1e-6;  // in a picosecond

void writeTime(json::OStream &json, StringRef name, int64_t picoseconds) {
  json.attributeBegin(name);
  json.rawValue(exactMicroseconds(picoseconds));
  json.attributeEnd();
}

/// Half picoseconds are possible: of a median.
void writeTime(json::OStream &json, StringRef name,
               const std::optional<double> &picoseconds) {
  if (picoseconds) writeNumber(json, name, *picoseconds * kMicroseconds, 7);
}

void writeDeviceKernel(const DeviceKernel &kernel, const Device &device,
                       json::OStream &json) {
  json.attribute("name", jsonString(kernel.name));
  json.attribute("count", kernel.times.count);
  if (kernel.times.least) writeTime(json, "min_us", *kernel.times.least);
  writeTime(json, "median_us", kernel.times.median);
  writeTime(json, "total_us", kernel.times.total);
  const LaunchDetails &details = kernel.details;
  if (details.grid) writeNumbers(json, "grid", *details.grid);
  if (details.block) writeNumbers(json, "block", *details.block);
  if (details.sharedBytes) json.attribute("shared_bytes", *details.sharedBytes);
  if (details.registers) json.attribute("registers", *details.registers);
  if (const auto blocks = residentBlocks(details, device))
    json.attribute("resident_blocks", *blocks);
}

}  // namespace

std::string exactMicroseconds(int64_t picoseconds) {
  const bool isNegative = picoseconds < 0;
  const uint64_t size =
      isNegative ? 0 - static_cast<uint64_t>(picoseconds) : picoseconds;
  std::string rest = std::to_string(size % 1'000'000);
  rest.insert(0, 6 - rest.size(), '0');
  const std::string text =
      (isNegative ? "-" : "") + std::to_string(size / 1'000'000);
  const StringRef digits = StringRef(rest).rtrim('0');
  return digits.empty() ? text : text + "." + digits.str();
}

Residency residencyOf(const LaunchDetails &details) {
  return {details.registers.value_or(0), details.sharedBytes.value_or(0),
          details.occupancy.value_or(0)};
}

std::optional<int64_t> residentBlocks(const LaunchDetails &details,
                                      const Device &device) {
  // AMD gives no registers, and those may bind.
  if (!details.block || (!details.registers && !details.occupancy))
    return std::nullopt;
  const auto &[x, y, z] = *details.block;
  const auto threads = checkedMul(x, checkedMul(y, z).value_or(0));
  if (!threads || *threads <= 0) return std::nullopt;
  return blocksAtOnce(*threads, device, residencyOf(details)) / device.cores;
}

StringRef launchMatch(const MeasuredKernel &kernel, const MeasuredOp &op) {
  const auto &grid = kernel.kernel().grid;
  if (op.kernels.size() != 1 || !grid) return "";
  const LaunchDetails &details = op.kernels.front().details;
  if (!details.grid || !details.block) return "";
  return grid->blocks == *details.grid && grid->threads == *details.block
             ? "same"
             : "differs";
}

ProfileView::ProfileView(const ProfiledProgram &read,
                         const JoinedProfile &joined,
                         const std::vector<MeasuredKernel> &kernels,
                         const Device &device)
    : read_(read), joined_(joined), device_(device) {
  // The modules of the join are sorted, those of the program are not.
  llvm::DenseMap<const Module *, size_t> numbers;
  for (size_t m = 0; m < read.modules.size(); ++m)
    if (read.modules[m].module) numbers[read.modules[m].module] = m;
  joinedAt_.resize(read.modules.size());
  for (size_t j = 0; j < joined.modules.size(); ++j)
    if (const Module *module = joined.modules[j].of.module)
      joinedAt_[numbers.lookup(module)] = j;
  using Place = std::tuple<size_t, ComputationId, InstructionId>;
  std::map<Place, const MeasuredOp *> ops;
  for (const MeasuredOp &op : joined.ops)
    ops[{numbers.lookup(joined.modules[op.module].of.module), op.computation,
         op.instruction}] = &op;
  for (const MeasuredKernel &kernel : kernels) {
    // A computation that is called twice has its kernels twice, and the profile
    // does not say which of them ran: the first has the times.
    const auto found =
        ops.find({kernel.module, kernel.computation, kernel.instruction});
    if (found == ops.end()) continue;
    MeasuredRow row;
    row.op = found->second;
    row.neededBytes = kernel.facts.neededBytes;
    row.ideal = kernel.facts.ideal;
    row.total = static_cast<double>(row.op->total) * kMicroseconds;
    row.lost = row.total - row.ideal * static_cast<double>(row.op->launches);
    rows_[&kernel] = row;
    ops.erase(found);
  }
}

const ProfiledModule &ProfileView::moduleOf(
    const MeasuredKernel &kernel) const {
  return joined_.modules[joinedAt_[kernel.module]].of;
}

const MeasuredRow *ProfileView::rowOf(const MeasuredKernel &kernel) const {
  const auto found = rows_.find(&kernel);
  return found == rows_.end() ? nullptr : &found->second;
}

void ProfileView::addTimes(const MeasuredKernel &kernel,
                           TrafficSums &sums) const {
  const MeasuredRow *row = rowOf(kernel);
  // Of as many launches as were measured.
  const int64_t launches = row ? row->op->launches : 0;
  sums.time = kernel.time()
                  ? kernel.time()->total() * static_cast<double>(launches)
                  : 0;
  if (!row) {
    sums.lost = 0;
    return;
  }
  sums.measured = row->total;
  sums.lost = row->lost;
  const auto median = row->median();
  if (median && *median > 0 && kernel.time())
    sums.ratio = kernel.time()->total() / *median;
}

//===-- JSON --------------------------------------------------------------===//

void ProfileView::writeHead(json::OStream &json) const {
  const Profile &profile = read_.profile;
  json.attributeObject("profile", [&] {
    std::vector<std::string> hosts;
    for (StringRef host : profile.hosts) hosts.push_back(host.str());
    json.attribute("host", jsonString(llvm::join(hosts, ", ")));
    json.attributeArray("gpus", [&] {
      for (const GpuTimes &times : joined_.gpus)
        json.object([&] {
          const ProfiledGpu &gpu = profile.gpus[times.gpu];
          json.attribute("gpu", gpu.number);
          json.attribute("device", jsonString(device_.name));
          json.attribute("kernels", times.kernels);
          writeTime(json, "kernel_us", times.kernelTime);
          writeTime(json, "busy_us", times.busy);
          writeTime(json, "unattributed_us", times.unattributed);
          writeTime(json, "copy_us", gpu.copyTime);
        });
    });
    json.attributeArray("modules", [&] {
      for (const ModuleTimes &module : joined_.modules)
        json.object([&] {
          if (module.of.program)
            json.attribute("program_id", *module.of.program);
          json.attribute("name", jsonString(module.of.name));
          json.attribute("embedded", module.of.embedded);
          if (module.executions)
            json.attribute("executions", *module.executions);
          writeTime(json, "kernel_us", module.kernelTime);
        });
    });
    json.attributeArray("warnings", [&] {
      for (const auto *warnings : {&profile.warnings, &read_.warnings})
        for (const std::string &warning : *warnings)
          json.value(jsonString(warning));
      if (joined_.leftOut > 0)
        json.value("the first launches are left out, " +
                   exactMicroseconds(joined_.leftOut) + " us");
    });
  });
  json.attributeArray("unattributed", [&] {
    for (const UnattributedKernel &kernel : joined_.unattributed)
      json.object([&] {
        json.attribute("kernel", jsonString(kernel.name));
        json.attribute("launches", kernel.times.count);
        writeTime(json, "measured_total_us", kernel.times.total);
        json.attribute("reason", nameOf(kernel.reason));
      });
  });
}

void ProfileView::writeColumns(const MeasuredKernel &kernel,
                               json::OStream &json) const {
  const ProfiledModule &module = moduleOf(kernel);
  if (module.program) json.attribute("program_id", *module.program);
  json.attribute("module_name", jsonString(module.name));
  const MeasuredRow *row = rowOf(kernel);
  if (!row) return;
  const MeasuredOp &op = *row->op;
  json.attribute("launches", op.launches);
  writeTime(json, "measured_us", op.median);
  writeTime(json, "measured_min_us", op.least);
  writeTime(json, "measured_max_us", op.most);
  writeTime(json, "measured_total_us", op.total);
  if (joined_.total > 0)
    writeNumber(
        json, "measured_share",
        static_cast<double>(op.total) / static_cast<double>(joined_.total), 6);
  if (const StringRef match = launchMatch(kernel, op); !match.empty())
    json.attribute("launch_match", match);
  json.attribute("needed_bytes", row->neededBytes);
  writeNumber(json, "ideal_us", row->ideal, 6);
  writeNumber(json, "lost_us", row->lost, 6);
  if (const auto median = row->median(); median && *median > 0) {
    writeNumber(json, "achieved_bytes_per_s",
                static_cast<double>(row->neededBytes) / *median * 1e6, 0);
    if (kernel.time())
      writeNumber(json, "predicted_ratio", kernel.time()->total() / *median, 6);
  }
  if (const auto runs = joined_.modules[op.module].executions;
      runs.value_or(0) > 0)
    writeNumber(
        json, "trips_measured",
        static_cast<double>(op.launchesOfAll) / static_cast<double>(*runs), 6);
}

void ProfileView::writeKernel(const MeasuredKernel &kernel,
                              json::OStream &json) const {
  writeColumns(kernel, json);
  if (const MeasuredRow *row = rowOf(kernel))
    json.attributeArray("device_kernels", [&] {
      for (const DeviceKernel &each : row->op->kernels)
        json.object([&] { writeDeviceKernel(each, device_, json); });
    });
}

std::vector<StringRef> profileColumns() {
  return {"program_id",           "module_name",     "launches",
          "measured_us",          "measured_min_us", "measured_max_us",
          "measured_total_us",    "measured_share",  "launch_match",
          "needed_bytes",         "ideal_us",        "lost_us",
          "achieved_bytes_per_s", "predicted_ratio", "trips_measured"};
}

}  // namespace indexical
