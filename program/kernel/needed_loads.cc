#include "indexical/program/kernel/needed_loads.h"

#include <set>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::kernels {

namespace {

/// The dimensions of a space in front of its loops: programs.
constexpr size_t kProgramAxes = 3;

class NeedFinder {
 public:
  using From = llvm::SmallVector<std::optional<size_t>, 4>;

  NeedFinder(const TritonKernel &kernel, size_t load)
      : kernel_(kernel), load_(load) {}

  NeededLoads find(const KernelAccess &store) {
    From from;
    for (size_t k = 0; k < store.tile.size(); ++k) from.push_back(k);
    walk(store.value, from, /*isOfAllTurns=*/false);
    return std::move(found_);
  }

 private:
  static constexpr size_t kMostSteps = 4096;

  void walk(int64_t number, From from, bool isOfAllTurns) {
    if (!found_.isKnown) return;
    if (number < 0 || number >= static_cast<int64_t>(kernel_.values.size()) ||
        done_.size() >= kMostSteps)
      return giveUp();
    const KernelValue &value = kernel_.values[number];
    if (value.tile.empty()) from.clear();
    if (value.tile.size() != from.size()) return giveUp();
    std::vector<int64_t> key;
    for (const auto &each : from)
      key.push_back(each ? static_cast<int64_t>(*each) : -1);
    if (!done_.insert({number, key, isOfAllTurns}).second) return;
    visit(value, from, isOfAllTurns);
  }

  void visit(const KernelValue &value, const From &from, bool isOfAllTurns) {
    using Kind = KernelValue::Kind;
    const llvm::ArrayRef<int64_t> operands = value.operands;
    switch (value.kind) {
      case Kind::Index:
      case Kind::Literal:
      case Kind::Given:
      case Kind::Argument:
        return;
      case Kind::Load:
        if (value.axis == static_cast<int64_t>(load_))
          found_.all.push_back({from, isOfAllTurns});
        [[fallthrough]];
      case Kind::Apply:
      case Kind::Foreign:
        for (int64_t operand : operands) walk(operand, from, isOfAllTurns);
        return;
      case Kind::Move:
        for (const PointerMap &map : value.maps)
          move(value, map, from, isOfAllTurns);
        return;
      case Kind::Reduce:
        return reduce(value, from, isOfAllTurns);
      case Kind::Dot:
        return dot(value, from, isOfAllTurns);
      case Kind::Loop:
      case Kind::SoFar:
        if (value.text == "dot" || operands.size() < 2) return giveUp();
        walk(operands[0], from, isOfAllTurns);
        walk(operands[1], from, /*isOfAllTurns=*/true);
        return;
      default:
        return giveUp();
    }
  }

  void reduce(const KernelValue &value, From from, bool isOfAllTurns) {
    if (value.operands.size() != 1 || value.axis < 0 ||
        value.axis > static_cast<int64_t>(from.size()))
      return giveUp();
    from.insert(from.begin() + value.axis, std::nullopt);
    walk(value.operands[0], from, isOfAllTurns);
  }

  void dot(const KernelValue &value, const From &from, bool isOfAllTurns) {
    if (from.size() != 2 || value.operands.size() < 2) return giveUp();
    walk(value.operands[0], {from[0], std::nullopt}, isOfAllTurns);
    walk(value.operands[1], {std::nullopt, from[1]}, isOfAllTurns);
    for (int64_t operand : llvm::drop_begin(value.operands, 2))
      walk(operand, from, isOfAllTurns);
  }

  /// Follows a map from the space of a value to that of its operand, if each
  /// coordinate there is one here.
  void move(const KernelValue &value, const PointerMap &of, const From &from,
            bool isOfAllTurns) {
    if (of.argument < 0 ||
        of.argument >= static_cast<int64_t>(value.operands.size()))
      return giveUp();
    const int64_t number = value.operands[of.argument];
    if (number < 0 || number >= static_cast<int64_t>(kernel_.values.size()))
      return giveUp();
    const KernelValue &operand = kernel_.values[number];
    const IndexingMap &map = of.map;
    const size_t outer = kProgramAxes + value.loops.size();
    const size_t first = kProgramAxes + operand.loops.size();
    const auto &results = map.results();
    if (results.size() != first + operand.tile.size() || first != outer ||
        map.dimensions().size() != outer + value.tile.size())
      return giveUp();
    const auto dimension = [&](size_t k) -> std::optional<size_t> {
      const auto variable = map.expressions().asVariable(results[k]);
      if (!variable || variable->kind != VariableKind::Dimension)
        return std::nullopt;
      return variable->index;
    };
    for (size_t k = 0; k < outer; ++k)
      if (dimension(k) != k && !map.dimensions()[k].bounds.isPoint())
        return giveUp();
    From inner;
    for (size_t k = 0; k < operand.tile.size(); ++k) {
      const auto source = dimension(first + k);
      if (source && *source >= outer)
        inner.push_back(from[*source - outer]);
      else if (operand.tile[k] == 1)
        inner.push_back(std::nullopt);
      else
        return giveUp();
    }
    walk(number, inner, isOfAllTurns);
  }

  void giveUp() { found_.isKnown = false; }

  const TritonKernel &kernel_;
  const size_t load_;
  NeededLoads found_;
  std::set<std::tuple<int64_t, std::vector<int64_t>, bool>> done_;
};

}  // namespace

NeededLoads neededBy(const TritonKernel &kernel, const KernelAccess &store,
                     size_t load) {
  return NeedFinder(kernel, load).find(store);
}

}  // namespace indexical::kernels
