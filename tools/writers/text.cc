// For people. Of several inputs a line `# FILE`, a comment where texts are maps
// files, begins each.

#include <utility>

#include "indexical/tools/format.h"

namespace indexical {
namespace {

class TextWriter : public Writer {
 public:
  TextWriter(llvm::raw_ostream &os, TextStyle style) : os_(os), style_(style) {}

  void write(Result &result, std::optional<llvm::StringRef> file) override {
    if (file) {
      if (begun_) os_ << '\n';
      os_ << "# " << *file << '\n';
    }
    begun_ = true;
    result.text(os_, style_);
  }

  void add(const Writer &, llvm::StringRef text) override {
    if (std::exchange(begun_, true)) os_ << '\n';
    os_ << text;
  }

 private:
  llvm::raw_ostream &os_;
  const TextStyle style_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Writer> makeTextWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Plain);
}

std::unique_ptr<Writer> makeAttributeWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Attributes);
}

std::unique_ptr<Writer> makeManualWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Manual);
}

}  // namespace indexical
