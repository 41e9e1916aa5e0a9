#include "indexical/cost/memory/coalescing.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/coalescing_state.h"
#include "indexical/cost/memory/followed_pieces.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

using lanes::Launch;
using lanes::LaunchPiece;
using lanes::ReadPiece;

namespace {

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
  State &state = *made.state_;
  state.coveredSizes.assign(covered.begin(), covered.end());
  state.numbering = lanes::numberingOf(state.launch.threads(), device.warp);
  return made;
}

void Coalescing::share(std::shared_ptr<lanes::NumberedReads> reads) {
  if (state_->numbering) state_->numberedReads = std::move(reads);
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

/// Returns the answer of an equal question, if there is one: to a read that
/// blocks do not share also if it is asked warp by warp.
CoalescingAnswer *Coalescing::State::find(CoalescingQuestion &question) {
  auto known = answers.find(question);
  if (known != answers.end()) return &known->second;
  if (!question.byWarps) return nullptr;
  question.byWarps = false;
  known = answers.find(question);
  question.byWarps = true;
  if (known == answers.end() || known->second.mayBeShared) return nullptr;
  return &known->second;
}

Measured Coalescing::figures(const IndexingRelation &read,
                             const ArrayShape &operand,
                             const CoalescingOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return figures(read, operand, options); });
  if (storedBits(operand) == 0)
    return Unmeasured{Obstacle::UnknownElement, operand};
  CoalescingQuestion question{read, operand, options.laneBytes, options.isSome,
                              options.byWarps};
  if (!options.runtime.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(question.read,
                               withRuntimeValues(read, options.runtime));
  }
  INDEXICAL_ASSIGN_OR_RETURN(question.read, withSourcesByName(question.read));
  CoalescingAnswer *known = options.keep ? state_->find(question) : nullptr;
  CoalescingAnswer made;
  if (!known || (options.distinct && !known->isWhole && !known->maps)) {
    std::optional<Unmeasured> obstacle;
    INDEXICAL_RETURN_IF_ERROR(
        state_->addSums(question, options, made, obstacle));
    INDEXICAL_RETURN_IF_ERROR(options.check());
    if (obstacle) return *std::move(obstacle);
    if (options.keep && known) {
      *known = std::move(made);
    } else if (options.keep) {
      known = &state_->answers.emplace(question, std::move(made)).first->second;
      if (!known->isWhole) state_->unfinished.push_back(known);
    } else {
      known = &made;
    }
  }
  if (options.distinct && !known->isWhole)
    INDEXICAL_RETURN_IF_ERROR(state_->addRest(question, options, *known));
  return state_->figuresOf(question, *known);
}

void Coalescing::forgetMaps() {
  for (CoalescingAnswer *answer : state_->unfinished) answer->maps.reset();
  state_->unfinished.clear();
  if (state_->numberedReads) state_->numberedReads->clear();
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

/// Finds the sums, or an obstacle to them.
absl::Status Coalescing::State::addSums(const CoalescingQuestion &question,
                                        const CoalescingOptions &options,
                                        CoalescingAnswer &answer,
                                        std::optional<Unmeasured> &obstacle) {
  const ArrayShape &operand = question.operand;
  if (!storedElements(operand)) {
    obstacle = Unmeasured{Obstacle::UnknownLayout, operand};
    return absl::OkStatus();
  }
  AccessFigures &figures = answer.figures;
  const int64_t bits = storedBits(operand);
  answer.maps = std::make_shared<CoalescingMaps>();
  CoalescingMaps &maps = *answer.maps;
  answer.meter = Meter(options, CoalescingOptions::kUsualOperations);
  if (addNumberedSums(question, options, answer, obstacle))
    return absl::OkStatus();
  INDEXICAL_ASSIGN_OR_RETURN(maps.addresses, addresses(question.read, operand));
  if ((obstacle = obstacleIn(maps.addresses))) return absl::OkStatus();
  INDEXICAL_ASSIGN_OR_RETURN(auto whole, launch.pieces(maps.addresses));
  const auto pieces = lanes::followedPieces(std::move(whole));
  const int64_t widest = widestVector(bits, question.laneBytes);
  figures.vectorLoop = launch.vectorLoop();
  if (pieces.empty()) {
    figures.vector = widest;
    answer.isWhole = answer.isFinal = true;
    return absl::OkStatus();
  }
  for (const LaunchPiece &piece : pieces) {
    figures.gathered |= lanes::dependsOnLanes(piece.map);
    answer.leavesOut |= mayLeaveOut(piece.map);
  }
  figures.repeats = repeatsOf(pieces, launch.threads().ranges());
  INDEXICAL_ASSIGN_OR_RETURN(
      maps.cases, runtimeCases(pieces, bits, launch.device().line * 8,
                               options.mostRuntimeValues));
  auto takeBounds = [&] {
    AccessFigures of = bounds(pieces, bits, operand);
    of.gathered = figures.gathered;
    of.repeats = figures.repeats;
    figures = of;
    answer.isWhole = answer.isFinal = true;
    return absl::OkStatus();
  };
  if (maps.cases.empty()) return takeBounds();

  bool complete = true;
  absl::Status status;
  for (int64_t vector = widest; vector > 1; vector /= 2) {
    if (isVector(maps.cases, operand, vector, answer.meter, complete, status)) {
      figures.vector = vector;
      break;
    }
    if (!status.ok()) break;
  }
  bool first = true;
  answer.mayBeShared = question.byWarps;
  for (const lanes::RuntimeCase &one : maps.cases)
    if (status.ok())
      status = sum(one, question, options.mostSectors, answer, first);
  if (absl::IsUnimplemented(status)) return takeBounds();
  if (absl::IsCancelled(status)) {
    obstacle = Unmeasured{Obstacle::TooManySectors};
    return absl::OkStatus();
  }
  INDEXICAL_RETURN_IF_ERROR(status);
  figures.exact &= complete;
  if (figures.byEveryThread) figures.repeats = 1;
  return absl::OkStatus();
}

/// Finds what is no sum, for an answer that has its maps.
absl::Status Coalescing::State::addRest(const CoalescingQuestion &question,
                                        const CoalescingOptions &options,
                                        CoalescingAnswer &answer) {
  // This call has a stop of its own: another one may have made the sums.
  answer.meter = Meter(answer.meter.left(), options.stop);
  AccessFigures &figures = answer.figures;
  CoalescingMaps &maps = *answer.maps;
  std::optional<lanes::LaneSteps> steps;
  if (maps.firstWarps) steps = lanes::laneSteps(*maps.firstWarps);
  if (maps.numbered) {
    steps = lanes::numberedSteps(accessesOf(**maps.numbered, figures.vector));
    if (!covers(maps.addresses)) {
      INDEXICAL_ASSIGN_OR_RETURN(maps.cases.front().pieces,
                                 launch.pieces(maps.addresses));
    }
  }
  if (steps) {
    figures.laneStride = steps->stride;
    figures.laneRuns = steps->runs;
  }
  INDEXICAL_RETURN_IF_ERROR(addDistinct(question, maps, answer.meter, figures));
  INDEXICAL_RETURN_IF_ERROR(options.check());
  answer.isWhole = true;
  answer.maps.reset();
  return absl::OkStatus();
}

/// Returns the answer's figures. The least are 0 if nothing may be read: what
/// is read is a part of a cover, or of the reads of valid indices, or of all
/// accesses.
AccessFigures Coalescing::State::figuresOf(
    const CoalescingQuestion &question, const CoalescingAnswer &answer) const {
  AccessFigures figures = answer.figures;
  const bool isCover = question.read.precision() != Precision::Exact;
  if (answer.isFinal || (!isCover && !answer.leavesOut && !question.isSome))
    return figures;
  figures.memoryPieces.reset();
  if (!isCover) figures.leastIfMade = figures.least();
  for (Figure *figure :
       {&figures.accesses, &figures.activeLanes, &figures.bytesUsed,
        &figures.sectors, &figures.sectorsFewest, &figures.lines,
        &figures.distinctSectors, &figures.wastedBytes})
    figure->least = 0;
  if (figures.requests) figures.requests->least = 0;
  figures.exact = false;
  return figures;
}

Measured coalescing(const IndexingRelation &read, const ArrayShape &operand,
                    const IndexingMap &threads, const Device &device,
                    const CoalescingOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(auto launch, Coalescing::of(threads, device));
  return launch.figures(read, operand, options);
}

}  // namespace indexical
