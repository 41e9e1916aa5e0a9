#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/profile/plane.h"
#include "indexical/import/profile/profile.h"
#include "indexical/import/wire/fields.h"

namespace indexical {

using llvm::StringRef;

bool KernelKind::operator==(const KernelKind &o) const {
  return occurrences == o.occurrences && program == o.program &&
         inGraph == o.inGraph && op == o.op && name == o.name &&
         module == o.module && details == o.details;
}

bool Profile::hasKernels() const {
  return llvm::any_of(
      gpus, [](const ProfiledGpu &gpu) { return !gpu.launches.empty(); });
}

namespace {

struct KindHash {
  size_t operator()(const KernelKind &kind) const {
    return llvm::hash_combine(kind.module, kind.program.has_value(),
                              kind.program.value_or(0), kind.op, kind.name,
                              kind.details, kind.inGraph, kind.occurrences);
  }
};

constexpr StringRef kGpuPlane = "/device:GPU:";
constexpr StringRef kModulesPlane = "/host:metadata";
constexpr StringRef kHostPlane = "/host:CPU";
/// The event that the host's thread has while it runs a module; newer ones have
/// the device's number in front.
constexpr StringRef kRunEvent = "GpuExecutable::ExecuteThunks";

/// Lines that a viewer makes of others have numbers from here on.
bool isDerived(int64_t line) {
  constexpr uint32_t kFirst = 0xdeadbeef, kCount = 389;
  return static_cast<uint32_t>(line) - kFirst <= kCount;
}

int64_t saturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!llvm::AddOverflow(a, b, sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

/// The numbers of events that are passed over or incomplete, by the fault.
struct Faults {
  int64_t names = 0;      ///< no event metadata has their number
  int64_t texts = 0;      ///< a stat refers to no stat metadata
  int64_t durations = 0;  ///< negative
};

/// Reads the launches of one plane of a GPU.
class GpuReader {
 public:
  GpuReader(PlaneReader &plane, ProfiledGpu &gpu, Faults &faults)
      : plane_(plane), gpu_(gpu), faults_(faults) {
    for (size_t i = 0; i < gpu.kinds.size(); ++i) numbers_[gpu.kinds[i]] = i;
  }

  /// False if the bytes are damaged.
  bool read() {
    for (StringRef message : plane_.stats()) addStat(plane_.stat(message));
    size_t events = 0;
    for (StringRef line : plane_.lines()) events += eventsOf(line);
    // To grow is to copy.
    gpu_.launches.reserve(gpu_.launches.size() + events);
    bool whole = true;
    for (StringRef line : plane_.lines()) whole &= addLine(line);
    return whole;
  }

 private:
  static size_t eventsOf(StringRef line) {
    size_t count = 0;
    WireFields fields(line);
    while (fields.next()) count += fields.number() == 4 && fields.isBytes();
    return count;
  }

  void addStat(const Stat &stat) {
    const int64_t number = PlaneReader::integerOf(stat).value_or(0);
    switch (stat.name) {
      case StatName::DeviceVendor:
        gpu_.vendor = plane_.textOf(stat);
        break;
      case StatName::GpuDeviceName:
        gpu_.model = plane_.textOf(stat);
        break;
      case StatName::ClockRate:
        gpu_.clockKilohertz = number;
        break;
      case StatName::CoreCount:
        gpu_.cores = number;
        break;
      case StatName::MemorySize:
        gpu_.memoryBytes = number;
        break;
      case StatName::CapabilityMajor:
        gpu_.capabilityMajor = number;
        break;
      case StatName::CapabilityMinor:
        gpu_.capabilityMinor = number;
        break;
      default:
        break;
    }
  }

  bool addLine(StringRef line) {
    // The line's own fields may stand behind its events.
    int64_t id = 0, began = 0;
    WireFields own(line);
    while (own.next()) {
      if (own.isBytes()) continue;
      if (own.number() == 1) id = own.integer();
      if (own.number() == 3) began = own.integer();
    }
    if (isDerived(id)) return !own.isDamaged();
    int64_t beganPs = 0;
    if (llvm::MulOverflow(began, int64_t{1000}, beganPs))
      beganPs = began < 0 ? INT64_MIN : INT64_MAX;
    bool whole = !own.isDamaged();
    WireFields fields(line);
    while (fields.next())
      if (fields.number() == 4 && fields.isBytes())
        whole &= addEvent(fields.bytes(), beganPs);
    return whole;
  }

  bool addEvent(StringRef event, int64_t lineBegan) {
    int64_t metadata = 0, offset = 0, duration = 0, occurrences = 0;
    KernelKind kind;
    StringRef origin;
    bool isKernel = false, isCopy = false, isMissing = false;
    WireFields fields(event);
    while (fields.next()) {
      switch (fields.number()) {
        case 1:
          metadata = fields.integer();
          break;
        case 2:
          offset = fields.integer();
          break;
        case 3:
          duration = fields.integer();
          break;
        case 5:
          occurrences = fields.integer();
          break;
        case 4: {
          const Stat stat = plane_.stat(fields.bytes());
          isMissing |= stat.isMissing && stat.name != StatName::Other;
          switch (stat.name) {
            case StatName::KernelDetails:
              isKernel = true;
              kind.details = plane_.textOf(stat);
              break;
            case StatName::MemcpyDetails:
            case StatName::MemsetDetails:
              isCopy = true;
              break;
            case StatName::HloOp:
              kind.op = plane_.textOf(stat);
              break;
            case StatName::HloModule:
              kind.module = plane_.textOf(stat);
              break;
            case StatName::ProgramId:
              kind.program = PlaneReader::integerOf(stat);
              break;
            case StatName::Name:
              origin = plane_.textOf(stat);
              break;
            case StatName::CudaGraph:
              kind.inGraph = true;
              break;
            default:
              break;
          }
          break;
        }
      }
    }
    const bool whole = !fields.isDamaged();
    if (!isKernel && !isCopy) return whole;
    if (duration < 0) {
      ++faults_.durations;
      duration = 0;
    }
    if (!isKernel) {
      gpu_.copyTime = saturated(gpu_.copyTime, duration);
      ++gpu_.copies;
      return whole;
    }
    if (kind.op.empty()) kind.op = opIn(origin);
    faults_.texts += isMissing;
    if (const EventMetadata *known = plane_.event(metadata))
      kind.name = known->name;
    else
      ++faults_.names;
    kind.occurrences = std::max<int64_t>(occurrences, 0);
    gpu_.launches.push_back(
        {saturated(lineBegan, offset), duration, numberOf(kind)});
    return whole;
  }

  /// An annotation is cut at `#` and `,`. If a name held one of these, what
  /// says the instruction is at the end of the name: `a#b,hlo_op=fusion.3`.
  static StringRef opIn(StringRef origin) {
    constexpr StringRef kKey = ",hlo_op=";
    const size_t at = origin.rfind(kKey);
    if (at == StringRef::npos) return "";
    const StringRef op = origin.drop_front(at + kKey.size());
    return op.contains(',') ? StringRef()
                            : op.take_until([](char c) { return c == '#'; });
  }

  uint32_t numberOf(const KernelKind &kind) {
    // A kind is known by where its texts lie, mostly.
    const size_t slot =
        (reinterpret_cast<uintptr_t>(kind.name.data()) ^
         reinterpret_cast<uintptr_t>(kind.op.data()) * 31 ^
         reinterpret_cast<uintptr_t>(kind.details.data()) * 961) /
        2 % recent_.size();
    if (const uint32_t number = recent_[slot];
        number < gpu_.kinds.size() && areSame(gpu_.kinds[number], kind))
      return number;
    const auto [known, isNew] = numbers_.try_emplace(kind, gpu_.kinds.size());
    if (isNew) gpu_.kinds.push_back(kind);
    return recent_[slot] = known->second;
  }
  static bool areSame(const KernelKind &a, const KernelKind &b) {
    auto same = [](StringRef x, StringRef y) {
      return x.data() == y.data() && x.size() == y.size();
    };
    return same(a.name, b.name) && same(a.op, b.op) &&
           same(a.details, b.details) && same(a.module, b.module) &&
           a.program == b.program && a.inGraph == b.inGraph &&
           a.occurrences == b.occurrences;
  }

  PlaneReader &plane_;
  ProfiledGpu &gpu_;
  Faults &faults_;
  std::unordered_map<KernelKind, uint32_t, KindHash> numbers_;
  std::array<uint32_t, 1024> recent_{};
};

class SpaceReader {
 public:
  explicit SpaceReader(StringRef bytes) : bytes_(bytes) {}

  Profile read() {
    WireFields fields(bytes_);
    const char *began = bytes_.data();
    while (fields.next()) {
      if (!fields.isBytes()) continue;
      switch (fields.number()) {
        case 1:
          addPlane(fields.bytes(), began - bytes_.data(),
                   /*isCut=*/fields.missing() > 0);
          break;
        case 2:
        case 3:
          profile_.warnings.push_back(printable(fields.bytes()));
          break;
        case 4:
          profile_.hosts.push_back(fields.bytes());
          break;
      }
      began = fields.position();
    }
    if (fields.isDamaged()) sayDamage(fields);
    finish();
    return std::move(profile_);
  }

 private:
  /// Returns the text as UTF-8, for JSON holds nothing else.
  static std::string printable(StringRef text) {
    return llvm::json::fixUTF8(text);
  }

  void addPlane(StringRef bytes, size_t at, bool isCut) {
    PlaneReader plane(bytes, profile_.kept);
    profile_.planes.push_back(plane.name());
    bool whole = !plane.isDamaged();
    StringRef number = plane.name();
    int64_t gpu = 0;
    if (number.consume_front(kGpuPlane) && !number.getAsInteger(10, gpu))
      whole &= GpuReader(plane, gpuNumbered(gpu), faults_).read();
    else if (plane.name() == kModulesPlane)
      addModules(plane);
    else if (plane.name().starts_with(kHostPlane))
      addRuns(plane);
    if (!whole && !isCut && profile_.damage.ok())
      profile_.damage = absl::InvalidArgumentError(
          "the plane `" + printable(plane.name()) + "` at byte " +
          std::to_string(at) +
          " is damaged: a part of it is longer than what it stands in, or "
          "is not a field; what could be read of it counts");
  }

  ProfiledGpu &gpuNumbered(int64_t number) {
    for (ProfiledGpu &gpu : profile_.gpus)
      if (gpu.number == number) return gpu;
    profile_.gpus.emplace_back().number = number;
    return profile_.gpus.back();
  }

  void addModules(PlaneReader &plane) {
    for (const auto &[key, event] : plane.events()) {
      EmbeddedModule module;
      module.program = key;
      module.name = event.name;
      WireFields fields(event.message);
      while (fields.next()) {
        if (fields.number() != 5 || !fields.isBytes()) continue;
        const Stat stat = plane.stat(fields.bytes());
        if (stat.name == StatName::HloProto)
          module.proto = stat.text;
        else if (stat.name == StatName::ProgramId)
          module.program =
              PlaneReader::integerOf(stat).value_or(module.program);
      }
      if (module.proto.empty()) continue;
      module.name.consume_back("(" + std::to_string(module.program) + ")") ||
          module.name.consume_back(
              "(" + std::to_string(static_cast<uint64_t>(module.program)) +
              ")");
      profile_.modules.push_back(module);
    }
  }

  void addRuns(PlaneReader &plane) {
    std::unordered_map<int64_t, bool> isRun;
    for (const auto &[key, event] : plane.events())
      if (event.name == kRunEvent ||
          (event.name.starts_with("[") &&
           event.name.ends_with(("] " + kRunEvent).str())))
        isRun[key] = true;
    if (isRun.empty()) return;
    for (StringRef line : plane.lines()) {
      WireFields events(line);
      while (events.next())
        if (events.number() == 4 && events.isBytes())
          addRun(plane, events.bytes(), isRun);
    }
  }

  void addRun(PlaneReader &plane, StringRef event,
              const std::unordered_map<int64_t, bool> &isRun) {
    // The name is the first field, if it is there.
    WireFields fields(event);
    StringRef module;
    while (fields.next()) {
      if (fields.number() == 1 && !isRun.count(fields.integer())) return;
      if (fields.number() != 4 || !fields.isBytes()) continue;
      const Stat stat = plane.stat(fields.bytes());
      if (stat.name == StatName::ModuleName) module = plane.textOf(stat);
    }
    if (!module.empty()) ++runs_[module];
  }

  void sayDamage(const WireFields &fields) {
    const uint64_t at = fields.position() - bytes_.data();
    // A program that took the bytes for text wrote this for bytes that are
    // none.
    constexpr StringRef kReplaced = "\xef\xbf\xbd";
    std::string why;
    if (bytes_.contains(kReplaced))
      why =
          "the profile holds the bytes EF BF BD: it was taken for text on its "
          "way and converted to UTF-8, which cannot be undone; copy it as a "
          "binary file";
    else if (fields.missing() > 0)
      why = "the profile ends at byte " + std::to_string(at) + ", and " +
            std::to_string(fields.missing()) +
            " more belong to its last part: it was cut; what could be read "
            "counts";
    else
      why = "the profile is damaged at byte " + std::to_string(at) +
            ": no field begins there; what stands before it counts";
    profile_.damage = absl::InvalidArgumentError(why);
  }

  void finish() {
    for (const auto &[name, count] : runs_)
      profile_.runs.push_back({name, count});
    auto warn = [&](int64_t count, StringRef text) {
      if (count > 0)
        profile_.warnings.push_back(std::to_string(count) + " " + text.str());
    };
    warn(faults_.names,
         "launches have no name: no event metadata has their number");
    warn(faults_.texts,
         "launches refer to a text that is not there: what it would say of "
         "them is missing");
    warn(faults_.durations, "events have a negative duration; it counts as 0");
    llvm::sort(profile_.gpus, [](const ProfiledGpu &a, const ProfiledGpu &b) {
      return a.number < b.number;
    });
    auto key = [](const EmbeddedModule &m) {
      return std::tuple(m.program, m.name, m.proto);
    };
    llvm::sort(profile_.modules,
               [&](const auto &a, const auto &b) { return key(a) < key(b); });
    // Files that were put together repeat them.
    profile_.modules.erase(
        std::unique(
            profile_.modules.begin(), profile_.modules.end(),
            [&](const auto &a, const auto &b) { return key(a) == key(b); }),
        profile_.modules.end());
    for (auto *names : {&profile_.planes, &profile_.hosts}) {
      llvm::sort(*names);
      names->erase(std::unique(names->begin(), names->end()), names->end());
    }
  }

  const StringRef bytes_;
  Profile profile_;
  Faults faults_;
  std::map<StringRef, int64_t> runs_;
};

/// Whether the message can be a plane. Only a `whole` one is checked to its
/// end.
bool canBePlane(StringRef bytes, bool whole) {
  WireFields fields(bytes);
  bool hasName = false;
  for (int i = 0; i < 16 && fields.next(); ++i) {
    const uint32_t number = fields.number();
    if (number > 6 || fields.isBytes() == (number == 1)) return false;
    if (i == 0 && !whole && number > 2) return false;
    if (!fields.isBytes() && fields.kind() != WireKind::Number) return false;
    hasName |= number == 2;
  }
  return whole ? hasName && !fields.isDamaged() : hasName;
}

}  // namespace

bool looksLikeProfile(StringRef bytes) {
  // A profile that was taken for text, and changed by that, begins as a plane
  // does and has bytes that no text has.
  const StringRef front = bytes.take_front(64);
  if (front.starts_with("\n") && front.contains("\xef\xbf\xbd") &&
      front.find_first_of(StringRef("\x00\x01\x02\x08\x12\x1a", 6)) !=
          StringRef::npos)
    return true;
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() > 4 || !fields.isBytes()) return false;
    if (fields.number() == 1)
      return canBePlane(fields.bytes(), fields.missing() == 0);
  }
  return false;
}

Profile readProfile(StringRef bytes) { return SpaceReader(bytes).read(); }

}  // namespace indexical
