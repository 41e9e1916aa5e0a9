#include "indexical/command/output.h"

#include <system_error>

#include "llvm/Support/FileSystem.h"

namespace indexical {

Output::Output(llvm::StringRef path, llvm::raw_ostream &standard)
    : path_(path.str()), standard_(standard) {}

absl::Status Output::opened(std::error_code error) {
  if (!error) {
    file_->SetBufferSize(kOutputBuffer);
    return absl::OkStatus();
  }
  file_.reset();
  return absl::UnknownError("`" + path_ +
                            "` cannot be written: " + error.message());
}

absl::Status Output::open() {
  if (path_ == "-") return absl::OkStatus();
  std::error_code error;
  file_ = std::make_unique<llvm::raw_fd_ostream>(path_, error,
                                                 llvm::sys::fs::OF_None);
  return opened(error);
}

absl::Status Output::openBehind(size_t bytes) {
  namespace fs = llvm::sys::fs;
  int file = -1;
  std::error_code error =
      fs::openFileForWrite(path_, file, fs::CD_OpenExisting, fs::OF_Append);
  if (!error) {
    file_ = std::make_unique<llvm::raw_fd_ostream>(file, /*shouldClose=*/true);
    error = fs::resize_file(file, bytes);
  }
  return opened(error);
}

llvm::raw_ostream &Output::stream() { return file_ ? *file_ : standard_; }

absl::Status Output::close() {
  stream().flush();
  auto *os = file_ ? file_.get()
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
