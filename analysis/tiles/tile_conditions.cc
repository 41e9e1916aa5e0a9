// Conditions that no sizes meet together.
//
//   f32[8,6,8] reshape(f32[4,32,3]), tile (4, a, 2)
//
// wants some a to be 1 and to be 3 at once. Each condition alone has sizes that
// meet it, so they are tried: those of the symbols that conditions share, from
// 1 on. A tile of one element is nearly always one, and so the first try ends
// most searches.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/analysis/tiles/tile_maker.h"
#include "indexical/indexing/evaluation.h"

namespace indexical {
namespace {

/// Past these it stays open whether there are sizes, and the conditions stand.
constexpr int64_t kMostTrials = 20'000;

}  // namespace

/// If no sizes meet all conditions, returns the condition that is met by none
/// of the sizes that meet those before it.
std::optional<size_t> TileMaker::refutedBy(llvm::ArrayRef<size_t> conditions,
                                           llvm::ArrayRef<uint32_t> symbols) {
  llvm::SmallVector<int64_t, 4> values(symbols_.size(), 1);
  auto valueOf = [&](VariableId id) {
    return id.kind == VariableKind::Range ? values[id.index] : 0;
  };
  size_t furthest = 0;
  for (int64_t trial = 0; trial < kMostTrials; ++trial) {
    Evaluation evaluate(f_.pool, valueOf);
    size_t met = 0;
    while (met < conditions.size()) {
      const auto value = evaluate(conditions_[conditions[met]]);
      if (!value || *value != 0) break;
      ++met;
    }
    if (met == conditions.size()) return std::nullopt;
    furthest = std::max(furthest, met);
    size_t k = 0;
    while (k < symbols.size() &&
           values[symbols[k]] == symbolBounds_[symbols[k]].upper)
      values[symbols[k++]] = 1;
    if (k == symbols.size()) return conditions[furthest];
    ++values[symbols[k]];
  }
  return std::nullopt;
}

/// Returns false, and blames a condition, if it is certain that no sizes meet
/// all of them.
bool TileMaker::someSizesMeetConditions() {
  llvm::SmallVector<llvm::SmallBitVector, 4> used;
  llvm::SmallBitVector done(conditions_.size());
  for (auto [i, condition] : llvm::enumerate(conditions_)) {
    used.emplace_back(symbols_.size());
    f_.pool.visitVariables(condition, [&, i = i](VariableId id) {
      if (id.kind == VariableKind::Range) used.back().set(id.index);
      // The run has to say.
      if (id.kind == VariableKind::Runtime) done.set(i);
    });
  }
  for (size_t first = 0; first < conditions_.size(); ++first) {
    if (done.test(first)) continue;
    // Conditions that share symbols, also by way of others.
    llvm::SmallBitVector shared = used[first];
    llvm::SmallVector<size_t, 4> together;
    for (bool grows = true; grows;) {
      grows = false;
      for (size_t i = first; i < conditions_.size(); ++i)
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
      return fail(blames_[*refuted].first, blames_[*refuted].second);
  }
  return true;
}

}  // namespace indexical
