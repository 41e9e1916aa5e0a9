#include "indexical/answers/report/profile_times.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/launch/reuse.h"
#include "indexical/cost/profile/device_of.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

using llvm::StringRef;

namespace {

constexpr double kMicroseconds = 1e-6;  // in a picosecond

}  // namespace

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

StringRef launchMatch(const KernelCost &kernel, const MeasuredOp &op) {
  const auto &grid = kernel.kernel().grid;
  if (op.kernels.size() != 1 || !grid) return "";
  const LaunchDetails &details = op.kernels.front().details;
  if (!details.grid || !details.block) return "";
  return grid->blocks == *details.grid && grid->threads == *details.block
             ? "same"
             : "differs";
}

ProfileTimes::ProfileTimes(const ProfiledProgram &read, JoinedProfile joined,
                           const std::vector<KernelCost> &kernels,
                           const Device &device)
    : read_(&read), joined_(std::move(joined)), device_(&device) {
  // The modules of the join are sorted, those of the program are not.
  llvm::DenseMap<const Module *, size_t> numbers;
  for (size_t m = 0; m < read.modules.size(); ++m)
    if (read.modules[m].module) numbers[read.modules[m].module] = m;
  joinedAt_.resize(read.modules.size());
  for (size_t j = 0; j < joined_.modules.size(); ++j)
    if (const Module *module = joined_.modules[j].of.module)
      joinedAt_[numbers.lookup(module)] = j;
  using Place = std::tuple<size_t, ComputationId, InstructionId>;
  std::map<Place, const MeasuredOp *> ops;
  for (const MeasuredOp &op : joined_.ops)
    ops[{numbers.lookup(joined_.modules[op.module].of.module), op.computation,
         op.instruction}] = &op;
  for (const KernelCost &kernel : kernels) {
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
    const auto launches = static_cast<double>(row.op->launches);
    row.lost = row.total - row.ideal * launches;
    row.avoided = avoidedOf(kernel.facts.avoidable, row.total, launches);
    rows_[&kernel] = row;
    ops.erase(found);
  }
}

const ProfiledModule &ProfileTimes::moduleOf(const KernelCost &kernel) const {
  return joined_.modules[joinedAt_[kernel.module]].of;
}

const MeasuredRow *ProfileTimes::rowOf(const KernelCost &kernel) const {
  const auto found = rows_.find(&kernel);
  return found == rows_.end() ? nullptr : &found->second;
}

void ProfileTimes::addTimes(const KernelCost &kernel, TrafficSums &sums) const {
  const MeasuredRow *row = rowOf(kernel);
  // Of as many launches as were measured.
  const int64_t launches = row ? row->op->launches : 0;
  sums.time = kernel.time()
                  ? kernel.time()->total() * static_cast<double>(launches)
                  : 0;
  if (!row) {
    sums.lost = sums.avoidable = 0;
    return;
  }
  sums.measured = row->total;
  sums.lost = row->lost;
  sums.avoidable = row->avoided.microseconds;
  const auto median = row->median();
  if (median && *median > 0 && kernel.time())
    sums.ratio = kernel.time()->total() / *median;
}

absl::Status checkChoice(const Profile &profile, const JoinChoice &choice) {
  for (const int64_t number : choice.gpus)
    if (llvm::none_of(profile.gpus, [&](const ProfiledGpu &gpu) {
          return gpu.number == number;
        }))
      return absl::InvalidArgumentError("the profile has no GPU " +
                                        std::to_string(number));
  if (!choice.program) return absl::OkStatus();
  std::map<int64_t, StringRef> programs;
  for (const EmbeddedModule &module : profile.modules)
    programs.emplace(module.program, module.name);
  for (const ProfiledGpu &gpu : profile.gpus)
    for (const KernelKind &kind : gpu.kinds)
      if (kind.program) programs.emplace(*kind.program, kind.module);
  if (programs.count(*choice.program)) return absl::OkStatus();
  std::vector<std::string> known;
  for (const auto &[number, name] : programs)
    known.push_back(name.empty()
                        ? std::to_string(number)
                        : std::to_string(number) + " (" + name.str() + ")");
  const std::string programsInIt =
      known.empty() ? "it numbers none"
                    : "its programs are " + llvm::join(known, ", ");
  return absl::InvalidArgumentError("the profile has no program " +
                                    std::to_string(*choice.program) + "; " +
                                    programsInIt);
}

absl::StatusOr<const Device *> deviceOf(const Profile &profile,
                                        const JoinChoice &choice) {
  INDEXICAL_RETURN_IF_ERROR(checkChoice(profile, choice));
  const Device *found = nullptr;
  for (const ProfiledGpu &gpu : profile.gpus) {
    if (gpu.launches.empty() ||
        (!choice.gpus.empty() && !llvm::is_contained(choice.gpus, gpu.number)))
      continue;
    const Device *device = deviceOf(gpu);
    if (!device)
      return absl::InvalidArgumentError(
          "GPU " + std::to_string(gpu.number) + " is " + describedDevice(gpu) +
          ", which is not in the table of devices; --device=NAME says which "
          "one of these to compare it with");
    if (found && found != device)
      return absl::InvalidArgumentError(
          "the profile is of different devices, " + found->name.str() +
          " and " + device->name.str() +
          "; --gpu=N takes one, --device=NAME compares all with one");
    found = device;
  }
  if (!found)
    return absl::InvalidArgumentError(
        "no kernel ran on the GPUs that --gpu takes");
  return found;
}

double clockStepOf(const Device &device) {
  return device.vendor == Vendor::Amd ? 0.040 : 0.032;
}

}  // namespace indexical
