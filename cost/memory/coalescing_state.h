// The cache of a launch for the questions about its reads (coalescing.h).
//
//   asked without distinct sectors   sums alone; the maps wait for the rest
//   asked again, with them           the sums are there, the rest is found
//
// A launch of vectors that is not chosen is asked for its sums alone.
#ifndef INDEXICAL_COST_MEMORY_COALESCING_STATE_H
#define INDEXICAL_COST_MEMORY_COALESCING_STATE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/launch.h"
#include "indexical/cost/memory/numbered_reads.h"
#include "indexical/cost/memory/numbered_sums.h"
#include "indexical/cost/memory/runtime_values.h"
#include "indexical/cost/memory/shared_reads.h"
#include "indexical/cost/memory/warp_sums.h"
#include "indexical/ops/address.h"

namespace indexical {

/// The parts of a question on which its answer depends.
struct CoalescingQuestion {
  IndexingRelation read;
  ArrayShape operand;
  int64_t laneBytes = 0;
  bool isSome = false, byWarps = false;
  bool operator==(const CoalescingQuestion &o) const {
    return laneBytes == o.laneBytes && isSome == o.isSome &&
           byWarps == o.byWarps &&
           storedBits(operand) == storedBits(o.operand) &&
           operand.dimensions == o.operand.dimensions &&
           operand.layout == o.operand.layout && read == o.read;
  }
};

struct CoalescingQuestionHash {
  size_t operator()(const CoalescingQuestion &question) const {
    llvm::hash_code hash = llvm::hash_value(storedBits(question.operand));
    for (const IndexingMap &piece : question.read.pieces())
      hash = llvm::hash_combine(hash, piece.hash());
    return hash;
  }
};

/// The question as maps, found before anything is summed.
struct CoalescingMaps {
  std::vector<lanes::ReadPiece> addresses;
  std::vector<lanes::RuntimeCase> cases;
  std::optional<lanes::Launch::Warps> firstWarps;  ///< of the first case
  /// The runs of the read, if the sums are those of runs: then the cases have
  /// no pieces yet.
  lanes::NumberedReads::Answer numbered;
};

/// The sums of a question, and the rest of its figures if it was asked for.
struct CoalescingAnswer {
  AccessFigures figures;   ///< as if all accesses were made
  Meter meter{0};          ///< what the sums left of the budget
  bool isWhole = false;    ///< nothing is left to be found
  bool isFinal = false;    ///< the figures hold whatever is left out
  bool leavesOut = false;  ///< values of runtime variables may leave out lanes
  /// Whether blocks could read once what their warps read.
  bool mayBeShared = true;
  std::shared_ptr<CoalescingMaps> maps;  ///< to find the rest with
};

struct Coalescing::State {
  explicit State(lanes::Launch launch) : launch(std::move(launch)) {}

  absl::StatusOr<std::vector<lanes::ReadPiece>> addresses(
      const IndexingRelation &read, const ArrayShape &operand);
  std::optional<Unmeasured> obstacleIn(
      llvm::ArrayRef<lanes::ReadPiece> addresses) const;
  int64_t widestVector(int64_t bits, int64_t laneBytes) const;
  CoalescingAnswer *find(CoalescingQuestion &question);
  absl::Status addSums(const CoalescingQuestion &question,
                       const CoalescingOptions &options,
                       CoalescingAnswer &answer,
                       std::optional<Unmeasured> &obstacle);
  lanes::NumberedReads::Answer numberedRead(const CoalescingQuestion &question,
                                            bool keep);
  lanes::NumberedAccesses accessesOf(const lanes::NumberedRead &read,
                                     int64_t atOnce) const;
  bool addNumberedSums(const CoalescingQuestion &question,
                       const CoalescingOptions &options,
                       CoalescingAnswer &answer,
                       std::optional<Unmeasured> &obstacle);
  absl::Status takeSums(const CoalescingQuestion &question,
                        const lanes::Sums &sums, lanes::Sharing sharing,
                        bool isOnlyShift, CoalescingAnswer &answer,
                        bool &first) const;
  absl::Status addRest(const CoalescingQuestion &question,
                       const CoalescingOptions &options,
                       CoalescingAnswer &answer);
  bool isVector(const std::vector<lanes::RuntimeCase> &cases,
                const ArrayShape &operand, int64_t vector, Meter &meter,
                bool &complete, absl::Status &status);
  absl::Status sum(const lanes::RuntimeCase &one,
                   const CoalescingQuestion &question, int64_t mostSectors,
                   CoalescingAnswer &answer, bool &first);
  AccessFigures figuresOf(const CoalescingQuestion &question,
                          const CoalescingAnswer &answer) const;
  absl::Status addDistinct(const CoalescingQuestion &question,
                           const CoalescingMaps &maps, Meter &meter,
                           AccessFigures &figures);
  struct Distinct {
    Figure sectors;
    bool exact = true;  ///< each case has a number
  };
  absl::StatusOr<Distinct> distinctOf(const CoalescingMaps &maps,
                                      const ArrayShape &operand, int64_t sector,
                                      const Figure &sectors, Meter &meter);
  AccessFigures bounds(const std::vector<lanes::LaunchPiece> &pieces,
                       int64_t bits, const ArrayShape &operand) const;
  bool covers(llvm::ArrayRef<lanes::ReadPiece> addresses);
  lanes::Geometry geometry(const ArrayShape &operand, int64_t vector,
                           size_t slots) const;

  lanes::Launch launch;
  std::optional<lanes::Numbering> numbering;
  std::shared_ptr<lanes::NumberedReads> numberedReads;  ///< if they are shared
  llvm::SmallVector<int64_t, 6> coveredSizes;           ///< of Coalescing::of()
  /// Boxes of indices, and whether the thread map gives every one of them.
  std::vector<std::pair<std::vector<Interval>, bool>> covered;
  std::unordered_map<CoalescingQuestion, CoalescingAnswer,
                     CoalescingQuestionHash>
      answers;
  std::vector<CoalescingAnswer *> unfinished;  ///< of these; they have maps
  std::vector<std::pair<ArrayShape, IndexingMap>> addressMaps;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_COALESCING_STATE_H
