// What a loop of a few turns carries, turn by turn.
//
//   %s = phi [1, …], [%s * 2, …]       in four turns 1, 2, 4, 8
//   %a = phi [0, …], [%b, …]           in four turns 0, 1, 1, 2,
//   %b = phi [1, …], [%a + %b, …]      if both are read together
//
// The values that the head of a loop carries are read once, as they follow from
// those of the turn before: each of these is a placeholder. Then the first
// values are put in, and the next ones, and so on.
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

using llvm::Loop;
using llvm::PHINode;
using llvm::Value;

namespace {

/// A loop with more turns is not written out, nor one that carries more values
/// or makes more terms.
constexpr int64_t kMostTurns = 32;
constexpr size_t kMostCarried = 16;
constexpr size_t kMostNewTerms = 10'000;

}  // namespace

ValueTerms::Held ValueTerms::hold(const Value *value) {
  const Held held{value, placeholders_++};
  if (value->getType()->isPointerTy())
    pointers_[value] = heldTerm(held);
  else
    integers_[value] = heldTerm(held);
  open_.erase(value);
  trails_.emplace_back();
  scevs_.clear();
  return held;
}

TermId ValueTerms::heldTerm(const Held &held) {
  const bool isPointer = held.value->getType()->isPointerTy();
  return terms_.leaf(TermKind::Placeholder, held.placeholder,
                     isPointer ? 64 : bitsOf(held.value->getType()));
}

void ValueTerms::release(llvm::ArrayRef<Held> held) {
  auto isGone = [&](std::optional<TermId> term) {
    // What is not known may be so because a value was open.
    return !term || llvm::any_of(held, [&](const Held &each) {
      return terms_.mentions(*term, TermKind::Placeholder, each.placeholder);
    });
  };
  auto forget = [&](auto &known, const auto &keys) {
    for (const auto &key : keys)
      if (const auto at = known.find(key);
          at != known.end() && isGone(at->second))
        known.erase(at);
  };
  for (size_t k = 0; k < held.size(); ++k) {
    const Trail &trail = trails_.back();
    forget(integers_, trail.values);
    forget(pointers_, trail.values);
    forget(reached_, trail.blocks);
    forget(reachedFrom_, trail.ways);
    forget(trips_, trail.loops);
    trails_.pop_back();
  }
  for (const Held &each : held) {
    integers_.erase(each.value);
    pointers_.erase(each.value);
  }
  scevs_.clear();
}

std::optional<TermId> ValueTerms::incoming(const PHINode &phi,
                                           const llvm::BasicBlock *from) {
  const Value *value = phi.getIncomingValueForBlock(from);
  if (phi.getType()->isPointerTy()) return pointer(value);
  return integer(value);
}

std::optional<TermId> ValueTerms::turnByTurn(const PHINode &phi,
                                             const Loop *loop) {
  const auto known = turns_.find(&phi);
  if (known != turns_.end()) return known->second;
  if (!byTurns_.insert(loop).second) return std::nullopt;
  const auto made = [&]() -> std::optional<TermId> {
    const auto count = trips(loop);
    if (!count || terms_[*count].kind != TermKind::Constant)
      return std::nullopt;
    const int64_t turns = terms_[*count].value;
    if (turns < 1 || turns > kMostTurns) return std::nullopt;
    struct Carried {
      const PHINode *phi = nullptr;
      std::optional<TermId> next;
      std::vector<TermId> values;  ///< of each turn
    };
    std::vector<Carried> all;
    for (const PHINode &each : loop->getHeader()->phis()) {
      const bool isPointer = each.getType()->isPointerTy();
      if (!isPointer && bitsOf(each.getType()) == 0) continue;
      const auto *sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
          evolution_.getSCEV(const_cast<PHINode *>(&each)));
      if (sum && sum->isAffine() && &each != &phi) continue;
      const auto start = incoming(each, loop->getLoopPredecessor());
      if (start) all.push_back({&each, std::nullopt, {*start}});
    }
    if (all.size() > kMostCarried) return std::nullopt;
    const bool wasOpen = open_.count(&phi) != 0;
    std::vector<Held> held;
    for (const Carried &each : all) held.push_back(hold(each.phi));
    for (Carried &each : all)
      each.next = incoming(*each.phi, loop->getLoopLatch());
    release(held);
    if (wasOpen) open_.insert(&phi);
    // What is not known makes what follows from it unknown.
    std::set<size_t> lost;
    for (size_t before = all.size() + 1; before != lost.size();) {
      before = lost.size();
      for (size_t k = 0; k < all.size(); ++k) {
        bool isLost = !all[k].next;
        for (size_t other : lost)
          isLost |= all[k].next &&
                    terms_.mentions(*all[k].next, TermKind::Placeholder,
                                    held[other].placeholder);
        if (isLost) lost.insert(k);
      }
    }
    const size_t terms = terms_.size();
    for (int64_t turn = 1; turn < turns; ++turn) {
      std::map<int64_t, TermId> by;
      for (size_t k = 0; k < all.size(); ++k)
        if (!lost.count(k)) by[held[k].placeholder] = all[k].values.back();
      for (size_t k = 0; k < all.size(); ++k) {
        if (lost.count(k)) continue;
        TermId next = terms_.inIteration(terms_.replace(*all[k].next, by),
                                         numberOf(loop), number(turn - 1));
        if (all[k].phi->getType()->isPointerTy()) {
          if (choicesOf(next) > kMostTurns) return std::nullopt;
          next = normalPointer(next);
        }
        all[k].values.push_back(next);
      }
      if (terms_.size() - terms > kMostNewTerms) return std::nullopt;
    }
    std::optional<TermId> own;
    for (size_t k = 0; k < all.size(); ++k) {
      if (lost.count(k)) continue;
      TermId value = all[k].values.back();
      for (int64_t turn = turns - 1; turn-- > 0;)
        value =
            make(TermKind::Select, terms_[value].bits,
                 {make(TermKind::LessS, 1, {counter(loop), number(turn + 1)}),
                  all[k].values[turn], value});
      // With a placeholder of another loop it is no value for long.
      if (trails_.empty()) turns_[all[k].phi] = value;
      if (all[k].phi == &phi) own = value;
    }
    return own;
  }();
  byTurns_.erase(loop);
  return made;
}

}  // namespace indexical::compiled
