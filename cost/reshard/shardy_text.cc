#include "indexical/cost/reshard/shardy_text.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/reshard/local_module.h"
#include "indexical/program/sharding/sharding_text.h"

namespace indexical {
namespace {

using StepOp = ReshardStep::Op;

/// A part of an axis of the mesh.
struct MeshAxis {
  std::string name;
  int64_t full = 1, before = 1, size = 1;
};
using MeshAxes = std::vector<MeshAxis>;

class ShardyWriter {
 public:
  ShardyWriter(const DigitSpace &space, const ShardedRelation &from,
               ElementType type, const ReshardOptions &options)
      : space_(space), from_(from), type_(type), options_(options) {
    context_.meshes[options.meshName] = options.mesh;
    findAxes();
  }

  std::string all(llvm::ArrayRef<DigitMove> moves) {
    if (!space_.parts().empty()) return "";
    std::string value = "%arg0";
    size_t count = 0;
    for (size_t k = 0; k < moves.size(); ++k) {
      const size_t first = k;
      while (moves[k].op == StepOp::Slice && k + 1 < moves.size() &&
             moves[k + 1].op == StepOp::Slice)
        ++k;
      const auto op = textOf(moves.slice(first, k + 1 - first));
      const auto sharding = shardingText(moves[k].after);
      if (!op || !sharding) return "";
      const std::string name = "%" + std::to_string(count++);
      lines_.push_back(name + " = sdy." + op->first +
                       (op->second.empty() ? "" : " " + op->second) + " " +
                       value + " out_sharding=<@" + options_.meshName + ", " +
                       *sharding + "> : " + tensor());
      value = name;
    }
    const auto source = shardingText(space_.source());
    const auto target = shardingText(space_.target());
    if (!source || !target) return "";
    const std::string mesh = "#sdy.sharding<@" + options_.meshName + ", ";
    std::string text = "sdy.mesh @" + options_.meshName + " = " +
                       options_.mesh + "\n\nfunc.func @main(%arg0: " +
                       tensor() + " {sdy.sharding = " + mesh + *source +
                       ">}) -> (" + tensor() + " {sdy.sharding = " + mesh +
                       *target + ">}) {\n";
    for (const std::string &line : lines_) text += "  " + line + "\n";
    return text + "  return " + value + " : " + tensor() + "\n}\n";
  }

 private:
  std::string tensor() const {
    return mlirTensorText(from_.global(), type_);
  }

  /// Finds for each digit of devices the part of an axis that it is.
  void findAxes() {
    llvm::StringRef mesh = options_.mesh;
    while (true) {
      const size_t open = mesh.find('"');
      if (open == llvm::StringRef::npos) return;
      mesh = mesh.drop_front(open + 1);
      const auto [name, rest] = mesh.split('"');
      mesh = rest.ltrim();
      int64_t full = 0;
      if (!mesh.consume_front("=") || mesh.ltrim().consumeInteger(10, full))
        continue;
      for (int64_t before = 1; before < full; ++before)
        for (int64_t size = 2; full % before == 0 && before * size <= full;
             ++size)
          if (full % (before * size) == 0)
            addAxis({name.str(), full, before, size});
    }
  }

  void addAxis(const MeshAxis &axis) {
    const auto wanted = [&](const DeviceDigit &digit) {
      return digit.size == axis.size;
    };
    if (llvm::none_of(space_.digits(), wanted)) return;
    auto leaves = parseShardingText(
        "<@" + options_.meshName + ", [{" + nameOf(axis) + "}]>", context_);
    if (!leaves.ok() || leaves->size() != 1) return;
    const auto sharding =
        Sharding::of((*leaves)[0], /*rank=*/1, space_.devices());
    if (!sharding.ok()) return;
    DeviceDigit digit = {axis.size, {}};
    for (int64_t device = 0; device < space_.devices(); ++device) {
      const auto holding = sharding->holding(device);
      if (!holding) return;
      digit.of.push_back(holding->tile[0]);
    }
    for (auto [k, each] : llvm::enumerate(space_.digits()))
      if (each == digit) axes_.try_emplace(k, axis);
  }

  static std::string nameOf(const MeshAxis &axis) {
    std::string text = "\"" + axis.name + "\"";
    if (axis.size != axis.full)
      text += ":(" + std::to_string(axis.before) + ")" +
              std::to_string(axis.size);
    return text;
  }

  /// Returns the axes of these digits, neighbours joined.
  std::optional<MeshAxes> axesOf(llvm::ArrayRef<int16_t> labels) const {
    MeshAxes axes;
    for (int16_t label : labels) {
      const auto found = axes_.find(label);
      if (found == axes_.end()) return std::nullopt;
      const MeshAxis &axis = found->second;
      if (!axes.empty() && axes.back().name == axis.name &&
          axes.back().before * axes.back().size == axis.before)
        axes.back().size *= axis.size;
      else
        axes.push_back(axis);
    }
    return axes;
  }
  std::optional<std::string> bracedText(llvm::ArrayRef<int16_t> labels) const {
    const auto axes = axesOf(labels);
    if (!axes) return std::nullopt;
    return "{" + llvm::join(llvm::map_range(*axes, nameOf), ", ") + "}";
  }

  using ByDimension = std::vector<llvm::SmallVector<int16_t, 4>>;
  /// Returns `[{"x"}, {}]`.
  std::optional<std::string> listText(const ByDimension &labels) const {
    std::string text = "[";
    for (const auto &each : labels) {
      const auto braced = bracedText(each);
      if (!braced) return std::nullopt;
      text += (text.size() > 1 ? ", " : "") + *braced;
    }
    return text + "]";
  }
  std::optional<std::string> shardingText(const DigitState &state) const {
    ByDimension labels(from_.global().size());
    for (size_t i = 0; i < space_.tensor().size(); ++i)
      if (state[i] >= 0) labels[dimensionOf(i)].push_back(state[i]);
    return listText(labels);
  }
  size_t dimensionOf(size_t i) const { return space_.tensor()[i].dimension; }

  /// Returns the name and the axes of an op.
  std::optional<std::pair<std::string, std::string>> textOf(
      llvm::ArrayRef<DigitMove> moves) const {
    const DigitMove &move = moves[0];
    ByDimension labels(from_.global().size());
    switch (move.op) {
      case StepOp::Slice: {
        // By the place in the tensor: slices are in any order.
        std::map<int16_t, int16_t> taken;
        for (const DigitMove &each : moves)
          taken[each.take[0]] = each.labels[0];
        for (auto [i, label] : taken) labels[dimensionOf(i)].push_back(label);
        return withName("all_slice", listText(labels));
      }
      case StepOp::AllGather:
        for (auto [i, label] : llvm::zip_equal(move.give, move.labels))
          labels[dimensionOf(i)].push_back(label);
        return withName("all_gather", listText(labels));
      case StepOp::AllToAll:
        return withName("all_to_all", exchangeText(move));
      case StepOp::Permute:
        return std::pair("collective_permute", "");
      default:
        return std::nullopt;
    }
  }
  static std::optional<std::pair<std::string, std::string>> withName(
      const char *name, const std::optional<std::string> &axes) {
    if (!axes) return std::nullopt;
    return std::pair(name, *axes);
  }

  /// Returns `[{"x"}: 0->1]`. An op of Shardy moves axes in their order, from
  /// each dimension to one other, and to each from one.
  std::optional<std::string> exchangeText(const DigitMove &move) const {
    std::map<size_t, std::pair<size_t, llvm::SmallVector<int16_t, 4>>> from;
    std::map<size_t, size_t> to;
    for (int16_t i : move.give) {
      const int16_t label = move.before[i];
      const int16_t j =
          move.take[llvm::find(move.labels, label) - move.labels.begin()];
      const size_t a = dimensionOf(i), b = dimensionOf(j);
      if (a == b) return std::nullopt;
      using Moved = std::pair<size_t, llvm::SmallVector<int16_t, 4>>;
      auto &[target, labels] =
          from.try_emplace(a, Moved(b, {})).first->second;
      if (target != b || to.try_emplace(b, a).first->second != a)
        return std::nullopt;
      labels.push_back(label);
    }
    std::string text = "[";
    for (const auto &[a, moved] : from) {
      const auto &[b, labels] = moved;
      if (to.count(a) || !isSorted(move, labels)) return std::nullopt;
      const auto braced = bracedText(labels);
      if (!braced) return std::nullopt;
      text += (text.size() > 1 ? ", " : "") + *braced + ": " +
              std::to_string(a) + "->" + std::to_string(b);
    }
    return text + "]";
  }
  /// Returns whether the labels are in this order where they go.
  static bool isSorted(const DigitMove &move, llvm::ArrayRef<int16_t> labels) {
    llvm::SmallVector<int16_t, 4> places;
    for (int16_t label : labels)
      places.push_back(
          move.take[llvm::find(move.labels, label) - move.labels.begin()]);
    return llvm::is_sorted(places);
  }

  const DigitSpace &space_;
  const ShardedRelation &from_;
  const ElementType type_;
  const ReshardOptions &options_;
  ShardingContext context_;
  std::map<int16_t, MeshAxis> axes_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string shardyTextOf(const DigitSpace &space,
                         llvm::ArrayRef<DigitMove> moves,
                         const ShardedRelation &from, ElementType type,
                         const ReshardOptions &options) {
  return ShardyWriter(space, from, type, options).all(moves);
}

}  // namespace indexical
