#include "indexical/import/hlo/resolve_in_pieces.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/call_graph.h"
#include "indexical/import/hlo/computation_resolver.h"
#include "indexical/import/hlo/instruction_resolver.h"
#include "indexical/import/hlo/stack_tables.h"

namespace indexical {
namespace {

constexpr size_t kPiecesOfJob = 8;
/// An instruction has about so many bytes of text.
constexpr size_t kBytesOfInstruction = 64;

/// Whether the op follows from the ops of the computation that it calls.
bool isOfCallee(const Instruction &instruction) {
  return instruction.opcode == "scatter" && !instruction.called.empty();
}

bool areSame(const ShapeList &a, const ShapeList &b) {
  if (a.sharesWith(b)) return true;
  return llvm::equal(
      llvm::ArrayRef<ArrayShape>(a), llvm::ArrayRef<ArrayShape>(b),
      [](const ArrayShape &one, const ArrayShape &other) {
        return one.type == other.type && one.dimensions == other.dimensions &&
               one.dynamic == other.dynamic && one.layout == other.layout;
      });
}

/// The work of one thread, and its findings other than instructions.
struct ThreadWork {
  explicit ThreadWork(const Source &whole) : source(whole.text()) {}

  std::vector<InstructionRange> ranges;
  Source source;
  ResolverState state;
  StackFrames frames;
  std::vector<std::pair<int32_t, int32_t>> late;  ///< computation, instruction
};

class InPieces {
 public:
  using FindCalls =
      llvm::function_ref<bool(Source &, const InstructionRange &)>;

  InPieces(const ModuleInPieces &all, FindCalls findCalls)
      : all_(all), findCalls_(findCalls) {}

  bool resolve();

 private:
  std::deque<ThreadWork> cut(llvm::ArrayRef<int32_t> order) const;
  bool forEach(size_t count, llvm::function_ref<bool(size_t)> work) const;
  bool forComputations(
      llvm::ArrayRef<llvm::function_ref<bool(int32_t)>> works) const;
  bool declare();
  bool takeTexts(const InstructionRange &range);
  bool resolve(ThreadWork &piece);
  bool resolve(ThreadWork &piece, const InstructionRange &range);
  bool join(std::deque<ThreadWork> &pieces);
  void numberFrames(const ThreadWork &piece);

  const ModuleInPieces &all_;
  const FindCalls findCalls_;
  std::vector<ComputationResolver> computations_;
};

/// All instructions, computations in that order, in pieces of about one size.
std::deque<ThreadWork> InPieces::cut(llvm::ArrayRef<int32_t> order) const {
  const auto &computations = all_.syntax.computations;
  size_t count = 0;
  for (const ComputationSyntax &computation : computations)
    count += computation.instructions.size();
  const int32_t length = static_cast<int32_t>(
      std::max(count / (all_.crew.size() * kPiecesOfJob) + 1,
               all_.options.leastPiece / kBytesOfInstruction));
  std::deque<ThreadWork> pieces;
  int32_t room = 0;
  for (int32_t c : order) {
    const int32_t size = computations[c].instructions.size();
    for (int32_t begin = 0; begin < size;) {
      if (room == 0) {
        pieces.emplace_back(all_.source);
        room = length;
      }
      const int32_t end = std::min(size, begin + room);
      pieces.back().ranges.push_back({c, begin, end});
      room -= end - begin;
      begin = end;
    }
  }
  return pieces;
}

bool InPieces::forEach(size_t count,
                       llvm::function_ref<bool(size_t)> work) const {
  std::atomic<bool> isWrong{false};
  all_.crew.forEach(count, [&](size_t step) {
    if (!isWrong && !work(step)) isWrong = true;
  });
  return !isWrong;
}

/// Calls each work with each computation, the largest first, and small ones
/// some at a time.
bool InPieces::forComputations(
    llvm::ArrayRef<llvm::function_ref<bool(int32_t)>> works) const {
  const auto &computations = all_.syntax.computations;
  std::vector<int32_t> bySize(computations.size());
  std::iota(bySize.begin(), bySize.end(), 0);
  llvm::stable_sort(bySize, [&](int32_t a, int32_t b) {
    return computations[a].instructions.size() >
           computations[b].instructions.size();
  });
  const size_t together = bySize.size() / (all_.crew.size() * 64) + 1;
  const size_t groups = (bySize.size() + together - 1) / together;
  return forEach(groups * works.size(), [&](size_t step) {
    const size_t begin = step / works.size() * together;
    const size_t end = std::min(begin + together, bySize.size());
    for (size_t i = begin; i < end; ++i)
      if (!works[step % works.size()](bySize[i])) return false;
    return true;
  });
}

bool InPieces::declare() {
  auto &computations = all_.module.computations;
  const int32_t count = computations.size();
  // Both take a while for a large computation, and neither needs the other.
  auto makeRoom = [&](int32_t c) {
    computations[c].instructions.resize(
        all_.syntax.computations[c].instructions.size());
    return true;
  };
  auto findNames = [&](int32_t c) { return computations_[c].findNames(); };
  if (!forComputations({makeRoom, findNames})) return false;
  std::vector<int32_t> inOrder(count);
  std::iota(inOrder.begin(), inOrder.end(), 0);
  std::deque<ThreadWork> pieces = cut(inOrder);
  if (!forEach(pieces.size(), [&](size_t p) {
        return llvm::all_of(
            pieces[p].ranges, [&](const InstructionRange &range) {
              return takeTexts(range) && findCalls_(pieces[p].source, range);
            });
      }))
    return false;
  std::mutex kept;
  auto declareIt = [&](int32_t c) {
    Source source(all_.source.text());
    return computations_[c].declare(source, kept);
  };
  return forComputations({declareIt});
}

bool InPieces::takeTexts(const InstructionRange &range) {
  const auto &syntax = all_.syntax.computations[range.computation].instructions;
  auto &instructions = all_.module.computations[range.computation].instructions;
  for (int32_t i = range.begin; i < range.end; ++i) {
    if (!syntax[i].shape) return false;
    instructions[i].name = syntax[i].name;
    instructions[i].opcode = syntax[i].opcode;
    instructions[i].shape = *syntax[i].shape;
  }
  return true;
}

bool InPieces::resolve(ThreadWork &piece) {
  piece.state.added = &piece.frames;
  piece.state.areApart = true;
  return llvm::all_of(piece.ranges, [&](const InstructionRange &range) {
    return resolve(piece, range);
  });
}

bool InPieces::resolve(ThreadWork &piece, const InstructionRange &range) {
  const int32_t c = range.computation;
  if (!computations_[c].findOperands(piece.source, range.begin, range.end))
    return false;
  Computation &computation = all_.module.computations[c];
  InstructionResolver resolver(piece.source, all_.module, computation,
                               all_.syntax.computations[c], piece.state,
                               KnownOperands::Declared);
  for (int32_t i = range.begin; i < range.end; ++i) {
    const Instruction &instruction = computation.instructions[i];
    if (!resolver.resolveTexts(i)) return false;
    if (isOfCallee(instruction)) {
      piece.late.push_back({c, i});
      continue;
    }
    if (!resolver.resolveOp(i)) return false;
    // Users of this instruction took the written shape for its results.
    if (!areSame(shapesOf(instruction.op).results, instruction.shape.leaves()))
      return false;
  }
  return true;
}

void InPieces::numberFrames(const ThreadWork &piece) {
  if (piece.frames.size() == 0) return;
  std::vector<int32_t> numbers;
  for (size_t n = 0; n < piece.frames.size(); ++n)
    numbers.push_back(all_.module.frames.add(piece.frames[n]));
  for (const InstructionRange &range : piece.ranges) {
    auto &instructions =
        all_.module.computations[range.computation].instructions;
    for (int32_t i = range.begin; i < range.end; ++i)
      if (int32_t &frame = instructions[i].metadata.frame; frame < -1)
        frame = numbers[-2 - frame];
  }
}

bool InPieces::join(std::deque<ThreadWork> &pieces) {
  int64_t left = kUnwrittenLeafLimit;
  ResolverState state;
  state.customCalls = all_.options.customCalls;
  Source source(all_.source.text());
  for (ThreadWork &piece : pieces) {
    left -= kUnwrittenLeafLimit - piece.state.unwrittenLeavesLeft;
    numberFrames(piece);
    all_.source.warnAsIn(piece.source);
    for (const auto &unknown : piece.state.unknownOpcodes)
      if (state.metOpcodes.insert(unknown.opcode).second)
        state.unknownOpcodes.push_back(unknown);
    for (const auto &[c, i] : piece.late)
      if (!InstructionResolver(source, all_.module, all_.module.computations[c],
                               all_.syntax.computations[c], state,
                               KnownOperands::Declared)
               .resolveOp(i))
        return false;
  }
  left -= kUnwrittenLeafLimit - state.unwrittenLeavesLeft;
  addNotes(state.unknownOpcodes, all_.program);
  return left >= 0;
}

bool InPieces::resolve() {
  auto &computations = all_.module.computations;
  computations_.reserve(computations.size());
  for (size_t c = 0; c < computations.size(); ++c)
    computations_.emplace_back(all_.program, all_.module, computations[c],
                               all_.syntax.computations[c]);
  std::vector<int32_t> order;
  if (!declare() || !orderByCalls(all_.source, all_.module, order))
    return false;
  const FrameNumbers frames(all_.source, all_.syntax.tables, all_.program,
                            all_.module);
  std::deque<ThreadWork> pieces = cut(order);
  for (ThreadWork &piece : pieces) {
    piece.state.customCalls = all_.options.customCalls;
    piece.state.frames = &frames;
  }
  return forEach(pieces.size(), [&](size_t p) { return resolve(pieces[p]); }) &&
         join(pieces);
}

}  // namespace

bool resolveInPieces(
    const ModuleInPieces &all,
    llvm::function_ref<bool(Source &, const InstructionRange &)> findCalls) {
  return InPieces(all, findCalls).resolve();
}

}  // namespace indexical
