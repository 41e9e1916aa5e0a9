// Coalescing: what a read moves, and what of that is used.
//
//   read      (d0, d1) -> (d1, d0), d0 in [0, 1023], d1 in [0, 1023]
//   operand   f32[1024,1024]
//   threads   linear, 128 a block: lanes of a warp have neighbouring d1
//
//   accesses 32768, active lanes 1048576, bytes used 4194304,
//   sectors 1048576 (fewest 131072), lines 1048576: each lane reads from a row
//   of its own, 32 bytes are moved for 4 that are used
//
// An *access* is what one warp reads at once: for one value of the loops and
// range values of the read, the elements of all lanes. What it moves are the
// sectors that contain them. Nothing is assumed of a cache: two accesses to one
// sector move it twice; how many sectors the launch touches at all stands
// beside it (`distinctSectors`). The definition of every figure is that of
// formats.md, section 4.
//
// Figures are exact sums over all warps (warp_sums.h). Where a read has runtime
// variables they are bounds over their values; variables of which all threads
// see one value (a dynamic-slice's start) take each, those that differ from
// lane to lane (a gather's indices) are placed where most or least is moved.
//
// Writes are asked by the same function: the relation from the index space of
// the thread map to the result that is written.
//
// Law (tests/analysis/random_coalescing_test.cc): equal to a simulator that
// goes through every thread.
#ifndef INDEXICAL_ANALYSIS_MEMORY_COALESCING_H
#define INDEXICAL_ANALYSIS_MEMORY_COALESCING_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/measured.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Its operations, for one read, are about a nanosecond each, and 20 million
/// where nothing is said. Past them figures are bounds.
struct CoalescingOptions : Budget {
  static constexpr int64_t kUsualOperations = 20'000'000;
  CoalescingOptions() = default;
  explicit CoalescingOptions(const Budget &budget) : Budget(budget) {}
  /// Runtime variables that are not added to the address alone take all their
  /// values one by one, if they are no more than these.
  int64_t mostRuntimeValues = 64;
  /// Values of runtime variables by name: a number, or an expression in the
  /// read's dimensions and ranges by their names ("d0 * 7 mod 100").
  std::vector<std::pair<std::string, std::string>> runtime;
  /// What one lane moves at once, at most; 0: as much as the device moves.
  int64_t laneBytes = 0;
  /// Whether to count the distinct sectors of the launch.
  bool distinct = true;
  /// Whether the answer is kept for equal questions.
  bool keep = true;
};

/// The reads of one launch. Answers are kept: equal questions cost a look-up.
class Coalescing {
 public:
  /// `threads` is a thread map (thread_map.h). An error where it is none.
  static absl::StatusOr<Coalescing> of(const IndexingMap &threads,
                                       const Device &device);
  Coalescing(Coalescing &&);
  Coalescing &operator=(Coalescing &&);
  ~Coalescing();

  /// The figures of a read: a relation from the index space of the thread map
  /// to `operand`, whose layout counts. Its pieces are one read.
  Measured figures(const IndexingRelation &read, const ArrayShape &operand,
                   const CoalescingOptions &options = {});

 private:
  struct State;
  explicit Coalescing(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The same for one read alone.
Measured coalescing(const IndexingRelation &read, const ArrayShape &operand,
                    const IndexingMap &threads, const Device &device,
                    const CoalescingOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_COALESCING_H
