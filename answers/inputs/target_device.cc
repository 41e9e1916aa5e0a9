#include "indexical/answers/inputs/target_device.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// The bytes of a text in which a target is looked for.
constexpr size_t kLooked = size_t{1} << 20;

struct Target {
  StringRef name;
  StringRef device;  ///< the one that is taken
  StringRef others;
};
constexpr Target kTargets[] = {
    {"sm_6.0", "p100", ""},
    {"sm_7.0", "v100", ""},
    {"sm_7.5", "t4", ""},
    {"sm_8.0", "a100", ""},
    {"sm_8.6", "a6000", ""},
    {"sm_8.9", "l4", "rtx4090"},
    {"sm_9.0", "h100", "h100pcie and h200"},
    {"sm_10.0", "b200", ""},
    {"gfx90a", "mi250x", "mi210"},
    {"gfx942", "mi300x", ""},
    {"gfx950", "mi355x", "mi350"},
};

/// Returns `sm_9.0` for the digits `90`.
std::string withPoint(StringRef digits) {
  return ("sm_" + digits.drop_back() + "." + digits.take_back()).str();
}

/// Returns the target behind `sm_`, at the beginning of the text: `8.0_gpu`,
/// `80`, `90a`.
std::string nvidiaTarget(StringRef text) {
  const StringRef major = text.take_while(llvm::isDigit);
  if (major.empty() || major.size() > 3) return "";
  StringRef behind = text.substr(major.size());
  if (behind.consume_front(".")) {
    const StringRef minor = behind.take_while(llvm::isDigit);
    return minor.size() == 1 ? ("sm_" + major + "." + minor).str() : "";
  }
  return major.size() >= 2 ? withPoint(major) : "";
}

/// Returns the first target that the text has.
std::string targetIn(StringRef text) {
  auto isInside = [&](size_t at) {
    return at > 0 && (llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
  };
  for (size_t at = text.find("sm_"); at != StringRef::npos;
       at = text.find("sm_", at + 1)) {
    if (isInside(at)) continue;
    if (auto target = nvidiaTarget(text.substr(at + 3)); !target.empty())
      return target;
  }
  constexpr StringRef kCuda = "\"cuda:";
  if (const size_t at = text.find(kCuda); at != StringRef::npos) {
    const StringRef digits =
        text.substr(at + kCuda.size()).take_while(llvm::isDigit);
    if (digits.size() == 2 || digits.size() == 3) return withPoint(digits);
  }
  // Inductor writes `DeviceProperties(type='cuda', index=0, cc=90, …)`.
  constexpr StringRef kProperties = "DeviceProperties(type='cuda'";
  if (const size_t at = text.find(kProperties); at != StringRef::npos) {
    const StringRef rest = text.substr(at, 300).split(')').first;
    const StringRef digits =
        rest.split(" cc=").second.take_while(llvm::isDigit);
    if (digits.size() == 2 || digits.size() == 3) return withPoint(digits);
  }
  for (size_t at = text.find("gfx"); at != StringRef::npos;
       at = text.find("gfx", at + 1)) {
    if (isInside(at)) continue;
    const StringRef word =
        text.substr(at).take_while([](char c) { return llvm::isAlnum(c); });
    if (word.size() == 6 || word.size() == 7) return word.str();
  }
  return "";
}

/// Returns the target that LLVM IR names for its functions, `sm_8.0` or
/// `gfx908`; "": none. It stands behind the functions.
std::string llvmTarget(StringRef text) {
  constexpr StringRef kTriple = "target triple";
  constexpr StringRef kCpu = "\"target-cpu\"=\"";
  if (!text.take_front(kLooked).contains(kTriple)) return "";
  for (size_t at = text.find(kCpu); at != StringRef::npos;
       at = text.find(kCpu, at + 1)) {
    StringRef word = text.substr(at + kCpu.size()).split('"').first;
    if (word.starts_with("gfx")) return word.str();
    if (word.consume_front("sm_"))
      if (auto target = nvidiaTarget(word); !target.empty()) return target;
  }
  return "";
}

/// Returns the device of the known target that is most alike: by the number for
/// NVIDIA, by the longest common beginning for wavefronts of 64 lanes of AMD.
const Device *deviceLike(StringRef target) {
  const Target *best = nullptr;
  size_t length = StringRef("gfx9").size() - 1;
  auto numberOf = [](StringRef nvidia) {
    double number = 0;
    if (!nvidia.consume_front("sm_") || nvidia.getAsDouble(number)) return -1.0;
    return number;
  };
  const double number = numberOf(target);
  for (const Target &of : kTargets) {
    if (number >= 0) {
      const double own = numberOf(of.name);
      if (own >= 0 && (!best || own <= number)) best = &of;
      continue;
    }
    const size_t common = std::mismatch(target.begin(), target.end(),
                                        of.name.begin(), of.name.end())
                              .first -
                          target.begin();
    if (of.name.starts_with("gfx") && common > length) {
      best = &of;
      length = common;
    }
  }
  return best ? findDevice(best->device) : &defaultDevice();
}

}  // namespace

TargetDevice targetDeviceOf(StringRef path, StringRef text) {
  const std::string compiled = llvmTarget(text);
  if (!compiled.empty()) {
    const auto *known = llvm::find_if(
        kTargets, [&](const Target &of) { return of.name == compiled; });
    if (known == std::end(kTargets))
      return {deviceLike(compiled), compiled,
              compiled + " in the text, as a guess: no device of " + compiled +
                  " is known"};
    text = known->name;
  }
  const StringRef name =
      compiled.empty() ? path.substr(path.rfind('/') + 1) : StringRef();
  for (auto [in, where] : {std::pair(name, "the file's name"),
                           std::pair(text.take_front(kLooked), "the text")}) {
    const std::string target = targetIn(in);
    const auto *known = llvm::find_if(
        kTargets, [&](const Target &of) { return of.name == target; });
    if (known == std::end(kTargets)) continue;
    TargetDevice found{findDevice(known->device), target,
                       target + " in " + where};
    if (!known->others.empty())
      found.why += ", which may be " + known->others.str();
    if (found.device) return found;
  }
  return {};
}

ModuleDevices moduleDevicesOf(llvm::ArrayRef<ModuleText> modules) {
  ModuleDevices devices;
  bool areSeveral = false;
  for (const ModuleText &module : modules) {
    TargetDevice own = targetDeviceOf(module.path, module.text);
    if (!devices.first.device)
      devices.first = own;
    else if (own.device && own.device != devices.first.device)
      areSeveral = true;
    devices.each.push_back(std::move(own));
  }
  if (!areSeveral) devices.each.clear();
  for (TargetDevice &own : devices.each)
    if (!own.device) own.device = devices.first.device;
  return devices;
}

TargetDevice targetDeviceOf(const Device *named, const Input &input) {
  return named ? TargetDevice{named, "", ""}
               : targetDeviceOf(input.path, input.text);
}

const Device *deviceFor(const Device *named, const Input &input,
                        Messages &messages) {
  const TargetDevice target = targetDeviceOf(named, input);
  if (!target.device) return &defaultDevice();
  if (!target.why.empty())
    messages.note({}, "the device follows from " + target.why +
                          "; --device=NAME takes another");
  return target.device;
}

}  // namespace indexical
