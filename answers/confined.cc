#include "indexical/answers/confined.h"

#include <string>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace indexical {
namespace {

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The real path of the folder; empty: the process is not confined.
std::string &folderOfProcess() {
  static std::string folder;
  return folder;
}

bool isInside(StringRef realPath) {
  const StringRef folder = folderOfProcess();
  if (!realPath.consume_front(folder)) return false;
  return realPath.empty() || folder.ends_with("/") || realPath.starts_with("/");
}

absl::Status outside(StringRef named) {
  return absl::PermissionDeniedError(
      "`" + named.str() +
      "` is outside of the folder that this server was started in");
}

/// Returns the path that the system would open, as far as it exists.
std::string resolved(StringRef named) {
  llvm::SmallString<256> whole(named);
  if (fs::make_absolute(whole)) return "";
  llvm::SmallString<256> real;
  if (!fs::real_path(whole, real)) return real.str().str();
  const StringRef name = path::filename(whole);
  const StringRef parent = path::parent_path(whole);
  // A path through a folder that does not exist has no real path.
  if (name == ".." || parent.empty() || parent == StringRef(whole)) return "";
  const std::string folder = resolved(parent);
  return folder.empty() ? "" : folder + "/" + name.str();
}

}  // namespace

absl::Status confineInputs(StringRef folder) {
  llvm::SmallString<256> real;
  if (const std::error_code error = fs::real_path(folder, real))
    return absl::NotFoundError("`" + folder.str() +
                               "` has no real path: " + error.message());
  folderOfProcess() = real.str().str();
  return absl::OkStatus();
}

bool areInputsConfined() { return !folderOfProcess().empty(); }

absl::Status checkConfined(StringRef named) {
  if (!areInputsConfined()) return absl::OkStatus();
  if (named == "-" || named.contains('\0')) return outside(named);
  return checkConfinedFile(named, resolved(named));
}

absl::Status checkConfinedFile(StringRef named, StringRef realPath) {
  if (!areInputsConfined() || isInside(realPath)) return absl::OkStatus();
  return outside(named);
}

}  // namespace indexical
