// Coalescing: the bytes that a read moves, and the used ones among them.
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
// range values of the read, the elements of all lanes. It moves the sectors
// that contain these elements. No cache is assumed: two accesses to one sector
// move it twice. `distinctSectors` is the number of sectors that the launch
// touches at all. The definition of every figure is that of keys.md, section 4.
//
// An address that all threads of a block read is one access of the block, and
// moves one sector:
//
//   read      (d0) -> (), d0 in [0, 1048575], a start that every thread reads
//   threads   linear, 128 a block, vectors of 4: 2048 blocks
//
//   accesses 2048, sectors 2048: not 8192 warps, nor 32768 elements of these
//
// Figures are exact sums over all warps (warp_sums.h). If a read has runtime
// variables, the figures are bounds over their values. Variables of which all
// threads see one value (a dynamic-slice's start) take each of their values;
// variables that differ from lane to lane (a gather's indices) take the values
// that move the most or the least. An index that is out of bounds leaves out
// the lanes that have it, and no others: rows of whole sectors waste nothing.
//
// Writes are measured by the same function, with the relation from the index
// space of the thread map to the result that is written.
//
// Law (tests/cost/memory/random_coalescing_test.cc): equal to a simulator that
// goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_COALESCING_H
#define INDEXICAL_COST_MEMORY_COALESCING_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/measured.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {

namespace lanes {
class NumberedReads;
}

/// A budget of operations for one read, of about a nanosecond each; 20 million
/// if none is given. Past it, figures are bounds.
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
  /// The most bytes that one lane moves at once; 0: as many as the device
  /// moves.
  int64_t laneBytes = 0;
  /// Whether only some of the accesses are made, each by all of its lanes.
  bool isSome = false;
  /// Whether an address that all threads of a block access is moved for each
  /// warp, as it is for writes.
  bool byWarps = false;
  /// Whether to find figures that are not sums over accesses, too: the distinct
  /// sectors of the launch, and how far apart lanes are.
  bool distinct = true;
  /// Past so many sectors, some of which are wasted, the search ends: the
  /// answer is that there are too many.
  int64_t mostSectors = INT64_MAX;
  /// Whether the answer is kept for equal questions.
  bool keep = true;
};

/// The reads of one launch. Answers are kept: equal questions cost a look-up.
class Coalescing {
 public:
  /// Returns an error if `threads` is not a thread map (thread_map.h).
  /// `covered` has the sizes of an index space in which every index is known to
  /// have a thread; none if that is to be found out.
  static absl::StatusOr<Coalescing> of(const IndexingMap &threads,
                                       const Device &device,
                                       llvm::ArrayRef<int64_t> covered = {});
  Coalescing(Coalescing &&);
  Coalescing &operator=(Coalescing &&);
  ~Coalescing();

  /// Returns the figures of a read: a relation from the index space of the
  /// thread map to `operand`, whose layout counts. Its pieces are one read.
  Measured figures(const IndexingRelation &read, const ArrayShape &operand,
                   const CoalescingOptions &options = {});

  /// Forgets the maps with which answers without distinct sectors are completed
  /// if these are asked for, too. From then on such a question is asked anew.
  void forgetMaps();

 private:
  friend class TrafficMeter;
  struct State;
  /// Shares runs of reads with other launches over the same index space, if
  /// this one's threads go through it in its order (numbered_reads.h).
  void share(std::shared_ptr<lanes::NumberedReads> reads);
  explicit Coalescing(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Returns the figures of one read alone.
Measured coalescing(const IndexingRelation &read, const ArrayShape &operand,
                    const IndexingMap &threads, const Device &device,
                    const CoalescingOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_COALESCING_H
