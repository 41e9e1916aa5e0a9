// The counts of maps, as text, as a structure and as a table.
//
//   domain 32, image 8, pairs 32 (closed form)
#ifndef INDEXICAL_WRITERS_COUNTS_H
#define INDEXICAL_WRITERS_COUNTS_H

#include <vector>

#include "indexical/answers/count/count.h"
#include "indexical/writers/result.h"

namespace indexical {

class CountResult : public Result {
 public:
  explicit CountResult(const CountAnswer &found) : found_(found) {}

  /// Returns the columns of the table: a row for each map.
  static std::vector<llvm::StringRef> columns();

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const CountAnswer &found_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_COUNTS_H
