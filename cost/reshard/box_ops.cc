// Rounds of boxes as operations: each device puts what it has and what it
// receives into an array of zeros.
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/reshard/digit_ops.h"

namespace indexical {
namespace {

using Offsets = std::vector<std::vector<int64_t>>;

class BoxOps {
 public:
  BoxOps(const ShardedRelation &from, const ShardedRelation &to, size_t value,
         LocalModule &module, std::vector<ReshardStep> &steps)
      : from_(from),
        to_(to),
        rank_(from.global().size()),
        value_(value),
        module_(module),
        steps_(steps) {}

  size_t addAll(llvm::ArrayRef<MessageRound> rounds) {
    result_ = module_.zeros(to_.local());
    addOwn();
    for (const MessageRound &round : rounds) add(round);
    return result_;
  }

 private:
  /// A box for each device, which it sends or receives.
  using Boxes = std::map<int64_t, ElementBox>;

  static LocalSizes sizesOf(const ElementBox &box) {
    LocalSizes sizes;
    for (auto [begin, end] : box) sizes.push_back(end - begin);
    return sizes;
  }

  /// Returns where boxes begin in the local arrays; 0 for other devices.
  Offsets offsetsIn(const ShardedRelation &relation, const Boxes &boxes) const {
    Offsets offsets(rank_, std::vector<int64_t>(module_.devices, 0));
    for (const auto &[device, box] : boxes) {
      const auto tile = relation.sharding().holding(device)->tile;
      for (size_t k = 0; k < rank_; ++k)
        offsets[k][device] = box[k].first - tile[k] * relation.local()[k];
    }
    return offsets;
  }

  void put(size_t piece, const Boxes &boxes) {
    const size_t updated =
        module_.dynamicUpdate(result_, piece, offsetsIn(to_, boxes));
    std::vector<int64_t> flags(module_.devices, 0);
    for (const auto &each : boxes) flags[each.first] = 1;
    result_ = module_.select(std::move(flags), updated, result_);
  }

  /// What devices have of what they are to hold, shape by shape.
  void addOwn() {
    std::map<LocalSizes, Boxes> own;
    for (int64_t device = 0; device < module_.devices; ++device) {
      const auto has = from_.box(device), wants = to_.box(device);
      if (!has || !wants) continue;
      ElementBox both;
      for (size_t k = 0; k < rank_; ++k)
        both.push_back({std::max((*has)[k].first, (*wants)[k].first),
                        std::min((*has)[k].second, (*wants)[k].second)});
      if (llvm::any_of(both, [](auto side) { return side.first >= side.second; }))
        continue;
      own[sizesOf(both)][device] = both;
    }
    for (const auto &[sizes, boxes] : own)
      put(module_.dynamicSlice(value_, offsetsIn(from_, boxes), sizes), boxes);
  }

  void add(const MessageRound &round) {
    Boxes sent, received;
    ReshardStep step;
    step.op = ReshardStep::Op::Permute;
    for (const BoxMessage &message : round) {
      sent[message.from] = received[message.to] = message.box;
      step.pairs.emplace_back(message.from, message.to);
    }
    llvm::sort(step.pairs);
    LocalOp op;
    op.kind = LocalOp::Kind::Permute;
    op.sizes = sizesOf(round[0].box);
    op.operands = {
        module_.dynamicSlice(value_, offsetsIn(from_, sent), op.sizes)};
    op.pairs = step.pairs;
    steps_.push_back(std::move(step));
    put(module_.add(std::move(op)), received);
  }

  const ShardedRelation &from_, &to_;
  const size_t rank_, value_;
  LocalModule &module_;
  std::vector<ReshardStep> &steps_;
  size_t result_ = 0;
};

}  // namespace

size_t addRounds(llvm::ArrayRef<MessageRound> rounds,
                 const ShardedRelation &from, const ShardedRelation &to,
                 size_t value, LocalModule &module,
                 std::vector<ReshardStep> &steps) {
  return BoxOps(from, to, value, module, steps).addAll(rounds);
}

}  // namespace indexical
