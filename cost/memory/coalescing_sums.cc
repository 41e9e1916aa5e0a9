#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/coalescing_state.h"
#include "indexical/cost/memory/distinct_sectors.h"
#include "indexical/cost/memory/followed_pieces.h"
#include "indexical/cost/memory/shared_reads.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"

namespace indexical {

using lanes::AccessSum;
using lanes::Launch;
using lanes::LaunchPiece;
using lanes::ReadPiece;
using lanes::Sums;

namespace {

std::optional<Figure> figureOf(const AccessSum &sum) {
  if (sum.most > INT64_MAX) return std::nullopt;
  return Figure{static_cast<int64_t>(sum.least),
                static_cast<int64_t>(sum.most)};
}

/// Returns the least of both lower bounds and the greatest of both upper
/// bounds.
void widen(Figure &figure, const Figure &by, bool first) {
  figure.least = first ? by.least : std::min(figure.least, by.least);
  figure.most = first ? by.most : std::max(figure.most, by.most);
}

}  // namespace

//===-- Sums --------------------------------------------------------------===//

lanes::Geometry Coalescing::State::geometry(const ArrayShape &operand,
                                            int64_t vector,
                                            size_t slots) const {
  const Device &device = launch.device();
  const bool hasPieces = device.sector < kMemoryPiece &&
                         kMemoryPiece % device.sector == 0 &&
                         device.line % kMemoryPiece == 0;
  const int64_t bits = storedBits(operand);
  return {device.sector * 8,
          device.line * 8,
          bits * vector,
          slots,
          checkedMul(*storedElements(operand), bits).value_or(INT64_MAX),
          hasPieces ? kMemoryPiece * 8 : 0};
}

bool Coalescing::State::isVector(const std::vector<lanes::RuntimeCase> &cases,
                                 const ArrayShape &operand, int64_t vector,
                                 Meter &meter, bool &complete,
                                 absl::Status &status) {
  for (const lanes::RuntimeCase &one : cases) {
    if (one.pieces.empty()) continue;
    auto problems =
        launch.problems(one.pieces, storedBits(operand), vector, true);
    if (!problems.ok()) {
      status = problems.status();
      return false;
    }
    for (Launch::Warps &warps : *problems) {
      lanes::WarpSums sums(warps.numbers, geometry(operand, vector, vector),
                           meter);
      for (int64_t shift : one.shifts) {
        sums.setShift(shift);
        bool known = true;
        const bool yes = sums.areVectors(warps.problem, known);
        complete &= known;
        if (!yes) return false;
      }
    }
  }
  return true;
}

/// Widens the figures to these sums, which are those of one shift of a case.
absl::Status Coalescing::State::takeSums(const CoalescingQuestion &question,
                                         const Sums &sums,
                                         lanes::Sharing sharing,
                                         bool isOnlyShift,
                                         CoalescingAnswer &answer,
                                         bool &first) const {
  AccessFigures &figures = answer.figures;
  const bool isCover = question.read.precision() != Precision::Exact;
  answer.mayBeShared |= sharing != lanes::Sharing::None;
  figures.byEveryThread =
      sharing == lanes::Sharing::InBlocks && (first || figures.byEveryThread);
  if (figures.byEveryThread) {
    const auto requests = figureOf(sums.requests);
    if (!requests)
      return absl::OutOfRangeError("the sums of the launch leave 64 bits");
    if (first) figures.requests = Figure();
    widen(*figures.requests, *requests, first);
  } else {
    figures.requests.reset();
  }
  figures.exact &= sums.exact;
  // Values of runtime variables move pieces elsewhere.
  figures.memoryPieces.reset();
  if (first && sums.exact && isOnlyShift && !figures.gathered &&
      sums.pieces <= INT64_MAX)
    figures.memoryPieces =
        AccessFigures::MemoryPieces{static_cast<int64_t>(sums.pieces), 0};
  struct {
    Figure &figure;
    const AccessSum &sum;
    int64_t factor;
  } all[] = {{figures.accesses, sums.accesses, 1},
             // A lane's vector is one access, and one lane.
             {figures.activeLanes, sums.lanes, 1},
             {figures.bytesUsed, sums.bytes, 1},
             {figures.sectors, sums.sectors, 1},
             {figures.sectorsFewest, sums.fewest, 1},
             {figures.lines, sums.lines, 1},
             {figures.wastedBytes, isCover ? sums.wastedOfSome : sums.wasted,
              launch.device().sector}};
  for (auto &entry : all) {
    AccessSum scaled;
    scaled.add(entry.factor, 0, 0);
    scaled.least = entry.sum.least * entry.factor;
    scaled.most = entry.sum.most * entry.factor;
    auto figure = figureOf(scaled);
    if (!figure)
      return absl::OutOfRangeError("the sums of the launch leave 64 bits");
    widen(entry.figure, *figure, first);
  }
  first = false;
  return absl::OkStatus();
}

absl::Status Coalescing::State::sum(const lanes::RuntimeCase &one,
                                    const CoalescingQuestion &question,
                                    int64_t mostSectors,
                                    CoalescingAnswer &answer, bool &first) {
  AccessFigures &figures = answer.figures;
  const int64_t vector = figures.vector;
  const lanes::Geometry geometry = this->geometry(question.operand, vector, 1);
  std::vector<Launch::Warps> problems;
  if (!one.pieces.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        problems, launch.problems(one.pieces, storedBits(question.operand),
                                  vector, false));
  }
  const bool isFirstCase = first;
  for (int64_t shift : one.shifts) {
    Sums sums;
    for (Launch::Warps &warps : problems) {
      lanes::WarpSums adding(warps.numbers, geometry, answer.meter);
      adding.setShift(shift);
      if (!adding.add(warps.problem, sums, mostSectors))
        return absl::CancelledError();
    }
    auto sharing = lanes::Sharing::None;
    // Some lanes of a cover are any of them.
    const bool isCover = question.read.precision() != Precision::Exact;
    if (!question.byWarps && !isCover && !figures.gathered &&
        !one.pieces.empty()) {
      INDEXICAL_ASSIGN_OR_RETURN(
          sharing, lanes::shareInBlocks(launch, one.pieces, shift, geometry,
                                        vector, answer.meter, sums));
    }
    INDEXICAL_RETURN_IF_ERROR(takeSums(question, sums, sharing,
                                       one.shifts.size() == 1, answer, first));
  }
  if (isFirstCase && !problems.empty())
    answer.maps->firstWarps = std::move(problems.front());
  return absl::OkStatus();
}

/// Returns the bounds that are known without following the maps.
AccessFigures Coalescing::State::bounds(const std::vector<LaunchPiece> &pieces,
                                        int64_t bits,
                                        const ArrayShape &operand) const {
  AccessFigures figures;
  figures.exact = false;
  const size_t fixed = kThreadDimensions + launch.loops();
  __int128 warps = 1, threads = 1;
  for (const Variable &v : launch.threads().dimensions())
    threads *= v.bounds.count();
  const __int128 perBlock = launch.threadsPerBlock();
  warps = threads / perBlock *
          ((perBlock + launch.device().warp - 1) / launch.device().warp);
  __int128 times = 1;
  for (const Variable &v : launch.threads().ranges()) times *= v.bounds.count();
  __int128 reads = 0;
  for (const LaunchPiece &piece : pieces) {
    __int128 own = 1;
    for (size_t k = 0; k < piece.ranges; ++k)
      own *= piece.boundsOf(fixed + k).count();
    reads += own;
  }
  const __int128 most = INT64_MAX;
  auto upTo = [&](__int128 value) {
    return Figure{0, static_cast<int64_t>(std::min(most, value))};
  };
  const int64_t sector = launch.device().sector * 8;
  const __int128 elements = threads * times * reads;
  const __int128 bytes = elements * ((bits + 6) / 8 + 1);
  const __int128 accesses = warps * times * reads;
  const __int128 ofBuffer = geometry(operand, 1, 1).most(sector);
  const __int128 sectors =
      std::min(elements * ((bits + sector - 2) / sector + 1),
               std::min(accesses, most) * ofBuffer);
  figures.accesses = upTo(accesses);
  figures.activeLanes = upTo(elements);
  figures.bytesUsed = upTo(bytes);
  figures.sectors = figures.lines = upTo(sectors);
  figures.sectorsFewest = upTo(std::min(sectors, bytes));
  // An access that touches anything needs at least one sector.
  figures.wastedBytes =
      upTo(std::min(sectors, std::min(accesses, most) * (ofBuffer - 1)) *
           launch.device().sector);
  // Few accesses do not touch all of a large array.
  __int128 distinct = sectors;
  if (const auto stored = storedElements(operand))
    distinct =
        std::min(distinct,
                 (static_cast<__int128>(*stored) * bits + sector - 1) / sector);
  figures.distinctSectors = upTo(distinct);
  return figures;
}

//===-- Runs of numbers ---------------------------------------------------===//

/// Returns the runs of the question's read, if they are those of a numbering.
lanes::NumberedReads::Answer Coalescing::State::numberedRead(
    const CoalescingQuestion &question, bool keep) {
  const ArrayShape &operand = question.operand;
  if (numberedReads)
    if (auto known = numberedReads->find(question.read, operand)) return known;
  std::optional<lanes::NumberedRead> found;
  if (auto pieces = addresses(question.read, operand);
      pieces.ok() && !obstacleIn(*pieces))
    found = lanes::numberedRead(numbering->index, *std::move(pieces),
                                storedBits(operand));
  auto answer = std::make_shared<const std::optional<lanes::NumberedRead>>(
      std::move(found));
  if (numberedReads && keep) numberedReads->add(question.read, operand, answer);
  return answer;
}

lanes::NumberedAccesses Coalescing::State::accessesOf(
    const lanes::NumberedRead &read, int64_t atOnce) const {
  return {read.runs, read.repeated, numbering->vector, launch.device().warp,
          atOnce};
}

/// Finds the sums from runs of numbers, or an obstacle to them. Returns false,
/// and leaves the answer as it was, if they have to be found otherwise.
bool Coalescing::State::addNumberedSums(const CoalescingQuestion &question,
                                        const CoalescingOptions &options,
                                        CoalescingAnswer &answer,
                                        std::optional<Unmeasured> &obstacle) {
  // Some lanes of a cover are any of them.
  if (!numbering || question.read.precision() != Precision::Exact) return false;
  const auto read = numberedRead(question, options.keep);
  if (!*read || (*read)->runs.empty()) return false;
  const ArrayShape &operand = question.operand;
  const int64_t bits = storedBits(operand);
  int64_t vector = widestVector(bits, question.laneBytes);
  while (vector > 1 &&
         !lanes::areNumberedVectors(accessesOf(**read, vector), bits))
    vector /= 2;
  const lanes::NumberedAccesses accesses = accessesOf(**read, vector);
  Meter meter = answer.meter;
  if (!meter.spend((*read)->operations + lanes::costOfNumbered(accesses)) ||
      (numbering->vector > 1 && lanes::mayReadOneElement(accesses)))
    return false;
  const lanes::Geometry geometry = this->geometry(operand, vector, 1);
  Sums sums;
  if (!lanes::addNumbered(accesses, geometry, options.mostSectors, sums)) {
    obstacle = Unmeasured{Obstacle::TooManySectors};
    return true;
  }
  auto sharing = lanes::Sharing::None;
  if (!question.byWarps) {
    const auto found =
        lanes::shareNumbered(accesses, numbering->threads, geometry, sums);
    if (!found) return false;
    sharing = *found;
  }
  AccessFigures &figures = answer.figures;
  figures.vector = vector;
  figures.vectorLoop = launch.vectorLoop();
  answer.meter = meter;
  answer.mayBeShared = question.byWarps;
  bool first = true;
  if (!takeSums(question, sums, sharing, true, answer, first).ok()) {
    answer.figures = AccessFigures();
    return false;
  }
  answer.maps->addresses = (*read)->addresses;
  answer.maps->cases.resize(1);
  answer.maps->numbered = read;
  return true;
}

//===-- Distinct sectors --------------------------------------------------===//

/// Whether the thread map gives every index that some piece takes.
bool Coalescing::State::covers(llvm::ArrayRef<ReadPiece> addresses) {
  const size_t rank = launch.threads().results().size();
  std::vector<Interval> box(rank, Interval::none());
  for (const ReadPiece &piece : addresses)
    for (size_t k = 0; k < rank; ++k)
      box[k] = box[k].hull(piece.address.dimensions()[k].bounds);
  if (rank > 0 && coveredSizes.size() == rank &&
      llvm::all_of(llvm::zip_equal(box, coveredSizes), [](const auto &entry) {
        const auto &[bounds, size] = entry;
        return bounds.lower >= 0 && bounds.upper < size;
      }))
    return true;
  for (const auto &[known, isCovered] : covered)
    if (known == box) return isCovered;
  const bool isCovered = lanes::coversBox(launch.threads(), box);
  covered.push_back({box, isCovered});
  return isCovered;
}

/// Returns how many sectors of so many bits are touched. `sectors` are those of
/// all accesses.
absl::StatusOr<Coalescing::State::Distinct> Coalescing::State::distinctOf(
    const CoalescingMaps &of, const ArrayShape &operand, int64_t sector,
    const Figure &sectors, Meter &meter) {
  const int64_t bits = storedBits(operand);
  const auto total = checkedMul(*storedElements(operand), bits);
  if (!total) return absl::OutOfRangeError("the operand leaves 64 bits");
  lanes::SectorSize size{sector, bits, ceilDiv(*total, sector)};
  // If every index has a thread, each index counts once.
  const bool byIndex = of.cases.size() == 1 && covers(of.addresses);
  Distinct distinct;
  bool first = true;
  for (const lanes::RuntimeCase &one : of.cases) {
    std::vector<IndexingMap> maps;
    if (byIndex)
      for (const ReadPiece &piece : of.addresses) maps.push_back(piece.address);
    else
      for (const LaunchPiece &piece : one.pieces) maps.push_back(piece.map);
    maps = lanes::followedMaps(std::move(maps));
    llvm::SmallVector<int64_t, 8> shifts;
    for (int64_t shift : one.shifts) shifts.push_back(shift % sector);
    llvm::sort(shifts);
    shifts.erase(std::unique(shifts.begin(), shifts.end()), shifts.end());
    for (int64_t shift : shifts) {
      size.shift = shift;
      Figure own = {std::min<int64_t>(1, sectors.least),
                    std::min(size.total, sectors.most)};
      if (llvm::none_of(maps, lanes::dependsOnLanes)) {
        INDEXICAL_ASSIGN_OR_RETURN(auto counted,
                                   distinctSectors(maps, size, meter));
        own = {counted.least, std::min(counted.most, own.most)};
      }
      distinct.exact &= own.isKnown();
      widen(distinct.sectors, own, first);
      first = false;
    }
  }
  return distinct;
}

absl::Status Coalescing::State::addDistinct(const CoalescingQuestion &question,
                                            const CoalescingMaps &maps,
                                            Meter &meter,
                                            AccessFigures &figures) {
  const Device &device = launch.device();
  Meter forPieces = meter;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto distinct, distinctOf(maps, question.operand, device.sector * 8,
                                figures.sectors, meter));
  figures.exact &= distinct.exact;
  figures.distinctSectors = distinct.sectors;
  auto &pieces = figures.memoryPieces;
  if (!pieces) return absl::OkStatus();
  if (!figures.exact ||
      figures.least().fillLines(device.line / device.sector)) {
    pieces.reset();
    return absl::OkStatus();
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      auto distinctPieces, distinctOf(maps, question.operand, kMemoryPiece * 8,
                                      {pieces->all, pieces->all}, forPieces));
  pieces->distinct = distinctPieces.sectors.most;
  if (!distinctPieces.sectors.isKnown()) pieces.reset();
  return absl::OkStatus();
}

}  // namespace indexical
