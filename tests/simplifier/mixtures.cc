#include "tests/simplifier/mixtures.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::testing {
namespace {

using Kind = ChainOp::Kind;
using Ops = llvm::ArrayRef<ChainOp>;
using MapOr = absl::StatusOr<IndexingMap>;

constexpr size_t kMostRank = 5;
constexpr int64_t kLargeCount = 20'000, kSmallCount = 300;

int64_t countOf(const Sizes &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

class Mixer {
 public:
  Mixer(Random &random, const MixtureOptions &options)
      : random(random),
        options(options),
        areClamped(random.oneIn(2)),
        most(options.small ? kSmallCount : kLargeCount) {}

  Sizes sizes() {
    Sizes sizes(random.in(1, options.small ? 3 : 4), 1);
    for (int64_t &size : sizes)
      size = !options.small && random.oneIn(10)
                 ? random.in(7, 64)
                 : random.in(1, options.small ? 4 : 6);
    return countOf(sizes) <= most ? sizes : this->sizes();
  }

  ChainOp op(const Sizes &from) {
    while (true)
      if (auto op = candidate(from);
          op && op->to.size() <= kMostRank && countOf(op->to) <= most)
        return *op;
  }

 private:
  std::optional<ChainOp> candidate(const Sizes &from) {
    const int64_t rank = from.size();
    switch (random.in(0, options.variables ? 10 : 8)) {
      case 0:
      case 1:
        return ChainOp::reshape(
            from, random.oneIn(2) ? randomSizes(random, countOf(from), 4)
                                  : regrouped(from));
      case 2:
        if (rank < 2) return std::nullopt;
        return ChainOp::transpose(from, random.permutation(rank));
      case 3: {
        Sizes which;
        for (int64_t k = 0; k < rank; ++k) which.push_back(random.in(0, 1));
        return ChainOp::reverse(from, which);
      }
      case 4:
        return slice(from);
      case 5:
        return pad(from, /*interior=*/true);
      case 6:
        return pad(from, /*interior=*/false);
      case 7: {
        if (rank < 2) return std::nullopt;
        ChainOp op = start(Kind::Drop, from);
        op.axis = random.in(0, rank - 1);
        op.to.erase(op.to.begin() + op.axis);
        return op;
      }
      case 8: {
        ChainOp op = start(Kind::Insert, from);
        op.axis = random.in(0, rank);
        const int64_t size = random.in(1, 4);
        op.to.insert(op.to.begin() + op.axis, size);
        op.start = {random.in(0, size - 1)};
        return op;
      }
      case 9: {
        ChainOp op = start(Kind::Dynamic, from);
        op.clamped = areClamped;
        for (int64_t &size : op.to)
          if (random.oneIn(2)) size += random.in(1, 3);
        return op;
      }
      default:
        return window(from);
    }
  }

  static ChainOp start(Kind kind, const Sizes &from) {
    ChainOp op;
    op.kind = kind;
    op.from = op.to = from;
    return op;
  }

  /// Neighbours multiplied, an axis cut in two.
  Sizes regrouped(const Sizes &from) {
    Sizes to;
    for (int64_t size : from) {
      if (!to.empty() && random.oneIn(2)) {
        to.back() *= size;
        continue;
      }
      to.push_back(size);
    }
    const size_t k = random.in(0, to.size() - 1);
    const int64_t part = random.in(1, to[k]);
    if (to[k] % part == 0) {
      to[k] /= part;
      to.insert(to.begin() + k + 1, part);
    }
    return to;
  }

  ChainOp slice(const Sizes &from) {
    ChainOp op = start(Kind::Slice, from);
    op.to.clear();
    for (int64_t size : from) {
      op.step.push_back(random.oneIn(2) ? 1 : random.in(2, 3));
      op.start.push_back(random.oneIn(2) ? 0 : random.in(1, 2));
      op.to.push_back(op.start.back() + op.step.back() * (size - 1) + 1 +
                      random.in(0, 2) * random.in(0, 1));
    }
    return op;
  }

  ChainOp pad(const Sizes &from, bool interior) {
    ChainOp op = start(Kind::Pad, from);
    op.to.clear();
    for (int64_t size : from) {
      const bool some = random.oneIn(2);
      const int64_t low =
          some ? random.in(0, std::min<int64_t>(2, size - 1)) : 0;
      const int64_t high =
          some ? random.in(0, std::min<int64_t>(2, size - 1 - low)) : 0;
      op.start.push_back(low);
      op.step.push_back(interior && random.oneIn(2) ? random.in(2, 3) : 1);
      op.to.push_back(1 + (size - 1 - low - high) / op.step.back());
    }
    return op;
  }

  ChainOp window(const Sizes &from) {
    ChainOp op = start(Kind::Window, from);
    op.to.clear();
    for (int64_t size : from) {
      op.extent.push_back(random.oneIn(2) ? 1 : random.in(2, 3));
      op.step.push_back(random.oneIn(2) ? 1 : random.in(1, 3));
      op.start.push_back(random.oneIn(3) ? random.in(0, op.extent.back() - 1)
                                         : 0);
      const int64_t full = (size - 1) * op.step.back() + op.extent.back();
      op.to.push_back(std::max<int64_t>(
          1, full - op.start.back() -
                 (random.oneIn(3) ? random.in(0, op.extent.back() - 1) : 0)));
    }
    return op;
  }

  Random &random;
  const MixtureOptions &options;
  const bool areClamped;  // the runtime variables of the chain
  const int64_t most;
};

MapOr anew(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  return withBody(map, [](IndexingMapBuilder &, MapBody &) {});
}

MapOr asText(const IndexingMap &map) {
  if (writtenSize(map) > kMostWritten)
    return absl::ResourceExhaustedError("a text too long");
  return parseMap(map.strOneLine());
}

MapOr pairs(llvm::ArrayRef<IndexingMap> maps) {
  if (maps.size() == 1) return maps[0];
  auto left = pairs(maps.take_front(maps.size() / 2));
  auto right = pairs(maps.drop_front(maps.size() / 2));
  INDEXICAL_RETURN_IF_ERROR(left.status());
  INDEXICAL_RETURN_IF_ERROR(right.status());
  return compose(*left, *right);
}

/// As one map, before it is simplified.
MapOr whole(Ops ops) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> index;
  for (int64_t size : ops.front().from)
    index.push_back(b.dimension({0, size - 1}));
  // A product has the second map's variables before the first's.
  std::vector<std::vector<Expr>> own(ops.size());
  for (size_t i = ops.size(); i-- > 0;) own[i] = ops[i].addVariables(b);
  for (size_t i = 0; i < ops.size(); ++i)
    index = ops[i].apply(b, index, own[i]);
  for (Expr expression : index) b.result(expression);
  return b.build();
}

}  // namespace

Chain randomMixture(int64_t length, Random &random,
                    const MixtureOptions &options) {
  Mixer mixer(random, options);
  Chain chain;
  Sizes from = mixer.sizes();
  for (int64_t i = 0; i < length; ++i) {
    chain.ops.push_back(mixer.op(from));
    from = chain.ops.back().to;
  }
  return chain;
}

llvm::StringRef wayName(Way way) {
  static constexpr const char *kNames[] = {
      "left",  "left as text",  "left anew", "left, raw steps",
      "right", "right as text", "pairs",     "at once",
      "again"};
  return kNames[static_cast<int>(way)];
}

bool hasText(Ops ops) {
  return llvm::none_of(ops, [](const ChainOp &op) { return op.clamped; });
}

MapOr composedBy(Ops ops, Way way) {
  if (way == Way::Once) {
    auto all = whole(ops);
    // A product names its variables anew; these have no other names.
    return all.ok() ? simplify(*all) : all;
  }
  const bool isText = way == Way::LeftAsText || way == Way::RightAsText;
  std::vector<IndexingMap> maps;
  for (const ChainOp &op : ops) {
    maps.push_back(op.map());
    if (way == Way::LeftRaw && maps.size() > 1) continue;
    INDEXICAL_ASSIGN_OR_RETURN(maps.back(), simplify(maps.back()));
    if (isText) {
      INDEXICAL_ASSIGN_OR_RETURN(maps.back(), asText(maps.back()));
    }
  }
  if (way == Way::Pairs) return pairs(maps);
  const bool isRight = way == Way::Right || way == Way::RightAsText;
  if (isRight) std::reverse(maps.begin(), maps.end());
  IndexingMap map = maps[0];
  for (const IndexingMap &step : llvm::drop_begin(maps)) {
    INDEXICAL_ASSIGN_OR_RETURN(
        map, isRight ? compose(step, map) : compose(map, step));
    if (isText) {
      INDEXICAL_ASSIGN_OR_RETURN(map, asText(map));
    } else if (way == Way::LeftAnew) {
      INDEXICAL_ASSIGN_OR_RETURN(map, anew(map));
    }
  }
  if (way == Way::Again && !map.isKnownEmpty()) {
    INDEXICAL_ASSIGN_OR_RETURN(map, anew(map));
    return simplify(map);
  }
  return map;
}

}  // namespace indexical::testing
