#include "tests/cost/memory/random_launches.h"

#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"

namespace indexical::testing {
namespace {

using Exprs = std::vector<Expr>;

Expr randomSum(Random &random, IndexingMapBuilder &b, const Exprs &variables) {
  Expr sum = b.constant(random.in(-3, 8));
  for (const Expr &variable : variables) {
    if (random.oneIn(3)) continue;
    static constexpr int64_t kFactors[] = {1, 1, 1, 2, 3, 4, 7, 8, 16, 32, -1};
    sum = sum + variable * kFactors[random.in(0, 10)];
  }
  return sum;
}

/// Something of the variables within [0, size - 1].
Expr randomIndex(Random &random, IndexingMapBuilder &b, const Exprs &variables,
                 int64_t size) {
  Expr sum = randomSum(random, b, variables);
  if (random.oneIn(3)) sum = floorDiv(sum, random.in(1, 9));
  if (random.oneIn(6)) sum = sum + mod(randomSum(random, b, variables), 5) * 2;
  return mod(sum, size);
}

/// The digits of a number along sizes, the last one the fastest.
Exprs digitsOf(Expr number, llvm::ArrayRef<int64_t> sizes) {
  Exprs digits;
  for (int64_t size : llvm::reverse(sizes)) {
    digits.insert(digits.begin(), mod(number, size));
    number = floorDiv(number, size);
  }
  return digits;
}

void randomConstraints(Random &random, IndexingMapBuilder &b,
                       const Exprs &variables) {
  for (int64_t i = random.in(0, 3) / 2; i > 0; --i) {
    Expr sum = randomSum(random, b, variables);
    if (random.oneIn(3)) sum = mod(sum, random.in(2, 9));
    const int64_t lower = random.in(-5, 6);
    Interval bounds = {lower, lower + random.in(0, 40)};
    if (random.oneIn(3)) bounds.upper = Interval::kInfinity;
    if (random.oneIn(4)) bounds.lower = Interval::kMinusInfinity;
    b.constraint(sum, bounds);
  }
}

IndexingMap customThreads(Random &random, const ArrayShape &space) {
  IndexingMapBuilder b;
  Exprs variables;
  static constexpr int64_t kRows[] = {1, 3, 4, 5, 8, 12, 16, 20, 32, 48};
  const int64_t extents[] = {kRows[random.in(0, 9)], random.in(1, 3),
                             random.in(1, 2),        random.in(1, 4),
                             random.in(1, 2),        1};
  for (int64_t extent : extents)
    variables.push_back(b.dimension({0, extent - 1}));
  for (int64_t i = random.in(0, 2); i > 0; --i) {
    const int64_t from = random.oneIn(4) ? random.in(1, 3) : 0;
    static constexpr int64_t kCounts[] = {1, 2, 3, 4, 8};
    variables.push_back(b.range({from, from + kCounts[random.in(0, 4)] - 1}));
  }
  if (random.oneIn(2)) {
    // The usual order: the last variable the fastest, then th_x.
    Expr number = b.constant(0);
    static constexpr size_t kOrder[] = {5, 4, 3, 2, 1, 0};
    int64_t stride = 1;
    if (variables.size() > 6) {
      number = variables.back();
      stride = 8;
    }
    for (size_t k = 6; k-- > 0;) {
      number = number + variables[kOrder[k]] * stride;
      stride *= extents[kOrder[k]];
    }
    for (Expr digit : digitsOf(number, space.dimensions)) b.result(digit);
  } else {
    for (int64_t size : space.dimensions)
      b.result(randomIndex(random, b, variables, size));
  }
  randomConstraints(random, b, variables);
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << map.status().message();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

IndexingMap randomThreads(Random &random, const ArrayShape &space) {
  static constexpr int64_t kVectors[] = {1, 2, 4};
  static constexpr int64_t kThreads[] = {4, 8, 13, 16, 32, 40, 64};
  auto built = [](absl::StatusOr<IndexingMap> map) {
    EXPECT_TRUE(map.ok()) << map.status().message();
    return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
  };
  switch (random.in(0, 5)) {
    case 0:
    case 1:
      return built(
          linearThreads(space, {kThreads[random.in(0, 6)], random.in(1, 3),
                                kVectors[random.in(0, 2)]}));
    case 2:
      return built(rowThreads(space, random.in(0, space.rank()),
                              {kThreads[random.in(0, 6)], random.in(1, 4),
                               kVectors[random.in(0, 2)]}));
    case 3:
      if (space.rank() >= 2) {
        auto two = random.subset(space.rank(), 2);
        if (random.oneIn(2)) std::swap(two[0], two[1]);
        return built(tileThreads(space, two[0], two[1], {8, 4}));
      }
      [[fallthrough]];
    default:
      return customThreads(random, space);
  }
}

ArrayShape randomShape(Random &random, int64_t mostRank, int64_t most) {
  static constexpr ElementType kTypes[] = {
      ElementType::F32, ElementType::F32, ElementType::BF16, ElementType::S8,
      ElementType::F64, ElementType::C64, ElementType::C128, ElementType::S4};
  ArrayShape shape(kTypes[random.in(0, 7)], {});
  for (int64_t rank = random.in(0, mostRank); rank > 0; --rank)
    shape.dimensions.push_back(random.oneIn(3) ? int64_t{1} << random.in(0, 5)
                                               : random.in(1, most));
  if (random.oneIn(2)) return shape;
  Layout layout;
  layout.minorToMajor = random.permutation(shape.rank());
  if (shape.type == ElementType::S4) layout.elementBits = 4;
  if (random.oneIn(3) && shape.rank() > 0) {
    Tile tile;
    for (int64_t k = random.in(1, 2); k > 0; --k)
      tile.dimensions.push_back(random.in(1, 8));
    layout.tiles.push_back(tile);
    if (random.oneIn(3)) layout.tiles.push_back({{2, 1}});
  }
  shape.layout = layout;
  return shape;
}

/// `most`: that a runtime variable's value is, if no size is smaller.
IndexingMap randomPiece(Random &random, const ArrayShape &space,
                        const ArrayShape &operand, RandomRuntime runtime,
                        int64_t most) {
  IndexingMapBuilder b;
  Exprs variables;
  for (int64_t size : space.dimensions)
    variables.push_back(b.dimension({0, size - 1}));
  const Exprs dimensions = variables;
  for (int64_t i = random.in(0, 3) / 2; i > 0; --i) {
    const int64_t from = random.oneIn(3) ? random.in(1, 4) : 0;
    variables.push_back(b.range({from, from + random.in(0, 4)}));
  }
  Exprs index;
  const int64_t kind = random.in(0, 3);
  if (kind == 0 && !variables.empty()) {
    // As reshapes and transpositions go.
    Expr number = b.constant(0);
    int64_t stride = 1;
    Exprs order = variables;
    if (random.oneIn(2)) std::reverse(order.begin(), order.end());
    for (size_t k = 0; k < order.size(); ++k) {
      number = number + order[k] * stride;
      stride *= k < space.dimensions.size() ? space.dimensions[k] : 4;
    }
    index = digitsOf(number, operand.dimensions);
  } else {
    for (int64_t size : operand.dimensions)
      index.push_back(randomIndex(random, b, variables, size));
  }
  if (runtime != RandomRuntime::None && !index.empty()) {
    const int64_t at = random.in(0, index.size() - 1);
    const int64_t size = operand.dimensions[at];
    const int64_t slice = size - most;
    const Interval bounds = {0, most};
    const bool isScattered = runtime == RandomRuntime::Scattered;
    Expr variable =
        runtime == RandomRuntime::Common
            ? b.runtime(bounds)
            : b.runtimeElement(bounds, !isScattered, 0,
                               {randomIndex(random, b, variables, 50)});
    if (isScattered && random.oneIn(2))
      b.runtimeElement({0, 3}, /*clamped=*/false, 1,
                       {randomIndex(random, b, variables, 50)});
    if (isScattered && random.oneIn(4)) variable = b.constant(0);
    index[at] = variable + mod(index[at], slice);
    if (random.oneIn(8)) {
      index[at] = mod(index[at] * 3, size);
    } else if (random.oneIn(8)) {
      b.constraint(variable + randomSum(random, b, dimensions), {0, 20});
    }
  }
  for (Expr expression : index) b.result(expression);
  randomConstraints(random, b, variables);
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << map.status().message();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

}  // namespace

std::string RandomLaunch::str() const {
  std::string text = "threads: " + threads.str() +
                     "\noperand: " + operand.str(true) + "\nwarp " +
                     std::to_string(machine.warp) + ", sector " +
                     std::to_string(machine.sector) + ", line " +
                     std::to_string(machine.line) + "\nread:\n";
  for (const IndexingMap &piece : read.pieces()) text += piece.str() + "\n";
  return text;
}

RandomLaunch randomLaunch(Random &random, RandomRuntime runtime) {
  RandomLaunch launch;
  static constexpr Machine kMachines[] = {
      {32, 32, 128, 16}, {64, 64, 128, 16}, {8, 32, 64, 8}, {4, 16, 64, 16}};
  launch.machine = kMachines[random.in(0, 3)];
  ArrayShape space = randomShape(random, 3, 20);
  space.layout.reset();
  if (random.oneIn(3)) {
    Layout layout;
    layout.minorToMajor = random.permutation(space.rank());
    space.layout = layout;
  }
  launch.operand = randomShape(random, 3, 40);
  launch.threads = randomThreads(random, space);
  int64_t most = 40;
  for (int64_t size : launch.operand.dimensions)
    most = std::min(most, size - 1);
  if (most > 0) most = random.in(0, most);
  for (int64_t k = random.oneIn(4) ? 2 : 1; k > 0; --k)
    launch.read.add(randomPiece(random, space, launch.operand, runtime, most));
  return launch;
}

RandomLaunch randomProducts(Random &random) {
  RandomLaunch launch = randomLaunch(random);
  IndexingRelation read;
  for (const IndexingMap &piece : launch.read.pieces()) {
    auto made = withBody(piece, [&](IndexingMapBuilder &b, MapBody &body) {
      Exprs variables;
      for (uint32_t k = 0; k < piece.dimensions().size(); ++k)
        variables.push_back(
            b.expression(b.pool().variable({VariableKind::Dimension, k})));
      for (uint32_t k = 0; k < piece.ranges().size(); ++k)
        variables.push_back(
            b.expression(b.pool().variable({VariableKind::Range, k})));
      auto hard = [&] {
        const Expr a = randomSum(random, b, variables);
        const Expr c = randomSum(random, b, variables);
        const Expr positive = mod(c, random.in(2, 12)) + 1;
        return random.oneIn(3)   ? floorDiv(a * 7 + 100, positive)
               : random.oneIn(2) ? mod(a, positive)
                                 : a * c;
      };
      for (auto [k, result] : llvm::enumerate(body.results))
        if (!random.oneIn(3))
          result = mod(result + hard(), launch.operand.dimensions[k]);
      if (random.oneIn(3))
        body.constraints.push_back({hard(), {-20, random.in(0, 60)}});
    });
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (made.ok()) read.add(*std::move(made));
  }
  launch.read = std::move(read);
  return launch;
}

}  // namespace indexical::testing
