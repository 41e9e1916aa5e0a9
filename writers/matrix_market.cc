// One sparse matrix an input, in the format of Matrix Market.

#include "indexical/writers/format.h"

namespace indexical {
namespace {

class MatrixWriter : public Writer {
 public:
  explicit MatrixWriter(llvm::raw_ostream &os) : os_(os) {}

  void write(Result &result, std::optional<llvm::StringRef>) override {
    result.matrix(os_);
  }

  void add(const Writer &, llvm::StringRef text) override { os_ << text; }

 private:
  llvm::raw_ostream &os_;
};

}  // namespace

std::unique_ptr<Writer> makeMatrixWriter(const WriterOptions &options) {
  return std::make_unique<MatrixWriter>(options.os);
}

}  // namespace indexical
