#include "indexical/tools/output.h"

#include <system_error>

#include "llvm/Support/FileSystem.h"

namespace indexical {

Output::Output(llvm::StringRef path, llvm::raw_ostream &standard)
    : path_(path.str()), standard_(standard) {}

absl::Status Output::open() {
  if (path_ == "-") return absl::OkStatus();
  std::error_code error;
  file_ = std::make_unique<llvm::ToolOutputFile>(path_, error,
                                                 llvm::sys::fs::OF_None);
  if (error) {
    file_.reset();
    return absl::UnknownError("`" + path_ +
                              "` cannot be written: " + error.message());
  }
  // What was begun is worth keeping, also where a part of it failed.
  file_->keep();
  return absl::OkStatus();
}

llvm::raw_ostream &Output::stream() { return file_ ? file_->os() : standard_; }

absl::Status Output::close() {
  stream().flush();
  auto *os = file_ ? &file_->os()
                   : (&standard_ == &llvm::outs() ? &llvm::outs() : nullptr);
  if (!os || !os->has_error()) return absl::OkStatus();
  std::string reason = os->error().message();
  os->clear_error();
  return absl::UnknownError(
      (path_ == "-" ? std::string("the result") : "`" + path_ + "`") +
      " cannot be written: " + reason);
}

bool Output::isDisplayed() const { return !file_ && standard_.is_displayed(); }

}  // namespace indexical
