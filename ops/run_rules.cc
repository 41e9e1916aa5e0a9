#include "indexical/ops/run_rules.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/collectives/along.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/families.h"
#include "indexical/ops/indexed/indexed_slices.h"
#include "indexical/ops/movement/pad_amounts.h"
#include "indexical/ops/reduction/window.h"

namespace indexical {
namespace {

using families::isFixed;

constexpr Interval kNone = {0, 0};
constexpr Interval kNotNegative = {0, Interval::kInfinity};
constexpr Interval kPositive = {1, Interval::kInfinity};

class Rules {
 public:
  explicit Rules(OpView op) : shapes(shapesOf(op)) {}

  const OpShapes &shapes;
  std::vector<RunRule> rules;

  int64_t result() const { return shapes.operands.size(); }
  void require(Interval within, SizeFormula value) {
    rules.push_back({within, std::move(value)});
  }
  /// Requires that size `b` is at most size `a`.
  void atMost(SizeRef b, SizeRef a) {
    require(kNotNegative,
            [=](SizeContext &s) { return s.size(a) - s.size(b); });
  }
  void atLeast(SizeRef a, int64_t least) {
    require({least, Interval::kInfinity},
            [=](SizeContext &s) { return s.size(a); });
  }
  /// Requires that the size is a multiple of a number.
  void multipleOf(SizeRef a, int64_t number) {
    if (number > 1)
      require(kNone, [=](SizeContext &s) { return mod(s.size(a), number); });
  }
  /// Requires that size `a` is 1 or size `b`.
  void oneOr(SizeRef a, SizeRef b) {
    require(kNone, [=](SizeContext &s) {
      const Expr size = s.size(a);
      return (size - 1) * (size - s.size(b));
    });
  }
  /// Requires that an element of an operand is in the interval.
  void element(int64_t operand, int64_t k, Interval within) {
    require(within, [=](SizeContext &s) {
      return s.element(operand, {k}, Interval::all());
    });
  }
};

/// The number of elements stays.
void addReshape(Rules &r) {
  r.require(kNone, [&shapes = r.shapes](SizeContext &s) {
    auto count = [&](int64_t tensor, const ArrayShape &shape) {
      Expr product = s.constant(1);
      for (int64_t k = 0; k < shape.rank(); ++k)
        product = product * s.size({tensor, k});
      return product;
    };
    const int64_t result = shapes.operands.size();
    return count(0, shapes.operands[0]) - count(result, shapes.results[0]);
  });
}

void addSlice(const SliceOp &op, Rules &r) {
  const bool given = op.operands.size() > 1;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    if (!given) {
      r.atLeast({0, k}, op.limits[k]);
      continue;
    }
    r.element(1, k, kNotNegative);
    r.element(3, k, kPositive);
    r.require(kNotNegative, [k](SizeContext &s) {
      return s.element(2, {k}, Interval::all()) -
             s.element(1, {k}, Interval::all());
    });
    r.require(kNotNegative, [k](SizeContext &s) {
      return s.size({0, k}) - s.element(2, {k}, Interval::all());
    });
  }
}

void addPad(const PadOp &op, Rules &r) {
  const bool given = op.operands.size() > 2;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    if (given) r.element(4, k, kNotNegative);
    // What is between elements is counted only where sizes are known.
    r.require(kNotNegative, [&op, k](SizeContext &s) -> std::optional<Expr> {
      const families::PadAmounts pad = families::padAmounts(op, s, k);
      if (s.valueOf(pad.interior) != 0 && !s.valueOf(s.size({0, k})))
        return std::nullopt;
      return s.size({static_cast<int64_t>(op.operands.size()), k});
    });
  }
}

void addGather(const GatherOp &op, Rules &r) {
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    if (op.operands.size() > 2) {
      r.element(2, k, kNotNegative);
      r.require(kNotNegative, [k](SizeContext &s) {
        return s.size({0, k}) - s.element(2, {k}, Interval::all());
      });
    } else if (op.sliceSizes[k] != kDynamicSize) {
      r.atLeast({0, k}, op.sliceSizes[k]);
    }
  }
  // A slice has one element in a dimension that the result does not have.
  if (op.operands.size() > 2)
    for (llvm::ArrayRef<int64_t> dims :
         {llvm::ArrayRef<int64_t>(op.collapsedSliceDims),
          llvm::ArrayRef<int64_t>(op.operandBatchingDims)})
      for (int64_t k : dims) r.element(2, k, {0, 1});
}

void addScatter(const ScatterOp &op, Rules &r) {
  const int64_t updates = op.results.size() + 1;
  const int64_t rank = op.operands[0].rank();
  size_t next = 0;
  for (int64_t k = 0; k < rank; ++k) {
    if (llvm::is_contained(op.insertedWindowDims, k) ||
        llvm::is_contained(op.inputBatchingDims, k))
      continue;
    if (next == op.updateWindowDims.size()) return;
    r.atMost({updates, op.updateWindowDims[next++]}, {0, k});
  }
}

void addBroadcast(const BroadcastOp &op, Rules &r) {
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    r.oneOr({0, k}, {r.result(), op.dimensions[k]});
}

void addBroadcasting(const BroadcastingOp &op, Rules &r) {
  // Each operand has 1 or the result's size, which the others then have, too.
  for (int64_t t = 0; t < r.result(); ++t)
    for (size_t k = 0; k < op.dimensions[t].size(); ++k)
      for (int64_t u = 0; u < t; ++u)
        for (size_t l = 0; l < op.dimensions[u].size(); ++l) {
          if (op.dimensions[t][k] != op.dimensions[u][l]) continue;
          const SizeRef a = {t, static_cast<int64_t>(k)};
          const SizeRef b = {u, static_cast<int64_t>(l)};
          r.require(kNone, [a, b](SizeContext &s) {
            const Expr x = s.size(a), y = s.size(b);
            return (x - 1) * (y - 1) * (x - y);
          });
        }
}

void addConvolution(const ConvolutionOp &op, Rules &r) {
  const int64_t features = op.featureGroups, batches = op.batchGroups;
  if (features > 1) {
    const SizeRef input = {0, op.inputFeature},
                  kernel = {1, op.kernelInputFeature};
    r.require(kNone, [=](SizeContext &s) {
      return s.size(input) - s.size(kernel) * features;
    });
    r.multipleOf({1, op.kernelOutputFeature}, features);
  }
  if (batches > 1) {
    const SizeRef input = {0, op.inputBatch},
                  output = {r.result(), op.outputBatch};
    r.require(kNone, [=](SizeContext &s) {
      return s.size(input) - s.size(output) * batches;
    });
    r.multipleOf({1, op.kernelOutputFeature}, batches);
    const SizeRef feature = {0, op.inputFeature},
                  kernel = {1, op.kernelInputFeature};
    r.require(kNone,
              [=](SizeContext &s) { return s.size(feature) - s.size(kernel); });
  }
}

void addSelectAndScatter(const SelectAndScatterOp &op, Rules &r) {
  for (int64_t k = 0; k < static_cast<int64_t>(op.window.size()); ++k)
    r.require(kNone,
              [w = op.window[k], k](SizeContext &s) -> std::optional<Expr> {
                const auto count =
                    families::windowCount(s, w, s.size({0, k}), s.constant(0));
                if (!count) return std::nullopt;
                return s.size({1, k}) - *count;
              });
}

/// A real signal has the lengths, and its transform half of the last and 1.
void addFft(const FftOp &op, Rules &r) {
  using Kind = FftOp::Kind;
  if (op.kind != Kind::Rfft && op.kind != Kind::Irfft) return;
  const int64_t real = op.kind == Kind::Rfft ? 0 : 1;
  const int64_t rank = op.operands[0].rank(), count = op.lengths.size();
  auto is = [&](SizeRef size, int64_t number) {
    r.require(Interval::point(number),
              [size](SizeContext &s) { return s.size(size); });
  };
  for (int64_t i = 0; i < count; ++i)
    is({real, rank - count + i}, op.lengths[i]);
  if (const int64_t last = op.lengths.back())
    is({1 - real, rank - 1}, last / 2 + 1);
  else
    is({1 - real, rank - 1}, 0);
}

}  // namespace

std::vector<RunRule> runRulesOf(OpView op) {
  Rules r(op);
  if (const auto *own = op.as<SliceOp>()) addSlice(*own, r);
  if (const auto *own = op.as<PadOp>()) addPad(*own, r);
  if (op.isOneOf<ReshapeOp, DynamicReshapeOp>()) addReshape(r);
  if (const auto *own = op.as<BroadcastOp>()) addBroadcast(*own, r);
  if (const auto *own = op.as<BroadcastingOp>()) addBroadcasting(*own, r);
  if (const auto *own = op.as<GatherOp>()) addGather(*own, r);
  if (const auto *own = op.as<ScatterOp>()) addScatter(*own, r);
  if (const auto *own = op.as<ConvolutionOp>()) addConvolution(*own, r);
  if (const auto *own = op.as<SelectAndScatterOp>())
    addSelectAndScatter(*own, r);
  if (const auto *own = op.as<FftOp>()) addFft(*own, r);
  if (const auto *own = op.as<DynamicSliceOp>())
    for (int64_t k = 0; k < own->operands[0].rank(); ++k)
      r.atLeast({0, k}, own->sizes[k]);
  if (const auto *own = op.as<DynamicUpdateSliceOp>())
    for (int64_t k = 0; k < own->operands[0].rank(); ++k)
      r.atMost({1, k}, {0, k});
  if (const auto *own = op.as<TopKOp>())
    r.atLeast({0, own->operands[0].rank() - 1}, own->k);
  if (const auto *own = op.as<SetDimensionSizeOp>()) {
    const SizeRef size = {0, own->dimension};
    r.require(kNotNegative,
              [](SizeContext &s) { return s.element(1, {}, Interval::all()); });
    r.require(kNotNegative, [size](SizeContext &s) {
      return s.size(size) - s.element(1, {}, Interval::all());
    });
  }
  if (const auto *own = op.as<ReduceScatterOp>())
    if (const auto members = families::membersOf(*own))
      for (int64_t k = 0; k < r.result(); ++k)
        r.multipleOf({k, own->dimension}, *members);
  if (const auto *own = op.as<AllToAllOp>(); own && own->dimension)
    if (const auto members = families::membersOf(*own))
      for (int64_t k = 0; k < r.result(); ++k)
        r.multipleOf({k, *own->dimension}, *members);
  return std::move(r.rules);
}

}  // namespace indexical
