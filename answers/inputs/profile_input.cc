#include "indexical/answers/inputs/profile_input.h"

#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/hlo/proto/proto_text.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

using llvm::StringRef;

bool isProfile(const Input &input) {
  return looksLikeProfile(input.text) ||
         StringRef(input.path).ends_with(".xplane.pb");
}

namespace {

/// Returns an error that says what a profile holds that has no kernel of XLA's
/// modules on a GPU.
absl::Status nothingToReport(const Profile &profile) {
  if (!profile.damage.ok()) return profile.damage;
  std::vector<std::string> planes;
  for (StringRef plane : profile.planes)
    if (planes.size() < 12) planes.push_back("`" + plane.str() + "`");
  std::string text = "the profile has no kernels of XLA on a GPU";
  if (profile.hasKernels())
    text =
        "the profile has kernels of a GPU, and none of them says an HLO "
        "module or instruction: it is not of XLA";
  else if (llvm::any_of(profile.planes, [](StringRef plane) {
             return plane.starts_with("/device:TPU:");
           }))
    text += ": it is a TPU's";
  else if (!llvm::any_of(profile.planes, [](StringRef plane) {
             return plane.starts_with("/device:");
           }))
    text += ": only the host was profiled";
  text += planes.empty()
              ? "; it has no planes"
              : "; its planes are " + llvm::join(planes, ", ") +
                    (profile.planes.size() > planes.size() ? "…" : "");
  return absl::InvalidArgumentError(text);
}

bool hasKernelsOfXla(const Profile &profile) {
  for (const ProfiledGpu &gpu : profile.gpus)
    for (const KernelKind &kind : gpu.kinds)
      if (kind.program || !kind.module.empty() || !kind.op.empty()) return true;
  return false;
}

class ProfiledReader {
 public:
  ProfiledReader(llvm::ArrayRef<std::string> files, const ReadAs &readAs)
      : files_(files), readAs_(readAs) {}

  absl::StatusOr<ProfiledProgram> read(const Input &input) {
    read_.profile = readProfile(input.text);
    if (!hasKernelsOfXla(read_.profile)) return nothingToReport(read_.profile);
    for (const EmbeddedModule &module : read_.profile.modules)
      read_.modules.push_back(
          {module.program, module.name, /*embedded=*/true, nullptr});
    INDEXICAL_RETURN_IF_ERROR(readFiles());
    sayConflicts();
    readEmbedded();
    // The list does not grow any more.
    for (size_t m = 0; m < read_.modules.size(); ++m)
      if (isRead_[m]) read_.modules[m].module = &read_.program.modules[m];
    return std::move(read_);
  }

 private:
  /// Reads the modules of files.
  absl::Status readFiles() {
    for (const std::string &path : files_) {
      const auto input = readInput(path);
      if (!input.ok())
        return absl::InvalidArgumentError(
            "`" + path + "` " + std::string(input.status().message()));
      auto program = readProgram(*input, readAs_);
      if (!program.ok())
        return absl::InvalidArgumentError(
            "`" + path + "`" + placeText(program.status()) + ": " +
            std::string(program.status().message()));
      read_.sources.push_back(*std::move(program));
      for (Module &module : read_.sources.back().modules) {
        read_.modules.push_back(
            {std::nullopt, module.name, /*embedded=*/false, nullptr});
        ofFiles_.push_back(&module);
      }
    }
    return absl::OkStatus();
  }

  static std::string placeText(const absl::Status &status) {
    const auto place = placeOf(status);
    if (!place) return "";
    return ":" + std::to_string(place->line) + ":" +
           std::to_string(place->column);
  }

  /// Two modules of one program are of two runs: no launch says which.
  void sayConflicts() {
    std::map<int64_t, int> count;
    for (const EmbeddedModule &module : read_.profile.modules)
      ++count[module.program];
    for (const auto &[program, times] : count)
      if (times > 1)
        read_.warnings.push_back(
            std::to_string(times) + " different modules have the program " +
            std::to_string(program) + ": its kernels are of none of them");
  }

  void readEmbedded() {
    const std::vector<bool> ran = ranOf(read_.profile, read_.modules);
    const size_t embedded = read_.profile.modules.size();
    isRead_.assign(read_.modules.size(), false);
    read_.program.modules.resize(read_.modules.size());
    for (size_t m = 0; m < read_.modules.size(); ++m) {
      Module &to = read_.program.modules[m];
      to.name = read_.modules[m].name;
      to.isScheduled = true;  // nothing of it says otherwise
      if (!ran[m]) continue;
      if (m >= embedded) {
        to = std::move(*ofFiles_[m - embedded]);
        isRead_[m] = true;
      } else {
        isRead_[m] = readModule(read_.profile.modules[m], to);
      }
    }
  }

  bool readModule(const EmbeddedModule &module, Module &to) {
    auto failed = [&](const absl::Status &status) {
      read_.warnings.push_back(
          "the module " + module.name.str() + "(" +
          std::to_string(module.program) +
          ") cannot be read: " + std::string(status.message()));
      return false;
    };
    auto text = hloTextOfProto(module.proto);
    if (!text.ok()) return failed(text.status());
    HloOptions options;
    options.customCalls = readAs_.ops.get();
    auto program = parseHlo(std::make_shared<std::string>(*std::move(text)),
                            module.name.str(), options);
    if (!program.ok()) return failed(program.status());
    if (program->modules.size() != 1)
      return failed(absl::InvalidArgumentError("it is no single module"));
    read_.sources.push_back(*std::move(program));
    to = std::move(read_.sources.back().modules.front());
    return true;
  }

  const llvm::ArrayRef<std::string> files_;
  const ReadAs &readAs_;
  ProfiledProgram read_;
  std::vector<Module *> ofFiles_;
  std::vector<bool> isRead_;
};

}  // namespace

absl::StatusOr<ProfiledProgram> readProfiled(const Input &input,
                                             llvm::ArrayRef<std::string> files,
                                             const ReadAs &readAs) {
  return ProfiledReader(files, readAs).read(input);
}

}  // namespace indexical
