#include "indexical/analysis/memory/coalescing.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/memory/distinct_sectors.h"
#include "indexical/analysis/memory/launch.h"
#include "indexical/analysis/memory/runtime_values.h"
#include "indexical/analysis/memory/shared_reads.h"
#include "indexical/analysis/memory/thread_map.h"
#include "indexical/analysis/memory/warp_sums.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

using lanes::AccessSum;
using lanes::Launch;
using lanes::LaunchPiece;
using lanes::ReadPiece;
using lanes::Sums;

namespace {

/// The parts of a question on which its answer depends.
struct Question {
  IndexingRelation read;
  ArrayShape operand;
  int64_t laneBytes = 0;
  bool isSome = false, byWarps = false;
  bool operator==(const Question &o) const {
    return laneBytes == o.laneBytes && isSome == o.isSome &&
           byWarps == o.byWarps &&
           storedBits(operand) == storedBits(o.operand) &&
           operand.dimensions == o.operand.dimensions &&
           operand.layout == o.operand.layout && read == o.read;
  }
};

struct QuestionHash {
  size_t operator()(const Question &question) const {
    llvm::hash_code hash = llvm::hash_value(storedBits(question.operand));
    for (const IndexingMap &piece : question.read.pieces())
      hash = llvm::hash_combine(hash, piece.hash());
    return hash;
  }
};

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

/// Whether a runtime variable differs from thread to thread.
bool dependsOnLanes(const IndexingMap &map) {
  for (uint32_t i = 0; i < map.runtime().size(); ++i)
    if (!lanes::isCommon(map, i)) return true;
  return false;
}

/// Returns whether lanes have runtime variables whose values decide if they
/// read at all: a scatter writes nothing if its index is out of bounds.
bool mayLeaveOut(const IndexingMap &map) {
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i)
    if (map.runtime()[i].restricts() && !lanes::isCommon(map, i)) return true;
  return false;
}

/// The iterations of the loops that no piece depends on.
int64_t repeatsOf(llvm::ArrayRef<LaunchPiece> pieces,
                  llvm::ArrayRef<Variable> loops) {
  constexpr size_t kThreadsAndBlocks = 6;
  int64_t repeats = 1;
  for (size_t l = 0; l < loops.size(); ++l) {
    const Variable &loop = loops[l];
    const uint32_t at = kThreadsAndBlocks + l;
    auto isFree = [&](const LaunchPiece &piece) {
      bool depends = piece.boundsOf(at) != loop.bounds;
      auto visit = [&](FormId form) {
        piece.map.expressions().visitVariables({form}, [&](VariableId id) {
          depends |= id.kind == VariableKind::Dimension && id.index == at;
        });
      };
      for (const FormId form : piece.map.results()) visit(form);
      for (const Constraint &constraint : piece.map.constraints())
        visit(constraint.form);
      for (const RuntimeVariable &variable : piece.map.runtime())
        for (const FormId form : variable.index) visit(form);
      return !depends;
    };
    if (llvm::all_of(pieces, isFree))
      repeats = checkedMul(repeats, loop.bounds.count()).value_or(repeats);
  }
  return repeats;
}

/// The largest power of two that divides.
int64_t powerOfTwoIn(int64_t value) { return value & -value; }

}  // namespace

struct Coalescing::State {
  explicit State(Launch launch) : launch(std::move(launch)) {}

  absl::StatusOr<std::vector<ReadPiece>> addresses(const IndexingRelation &read,
                                                   const ArrayShape &operand);
  Measured answer(const Question &question, const CoalescingOptions &options);
  std::optional<Unmeasured> obstacleIn(
      llvm::ArrayRef<ReadPiece> addresses) const;
  int64_t widestVector(int64_t bits, int64_t laneBytes) const;
  bool isVector(const std::vector<lanes::RuntimeCase> &cases, int64_t bits,
                int64_t vector, int64_t &budget, bool &complete,
                absl::Status &status);
  absl::Status sum(const lanes::RuntimeCase &one, int64_t bits,
                   const Question &question, int64_t &budget,
                   AccessFigures &figures, bool &first);
  void addUnmade(const Question &question, bool leavesOut,
                 AccessFigures &figures) const;
  absl::Status addDistinct(llvm::ArrayRef<ReadPiece> addresses,
                           llvm::ArrayRef<lanes::RuntimeCase> cases,
                           const Question &question, int64_t &budget,
                           AccessFigures &figures);
  struct Distinct {
    Figure sectors;
    bool exact = true;  ///< each case has a number
  };
  absl::StatusOr<Distinct> distinctOf(llvm::ArrayRef<ReadPiece> addresses,
                                      llvm::ArrayRef<lanes::RuntimeCase> cases,
                                      const ArrayShape &operand, int64_t sector,
                                      const Figure &sectors, int64_t &budget);
  AccessFigures bounds(const std::vector<LaunchPiece> &pieces, int64_t bits,
                       const ArrayShape &operand) const;
  bool covers(llvm::ArrayRef<ReadPiece> addresses);
  lanes::Geometry geometry(int64_t bits, int64_t vector, size_t slots) const {
    const Device &device = launch.device();
    const bool hasPieces = device.sector < kMemoryPiece &&
                           kMemoryPiece % device.sector == 0 &&
                           device.line % kMemoryPiece == 0;
    return {device.sector * 8, device.line * 8,
            bits * vector,     slots,
            bufferBits,        hasPieces ? kMemoryPiece * 8 : 0};
  }

  Launch launch;
  int64_t bufferBits = INT64_MAX;  ///< of the access that is asked about
  llvm::SmallVector<int64_t, 6> coveredSizes;  ///< of Coalescing::of()
  /// Boxes of indices, and whether the thread map gives every one of them.
  std::vector<std::pair<std::vector<Interval>, bool>> covered;
  std::unordered_map<Question, AccessFigures, QuestionHash> answers;
  std::vector<std::pair<ArrayShape, IndexingMap>> addressMaps;
};

Coalescing::Coalescing(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
Coalescing::Coalescing(Coalescing &&) = default;
Coalescing &Coalescing::operator=(Coalescing &&) = default;
Coalescing::~Coalescing() = default;

absl::StatusOr<Coalescing> Coalescing::of(const IndexingMap &threads,
                                          const Device &device,
                                          llvm::ArrayRef<int64_t> covered) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return of(threads, device, covered); });
  INDEXICAL_ASSIGN_OR_RETURN(auto launch, Launch::of(threads, device));
  Coalescing made(std::make_unique<State>(std::move(launch)));
  made.state_->coveredSizes.assign(covered.begin(), covered.end());
  return made;
}

//===-- The question ------------------------------------------------------===//

absl::StatusOr<std::vector<ReadPiece>> Coalescing::State::addresses(
    const IndexingRelation &read, const ArrayShape &operand) {
  auto known = llvm::find_if(addressMaps, [&](const auto &entry) {
    return entry.first.dimensions == operand.dimensions &&
           entry.first.layout == operand.layout;
  });
  if (known == addressMaps.end()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, addressMap(operand));
    addressMaps.push_back({operand, std::move(map)});
    known = addressMaps.end() - 1;
  }
  std::vector<ReadPiece> all;
  for (const IndexingMap &piece : read.pieces()) {
    if (piece.isKnownEmpty()) continue;
    if (piece.results().size() != operand.dimensions.size())
      return absl::InvalidArgumentError(
          "the read has an index of " + std::to_string(piece.results().size()) +
          " dimensions, and " + operand.str() + " has " +
          std::to_string(operand.dimensions.size()));
    // Range values are those of the read, whether the address shows them or
    // not.
    INDEXICAL_ASSIGN_OR_RETURN(
        auto composed, compose(rangesToDimensions(piece), known->second));
    if (composed.isKnownEmpty()) continue;
    all.push_back({std::move(composed), piece.ranges().size()});
  }
  return all;
}

Measured Coalescing::figures(const IndexingRelation &read,
                             const ArrayShape &operand,
                             const CoalescingOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return figures(read, operand, options); });
  if (storedBits(operand) == 0)
    return Unmeasured{Obstacle::UnknownElement, operand};
  Question question{read, operand, options.laneBytes, options.isSome,
                    options.byWarps};
  if (!options.runtime.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(question.read,
                               withRuntimeValues(read, options.runtime));
  }
  INDEXICAL_ASSIGN_OR_RETURN(question.read, withSourcesByName(question.read));
  auto known = state_->answers.find(question);
  if (options.keep && known != state_->answers.end()) return known->second;
  Measured answer = state_->answer(question, options);
  if (answer.ok() && options.keep)
    state_->answers.emplace(std::move(question), *answer);
  return answer;
}

/// Returns why a read of these pieces cannot be followed, if it is seen without
/// its numbers.
std::optional<Unmeasured> Coalescing::State::obstacleIn(
    llvm::ArrayRef<ReadPiece> addresses) const {
  if (launch.threads().isKnownEmpty()) return std::nullopt;
  const int64_t given = launch.threads().results().size();
  for (const ReadPiece &piece : addresses) {
    const int64_t taken = piece.address.dimensions().size() - piece.ranges;
    if (given != taken)
      return Unmeasured{Obstacle::RanksDiffer, {}, given, taken};
    if (!piece.address.collectives().empty())
      return Unmeasured{Obstacle::OtherDevice};
    for (const Variable &variable : piece.address.dimensions())
      if (!variable.bounds.isFinite())
        return Unmeasured{Obstacle::EndlessRange};
  }
  return std::nullopt;
}

/// Elements of the widest vector that a lane could move at once.
int64_t Coalescing::State::widestVector(int64_t bits, int64_t laneBytes) const {
  int64_t bytes = launch.device().vectorBytes;
  if (laneBytes > 0) bytes = std::min(bytes, laneBytes);
  int64_t widest = powerOfTwoIn(launch.vectorLoop());
  while (widest > 1 && widest * bits > bytes * 8) widest /= 2;
  return widest;
}

Measured Coalescing::State::answer(const Question &question,
                                   const CoalescingOptions &options) {
  if (!storedElements(question.operand))
    return Unmeasured{Obstacle::UnknownLayout, question.operand};
  AccessFigures figures;
  const int64_t bits = storedBits(question.operand);
  bufferBits =
      checkedMul(*storedElements(question.operand), bits).value_or(INT64_MAX);
  INDEXICAL_ASSIGN_OR_RETURN(auto addresses,
                             this->addresses(question.read, question.operand));
  if (auto obstacle = obstacleIn(addresses)) return *std::move(obstacle);
  INDEXICAL_ASSIGN_OR_RETURN(auto pieces, launch.pieces(addresses));
  const int64_t widest = widestVector(bits, question.laneBytes);
  figures.vectorLoop = launch.vectorLoop();
  if (pieces.empty()) {
    figures.vector = widest;
    return figures;
  }
  bool leavesOut = false;
  for (const LaunchPiece &piece : pieces) {
    figures.gathered |= dependsOnLanes(piece.map);
    leavesOut |= mayLeaveOut(piece.map);
  }
  figures.repeats = repeatsOf(pieces, launch.threads().ranges());
  INDEXICAL_ASSIGN_OR_RETURN(
      auto cases, runtimeCases(pieces, bits, launch.device().line * 8,
                               options.mostRuntimeValues));
  auto bounded = [&] {
    AccessFigures of = bounds(pieces, bits, question.operand);
    of.gathered = figures.gathered;
    of.repeats = figures.repeats;
    return of;
  };
  if (cases.empty()) return bounded();

  int64_t budget = options.operationsOr(CoalescingOptions::kUsualOperations);
  bool complete = true;
  absl::Status status;
  for (int64_t vector = widest; vector > 1; vector /= 2) {
    if (isVector(cases, bits, vector, budget, complete, status)) {
      figures.vector = vector;
      break;
    }
    if (!status.ok()) break;
  }
  bool first = true;
  for (const lanes::RuntimeCase &one : cases)
    if (status.ok()) status = sum(one, bits, question, budget, figures, first);
  if (absl::IsUnimplemented(status)) return bounded();
  INDEXICAL_RETURN_IF_ERROR(status);
  figures.exact &= complete;
  if (options.distinct)
    status = addDistinct(addresses, cases, question, budget, figures);
  INDEXICAL_RETURN_IF_ERROR(status);
  if (figures.byEveryThread) figures.repeats = 1;
  addUnmade(question, leavesOut, figures);
  return figures;
}

/// Sets the least figures to 0 if nothing may be read: what is read is a part
/// of a cover, or of the reads of valid indices, or of all accesses.
void Coalescing::State::addUnmade(const Question &question, bool leavesOut,
                                  AccessFigures &figures) const {
  const bool isCover = question.read.precision() != Precision::Exact;
  if (!isCover && !leavesOut && !question.isSome) return;
  figures.memoryPieces.reset();
  if (!isCover) figures.leastIfMade = figures.least();
  for (Figure *figure :
       {&figures.accesses, &figures.activeLanes, &figures.bytesUsed,
        &figures.sectors, &figures.sectorsFewest, &figures.lines,
        &figures.distinctSectors, &figures.wastedBytes})
    figure->least = 0;
  figures.exact = false;
}

//===-- Sums --------------------------------------------------------------===//

bool Coalescing::State::isVector(const std::vector<lanes::RuntimeCase> &cases,
                                 int64_t bits, int64_t vector, int64_t &budget,
                                 bool &complete, absl::Status &status) {
  for (const lanes::RuntimeCase &one : cases) {
    if (one.pieces.empty()) continue;
    auto problems = launch.problems(one.pieces, bits, vector, true);
    if (!problems.ok()) {
      status = problems.status();
      return false;
    }
    for (Launch::Warps &warps : *problems) {
      lanes::WarpSums sums(warps.numbers, geometry(bits, vector, vector),
                           budget);
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

absl::Status Coalescing::State::sum(const lanes::RuntimeCase &one, int64_t bits,
                                    const Question &question, int64_t &budget,
                                    AccessFigures &figures, bool &first) {
  const int64_t vector = figures.vector;
  absl::StatusOr<std::vector<Launch::Warps>> problems =
      std::vector<Launch::Warps>();
  if (!one.pieces.empty())
    problems = launch.problems(one.pieces, bits, vector, false);
  INDEXICAL_RETURN_IF_ERROR(problems.status());
  if (first && !problems->empty())
    if (auto steps = lanes::laneSteps(problems->front())) {
      figures.laneStride = steps->stride;
      figures.laneRuns = steps->runs;
    }
  for (int64_t shift : one.shifts) {
    Sums sums;
    for (Launch::Warps &warps : *problems) {
      lanes::WarpSums adding(warps.numbers, geometry(bits, vector, 1), budget);
      adding.setShift(shift);
      adding.add(warps.problem, sums);
    }
    bool isShared = false;
    // Some lanes of a cover are any of them.
    const bool isCover = question.read.precision() != Precision::Exact;
    if (!question.byWarps && !isCover && !figures.gathered &&
        !one.pieces.empty()) {
      INDEXICAL_ASSIGN_OR_RETURN(
          isShared, lanes::shareInBlocks(launch, one.pieces, shift,
                                         geometry(bits, vector, 1), vector,
                                         budget, sums));
    }
    figures.byEveryThread = isShared && (first || figures.byEveryThread);
    figures.exact &= sums.exact;
    // Values of runtime variables move pieces elsewhere.
    figures.memoryPieces.reset();
    if (first && sums.exact && one.shifts.size() == 1 && !figures.gathered &&
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
  }
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
  const __int128 ofBuffer = geometry(bits, 1, 1).most(sector);
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
    llvm::ArrayRef<ReadPiece> addresses,
    llvm::ArrayRef<lanes::RuntimeCase> cases, const ArrayShape &operand,
    int64_t sector, const Figure &sectors, int64_t &budget) {
  const int64_t bits = storedBits(operand);
  const auto total = checkedMul(*storedElements(operand), bits);
  if (!total) return absl::OutOfRangeError("the operand leaves 64 bits");
  lanes::SectorSize size{sector, bits, ceilDiv(*total, sector)};
  // If every index has a thread, each index counts once.
  const bool byIndex = cases.size() == 1 && covers(addresses);
  Distinct distinct;
  bool first = true;
  for (const lanes::RuntimeCase &one : cases) {
    std::vector<IndexingMap> maps;
    if (byIndex)
      for (const ReadPiece &piece : addresses) maps.push_back(piece.address);
    else
      for (const LaunchPiece &piece : one.pieces) maps.push_back(piece.map);
    llvm::SmallVector<int64_t, 8> shifts;
    for (int64_t shift : one.shifts) shifts.push_back(shift % sector);
    llvm::sort(shifts);
    shifts.erase(std::unique(shifts.begin(), shifts.end()), shifts.end());
    for (int64_t shift : shifts) {
      size.shift = shift;
      Figure own = {std::min<int64_t>(1, sectors.least),
                    std::min(size.total, sectors.most)};
      if (llvm::none_of(maps, dependsOnLanes)) {
        INDEXICAL_ASSIGN_OR_RETURN(auto counted,
                                   distinctSectors(maps, size, budget));
        own = {counted.least, std::min(counted.most, own.most)};
      }
      distinct.exact &= own.isKnown();
      widen(distinct.sectors, own, first);
      first = false;
    }
  }
  return distinct;
}

absl::Status Coalescing::State::addDistinct(
    llvm::ArrayRef<ReadPiece> addresses,
    llvm::ArrayRef<lanes::RuntimeCase> cases, const Question &question,
    int64_t &budget, AccessFigures &figures) {
  const Device &device = launch.device();
  int64_t forPieces = budget;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto distinct, distinctOf(addresses, cases, question.operand,
                                device.sector * 8, figures.sectors, budget));
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
      auto distinctPieces,
      distinctOf(addresses, cases, question.operand, kMemoryPiece * 8,
                 {pieces->all, pieces->all}, forPieces));
  pieces->distinct = distinctPieces.sectors.most;
  if (!distinctPieces.sectors.isKnown()) pieces.reset();
  return absl::OkStatus();
}

Measured coalescing(const IndexingRelation &read, const ArrayShape &operand,
                    const IndexingMap &threads, const Device &device,
                    const CoalescingOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(auto launch, Coalescing::of(threads, device));
  return launch.figures(read, operand, options);
}

}  // namespace indexical
