#include "indexical/command/results.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {

using llvm::StringRef;

namespace {

StringRef inputKeyOf(const Command &command) {
  return command.reads == Reads::Chains ? "chain" : "file";
}

WriterOptions writerOptions(const Command &command, llvm::raw_ostream &os) {
  return {os, command.columns, command.page, inputKeyOf(command)};
}

}  // namespace

StringRef Results::inputKey() const { return inputKeyOf(command_); }

BufferedResult::BufferedResult(const Command &command)
    : os_(text_),
      writer_(command.settings->format->make(writerOptions(command, os_))) {}

absl::Status BufferedResult::write(Result &result,
                                   std::optional<StringRef> file) {
  isWritten_ = true;
  writer_->write(result, file);
  return absl::OkStatus();
}

Results::Results(const Command &command, llvm::raw_ostream &out)
    : command_(command), output_(command.settings->output, out) {}

absl::Status Results::open() {
  if (writer_) return absl::OkStatus();
  absl::Status status =
      earlier_ ? output_.openBehind(earlier_->bytes) : output_.open();
  isBroken_ = !status.ok();
  INDEXICAL_RETURN_IF_ERROR(status);
  command_.settings->hasResult = true;
  writer_ = command_.settings->format->make(
      writerOptions(command_, output_.stream()));
  if (earlier_) writer_->resume(*earlier_);
  return status;
}

void Results::resume(const Resumed &earlier) { earlier_ = earlier; }

absl::Status Results::write(Result &result, std::optional<StringRef> file) {
  INDEXICAL_RETURN_IF_ERROR(open());
  writer_->write(result, file);
  return absl::OkStatus();
}

absl::Status Results::add(BufferedResult &part) {
  if (!part.isWritten_) return absl::OkStatus();
  INDEXICAL_RETURN_IF_ERROR(open());
  part.os_.flush();
  writer_->add(*part.writer_, part.text_);
  return absl::OkStatus();
}

absl::Status Results::failed(StringRef file, const absl::Status &why) {
  if (command_.settings->format->isForPeople) return absl::OkStatus();
  INDEXICAL_RETURN_IF_ERROR(open());
  writer_->failed(file, why);
  return absl::OkStatus();
}

absl::Status Results::finish(size_t files, size_t failed) {
  INDEXICAL_RETURN_IF_ERROR(open());
  writer_->finish(files, failed);
  return absl::OkStatus();
}

absl::Status Results::close() {
  return writer_ ? output_.close() : absl::OkStatus();
}

}  // namespace indexical
