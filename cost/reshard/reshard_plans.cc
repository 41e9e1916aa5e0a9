#include "indexical/cost/reshard/reshard_plans.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/cost/reshard/digit_moves.h"
#include "indexical/cost/reshard/digit_ops.h"
#include "indexical/cost/reshard/shardy_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {
namespace {

using StepOp = ReshardStep::Op;

/// The most plans of a leg, and of the answer.
constexpr size_t kMostOfLeg = 6, kMostPlans = 12;

/// A part of a route: from one sharding to the next, by digits or by boxes.
struct Leg {
  const ShardedRelation *from, *to;
  std::shared_ptr<DigitSpace> space;  ///< null: by boxes
  DigitPlan digits;
  std::vector<MessageRound> rounds;
};
using Route = std::vector<Leg>;

class Planner {
 public:
  Planner(const ShardedRelation &from, const ShardedRelation &to,
          ElementType type, int64_t devices, const ReshardOptions &options)
      : from_(from),
        to_(to),
        type_(type),
        bits_(storedBitsOf(type)),
        devices_(devices),
        options_(options) {}

  std::vector<ReshardPlan> plans() {
    // Ways from one to the other, each through these shardings.
    addRoutes({&from_, &to_});
    const ShardedRelation *first = &from_;
    if (from_.sharding().parts() > 1) {
      if (auto summed = between(/*gathers=*/false)) {
        mids_.push_back(std::make_unique<ShardedRelation>(*std::move(summed)));
        first = mids_.back().get();
        addRoutes({&from_, first, &to_});
      }
    }
    if (auto gathered = between(/*gathers=*/true)) {
      mids_.push_back(std::make_unique<ShardedRelation>(*std::move(gathered)));
      const ShardedRelation *last = mids_.back().get();
      first == &from_ ? addRoutes({&from_, last, &to_})
                      : addRoutes({&from_, first, last, &to_});
    }
    return chosen();
  }

 private:
  static int64_t storedBitsOf(ElementType type);

  /// Returns the source's sharding without parts, and with dimensions whose
  /// tiles the target cuts otherwise as a whole. Returns nothing if that
  /// changes nothing.
  std::optional<ShardedRelation> between(bool gathers) const;

  std::vector<Leg> legsOf(const ShardedRelation &from,
                          const ShardedRelation &to);
  void addRoutes(llvm::ArrayRef<const ShardedRelation *> through);
  ReshardPlan planOf(const Route &route) const;
  void count(const LocalModule &module, ReshardPlan &plan) const;
  std::vector<ReshardPlan> chosen();

  const ShardedRelation &from_, &to_;
  const ElementType type_;
  const int64_t bits_, devices_;
  const ReshardOptions &options_;
  std::vector<std::unique_ptr<ShardedRelation>> mids_;
  std::vector<ReshardPlan> plans_;
};

int64_t Planner::storedBitsOf(ElementType type) {
  return storedBits(ArrayShape(type, {}));
}

std::optional<ShardedRelation> Planner::between(bool gathers) const {
  const Sharding &source = from_.sharding(), &target = to_.sharding();
  if (source.devices() < 0) return std::nullopt;
  llvm::SmallVector<int64_t, 4> tiles(source.tiles());
  bool changes = !gathers && source.parts() > 1;
  if (gathers)
    for (size_t k = 0; k < tiles.size(); ++k) {
      const int64_t a = tiles[k], b = target.tiles()[k];
      const bool fits = a == 1 || b == 1 ||
                        ((a % b == 0 || b % a == 0) &&
                         a * from_.local()[k] == b * to_.local()[k]);
      if (fits) continue;
      tiles[k] = 1;
      changes = true;
    }
  if (!changes) return std::nullopt;
  std::vector<int64_t> places;
  for (int64_t device = 0; device < devices_; ++device) {
    const auto holding = source.holding(device);
    if (!holding) return std::nullopt;
    int64_t place = 0;
    for (size_t k = 0; k < tiles.size(); ++k)
      place = place * tiles[k] + (tiles[k] == 1 ? 0 : holding->tile[k]);
    places.push_back(place);
  }
  const std::string text =
      hloTextOf(tiles, /*parts=*/1, "", devices_,
                [&](int64_t device) { return places[device]; });
  if (text.empty()) return std::nullopt;
  ShardingContext context;
  context.devices = devices_;
  const auto leaves = parseShardingText(text, context);
  if (!leaves.ok() || leaves->size() != 1) return std::nullopt;
  auto sharding = Sharding::of((*leaves)[0], tiles.size(), devices_);
  if (!sharding.ok()) return std::nullopt;
  auto relation = ShardedRelation::make(from_.global(), *std::move(sharding));
  if (!relation.ok()) return std::nullopt;
  return *std::move(relation);
}

std::vector<Leg> Planner::legsOf(const ShardedRelation &from,
                                 const ShardedRelation &to) {
  std::vector<Leg> legs;
  bool reachesLeast = false;
  const auto needs = needsOf(from, to);
  for (bool spares : {false, true}) {
    // Spare digits serve a sum that no digit of the target takes.
    if (reachesLeast) break;
    auto space = DigitSpace::make(from, to, devices_, spares);
    if (!space) break;
    const auto shared = std::make_shared<DigitSpace>(*std::move(space));
    bool isSharded = options_.mesh.empty();
    for (bool prefixes : {false, true}) {
      if (prefixes && isSharded) continue;
      for (DigitPlan &plan : searchDigits(*shared, prefixes, /*memory=*/-1)) {
        reachesLeast |= needs.ok() && plan.moved == needs->all;
        isSharded |= llvm::all_of(plan.moves, [&](const DigitMove &move) {
          return arePrefixes(*shared, move.after);
        });
        legs.push_back({&from, &to, shared, std::move(plan), {}});
        if (legs.size() >= 2 * kMostOfLeg) break;
      }
    }
  }
  if (from.sharding().parts() > 1) return legs;
  // One collective with the fewest bytes is not to be beaten by permutes.
  const bool isBest = llvm::any_of(legs, [&](const Leg &leg) {
    return needs.ok() && leg.digits.moved == needs->all &&
           leg.digits.collectives <= 1;
  });
  if (isBest) return legs;
  if (auto messages = messagesOf(from, to, devices_))
    legs.push_back({&from, &to, nullptr, {}, roundsOf(*messages)});
  return legs;
}

void Planner::addRoutes(llvm::ArrayRef<const ShardedRelation *> through) {
  std::vector<Route> routes = {{}};
  for (size_t k = 0; k + 1 < through.size(); ++k) {
    std::vector<Route> longer;
    for (const Leg &leg : legsOf(*through[k], *through[k + 1]))
      for (const Route &route : routes) {
        longer.push_back(route);
        longer.back().push_back(leg);
        if (longer.size() >= kMostOfLeg * kMostOfLeg) break;
      }
    routes = std::move(longer);
  }
  for (const Route &route : routes) plans_.push_back(planOf(route));
}

ReshardPlan Planner::planOf(const Route &route) const {
  ReshardPlan plan;
  LocalModule module;
  module.devices = devices_;
  module.type = type_;
  module.reduction = from_.sharding().reduction().str();
  size_t value = module.parameter(from_.local());
  for (const Leg &leg : route)
    value = leg.space ? addMoves(*leg.space, leg.digits.moves, *leg.from,
                                 *leg.to, value, module, plan.steps)
                      : addRounds(leg.rounds, *leg.from, *leg.to, value, module,
                                  plan.steps);
  count(module, plan);
  plan.hlo = hloTextOf(module);
  plan.stablehlo = stablehloTextOf(module);
  if (!options_.mesh.empty() && route.size() == 1 && route[0].space)
    plan.shardy = shardyTextOf(*route[0].space, route[0].digits.moves, from_,
                               type_, options_);
  return plan;
}

/// Counts what devices receive, by the operands of the collectives.
void Planner::count(const LocalModule &module, ReshardPlan &plan) const {
  std::vector<int64_t> received(devices_, 0);
  size_t next = 0;
  for (const LocalOp &op : module.ops) {
    if (op.groups.empty() && op.pairs.empty()) continue;
    while (!isCollective(plan.steps[next])) ++next;
    ReshardStep &step = plan.steps[next++];
    int64_t held = 1, all = 0;
    for (int64_t size : module.sizesOf(op.operands[0])) held *= size;
    for (auto [source, target] : op.pairs) {
      if (source == target) continue;
      received[target] += held;
      all += held;
    }
    for (const auto &group : op.groups) {
      const int64_t members = group.size();
      const int64_t each =
          step.op == StepOp::AllGather   ? (members - 1) * held
          : step.op == StepOp::AllReduce
              ? llvm::divideCeil(2 * (members - 1) * held, members)
                                     : (members - 1) * (held / members);
      all += step.op == StepOp::AllReduce ? 2 * (members - 1) * held
                                      : members * each;
      for (int64_t device : group) received[device] += each;
    }
    step.bytes = bytesOf(all, bits_);
    plan.allBytes += step.bytes;
    ++plan.collectives;
  }
  for (int64_t elements : received)
    plan.mostBytes = std::max(plan.mostBytes, bytesOf(elements, bits_));
  plan.peakBytes = module.peakBytes();
}

std::vector<ReshardPlan> Planner::chosen() {
  const auto costOf = [&](const ReshardPlan &plan) {
    return std::tuple(plan.allBytes + options_.latency * plan.collectives,
                      plan.allBytes, plan.collectives, plan.peakBytes,
                      plan.steps.size(), plan.shardy.empty());
  };
  std::stable_sort(plans_.begin(), plans_.end(),
                   [&](const ReshardPlan &a, const ReshardPlan &b) {
                     return costOf(a) < costOf(b);
                   });
  std::vector<ReshardPlan> kept;
  for (ReshardPlan &plan : plans_) {
    if (options_.memory && plan.peakBytes > *options_.memory) continue;
    const bool isBeaten = llvm::any_of(plans_, [&](const ReshardPlan &other) {
      if (&other == &plan ||
          (options_.memory && other.peakBytes > *options_.memory))
        return false;
      const auto figures = [](const ReshardPlan &of) {
        return std::tuple(of.allBytes, of.collectives, of.peakBytes);
      };
      const bool isAsGood = other.allBytes <= plan.allBytes &&
                            other.collectives <= plan.collectives &&
                            other.peakBytes <= plan.peakBytes;
      // Of equal plans the first one stays.
      return isAsGood && (figures(other) != figures(plan) || &other < &plan);
    });
    if (!isBeaten) kept.push_back(plan);
    if (kept.size() >= kMostPlans) break;
  }
  return kept;
}

}  // namespace

llvm::StringRef nameOf(ReshardStep::Op op) {
  switch (op) {
    case StepOp::Slice:
      return "slice";
    case StepOp::AllGather:
      return "all-gather";
    case StepOp::AllToAll:
      return "all-to-all";
    case StepOp::Permute:
      return "collective-permute";
    case StepOp::ReduceScatter:
      return "reduce-scatter";
    case StepOp::AllReduce:
      return "all-reduce";
  }
  return "";
}

bool isCollective(const ReshardStep &step) { return step.op != StepOp::Slice; }

absl::StatusOr<ReshardPlans> plansOf(const ShardedRelation &from,
                                     const ShardedRelation &to,
                                     ElementType type,
                                     const ReshardOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(const ReshardNeeds needs, needsOf(from, to));
  if (from.sharding().groups() > 1 || to.sharding().groups() > 1)
    return absl::InvalidArgumentError("a side has manual axes");
  const llvm::StringRef combination = from.sharding().reduction();
  if (from.sharding().parts() > 1 && !combination.empty() &&
      combination != "sum" && combination != "add" && combination != "max" &&
      combination != "min")
    return absl::InvalidArgumentError("parts are combined by " +
                                      combination.str() +
                                      ", which no collective does");
  ReshardPlans plans;
  plans.devices =
      std::max(from.sharding().devices(), to.sharding().devices());
  // All sums below are over devices, of at most twice the padded value and as
  // many parts.
  int64_t most = plans.devices;
  bool fits = true;
  for (size_t k = 0; k < from.global().size(); ++k)
    fits &= !llvm::MulOverflow(
        most,
        std::max({from.local()[k] * from.sharding().tiles()[k],
                  to.local()[k] * to.sharding().tiles()[k], int64_t{1}}),
        most);
  if (!fits || llvm::MulOverflow(most, 4 * plans.devices, most))
    return absl::OutOfRangeError("a count of elements leaves 64 bits");
  const int64_t bits = storedBits(ArrayShape(type, {}));
  plans.neededBytes = bytesOf(needs.all, bits);
  plans.replicationBytes = bytesOf(needs.throughReplication, bits);
  plans.plans = Planner(from, to, type, plans.devices, options).plans();
  if (plans.plans.empty())
    return absl::InvalidArgumentError(
        options.memory
            ? "no plan keeps to " + std::to_string(*options.memory) +
                  " bytes on each device"
            : "no plan was found: parts cannot be summed");
  return plans;
}

}  // namespace indexical
