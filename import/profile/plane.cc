#include "indexical/import/profile/plane.h"

#include <utility>

#include "llvm/ADT/StringSwitch.h"

#include "indexical/import/wire/fields.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Numbers of stats below this are looked up in a list.
constexpr int64_t kFewStats = 1 << 12;

/// The key of a map's entry, and its value.
std::pair<int64_t, StringRef> entryOf(StringRef bytes, bool &damaged) {
  std::pair<int64_t, StringRef> entry{0, StringRef()};
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() == 1 && !fields.isBytes())
      entry.first = fields.integer();
    else if (fields.number() == 2 && fields.isBytes())
      entry.second = fields.bytes();
  }
  damaged |= fields.isDamaged();
  return entry;
}

/// The bytes of the last field of that number.
StringRef bytesOf(StringRef message, uint32_t number, bool &damaged) {
  StringRef found;
  WireFields fields(message);
  while (fields.next())
    if (fields.number() == number && fields.isBytes()) found = fields.bytes();
  damaged |= fields.isDamaged();
  return found;
}

}  // namespace

StatName statNamed(StringRef name) {
  return llvm::StringSwitch<StatName>(name)
      .Case("kernel_details", StatName::KernelDetails)
      .Case("memcpy_details", StatName::MemcpyDetails)
      .Cases({"Memset_details", "memset_details"}, StatName::MemsetDetails)
      .Case("hlo_op", StatName::HloOp)
      .Case("hlo_module", StatName::HloModule)
      .Case("program_id", StatName::ProgramId)
      .Case("name", StatName::Name)
      .Cases({"cuda_graph_id", "cuda_graph_node_id", "cuda_graph_exec_id"},
             StatName::CudaGraph)
      .Case("module_name", StatName::ModuleName)
      .Cases({"Hlo Proto", "hlo_proto"}, StatName::HloProto)
      .Case("device_vendor", StatName::DeviceVendor)
      .Case("gpu_device_name", StatName::GpuDeviceName)
      .Case("clock_rate", StatName::ClockRate)
      .Case("core_count", StatName::CoreCount)
      .Case("memory_size", StatName::MemorySize)
      .Case("compute_cap_major", StatName::CapabilityMajor)
      .Case("compute_cap_minor", StatName::CapabilityMinor)
      .Default(StatName::Other);
}

PlaneReader::PlaneReader(StringRef plane, std::deque<std::string> &kept)
    : kept_(kept) {
  WireFields fields(plane);
  while (fields.next()) {
    if (!fields.isBytes()) continue;
    switch (fields.number()) {
      case 2:
        name_ = fields.bytes();
        break;
      case 3:
        lines_.push_back(fields.bytes());
        break;
      case 4:
        addEvent(fields.bytes());
        break;
      case 5:
        addStat(fields.bytes());
        break;
      case 6:
        stats_.push_back(fields.bytes());
        break;
    }
  }
  damaged_ |= fields.isDamaged();
}

void PlaneReader::addEvent(StringRef bytes) {
  const auto [key, value] = entryOf(bytes, damaged_);
  events_[key] = {bytesOf(value, 2, damaged_), value};
}

void PlaneReader::addStat(StringRef bytes) {
  const auto [key, value] = entryOf(bytes, damaged_);
  NamedStat stat;
  stat.text = bytesOf(value, 2, damaged_);
  stat.name = statNamed(stat.text);
  stat.isThere = true;
  if (key < 0 || key >= kFewStats) {
    many_[key] = stat;
    return;
  }
  if (static_cast<size_t>(key) >= few_.size()) few_.resize(kFewStats);
  few_[key] = stat;
}

Stat PlaneReader::stat(StringRef message) const {
  Stat stat;
  int64_t id = 0;
  std::optional<int64_t> reference;
  WireFields fields(message);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        id = fields.integer();
        break;
      case 2:
        stat.isNumber = stat.isFloating = true;
        stat.number = fields.integer();
        break;
      case 3:
      case 4:
        stat.isNumber = true;
        stat.number = fields.integer();
        break;
      case 5:
      case 6:
        stat.text = fields.bytes();
        break;
      case 7:
        reference = fields.integer();
        break;
    }
  }
  if (const NamedStat *named = statMetadata(id)) stat.name = named->name;
  if (!reference) return stat;
  const NamedStat *value = statMetadata(*reference);
  stat.isMissing = !value;
  if (value) stat.text = value->text;
  return stat;
}

StringRef PlaneReader::textOf(const Stat &stat) {
  if (!stat.isNumber) return stat.text;
  // The text that a floating number was made of is not known any more.
  if (stat.isFloating) return "";
  const std::string text = std::to_string(stat.number);
  // A few numbers come again and again.
  for (size_t i = kept_.size(); i-- > 0 && kept_.size() - i < 64;)
    if (kept_[i] == text) return kept_[i];
  return kept_.emplace_back(text);
}

std::optional<int64_t> PlaneReader::integerOf(const Stat &stat) {
  if (stat.isNumber) {
    if (stat.isFloating) return std::nullopt;
    return stat.number;
  }
  int64_t value = 0;
  if (stat.text.getAsInteger(10, value)) return std::nullopt;
  return value;
}

}  // namespace indexical
