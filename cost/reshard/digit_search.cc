#include "indexical/cost/reshard/digit_search.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/reshard/digit_moves.h"

namespace indexical {
namespace {

using StepOp = ReshardStep::Op;

/// The most ways that are followed, those after the first one that leads to the
/// target, and the work of one search in words of devices that are read.
constexpr int64_t kMostWays = 1200, kMostWaysAfter = 100;
constexpr int64_t kMostWork = 1 << 27;

class DigitSearch {
 public:
  DigitSearch(DigitSpace &space, bool prefixes, int64_t memory)
      : space_(space), prefixes_(prefixes), memory_(memory) {}

  std::vector<DigitPlan> plans() {
    const int64_t held = space_.localElements(space_.source());
    ways_.push_back({stateOf(space_.source()), -1, -1, 0, 0, held});
    states_[0].ways.push_back(0);
    push(0);
    while (!queue_.empty() && followed_ < kMostWays && work_ < kMostWork) {
      const auto [least, collectives, peak, way] = queue_.top();
      queue_.pop();
      if (ways_[way].isBeaten || isBeatenAtGoal(least, way)) continue;
      if (++followed_ - firstGoal_ > kMostWaysAfter && !goals_.empty()) break;
      if (states_[ways_[way].state].state == space_.target())
        addGoal(way);
      else
        follow(way);
    }
    return found();
  }

 private:
  struct State {
    DigitState state;
    int64_t rest;  ///< the least number of elements still to move
    std::vector<size_t> ways;
  };
  struct Way {
    size_t state;
    int64_t parent, move;
    int64_t moved, collectives, peak;
    bool isBeaten = false;
  };

  size_t stateOf(const DigitState &state) {
    const std::vector<int16_t> key(state.begin(), state.end());
    const auto [known, isNew] = numbers_.try_emplace(key, states_.size());
    if (isNew) states_.push_back({state, leastFrom(state), {}});
    return known->second;
  }

  /// An element without parts moves to each device that lacks it. A sum of P
  /// parts for N devices takes N + P - 2 messages at least.
  int64_t leastFrom(const DigitState &state) {
    const int64_t parts = space_.partsOf(state);
    work_ += space_.devices() / 64 + 1;
    if (parts == 1) return space_.needed(state, space_.target());
    const int64_t all = space_.localElements(space_.target());
    int64_t cut = 1;
    for (size_t i = 0; i < space_.tensor().size(); ++i)
      if (space_.target()[i] >= 0) cut *= space_.tensor()[i].size;
    const int64_t needers = space_.devices() / cut;
    return all * cut * (needers + parts - 2);
  }

  void push(size_t way) {
    const Way &of = ways_[way];
    queue_.push({of.moved + states_[of.state].rest, of.collectives, of.peak,
                 way});
  }

  void addGoal(size_t way) {
    if (goals_.empty()) firstGoal_ = followed_;
    goals_.push_back(way);
  }

  bool isBeatenAtGoal(int64_t least, size_t way) const {
    const Way &of = ways_[way];
    const int64_t collectives =
        of.collectives + (states_[of.state].rest > 0 ? 1 : 0);
    return llvm::any_of(goals_, [&](size_t goal) {
      const Way &other = ways_[goal];
      return other.moved <= least && other.collectives <= collectives &&
             other.peak <= of.peak;
    });
  }

  void follow(size_t from) {
    const DigitState state = states_[ways_[from].state].state;
    const int64_t held = space_.localElements(state);
    forEachMove(space_, state, [&](DigitMove move) {
      work_ += space_.devices() / 16 + 1;
      if (prefixes_ && !arePrefixes(space_, move.after)) return;
      if (!space_.isUniform(move.after)) return;
      const int64_t live = held + space_.localElements(move.after);
      if (memory_ >= 0 && live > memory_) return;
      move.moved = elementsMoved(space_, move);
      Way way;
      way.parent = from;
      way.move = moves_.size();
      way.moved = ways_[from].moved + move.moved;
      way.collectives = ways_[from].collectives + (move.op != StepOp::Slice);
      way.peak = std::max(ways_[from].peak, live);
      way.state = stateOf(move.after);
      State &to = states_[way.state];
      const auto beats = [](const Way &a, const Way &b) {
        return a.moved <= b.moved && a.collectives <= b.collectives &&
               a.peak <= b.peak;
      };
      for (size_t other : to.ways)
        if (beats(ways_[other], way)) return;
      if (isBeatenBefore(way)) return;
      llvm::erase_if(to.ways, [&](size_t other) {
        if (!beats(way, ways_[other])) return false;
        ways_[other].isBeaten = true;
        return true;
      });
      to.ways.push_back(ways_.size());
      moves_.push_back(std::move(move));
      ways_.push_back(way);
      push(ways_.size() - 1);
    });
  }

  bool isBeatenBefore(const Way &way) const {
    const State &state = states_[way.state];
    return llvm::any_of(goals_, [&](size_t goal) {
      const Way &other = ways_[goal];
      return other.moved <= way.moved + state.rest &&
             other.collectives <= way.collectives + (state.rest > 0 ? 1 : 0) &&
             other.peak <= way.peak;
    });
  }

  std::vector<DigitPlan> found() const {
    std::vector<DigitPlan> plans;
    for (size_t goal : goals_) {
      DigitPlan plan;
      plan.moved = ways_[goal].moved;
      plan.collectives = ways_[goal].collectives;
      plan.peak = ways_[goal].peak;
      for (int64_t way = goal; ways_[way].parent >= 0; way = ways_[way].parent)
        plan.moves.push_back(moves_[ways_[way].move]);
      std::reverse(plan.moves.begin(), plan.moves.end());
      plans.push_back(std::move(plan));
    }
    return plans;
  }

  DigitSpace &space_;
  const bool prefixes_;
  const int64_t memory_;
  std::map<std::vector<int16_t>, size_t> numbers_;
  std::vector<State> states_;
  std::vector<Way> ways_;
  std::vector<DigitMove> moves_;
  std::vector<size_t> goals_;
  int64_t followed_ = 0, firstGoal_ = 0, work_ = 0;
  using Entry = std::tuple<int64_t, int64_t, int64_t, size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue_;
};

}  // namespace

std::vector<DigitPlan> searchDigits(DigitSpace &space, bool prefixes,
                                    int64_t memory) {
  if (prefixes &&
      (!arePrefixes(space, space.source()) ||
       !arePrefixes(space, space.target())))
    return {};
  if (memory >= 0 && std::max(space.localElements(space.source()),
                              space.localElements(space.target())) > memory)
    return {};
  return DigitSearch(space, prefixes, memory).plans();
}

}  // namespace indexical
