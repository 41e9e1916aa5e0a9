#include "indexical/cost/reshard/digit_ops.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

using StepOp = ReshardStep::Op;
using Kind = LocalOp::Kind;
using Labels = llvm::ArrayRef<int16_t>;

/// An axis of an array: a digit of the tensor, or what is left of a dimension
/// (its number behind those of all digits).
struct Axis {
  size_t number;
  int64_t size;
};
using Axes = llvm::SmallVector<Axis, 16>;

class DigitOps {
 public:
  DigitOps(const DigitSpace &space, const ShardedRelation &of,
           LocalModule &module, std::vector<ReshardStep> &steps)
      : space_(space), of_(of), module_(module), steps_(steps) {
    rests_ = LocalSizes(space.sizes().begin(), space.sizes().end());
    for (const auto &digit : space.tensor())
      rests_[digit.dimension] /= digit.size;
  }

  size_t addAll(llvm::ArrayRef<DigitMove> moves, size_t value) {
    value_ = value;
    for (const DigitMove &move : moves) {
      switch (move.op) {
        case StepOp::Slice:
          slice(move);
          break;
        case StepOp::AllGather:
          gather(move);
          break;
        case StepOp::AllToAll:
          exchange(move);
          break;
        case StepOp::Permute:
          permute(move);
          break;
        case StepOp::ReduceScatter:
          scatter(move);
          break;
        case StepOp::AllReduce:
          reduce(move);
          break;
      }
    }
    return value_;
  }

 private:
  LocalSizes plain(const DigitState &state) const {
    const auto sizes = space_.localSizes(state);
    return LocalSizes(sizes.begin(), sizes.end());
  }
  /// Returns the axes of the local array of a state, those of one element, too.
  Axes axesOf(const DigitState &state) const {
    Axes axes;
    size_t i = 0;
    for (size_t k = 0; k < rests_.size(); ++k) {
      for (; i < space_.tensor().size() && space_.tensor()[i].dimension == k;
           ++i)
        axes.push_back({i, state[i] >= 0 ? 1 : space_.tensor()[i].size});
      axes.push_back({space_.tensor().size() + k, rests_[k]});
    }
    return axes;
  }

  /// Puts the axes `is` of the value in the order `wanted`, with these sizes.
  size_t arranged(size_t value, const Axes &is, const Axes &wanted,
                  llvm::ArrayRef<int64_t> sizes) {
    llvm::SmallVector<size_t, 16> from, to;
    std::map<size_t, int64_t> size;
    for (const Axis &axis : is)
      if (axis.size > 1) {
        from.push_back(axis.number);
        size[axis.number] = axis.size;
      }
    for (const Axis &axis : wanted)
      if (size.count(axis.number)) to.push_back(axis.number);
    // Axes that stay next to each other are one.
    LocalSizes merged, order;
    std::map<size_t, int64_t> place;
    for (size_t k = 0; k < from.size(); ++k) {
      const auto next = k == 0 ? to.end() : llvm::find(to, from[k - 1]) + 1;
      if (k > 0 && next != to.end() && *next == from[k])
        merged.back() *= size[from[k]];
      else {
        place[from[k]] = merged.size();
        merged.push_back(size[from[k]]);
      }
    }
    for (size_t axis : to)
      if (const auto found = place.find(axis); found != place.end())
        order.push_back(found->second);
    if (!llvm::is_sorted(order))
      value = module_.transpose(module_.reshape(value, merged), order);
    return module_.reshape(value, sizes);
  }

  /// Returns the groups of devices that differ in these digits alone, members
  /// by their values.
  DeviceLists groupsOf(const DigitState &state, Labels labels) const {
    llvm::SmallVector<int16_t, 16> others;
    for (int16_t digit : space_.used(state))
      if (!llvm::is_contained(labels, digit)) others.push_back(digit);
    int64_t members = 1;
    for (int16_t label : labels) members *= space_.digits()[label].size;
    std::map<int64_t, std::vector<std::vector<int64_t>>> classes;
    for (int64_t device = 0; device < space_.devices(); ++device) {
      auto &of = classes[space_.valueOf(others, device)];
      of.resize(members);
      of[space_.valueOf(labels, device)].push_back(device);
    }
    DeviceLists groups;
    for (const auto &[value, of] : classes)
      for (size_t copy = 0; copy < of[0].size(); ++copy) {
        auto &group = groups.emplace_back();
        for (const auto &holders : of) group.push_back(holders[copy]);
      }
    llvm::sort(groups);
    return groups;
  }

  ReshardStep stepOf(const DigitMove &move) const {
    ReshardStep step;
    step.op = move.op;
    step.sharding = hloTextOf(space_, move.after, of_);
    const auto &changed = move.op == StepOp::AllGather ? move.give : move.take;
    for (int16_t i : changed) {
      const int64_t k = space_.tensor()[i].dimension;
      if (i != changed[0] && step.dimension != k) {
        step.dimension.reset();
        break;
      }
      step.dimension = k;
    }
    return step;
  }

  size_t collective(Kind kind, size_t value, llvm::ArrayRef<int64_t> sizes,
                    int64_t dimension, const ReshardStep &step) {
    LocalOp op;
    op.kind = kind;
    op.operands = {value};
    op.sizes.assign(sizes.begin(), sizes.end());
    op.dimension = dimension;
    op.groups = step.groups;
    op.pairs = step.pairs;
    steps_.push_back(step);
    return module_.add(std::move(op));
  }

  /// Returns whether the digits are the major ones of a dimension that have
  /// more than one element, in order, where all of them are local.
  bool areMajor(Labels digits, const DigitState &state) const {
    if (digits.empty() || !llvm::is_sorted(digits)) return false;
    const size_t k = space_.tensor()[digits[0]].dimension;
    for (size_t i = 0; i < space_.tensor().size(); ++i) {
      if (space_.tensor()[i].dimension != k ||
          static_cast<int16_t>(i) > digits.back())
        continue;
      if (!llvm::is_contained(digits, static_cast<int16_t>(i)) && state[i] < 0)
        return false;
    }
    return llvm::all_of(digits, [&](int16_t i) {
      return space_.tensor()[i].dimension == k;
    });
  }

  void gather(const DigitMove &move) {
    ReshardStep step = stepOf(move);
    step.groups = groupsOf(move.before, move.labels);
    const LocalSizes before = plain(move.before), after = plain(move.after);
    if (areMajor(move.give, move.after)) {
      value_ = collective(Kind::AllGather, value_, after,
                          space_.tensor()[move.give[0]].dimension, step);
      return;
    }
    LocalSizes sizes = {1};
    sizes.append(before.begin(), before.end());
    const size_t operand = module_.reshape(value_, sizes);
    sizes[0] = step.groups[0].size();
    const size_t gathered =
        collective(Kind::AllGather, operand, sizes, 0, step);
    Axes is;
    for (int16_t i : move.give)
      is.push_back({static_cast<size_t>(i), space_.tensor()[i].size});
    is.append(axesOf(move.before));
    value_ = arranged(gathered, is, axesOf(move.after), after);
  }

  /// Brings the taken digits to the front: [members, local sizes without them].
  size_t front(const DigitMove &move, const DigitState &middle) {
    Axes wanted;
    LocalSizes sizes = {1};
    for (int16_t i : move.take) {
      wanted.push_back({static_cast<size_t>(i), space_.tensor()[i].size});
      sizes[0] *= space_.tensor()[i].size;
    }
    for (const Axis &axis : axesOf(middle))
      if (axis.size > 1) wanted.push_back(axis);
    sizes.append(plain(middle));
    return arranged(value_, axesOf(move.before), wanted, sizes);
  }

  void exchange(const DigitMove &move) {
    ReshardStep step = stepOf(move);
    step.groups = groupsOf(move.before, move.labels);
    DigitState middle = move.before;
    for (auto [i, label] : llvm::zip_equal(move.take, move.labels))
      middle[i] = label;
    const size_t operand = front(move, middle);
    const LocalSizes sizes = module_.sizesOf(operand);
    const size_t exchanged =
        collective(Kind::AllToAll, operand, sizes, 0, step);
    // Chunk r comes from the member whose digits were r: those that cut.
    Axes is;
    for (int16_t label : move.labels)
      for (int16_t i : move.give)
        if (move.before[i] == label)
          is.push_back({static_cast<size_t>(i), space_.tensor()[i].size});
    is.append(axesOf(middle));
    value_ =
        arranged(exchanged, is, axesOf(move.after), plain(move.after));
  }

  void scatter(const DigitMove &move) {
    ReshardStep step = stepOf(move);
    step.groups = groupsOf(move.before, move.labels);
    if (areMajor(move.take, move.before)) {
      value_ = collective(Kind::ReduceScatter, value_, plain(move.after),
                          space_.tensor()[move.take[0]].dimension, step);
      return;
    }
    DigitState middle = move.before;
    for (auto [i, label] : llvm::zip_equal(move.take, move.labels))
      middle[i] = label;
    const size_t operand = front(move, middle);
    LocalSizes sizes = module_.sizesOf(operand);
    sizes[0] = 1;
    value_ = module_.reshape(
        collective(Kind::ReduceScatter, operand, sizes, 0, step),
        plain(move.after));
  }

  void reduce(const DigitMove &move) {
    ReshardStep step = stepOf(move);
    step.groups = groupsOf(move.before, move.labels);
    value_ =
        collective(Kind::AllReduce, value_, plain(move.after), 0, step);
  }

  void permute(const DigitMove &move) {
    ReshardStep step = stepOf(move);
    const auto had = space_.used(move.before), has = space_.used(move.after);
    std::map<int64_t, std::vector<int64_t>> holders;
    std::vector<int64_t> open;
    for (int64_t device = 0; device < space_.devices(); ++device)
      if (space_.valueOf(had, device) == space_.valueOf(has, device))
        step.pairs.emplace_back(device, device);
      else {
        holders[space_.valueOf(had, device)].push_back(device);
        open.push_back(device);
      }
    std::map<int64_t, size_t> next;
    for (int64_t device : open) {
      const int64_t cell = space_.valueOf(has, device);
      step.pairs.emplace_back(holders[cell][next[cell]++], device);
    }
    llvm::sort(step.pairs);
    value_ =
        collective(Kind::Permute, value_, plain(move.after), 0, step);
  }

  void slice(const DigitMove &move) {
    steps_.push_back(stepOf(move));
    const int16_t i = move.take[0];
    const auto &digit = space_.digits()[move.labels[0]];
    const size_t k = space_.tensor()[i].dimension;
    const bool isMajor = areMajor(move.take, move.before);
    LocalSizes before = plain(move.before), after = plain(move.after);
    size_t at = k;
    if (!isMajor) {
      // [major digits, this one, the rest of the dimension]
      int64_t major = 1;
      for (size_t j = 0; j < static_cast<size_t>(i); ++j)
        if (space_.tensor()[j].dimension == k && move.before[j] < 0)
          major *= space_.tensor()[j].size;
      const int64_t minor = before[k] / major / digit.size;
      before[k] = minor;
      before.insert(before.begin() + k, {major, digit.size});
      after = before;
      after[k + 1] = 1;
      at = k + 1;
      value_ = module_.reshape(value_, before);
    }
    std::vector<std::vector<int64_t>> offsets(
        before.size(), std::vector<int64_t>(space_.devices(), 0));
    for (int64_t device = 0; device < space_.devices(); ++device)
      offsets[at][device] = digit.of[device] * after[at];
    value_ = module_.dynamicSlice(value_, std::move(offsets), after);
    value_ = module_.reshape(value_, plain(move.after));
  }

  const DigitSpace &space_;
  const ShardedRelation &of_;
  LocalModule &module_;
  std::vector<ReshardStep> &steps_;
  LocalSizes rests_;
  size_t value_ = 0;
};

}  // namespace

size_t addMoves(const DigitSpace &space, llvm::ArrayRef<DigitMove> moves,
                const ShardedRelation &from, const ShardedRelation &to,
                size_t value, LocalModule &module,
                std::vector<ReshardStep> &steps) {
  value = module.resize(value, space.localSizes(space.source()));
  value = DigitOps(space, from, module, steps).addAll(moves, value);
  return module.resize(value, to.local());
}

}  // namespace indexical
