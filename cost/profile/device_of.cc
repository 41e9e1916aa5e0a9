#include "indexical/cost/profile/device_of.h"

#include "llvm/ADT/StringRef.h"

namespace indexical {

using llvm::StringRef;

namespace {

struct AmdRow {
  int64_t major, minor;
  StringRef architecture;
  int64_t cores;
  StringRef device, otherwise;
};
// The second name is of a table that has no row for the first.
constexpr AmdRow kAmd[] = {
    {9, 0, "gfx90a", 104, "mi210", ""},
    {9, 0, "gfx90a", 110, "mi250x", ""},
    {9, 4, "gfx942", 304, "mi300x", ""},
    {9, 5, "gfx950", 256, "mi355x", "mi350"},
};

struct NvidiaRow {
  StringRef part, device;
};
// The first that the name contains as words.
constexpr NvidiaRow kNvidia[] = {
    {"H100 PCIe", "h100pcie"},
    {"H100", "h100"},
    {"H200", "h200"},
    {"B200", "b200"},
    {"A100", "a100"},
    {"RTX A6000", "a6000"},
    {"L4", "l4"},
    {"P100", "p100"},
    {"RTX 4090", "rtx4090"},
    {"T4", "t4"},
    {"V100", "v100"},
};

/// Whether the part stands there and no letter or digit goes on: an L40 is no
/// L4.
bool hasWords(StringRef name, StringRef part) {
  auto isWord = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  for (size_t at = name.find(part); at != StringRef::npos;
       at = name.find(part, at + 1)) {
    const size_t end = at + part.size();
    if ((at == 0 || !isWord(name[at - 1])) &&
        (end == name.size() || !isWord(name[end])))
      return true;
  }
  return false;
}

}  // namespace

const Device *deviceOf(const ProfiledGpu &gpu) {
  if (gpu.vendor.equals_insensitive("nvidia")) {
    // Variants that the table does not have: their rates differ.
    for (const StringRef other : {"Ti", "SUPER", "NVL", "D", "Laptop"})
      if (hasWords(gpu.model, other)) return nullptr;
    for (const NvidiaRow &row : kNvidia)
      if (hasWords(gpu.model, row.part)) return findDevice(row.device);
    return nullptr;
  }
  for (const AmdRow &row : kAmd) {
    const bool isArchitecture = gpu.capabilityMajor > 0
                                    ? gpu.capabilityMajor == row.major &&
                                          gpu.capabilityMinor == row.minor
                                    : gpu.model.starts_with(row.architecture);
    if (!gpu.vendor.equals_insensitive("amd") || !isArchitecture ||
        gpu.cores != row.cores)
      continue;
    if (const Device *device = findDevice(row.device)) return device;
    return row.otherwise.empty() ? nullptr : findDevice(row.otherwise);
  }
  return nullptr;
}

std::string describedDevice(const ProfiledGpu &gpu) {
  if (!gpu.model.empty()) return gpu.model.str();
  std::string text =
      gpu.vendor.empty() ? "a device without a vendor" : gpu.vendor.str();
  if (gpu.capabilityMajor > 0)
    text += " " + std::to_string(gpu.capabilityMajor) + "." +
            std::to_string(gpu.capabilityMinor);
  if (gpu.cores > 0) text += ", " + std::to_string(gpu.cores) + " cores";
  return text;
}

}  // namespace indexical
