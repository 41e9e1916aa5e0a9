#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/report/keys.h"

namespace indexical {

std::string exactMicroseconds(int64_t picoseconds) {
  const bool isNegative = picoseconds < 0;
  const uint64_t size =
      isNegative ? 0 - static_cast<uint64_t>(picoseconds) : picoseconds;
  std::string rest = std::to_string(size % 1'000'000);
  rest.insert(0, 6 - rest.size(), '0');
  const std::string text =
      (isNegative ? "-" : "") + std::to_string(size / 1'000'000);
  const llvm::StringRef digits = llvm::StringRef(rest).rtrim('0');
  return digits.empty() ? text : text + "." + digits.str();
}

namespace {

std::string hostsOf(const ProfileTimes &of) {
  std::vector<std::string> hosts;
  for (llvm::StringRef host : of.read().profile.hosts)
    hosts.push_back(host.str());
  return llvm::join(hosts, ", ");
}

std::vector<std::string> warningsOf(const ProfileTimes &of) {
  std::vector<std::string> all;
  for (const auto *warnings :
       {&of.read().profile.warnings, &of.read().warnings})
    all.insert(all.end(), warnings->begin(), warnings->end());
  if (of.joined().leftOut > 0)
    all.push_back("the first launches are left out, " +
                  exactMicroseconds(of.joined().leftOut) + " us");
  return all;
}

}  // namespace

void microseconds(const std::optional<double> &picoseconds, KeyValue &to) {
  if (picoseconds) to.number(*picoseconds * 1e-6, 7);
}

template <>
KeyList<ProfileTimes> keysOf<ProfileTimes>() {
  static constexpr Key<ProfileTimes> kKeys[] = {
      {"host", "string", "never", "the hosts of the profile",
       [](const ProfileTimes &of, KeyValue &to) { to.text(hostsOf(of)); }},
      {"gpus", "list of [GPUs](#a-gpu-of-a-profile)", "never",
       "those of `--gpu`, or all",
       [](const ProfileTimes &of, KeyValue &to) {
         to.list(of.joined().gpus, [&](const GpuTimes &times, KeyValue &each) {
           each.object(GpuEntry{of, times});
         });
       }},
      {"modules", "list of [modules](#a-module-of-a-profile)", "never",
       "those that the profile holds, run or not, and those of `--hlo`",
       [](const ProfileTimes &of, KeyValue &to) {
         to.list(of.joined().modules,
                 [](const ModuleTimes &module, KeyValue &each) {
                   each.object(module);
                 });
       }},
      {"warnings", "list of strings", "never",
       "those of the profiler, then those of the reader",
       [](const ProfileTimes &of, KeyValue &to) { to.texts(warningsOf(of)); }},
  };
  return {"A profile", kKeys};
}

template <>
KeyList<GpuEntry> keysOf<GpuEntry>() {
  static constexpr Key<GpuEntry> kKeys[] = {
      {"gpu", "integer", "never", "N of the plane `/device:GPU:N`",
       [](const GpuEntry &of, KeyValue &to) {
         to.integer(of.profile.read().profile.gpus[of.times.gpu].number);
       }},
      {"device", "string", "never", "the device that it is compared with",
       [](const GpuEntry &of, KeyValue &to) {
         to.text(of.profile.device().name);
       }},
      {"kernels", "integer >= 0", "never", "launches",
       [](const GpuEntry &of, KeyValue &to) { to.integer(of.times.kernels); }},
      {"kernel_us", "number", "never",
       "the sum of their times, in microseconds, exactly",
       [](const GpuEntry &of, KeyValue &to) {
         to.number(exactMicroseconds(of.times.kernelTime));
       }},
      {"busy_us", "number", "never",
       "the time in which at least one of them ran",
       [](const GpuEntry &of, KeyValue &to) {
         to.number(exactMicroseconds(of.times.busy));
       }},
      {"unattributed_us", "number", "never",
       "the part of `kernel_us` that no instruction is known for",
       [](const GpuEntry &of, KeyValue &to) {
         to.number(exactMicroseconds(of.times.unattributed));
       }},
      {"copy_us", "number", "never",
       "the time of copies and fills that are not kernels",
       [](const GpuEntry &of, KeyValue &to) {
         to.number(exactMicroseconds(
             of.profile.read().profile.gpus[of.times.gpu].copyTime));
       }},
  };
  return {"A GPU of a profile", kKeys};
}

template <>
KeyList<ModuleTimes> keysOf<ModuleTimes>() {
  static constexpr Key<ModuleTimes> kKeys[] = {
      {"program_id", "integer", "the module is of `--hlo`",
       "the number by which the launches name it",
       [](const ModuleTimes &of, KeyValue &to) { to.integer(of.of.program); }},
      {"name", "string", "never", "",
       [](const ModuleTimes &of, KeyValue &to) { to.text(of.of.name); }},
      {"embedded", "boolean", "never", "whether the profile holds it",
       [](const ModuleTimes &of, KeyValue &to) { to.boolean(of.of.embedded); }},
      {"executions", "integer >= 0", "it did not run; they are not known",
       "how often it ran, on the GPUs that are looked at",
       [](const ModuleTimes &of, KeyValue &to) { to.integer(of.executions); }},
      {"kernel_us", "number", "never", "the time of its kernels",
       [](const ModuleTimes &of, KeyValue &to) {
         to.number(exactMicroseconds(of.kernelTime));
       }},
  };
  return {"A module of a profile", kKeys};
}

template <>
KeyList<UnattributedKernel> keysOf<UnattributedKernel>() {
  static constexpr Key<UnattributedKernel> kKeys[] = {
      {"kernel", "string", "never", "its name",
       [](const UnattributedKernel &of, KeyValue &to) { to.text(of.name); }},
      {"launches", "integer >= 1", "never", "",
       [](const UnattributedKernel &of, KeyValue &to) {
         to.integer(of.times.count);
       }},
      {"measured_total_us", "number", "never",
       "the microseconds of all its launches, exactly",
       [](const UnattributedKernel &of, KeyValue &to) {
         to.number(exactMicroseconds(of.times.total));
       }},
      {"reason",
       "`\"no hlo_op\"`, `\"no module\"`, `\"no such instruction\"` or "
       "`\"command buffer\"`",
       "never",
       "the launch says no instruction; its module is not there, or several "
       "have its name; the module runs no kernel of that name; several kernels "
       "of a command buffer may be it",
       [](const UnattributedKernel &of, KeyValue &to) {
         to.text(wordsOf(of.reason));
       }},
  };
  return {"A kernel without an instruction", kKeys};
}

template <>
KeyList<DeviceKernelEntry> keysOf<DeviceKernelEntry>() {
  static constexpr Key<DeviceKernelEntry> kKeys[] = {
      {"name", "string", "never", "as the profile has it",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.text(of.kernel.name);
       }},
      {"count", "integer >= 1", "never", "launches",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.integer(of.kernel.times.count);
       }},
      {"min_us", "number", "the profiler added launches up", "the least",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         if (of.kernel.times.least)
           to.number(exactMicroseconds(*of.kernel.times.least));
       }},
      {"median_us", "number", "the profiler added launches up",
       "the median; of an even count the mean of the two in the middle",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         microseconds(of.kernel.times.median, to);
       }},
      {"total_us", "number", "never", "of all",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.number(exactMicroseconds(of.kernel.times.total));
       }},
      {"grid", "list of integers", "the profile does not say",
       "the blocks along x, y and z",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         if (of.kernel.details.grid) to.integers(*of.kernel.details.grid);
       }},
      {"block", "list of integers", "the profile does not say",
       "the threads of a block",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         if (of.kernel.details.block) to.integers(*of.kernel.details.block);
       }},
      {"shared_bytes", "integer >= 0",
       "the profile does not say; it is garbage",
       "the shared memory of a block",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.integer(of.kernel.details.sharedBytes);
       }},
      {"registers", "integer >= 0", "the profile does not say", "of a thread",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.integer(of.kernel.details.registers);
       }},
      {"resident_blocks", "integer >= 1",
       "the profile gives neither registers nor occupancy, as on AMD",
       "the blocks that a core holds at once",
       [](const DeviceKernelEntry &of, KeyValue &to) {
         to.integer(residentBlocks(of.kernel.details, of.device));
       }},
  };
  return {"A kernel that ran", kKeys};
}

}  // namespace indexical
