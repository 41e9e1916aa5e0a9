#include "indexical/same/kernel/open_indices.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/laws.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// More bits are not computed with.
constexpr int64_t kMostBits = 62;

Interval signedOf(int64_t bits) {
  const int64_t half = int64_t{1} << (bits - 1);
  return {-half, half - 1};
}

/// A number, with its bounds.
struct Number {
  Expr value;
  Interval bounds;
};

/// Returns the number as one of the type, whose bits it keeps; std::nullopt if
/// that is not written.
std::optional<Number> asType(const Number &of, ElementType type) {
  const int64_t bits = bitsOf(type);
  if (classOf(type) != kIntegers) return std::nullopt;
  const bool isPositive = isUnsigned(type);
  if (bits > kMostBits) {
    // 64 bits hold all numbers that are computed with, but an unsigned integer
    // none below 0.
    const bool isHeld = !isPositive || of.bounds.lower >= 0;
    return isHeld ? std::optional<Number>(of) : std::nullopt;
  }
  const Interval all =
      isPositive ? Interval{0, (int64_t{1} << bits) - 1} : signedOf(bits);
  if (all.contains(of.bounds)) return of;
  const int64_t modulus = int64_t{1} << bits;
  if (isPositive) return Number{mod(of.value, modulus), all};
  return Number{mod(of.value + modulus / 2, modulus) - modulus / 2, all};
}

/// The ways in which a clamped number comes to its value.
enum class Side : uint8_t { Within, Below, Above };

class Opener {
 public:
  Opener(const IndexingMap &map, llvm::ArrayRef<OpenIndex> indices,
         llvm::ArrayRef<size_t> order)
      : map_(map), indices_(indices), order_(order) {}

  std::optional<IndexingMap> with(llvm::ArrayRef<Side> sides) {
    IndexingMapBuilder b;
    std::vector<FormId> variables, ranges;
    std::vector<FormId> values(indices_.size());
    for (const Variable &v : map_.dimensions())
      variables.push_back(b.dimension(v.bounds, v.name).form());
    std::vector<std::pair<Expr, Expr>> own(indices_.size());
    for (const size_t k : order_) {
      const OpenIndex &index = indices_[k];
      const Expr element = b.dimension(boundsOfResults(index.position)[0]);
      own[k] = {element, b.dimension(signedOf(index.bits))};
    }
    for (const Variable &v : map_.ranges())
      variables.push_back(b.range(v.bounds, v.name).form());
    for (const size_t k : order_) {
      const OpenIndex &index = indices_[k];
      const std::function<FormId(VariableId)> at = [&](VariableId id) {
        return variables[id.index];
      };
      ExpressionImport import(index.position.expressions(), b.pool(), at);
      b.constraint(
          own[k].first - b.expression(import(index.position.results()[0])),
          {0, 0});
      Number number{own[k].second, signedOf(index.bits)};
      for (const ElementType type : index.types) {
        const auto next = asType(number, type);
        if (!next) return std::nullopt;
        number = *next;
      }
      const Interval &within = index.bounds;
      Expr value = number.value;
      if (sides[k] == Side::Within) {
        if (!within.contains(number.bounds)) b.constraint(value, within);
      } else if (sides[k] == Side::Below) {
        b.constraint(value, {Interval::all().lower, within.lower - 1});
        value = b.constant(within.lower);
      } else {
        b.constraint(value, {within.upper + 1, Interval::all().upper});
        value = b.constant(within.upper);
      }
      values[k] = value.form();
    }
    const size_t dimensions = map_.dimensions().size();
    const std::function<FormId(VariableId)> all = [&](VariableId id) {
      if (id.kind == VariableKind::Runtime) return values[id.index];
      return variables[id.kind == VariableKind::Range ? dimensions + id.index
                                                      : id.index];
    };
    ExpressionImport import(map_.expressions(), b.pool(), all);
    for (const FormId result : map_.results())
      b.result(b.expression(import(result)));
    for (const Constraint &constraint : map_.constraints())
      b.constraint(b.expression(import(constraint.form)), constraint.bounds);
    auto made = b.build();
    if (made.ok()) made = simplify(*made);
    if (!made.ok()) return std::nullopt;
    return *std::move(made);
  }

 private:
  const IndexingMap &map_;
  const llvm::ArrayRef<OpenIndex> indices_;
  const llvm::ArrayRef<size_t> order_;
};

}  // namespace

std::optional<IndexingMap> positionOf(const IndexingMap &map,
                                      llvm::ArrayRef<FormId> forms) {
  IndexingMapBuilder b;
  std::vector<FormId> variables;
  for (const Variable &v : map.dimensions())
    variables.push_back(b.dimension(v.bounds, v.name).form());
  for (const Variable &v : map.ranges())
    variables.push_back(b.dimension(v.bounds, v.name).form());
  const size_t dimensions = map.dimensions().size();
  bool isOpen = false;
  const std::function<FormId(VariableId)> at = [&](VariableId id) {
    isOpen |= id.kind == VariableKind::Runtime;
    const size_t number =
        id.kind == VariableKind::Range ? dimensions + id.index : id.index;
    return variables[std::min(number, variables.size() - 1)];
  };
  if (variables.empty()) return std::nullopt;
  ExpressionImport import(map.expressions(), b.pool(), at);
  for (const FormId form : forms) b.result(b.expression(import(form)));
  auto made = b.build();
  if (!made.ok() || isOpen) return std::nullopt;
  return *std::move(made);
}

std::optional<OpenIndex> loadedIndex(const TritonKernel &kernel,
                                     const IndexingMap &map,
                                     const RuntimeVariable &variable) {
  const int64_t argument = variable.source.tensor;
  if (argument < 0 ||
      argument >= static_cast<int64_t>(kernel.arguments.size()) ||
      !kernel.arguments[argument].isPointer || variable.index.size() != 1 ||
      !llvm::StringRef(variable.name).starts_with("loaded"))
    return std::nullopt;
  OpenIndex index;
  index.argument = argument;
  index.bits = kernel.arguments[argument].elementBits;
  index.bounds = variable.bounds;
  if (index.bits < 8 || index.bits > kMostBits) return std::nullopt;
  auto position = positionOf(map, variable.index);
  if (!position) return std::nullopt;
  index.position = *std::move(position);
  return index;
}

std::optional<OpenPart> withDimensions(const IndexingMap &map,
                                       std::vector<OpenIndex> indices) {
  std::vector<size_t> order(indices.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return indices[a].argument < indices[b].argument;
  });
  OpenPart part;
  for (const size_t k : order) {
    const int64_t argument = indices[k].argument;
    if (!part.arguments.empty() && part.arguments.back() == argument)
      return std::nullopt;
    if (indices[k].bits > kMostBits || indices[k].bits < 8) return std::nullopt;
    part.arguments.push_back(argument);
  }
  std::vector<std::vector<Side>> all = {{}};
  for (const OpenIndex &index : indices) {
    std::vector<std::vector<Side>> longer;
    for (const auto &sides : all)
      for (const Side side : {Side::Within, Side::Below, Side::Above}) {
        if (side != Side::Within && !index.isClamped) continue;
        longer.push_back(sides);
        longer.back().push_back(side);
      }
    all = std::move(longer);
  }
  // Four clamped indices have 81 cases.
  if (indices.size() > 3) return std::nullopt;
  Opener opener(map, indices, order);
  for (const auto &sides : all) {
    auto made = opener.with(sides);
    if (!made) return std::nullopt;
    if (!made->isKnownEmpty()) part.maps.push_back(*std::move(made));
  }
  return part;
}

}  // namespace indexical::kernels
