// The result of `indexical equal --partitioned`, for people and for tools.
//
//   different (enumeration), 4 devices
//   result 0: different
//     at (0) of device 0, which is (0) of the whole, only the first reads (7)
//     of array 0 of the parameters
#ifndef INDEXICAL_WRITERS_PARTITIONED_H
#define INDEXICAL_WRITERS_PARTITIONED_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/same/partitioned/partitioned_equality.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Writes the results that are not equal, with the evidence or with the reason
/// why they are undecided.
void writePartitionedResults(const PartitionedEquality &equality,
                             llvm::raw_ostream &os);

class PartitionedReport : public Result {
 public:
  explicit PartitionedReport(const PartitionedEquality &equality)
      : equality_(equality) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const PartitionedEquality &equality_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_PARTITIONED_H
