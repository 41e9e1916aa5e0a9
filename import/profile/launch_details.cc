#include "indexical/import/profile/launch_details.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical {

using llvm::StringRef;

namespace {

constexpr int64_t kMostRegisters = 512;

std::optional<int64_t> numberIn(StringRef text) {
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value < 0) return std::nullopt;
  return value;
}

/// `65536,1,1`
std::optional<std::array<int64_t, 3>> sizesIn(StringRef text) {
  std::array<int64_t, 3> sizes{};
  for (int64_t &size : sizes) {
    const auto [first, rest] = text.split(',');
    const auto number = numberIn(first);
    if (!number) return std::nullopt;
    size = *number;
    text = rest;
  }
  if (!text.empty()) return std::nullopt;
  return sizes;
}

}  // namespace

LaunchDetails launchDetailsOf(StringRef text) {
  LaunchDetails details;
  std::optional<int64_t> fixed, dynamic;
  while (true) {
    text = text.ltrim();
    if (text.empty()) break;
    const StringRef word =
        text.take_until([](char c) { return llvm::isSpace(c); });
    text = text.drop_front(word.size());
    const auto [key, value] = word.split(':');
    if (key == "grid")
      details.grid = sizesIn(value);
    else if (key == "block")
      details.block = sizesIn(value);
    else if (key == "regs")
      details.registers = numberIn(value);
    else if (key == "static_shared" || key == "shm" || key == "group_mem")
      fixed = numberIn(value);
    else if (key == "dynamic_shared")
      dynamic = numberIn(value);
    else if (key == "occ_pct")
      details.occupancy = numberIn(value);
  }
  if (fixed || dynamic) {
    int64_t sum = 0;
    if (!llvm::AddOverflow(fixed.value_or(0), dynamic.value_or(0), sum))
      details.sharedBytes = sum;
  }
  if (details.registers.value_or(0) > kMostRegisters) {
    details.registers.reset();
    details.sharedBytes.reset();
  }
  if (details.occupancy &&
      (*details.occupancy == 0 || *details.occupancy > 100))
    details.occupancy.reset();
  return details;
}

}  // namespace indexical
