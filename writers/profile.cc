#include "indexical/writers/profile.h"

#include <map>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/launch/reuse.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/writers/format.h"
#include "indexical/writers/launch.h"

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

//===-- JSON --------------------------------------------------------------===//

void writeProfileHead(const ProfileTimes &times, json::OStream &json) {
  const Profile &profile = times.read().profile;
  const JoinedProfile &joined = times.joined();
  json.attributeObject("profile", [&] {
    std::vector<std::string> hosts;
    for (StringRef host : profile.hosts) hosts.push_back(host.str());
    json.attribute("host", jsonString(llvm::join(hosts, ", ")));
    json.attributeArray("gpus", [&] {
      for (const GpuTimes &of : joined.gpus)
        json.object([&] {
          const ProfiledGpu &gpu = profile.gpus[of.gpu];
          json.attribute("gpu", gpu.number);
          json.attribute("device", jsonString(times.device().name));
          json.attribute("kernels", of.kernels);
          writeTime(json, "kernel_us", of.kernelTime);
          writeTime(json, "busy_us", of.busy);
          writeTime(json, "unattributed_us", of.unattributed);
          writeTime(json, "copy_us", gpu.copyTime);
        });
    });
    json.attributeArray("modules", [&] {
      for (const ModuleTimes &module : joined.modules)
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
      for (const auto *warnings : {&profile.warnings, &times.read().warnings})
        for (const std::string &warning : *warnings)
          json.value(jsonString(warning));
      if (joined.leftOut > 0)
        json.value("the first launches are left out, " +
                   exactMicroseconds(joined.leftOut) + " us");
    });
  });
  json.attributeArray("unattributed", [&] {
    for (const UnattributedKernel &kernel : joined.unattributed)
      json.object([&] {
        json.attribute("kernel", jsonString(kernel.name));
        json.attribute("launches", kernel.times.count);
        writeTime(json, "measured_total_us", kernel.times.total);
        json.attribute("reason", nameOf(kernel.reason));
      });
  });
}

void writeProfileColumns(const ProfileTimes &times, const KernelCost &kernel,
                         json::OStream &json) {
  const ProfiledModule &module = times.moduleOf(kernel);
  if (module.program) json.attribute("program_id", *module.program);
  json.attribute("module_name", jsonString(module.name));
  const MeasuredRow *row = times.rowOf(kernel);
  if (!row) return;
  const MeasuredOp &op = *row->op;
  json.attribute("launches", op.launches);
  writeTime(json, "measured_us", op.median);
  writeTime(json, "measured_min_us", op.least);
  writeTime(json, "measured_max_us", op.most);
  writeTime(json, "measured_total_us", op.total);
  if (times.total() > 0)
    writeNumber(
        json, "measured_share",
        static_cast<double>(op.total) / static_cast<double>(times.total()), 6);
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
  if (const auto runs = times.joined().modules[op.module].executions;
      runs.value_or(0) > 0)
    writeNumber(
        json, "trips_measured",
        static_cast<double>(op.launchesOfAll) / static_cast<double>(*runs), 6);
}

void writeProfileKernel(const ProfileTimes &times, const KernelCost &kernel,
                        json::OStream &json) {
  writeProfileColumns(times, kernel, json);
  if (const MeasuredRow *row = times.rowOf(kernel))
    json.attributeArray("device_kernels", [&] {
      for (const DeviceKernel &each : row->op->kernels)
        json.object([&] { writeDeviceKernel(each, times.device(), json); });
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
