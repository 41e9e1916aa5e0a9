#include "indexical/cost/reshard/digit_moves.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical {
namespace {

using StepOp = ReshardStep::Op;
using Numbers = llvm::SmallVector<int16_t, 16>;
using Take = llvm::function_ref<void(DigitMove)>;

/// More subsets than those of so many digits are not tried.
constexpr size_t kMostSubsets = 8;

/// Calls `take` with subsets of the numbers: all of them if these are few, else
/// those of one and of two, and the whole.
void forEachSubset(const Numbers &of,
                   llvm::function_ref<void(const Numbers &)> take) {
  const size_t n = of.size();
  if (n == 0) return;
  if (n <= kMostSubsets) {
    for (unsigned mask = 1; mask < (1u << n); ++mask) {
      Numbers subset;
      for (size_t i = 0; i < n; ++i)
        if (mask >> i & 1) subset.push_back(of[i]);
      take(subset);
    }
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    take({of[i]});
    for (size_t j = i + 1; j < n; ++j) take({of[i], of[j]});
  }
  take(of);
}

class Moves {
 public:
  Moves(const DigitSpace &space, const DigitState &state, Take take)
      : space_(space), state_(state), take_(take) {
    for (size_t i = 0; i < space.tensor().size(); ++i) {
      const int16_t is = state[i], wanted = space.target()[i];
      if (is >= 0 && wanted != is) give_.push_back(i);
      if (is < 0 && wanted >= 0) want_.push_back(i);
      if (is < 0 && wanted < 0) spare_.push_back(i);
    }
  }

  void all() {
    slices();
    gathers();
    exchanges();
    permutes();
    sums();
  }

 private:
  int64_t sizeOf(int16_t digit) const { return space_.digits()[digit].size; }
  bool isUsed(int16_t label) const {
    return llvm::is_contained(space_.used(state_), label);
  }
  DigitMove moveOf(StepOp op) const {
    DigitMove move;
    move.op = op;
    move.before = move.after = state_;
    return move;
  }

  void slices() {
    for (int16_t i : want_) {
      const int16_t label = space_.target()[i];
      if (isUsed(label)) continue;
      DigitMove move = moveOf(StepOp::Slice);
      move.take = {i};
      move.labels = {label};
      move.after[i] = label;
      take_(std::move(move));
    }
  }

  void gathers() {
    forEachSubset(give_, [&](const Numbers &give) {
      DigitMove move = moveOf(StepOp::AllGather);
      for (int16_t i : give) {
        move.give.push_back(i);
        move.labels.push_back(state_[i]);
        move.after[i] = -1;
      }
      take_(std::move(move));
    });
  }

  /// Chooses for each taken digit of the tensor one of the labels, that which
  /// the target wants if it is there. Returns false if sizes differ.
  bool label(const Numbers &take, Numbers labels, DigitMove &move) const {
    move.labels.assign(take.size(), -1);
    for (bool wanted : {true, false})
      for (size_t l = 0; l < take.size(); ++l) {
        if (move.labels[l] >= 0) continue;
        const auto found = llvm::find_if(labels, [&](int16_t label) {
          return wanted ? label == space_.target()[take[l]]
                        : sizeOf(label) == space_.tensor()[take[l]].size;
        });
        if (found == labels.end()) {
          if (wanted) continue;
          return false;
        }
        move.labels[l] = *found;
        labels.erase(found);
      }
    move.take.assign(take.begin(), take.end());
    for (size_t l = 0; l < take.size(); ++l)
      move.after[take[l]] = move.labels[l];
    return true;
  }

  /// Calls `take` with subsets of what may be cut, of so many digits.
  void forEachTake(size_t count, llvm::function_ref<void(const Numbers &)> take) {
    forEachSubset(want_, [&](const Numbers &subset) {
      if (subset.size() == count) take(subset);
    });
    if (count == 1)
      for (int16_t i : spare_) take({i});
  }

  void exchanges() {
    forEachSubset(give_, [&](const Numbers &give) {
      forEachTake(give.size(), [&](const Numbers &take) {
        DigitMove move = moveOf(StepOp::AllToAll);
        Numbers labels;
        for (int16_t i : give) {
          labels.push_back(state_[i]);
          move.after[i] = -1;
        }
        move.give.assign(give.begin(), give.end());
        if (label(take, labels, move)) take_(std::move(move));
      });
    });
  }

  void permute(const DigitState &after) {
    if (after == state_) return;
    DigitMove move = moveOf(StepOp::Permute);
    move.after = after;
    take_(std::move(move));
  }

  void permutes() {
    const size_t count = space_.tensor().size();
    DigitState all = state_;
    for (int16_t i : give_)
      if (space_.target()[i] >= 0) all[i] = space_.target()[i];
    permute(withoutTwins(all));
    for (int16_t i : give_) {
      for (size_t label = 0; label < space_.digits().size(); ++label) {
        if (space_.digits()[label].size != space_.tensor()[i].size) continue;
        DigitState after = state_;
        for (size_t j = 0; j < count; ++j)
          if (after[j] == static_cast<int16_t>(label)) after[j] = state_[i];
        after[i] = static_cast<int16_t>(label);
        permute(after);
      }
    }
  }

  /// Gives a digit that is cut by the same label as another, and that the
  /// target does not cut by it, a label that is free.
  DigitState withoutTwins(DigitState state) const {
    for (size_t i = 0; i < space_.tensor().size(); ++i) {
      if (state[i] < 0 || state[i] == space_.target()[i]) continue;
      const auto isTwin = [&](int16_t label) {
        for (size_t j = 0; j < space_.tensor().size(); ++j)
          if (j != i && state[j] == label) return true;
        return false;
      };
      if (!isTwin(state[i])) continue;
      for (size_t label = 0; label < space_.digits().size(); ++label)
        if (space_.digits()[label].size == space_.tensor()[i].size &&
            !isTwin(static_cast<int16_t>(label)) &&
            state[i] != static_cast<int16_t>(label)) {
          state[i] = static_cast<int16_t>(label);
          break;
        }
    }
    return state;
  }

  /// Reduce-scatters and all-reduces of parts that are not summed.
  void sums() {
    const size_t first = space_.tensor().size();
    Numbers parts;
    for (size_t p = 0; p < space_.parts().size(); ++p)
      if (state_[first + p]) parts.push_back(p);
    forEachSubset(parts, [&](const Numbers &summed) {
      DigitMove reduce = moveOf(StepOp::AllReduce);
      Numbers labels;
      for (int16_t p : summed) {
        labels.push_back(space_.parts()[p]);
        reduce.after[first + p] = 0;
      }
      DigitMove scatter = reduce;
      scatter.op = StepOp::ReduceScatter;
      reduce.labels.assign(labels.begin(), labels.end());
      take_(std::move(reduce));
      forEachTake(summed.size(), [&](const Numbers &take) {
        DigitMove move = scatter;
        if (label(take, labels, move)) take_(std::move(move));
      });
    });
  }

  const DigitSpace &space_;
  const DigitState &state_;
  const Take take_;
  Numbers give_, want_, spare_;
};

}  // namespace

void forEachMove(const DigitSpace &space, const DigitState &state, Take take) {
  Moves(space, state, take).all();
}

int64_t elementsMoved(DigitSpace &space, const DigitMove &move) {
  const int64_t held = space.localElements(move.before);
  int64_t members = 1;
  for (int16_t label : move.labels) members *= space.digits()[label].size;
  switch (move.op) {
    case StepOp::Slice:
      return 0;
    case StepOp::AllGather:
      return space.devices() * (members - 1) * held;
    case StepOp::AllToAll:
    case StepOp::ReduceScatter:
      return space.devices() * (held / members) * (members - 1);
    case StepOp::AllReduce:
      // Two rounds of pieces, which may be a part of an element.
      return 2 * (space.devices() / members) * (members - 1) * held;
    case StepOp::Permute:
      return (space.devices() - space.agreeing(move.before, move.after)) * held;
  }
  return 0;
}

bool arePrefixes(const DigitSpace &space, const DigitState &state) {
  for (size_t i = 1; i < space.tensor().size(); ++i)
    if (space.tensor()[i].dimension == space.tensor()[i - 1].dimension &&
        state[i] >= 0 && state[i - 1] < 0)
      return false;
  return true;
}

}  // namespace indexical
