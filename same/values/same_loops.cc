#include "indexical/same/values/same_loops.h"

#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/maps/single_trips.h"

namespace indexical {
namespace {

// Loops in loops, and pairs of loops that are compared in all.
constexpr int kMostLoopDepth = 4;
constexpr int kMostPairs = 16;
// The steps of one trip's question.
constexpr int64_t kOperations = 10'000'000;

bool isSameArray(const ArrayShape &a, const ArrayShape &b) {
  return a.type == b.type && a.dimensions == b.dimensions &&
         a.dynamic == b.dynamic;
}

class Induction {
 public:
  Induction(const ValueOptions &values, const EqualityOptions &options)
      : values_(values), options_(options) {
    values_.explains = false;
    options_.progress = nullptr;
    ofTrips_ = options_;
    ofTrips_.operations = options.operationsOr(kOperations);
  }

  std::optional<ValueEquality> equality(const Module &first,
                                        const Module &second, int deep) {
    if (deep > kMostLoopDepth) return std::nullopt;
    Module sides[2] = {first, second};
    bool isFound = false;
    std::set<InstructionId> tried;
    while (const auto loop = nextOf(sides[0], tried)) {
      tried.insert(loop->instruction);
      isFound |= makeOps(sides, *loop, deep);
    }
    if (!isFound) return std::nullopt;
    auto made = compareValues(sides[0], sides[1], values_,
                              deep == 0 ? options_ : ofTrips_);
    if (!made.ok() || !made->isEqual) return std::nullopt;
    made->laws.insert(laws_.begin(), laws_.end());
    made->losesReads |= losesReads_;
    return *std::move(made);
  }

 private:
  static std::optional<SingleLoop> nextOf(
      const Module &module, const std::set<InstructionId> &tried) {
    for (SingleLoop &loop : singleLoops(module))
      if (!tried.count(loop.instruction)) return std::move(loop);
    return std::nullopt;
  }

  /// Makes ops of the loop and of an equal one of the second module. Returns
  /// false if there is none.
  bool makeOps(Module (&sides)[2], const SingleLoop &loop, int deep) {
    const std::string name = "a loop, " + std::to_string(next_++);
    const auto trip = singleTrip(sides[0], loop, name);
    if (!trip) return false;
    for (const SingleLoop &other : singleLoops(sides[1])) {
      if (!llvm::equal(other.shapes, loop.shapes, isSameArray)) continue;
      const auto otherTrip = singleTrip(sides[1], other, name);
      if (!otherTrip || !areEqual(*trip, *otherTrip, deep)) continue;
      sides[0] = withLoopAsOp(sides[0], loop, name);
      sides[1] = withLoopAsOp(sides[1], other, name);
      return true;
    }
    return false;
  }

  bool areEqual(const Module &trip, const Module &other, int deep) {
    if (++pairs_ > kMostPairs || !options_.check().ok()) return false;
    const auto made = compareValues(trip, other, values_, ofTrips_);
    if (!made.ok()) return false;
    if (!made->isEqual) return equality(trip, other, deep + 1).has_value();
    laws_.insert(made->laws.begin(), made->laws.end());
    losesReads_ |= made->losesReads;
    return true;
  }

  ValueOptions values_;
  EqualityOptions options_, ofTrips_;
  int next_ = 0, pairs_ = 0;
  std::set<std::string> laws_;
  bool losesReads_ = false;
};

}  // namespace

std::optional<ValueEquality> equalByLoops(const Module &first,
                                          const Module &second,
                                          const ValueOptions &values,
                                          const EqualityOptions &options) {
  return Induction(values, options).equality(first, second, /*deep=*/0);
}

}  // namespace indexical
