// Conditions that no sizes meet together.
//
//   f32[8,6,8] reshape(f32[4,32,3]), tile (4, a, 2)
//
// wants some a to be 1 and to be 3 at once. Each condition alone has sizes that
// meet it, so they are tried: those of the symbols that conditions share, from
// 1 on. A tile of one element is nearly always one, and so the first try ends
// most searches.
#include "indexical/cost/tiles/tile_conditions.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/indexing/evaluation.h"

namespace indexical {
namespace {

/// Past these it stays open whether there are sizes, and the conditions stand.
constexpr int64_t kMostTrials = 20'000;

}  // namespace

bool TileConditions::fail(const TileBlame &blame) {
  if (blame.form < variables_.map().expressions().formCount()) blamed_ = blame;
  return false;
}

bool TileConditions::require(FormId zero) {
  const Interval bounds = f_.bounds(zero);
  if (bounds == Interval::point(0)) return true;
  if (bounds.lower >= 1) return fail();
  if (llvm::is_contained(zeros_, zero)) return true;
  zeros_.push_back(zero);
  blames_.push_back(current_);
  return true;
}

bool TileConditions::require(const TileRunConditions &law) {
  return llvm::all_of(law.zeros(), [&](FormId zero) { return require(zero); });
}

void TileConditions::addGate(FormId isOpen) {
  if (!llvm::is_contained(gates_, isOpen)) gates_.push_back(isOpen);
}

bool TileConditions::applyGates(llvm::MutableArrayRef<Progression> parts) {
  for (FormId gate : gates_) {
    if (f_.isNumber(gate, 1)) continue;
    if (parts.empty()) return false;
    parts[0].count = f_.product(parts[0].count, gate);
  }
  return true;
}

/// If no sizes meet all conditions, returns the condition that is met by none
/// of the sizes that meet those before it.
std::optional<size_t> TileConditions::refutedBy(
    llvm::ArrayRef<size_t> conditions, llvm::ArrayRef<uint32_t> symbols) {
  const llvm::ArrayRef<Interval> bounds = variables_.symbolBounds();
  llvm::SmallVector<int64_t, 4> values(bounds.size(), 1);
  auto valueOf = [&](VariableId id) {
    return id.kind == VariableKind::Range ? values[id.index] : 0;
  };
  size_t furthest = 0;
  for (int64_t trial = 0; trial < kMostTrials; ++trial) {
    Evaluation evaluate(f_.pool, valueOf);
    size_t met = 0;
    while (met < conditions.size()) {
      const auto value = evaluate(zeros_[conditions[met]]);
      if (!value || *value != 0) break;
      ++met;
    }
    if (met == conditions.size()) return std::nullopt;
    furthest = std::max(furthest, met);
    size_t k = 0;
    while (k < symbols.size() && values[symbols[k]] == bounds[symbols[k]].upper)
      values[symbols[k++]] = 1;
    if (k == symbols.size()) return conditions[furthest];
    ++values[symbols[k]];
  }
  return std::nullopt;
}

bool TileConditions::someSizesMeetAll() {
  llvm::SmallVector<llvm::SmallBitVector, 4> used;
  llvm::SmallBitVector done(zeros_.size());
  for (auto [i, condition] : llvm::enumerate(zeros_)) {
    used.emplace_back(variables_.symbolBounds().size());
    f_.pool.visitVariables(condition, [&, i = i](VariableId id) {
      if (id.kind == VariableKind::Range) used.back().set(id.index);
      // The run has to say.
      if (id.kind == VariableKind::Runtime) done.set(i);
    });
  }
  for (size_t first = 0; first < zeros_.size(); ++first) {
    if (done.test(first)) continue;
    // Conditions that share symbols, also by way of others.
    llvm::SmallBitVector shared = used[first];
    llvm::SmallVector<size_t, 4> together;
    for (bool grows = true; grows;) {
      grows = false;
      for (size_t i = first; i < zeros_.size(); ++i)
        if (!done.test(i) && (i == first || used[i].anyCommon(shared))) {
          done.set(i);
          shared |= used[i];
          together.push_back(i);
          grows = true;
        }
    }
    llvm::sort(together);
    llvm::SmallVector<uint32_t, 4> symbols;
    for (unsigned i : shared.set_bits()) symbols.push_back(i);
    if (auto refuted = refutedBy(together, symbols))
      return fail(blames_[*refuted]);
  }
  return true;
}

}  // namespace indexical
