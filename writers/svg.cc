// One SVG document an input, one after another.

#include "indexical/writers/format.h"

namespace indexical {
namespace {

class SvgWriter : public Writer {
 public:
  explicit SvgWriter(llvm::raw_ostream &os) : os_(os) {}

  void write(Result &result, std::optional<llvm::StringRef>) override {
    result.picture(os_);
  }

  void add(const Writer &, llvm::StringRef text) override { os_ << text; }

 private:
  llvm::raw_ostream &os_;
};

}  // namespace

std::unique_ptr<Writer> makeSvgWriter(const WriterOptions &options) {
  return std::make_unique<SvgWriter>(options.os);
}

}  // namespace indexical
