#include "indexical/cost/memory/numbered_reads.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/lane_forms.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/memory/warp_runs.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace lanes {
namespace {

// Boxes (boxes.h) go through more runs than these in fewer parts, if any do.
constexpr int64_t kMostNumberedRuns = 8'192, kMostNumberedSteps = 65'536;

/// Finds the number in which the forms of a thread map have its variables.
class NumberFinder {
 public:
  explicit NumberFinder(const IndexingMap &threads)
      : threads_(threads), table_(threads.expressions()) {
    for (const Variable &v : threads.dimensions())
      strides_.push_back(v.bounds.count() > 1 ? -1 : 0);
  }

  std::optional<Numbering> find(int64_t warp) {
    if (!setStrides(warp)) return std::nullopt;
    for (const FormId form : threads_.results())
      if (!isOfNumber(form)) return std::nullopt;
    for (const Constraint &constraint : threads_.constraints())
      if (!isOfNumber(constraint.form)) return std::nullopt;
    auto index = made();
    if (!index.ok()) return std::nullopt;
    return Numbering{*std::move(index), threads_.dimensions()[0].bounds.count(),
                     vector_};
  }

 private:
  /// The strides that the variables of a number have. Returns whether warps are
  /// neighbours by it.
  bool setStrides(int64_t warp) {
    const auto dimensions = threads_.dimensions();
    const auto loops = threads_.ranges();
    for (const size_t other : {1, 2, 4, 5})
      if (dimensions[other].bounds.count() > 1) return false;
    for (const Variable &loop : loops.drop_back(loops.empty() ? 0 : 1))
      if (loop.bounds.count() > 1) return false;
    if (!loops.empty()) {
      if (loops.back().bounds.lower != 0) return false;
      vector_ = loops.back().bounds.count();
    }
    const int64_t threads = dimensions[0].bounds.count();
    const int64_t blocks = dimensions[3].bounds.count();
    if (blocks > 1 && threads % warp != 0) return false;
    strides_[0] = threads > 1 ? vector_ : 0;
    strides_[3] = blocks > 1 ? vector_ * threads : 0;
    numbers_ = vector_ * threads * blocks;
    return true;
  }

  int64_t strideOf(VariableId id) const {
    if (id.kind == VariableKind::Dimension) return strides_[id.index];
    return id.index + 1 == threads_.ranges().size() && vector_ > 1 ? 1 : 0;
  }

  /// Whether the form is one of the number alone: variables of more than one
  /// value have coefficients as their strides are.
  bool isOfNumber(FormId form) const {
    std::optional<int64_t> times;
    int64_t moving = 0;
    for (const Term &term : table_.terms(form)) {
      const Atom &atom = table_.atom(term.atom);
      if (const auto id = atom.asVariable()) {
        const int64_t stride = strideOf(*id);
        if (stride == 0) continue;
        ++moving;
        if (term.coefficient % stride != 0) return false;
        const int64_t own = term.coefficient / stride;
        if (times && *times != own) return false;
        times = own;
        continue;
      }
      for (const FormId operand : atom.operands())
        if (!isOfNumber(operand)) return false;
    }
    const int64_t all = (strides_[0] > 0) + (strides_[3] > 0) + (vector_ > 1);
    return moving == 0 || moving == all;
  }

  /// The threads' map from the number: it stands in place of the variable that
  /// has stride 1, and variables of one value have this.
  absl::StatusOr<IndexingMap> made() const {
    IndexingMapBuilder b;
    const Expr number = b.dimension({0, numbers_ - 1});
    bool placed = false;
    auto replace = [&](VariableId id) {
      const int64_t stride = strideOf(id);
      if (stride == 1) {
        placed = true;
        return number.form();
      }
      const int64_t value =
          stride == 0 ? threads_.variable(id).bounds.lower : 0;
      return b.constant(value).form();
    };
    // Blocks of one thread have a stride of 1 only if they alone are many.
    ExpressionImport import(table_, b.pool(), replace);
    for (FormId form : threads_.results()) b.result(b.expression(import(form)));
    for (const Constraint &constraint : threads_.constraints())
      b.constraint(b.expression(import(constraint.form)), constraint.bounds);
    if (!placed && numbers_ > 1)
      return absl::UnimplementedError("no variable has stride 1");
    return b.build();
  }

  const IndexingMap &threads_;
  const ExpressionTable &table_;
  llvm::SmallVector<int64_t, 6> strides_;
  int64_t vector_ = 1, numbers_ = 1;
};

/// Adds a run, to the one before it if that goes on.
void addRun(const NumberedRun &run, std::vector<NumberedRun> &runs) {
  if (!runs.empty()) {
    NumberedRun &last = runs.back();
    const int64_t step = last.count > 1 ? last.step : run.start - last.start;
    if (last.end() == run.first && last.piece == run.piece &&
        last.start + step * last.count == run.start &&
        (run.count == 1 || run.step == step)) {
      last.step = step;
      last.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

/// Returns the longest part of the runs that repeats, a few of them at a time:
/// a row of the index space has few.
RepeatedRuns repeatedOf(llvm::ArrayRef<NumberedRun> runs) {
  constexpr size_t kMostRunsOfRow = 6;
  RepeatedRuns longest;
  for (size_t of = 1; of <= kMostRunsOfRow && of < runs.size(); ++of) {
    RepeatedRuns now;
    for (size_t i = 0; i + of < runs.size(); ++i) {
      const NumberedRun &run = runs[i], &next = runs[i + of];
      const int64_t numbers = next.first - run.first;
      const int64_t bits = next.start - run.start;
      const bool isLike = run.count == next.count && run.step == next.step &&
                          run.piece == next.piece;
      if (!isLike || now.to == 0 || now.numbers != numbers || now.bits != bits)
        now = {i, i, of, numbers, bits};
      if (!isLike) {
        now.to = 0;
        continue;
      }
      now.to = i + of + 1;
      // A longer period that repeats as much says nothing more.
      if (now.to - now.from > longest.to - longest.from + of) longest = now;
    }
    if (2 * (longest.to - longest.from) > runs.size()) break;
  }
  return longest;
}

}  // namespace

std::optional<Numbering> numberingOf(const IndexingMap &threads, int64_t warp) {
  if (threads.isKnownEmpty()) return std::nullopt;
  return NumberFinder(threads).find(warp);
}

std::optional<NumberedRead> numberedRead(const IndexingMap &index,
                                         std::vector<ReadPiece> addresses,
                                         int64_t bits) {
  NumberedRead read;
  LaneNumbers numbers(1);
  for (auto [number, piece] : llvm::enumerate(addresses)) {
    if (piece.ranges > 0 || !piece.address.runtime().empty())
      return std::nullopt;
    auto map = compose(index, piece.address);
    if (!map.ok()) return std::nullopt;
    if (map->isKnownEmpty()) continue;
    const auto problem = pointProblem(*map, bits, numbers);
    if (!problem.ok() || !visitsOf(*problem, numbers, kMostNumberedRuns))
      return std::nullopt;
    read.operations += costOfVisit(*problem);
    auto runs = WarpRuns::alongVariable(*problem, numbers, kMostNumberedSteps);
    if (!runs) return std::nullopt;
    const int64_t from = map->dimensions()[0].bounds.lower;
    for (const SlotRun &run : *runs)
      addRun({static_cast<uint32_t>(number), from + run.first, run.count,
              run.start, run.count > 1 ? run.step : 0},
             read.runs);
  }
  auto comesBefore = [](const NumberedRun &a, const NumberedRun &b) {
    return a.first < b.first;
  };
  if (!llvm::is_sorted(read.runs, comesBefore))
    llvm::sort(read.runs, comesBefore);
  for (size_t i = 1; i < read.runs.size(); ++i)
    if (read.runs[i - 1].end() > read.runs[i].first) return std::nullopt;
  read.repeated = repeatedOf(read.runs);
  read.operations *= static_cast<int64_t>(read.runs.size() + 1);
  read.addresses = std::move(addresses);
  return read;
}

NumberedReads::Answer NumberedReads::find(const IndexingRelation &read,
                                          const ArrayShape &operand) const {
  for (const Known &known : known_)
    if (storedBits(known.operand) == storedBits(operand) &&
        known.operand.dimensions == operand.dimensions &&
        known.operand.layout == operand.layout && known.read == read)
      return known.answer;
  return nullptr;
}

void NumberedReads::add(const IndexingRelation &read, const ArrayShape &operand,
                        Answer answer) {
  known_.push_back({read, operand, std::move(answer)});
}

}  // namespace lanes
}  // namespace indexical
