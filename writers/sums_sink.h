// The numbers among the keys of an answer, as the sums of a structure.
#ifndef INDEXICAL_WRITERS_SUMS_SINK_H
#define INDEXICAL_WRITERS_SUMS_SINK_H

#include <cstdint>
#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Takes the sums of an answer, each with its name.
class SumsSink : public ValueSink {
 public:
  std::vector<ItemSum> sums;

  void key(llvm::StringRef name) override { sums.push_back({name}); }
  void integer(int64_t number) override { sums.back().integer = number; }
  void number(llvm::StringRef digits) override {
    double number = 0;
    if (!digits.getAsDouble(number)) sums.back().number = number;
  }
  void boolean(bool) override {}
  void text(llvm::StringRef) override {}
  void null() override {}
  void written(llvm::StringRef) override {}
  void beginList() override {}
  void endList() override {}
  void beginObject() override {}
  void endObject() override {}
};

/// Gives the keys of an answer, all of them numbers, as the summary.
template <typename T>
void writeSummary(const T &of, Structure &to) {
  SumsSink sink;
  writeKeys(of, sink);
  to.summary(sink.sums);
}

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_SUMS_SINK_H
