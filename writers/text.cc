// For people. Of several inputs a line `# FILE`, a comment where texts are maps
// files, begins each.

#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/saturated.h"
#include "indexical/writers/format.h"

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
    if (file)
      result.totals([&](llvm::StringRef words, int64_t figure) {
        addFigure(words, figure);
      });
  }

  void finish(size_t, size_t) override {
    if (figures_.empty()) return;
    os_ << '\n';
    for (const auto &[words, figure] : figures_)
      os_ << (&words == &figures_.front().first ? "total: " : ", ") << words
          << ' ' << figure;
    os_ << '\n';
  }

  void add(const Writer &part, llvm::StringRef text) override {
    if (std::exchange(begun_, true)) os_ << '\n';
    os_ << text;
    for (const auto &[words, figure] :
         static_cast<const TextWriter &>(part).figures_)
      addFigure(words, figure);
  }

 private:
  void addFigure(llvm::StringRef words, int64_t figure) {
    for (auto &[known, sum] : figures_)
      if (known == words) {
        sum = sumOf(sum, figure);
        return;
      }
    figures_.push_back({words.str(), figure});
  }

  llvm::raw_ostream &os_;
  const TextStyle style_;
  bool begun_ = false;
  std::vector<std::pair<std::string, int64_t>> figures_;
};

}  // namespace

std::unique_ptr<Writer> makeTextWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Plain);
}

std::unique_ptr<Writer> makeAttributeWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Attributes);
}

std::unique_ptr<Writer> makeXlaWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Xla);
}

std::unique_ptr<Writer> makeManualWriter(const WriterOptions &options) {
  return std::make_unique<TextWriter>(options.os, TextStyle::Manual);
}

}  // namespace indexical
