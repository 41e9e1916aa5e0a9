// The sizes that each family's definition makes equal, and what the others
// follow from. A family that says nothing here keeps its results' sizes as they
// are declared: each that is open is a variable of its own.
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/core/inner.h"
#include "indexical/ops/indexed/indexed_slices.h"
#include "indexical/ops/movement/pad.h"
#include "indexical/ops/products/contraction.h"
#include "indexical/ops/reduction/window.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace {

using families::Checked;

/// The rules of one op while they are collected.
class Collector {
 public:
  Collector(const OpShapes &shapes, SizeRules &rules)
      : shapes(shapes), rules(rules), operands(shapes.operands.size()) {}

  const OpShapes &shapes;
  SizeRules &rules;
  const int64_t operands;

  int64_t result(int64_t r) const { return operands + r; }
  int64_t rank(int64_t tensor) const {
    return tensor < operands ? shapes.operands[tensor].rank()
                             : shapes.results[tensor - operands].rank();
  }
  void equal(SizeRef a, SizeRef b) { rules.equal(a, b); }
  /// All dimensions, where the ranks are equal; but for one.
  void same(int64_t a, int64_t b, int64_t except = -1) {
    if (rank(a) != rank(b)) return;
    for (int64_t k = 0; k < rank(a); ++k)
      if (k != except) equal({a, k}, {b, k});
  }
  /// All leaves that have the rank of tensor `a`.
  void allSame(int64_t a, int64_t except = -1) {
    const int64_t count = operands + shapes.results.size();
    for (int64_t t = 0; t < count; ++t)
      if (t != a) same(a, t, except);
  }
  /// The sizes of result 0 are the elements of an operand of rank 1.
  void given(int64_t operand) {
    for (int64_t k = 0; k < rank(result(0)); ++k)
      rules.define({result(0), k}, [operand, k](SizeContext &c) {
        return c.element(operand, {k}, {0, Interval::kInfinity});
      });
  }
};

/// How often a window fits over a size with some more padding: as the op counts
/// where these are numbers, else where nothing is dilated and no size is 0.
std::optional<Expr> countOf(SizeContext &s, WindowDimension w, Expr size,
                            Expr padding) {
  const auto known = s.valueOf(size), more = s.valueOf(padding);
  if (known && more && *known >= 0) {
    const auto high = checkedAdd(w.padHigh, *more);
    if (!high) return std::nullopt;
    w.padHigh = *high;
    auto counts =
        families::windowCounts(w, ArrayShape(ElementType::F32, {*known}), {0});
    if (!counts.ok()) return std::nullopt;
    return s.constant(counts->front());
  }
  size = size + padding;
  const Checked reach = Checked(w.size - 1) * w.windowDilation + 1;
  const Checked slack = Checked(w.padLow) + w.padHigh - reach;
  if (w.baseDilation != 1 || !slack.value()) return std::nullopt;
  // A window that fits nowhere makes no negative size.
  if (*slack.value() < -w.stride) return std::nullopt;
  return floorDiv(size + *slack.value(), w.stride) + 1;
}

void windows(Collector &c, llvm::ArrayRef<WindowDimension> window,
             int64_t input, llvm::ArrayRef<int64_t> dimensions, int64_t result,
             llvm::ArrayRef<int64_t> resultDimensions) {
  for (size_t i = 0; i < window.size(); ++i) {
    const SizeRef of = {input, dimensions[i]};
    const WindowDimension w = window[i];
    c.rules.define({result, resultDimensions[i]}, [w, of](SizeContext &s) {
      return countOf(s, w, s.size(of), s.constant(0));
    });
  }
}

//===-- The families ------------------------------------------------------===//

void add(Collector &, const OpShapes &) {}  // nothing is said

void add(Collector &c, const ElementwiseOp &) { c.allSame(c.result(0)); }
void add(Collector &c, const ReverseOp &) { c.same(0, 1); }
void add(Collector &c, const CholeskyOp &) { c.same(0, 1); }
void add(Collector &c, const SortOp &) { c.allSame(0); }
void add(Collector &c, const IotaOp &op) {
  if (!op.operands.empty()) c.given(0);
}

bool isOne(const ArrayShape &shape, int64_t k) {
  return families::isFixed(shape, k) && shape.dimensions[k] == 1;
}

void add(Collector &c, const BroadcastOp &op) {
  const ArrayShape &operand = op.operands[0];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool mayBeOne = families::isFixed(operand, k)
                              ? operand.dimensions[k] == 1
                              : llvm::is_contained(op.expanding, k) ||
                                    llvm::is_contained(op.maybeExpanding, k);
    if (!mayBeOne || isOne(op.results[0], op.dimensions[k]))
      c.equal({0, k}, {c.result(0), op.dimensions[k]});
  }
  if (op.operands.size() > 1) c.given(1);
}

/// A size of the result is that of all operands whose size there is not 1.
void add(Collector &c, const BroadcastingOp &op) {
  for (int64_t j = 0; j < op.results[0].rank(); ++j) {
    llvm::SmallVector<SizeRef, 4> ones, others, open;
    for (int64_t t = 0; t < c.operands; ++t)
      for (size_t k = 0; k < op.dimensions[t].size(); ++k) {
        if (op.dimensions[t][k] != j) continue;
        const int64_t dimension = k;
        const bool fixed = families::isFixed(op.operands[t], dimension);
        (isOne(op.operands[t], dimension) ? ones
         : fixed                          ? others
                                          : open)
            .push_back({t, dimension});
      }
    const SizeRef result = {c.result(0), j};
    for (SizeRef ref : others) c.equal(ref, result);
    if (ones.empty() && others.empty() && open.empty()) continue;
    if (isOne(op.results[0], j) || (others.empty() && open.size() == 1))
      for (SizeRef ref : open) c.equal(ref, result);
    else if (others.empty() && open.empty() && !ones.empty())
      c.equal(ones[0], result);
    else if (others.empty())
      c.rules.define(result, [open](SizeContext &s) -> std::optional<Expr> {
        std::optional<Expr> only;
        for (SizeRef ref : open) {
          const Expr size = s.size(ref);
          const auto value = s.valueOf(size);
          if (value == 1) continue;
          if (value) return size;
          if (only && only->form() != size.form()) return std::nullopt;
          only = size;
        }
        return only ? only : s.constant(1);
      });
  }
}

void add(Collector &c, const CapturingOp &op) {
  families::innerOf(op).addRules(c.rules);
}

void add(Collector &c, const TransposeOp &op) {
  for (size_t k = 0; k < op.permutation.size(); ++k)
    c.equal({0, op.permutation[k]}, {1, static_cast<int64_t>(k)});
}

void add(Collector &c, const DynamicReshapeOp &op) {
  if (op.operands.size() == 2 && op.operands[1].rank() == 1) return c.given(1);
  for (int64_t k = 0; k < op.results[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [k](SizeContext &s) {
      return s.element(k + 1, {}, {0, Interval::kInfinity});
    });
}

void add(Collector &c, const SetDimensionSizeOp &op) {
  c.same(0, c.result(0), op.dimension);
  c.rules.define({c.result(0), op.dimension}, [](SizeContext &s) {
    return s.element(1, {}, {0, Interval::kInfinity});
  });
}

void add(Collector &c, const BitcastConvertOp &) {
  const int64_t rank = std::min(c.rank(0), c.rank(1));
  for (int64_t k = 0; k < rank; ++k) c.equal({0, k}, {1, k});
}

void add(Collector &c, const SliceOp &op) {
  const bool given = op.operands.size() > 1;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [given, k, &op](SizeContext &s) {
      if (!given)
        return s.constant(ceilDiv(op.limits[k] - op.starts[k], op.strides[k]));
      const Interval index = {0, Interval::kInfinity};
      Expr start = s.element(1, {k}, index), limit = s.element(2, {k}, index);
      Expr stride = s.element(3, {k}, {1, Interval::kInfinity});
      return floorDiv(limit - start + stride - 1, stride);
    });
}

void add(Collector &c, const DynamicSliceOp &op) {
  for (int64_t k = 0; k < op.results[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [size = op.sizes[k]](SizeContext &s) {
      return s.constant(size);
    });
}
void add(Collector &c, const DynamicUpdateSliceOp &) { c.same(0, c.result(0)); }

void add(Collector &c, const ConcatenateOp &op) {
  for (int64_t t = 0; t < c.operands; ++t) c.same(t, c.result(0), op.dimension);
  c.rules.define({c.result(0), op.dimension},
                 [n = c.operands, k = op.dimension](SizeContext &s) {
                   Expr sum = s.size({0, k});
                   for (int64_t t = 1; t < n; ++t) sum = sum + s.size({t, k});
                   return sum;
                 });
}

void add(Collector &c, const PadOp &op) {
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    c.rules.define(
        {c.result(0), k}, [k, &op](SizeContext &s) -> std::optional<Expr> {
          Expr size = s.size({0, k});
          const families::PadAmounts pad = families::padAmounts(op, s, k);
          // There is nothing between no elements.
          if (s.valueOf(pad.interior) == 0) return pad.low + size + pad.high;
          const auto known = s.valueOf(size);
          if (!known) return std::nullopt;
          if (*known == 0) return pad.low + pad.high;
          return pad.low + size + pad.interior * (*known - 1) + pad.high;
        });
}

void add(Collector &c, const GatherOp &op) {
  const families::IndexedSlices slices(families::numbersOf(op), 1);
  for (size_t b = 0; b < slices.batch.size(); ++b)
    c.equal({1, slices.indicesBatch[b]}, {c.result(0), slices.batch[b]});
  for (size_t b = 0; b < op.operandBatchingDims.size(); ++b)
    c.equal({0, op.operandBatchingDims[b]},
            {1, op.startIndicesBatchingDims[b]});
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (slices.offset[k])
      c.rules.define({c.result(0), *slices.offset[k]},
                     [k, &op](SizeContext &s) {
                       return op.operands.size() > 2
                                  ? s.element(2, {k}, {0, Interval::kInfinity})
                                  : s.constant(op.sliceSizes[k]);
                     });
}

void add(Collector &c, const ScatterOp &op) {
  const int64_t n = op.results.size();
  for (int64_t r = 0; r < n; ++r) {
    c.same(0, r);
    c.same(0, c.result(r));
    c.same(n + 1, n + 1 + r);
  }
}

void contraction(Collector &c, const OpShapes &op, const DotDimensions &d,
                 llvm::ArrayRef<int64_t> groups = {}) {
  const families::Contraction indices(op, d, groups);
  std::map<int64_t, SizeRef> first;
  auto meet = [&](int64_t tensor, llvm::ArrayRef<int64_t> list) {
    for (size_t k = 0; k < list.size(); ++k) {
      const SizeRef ref = {tensor, static_cast<int64_t>(k)};
      auto [found, isNew] = first.insert({list[k], ref});
      if (!isNew) c.equal(found->second, ref);
    }
  };
  meet(0, indices.operands[0]);
  meet(1, indices.operands[1]);
  meet(c.result(0), indices.result);
}
void add(Collector &c, const DotOp &op) { contraction(c, op, op); }
void add(Collector &c, const ScaledDotOp &op) { contraction(c, op, op); }

void add(Collector &c, const ReduceOp &op) {
  for (int64_t r = 0; r < static_cast<int64_t>(op.results.size()); ++r) {
    c.same(0, r);
    int64_t next = 0;
    for (int64_t k = 0; k < op.operands[0].rank(); ++k)
      if (!llvm::is_contained(op.dimensions, k))
        c.equal({0, k}, {c.result(r), next++});
  }
}

void add(Collector &c, const ReduceWindowOp &op) {
  Int64s all(op.window.size());
  for (size_t k = 0; k < all.size(); ++k) all[k] = k;
  for (int64_t r = 0; r < static_cast<int64_t>(op.results.size()); ++r) {
    c.same(0, r);
    c.same(c.result(0), c.result(r));
  }
  windows(c, op.window, 0, all, c.result(0), all);
}

void add(Collector &c, const ConvolutionOp &op) {
  if (op.batchGroups == 1)
    c.equal({0, op.inputBatch}, {c.result(0), op.outputBatch});
  if (op.featureGroups == 1)
    c.equal({0, op.inputFeature}, {1, op.kernelInputFeature});
  c.equal({1, op.kernelOutputFeature}, {c.result(0), op.outputFeature});
  if (op.operands.size() == 2)
    return windows(c, op.window, 0, op.inputSpatial, c.result(0),
                   op.outputSpatial);
  for (int64_t i = 0; i < static_cast<int64_t>(op.window.size()); ++i)
    c.rules.define(
        {c.result(0), op.outputSpatial[i]}, [i, &op](SizeContext &s) {
          return countOf(s, op.window[i], s.size({0, op.inputSpatial[i]}),
                         s.element(2, {i, 0}, Interval::all()) +
                             s.element(2, {i, 1}, Interval::all()));
        });
}

/// The steps are as many for all inputs and outputs.
void add(Collector &c, const ScanOp &op) {
  const int64_t outputs = op.results.size() - op.carries;
  for (int64_t k = 1; k < op.inputs(); ++k)
    c.equal({0, op.dimension}, {k, op.dimension});
  for (int64_t r = 0; r < outputs; ++r)
    c.equal({0, op.dimension}, {c.result(r), op.dimension});
  for (int64_t n = 0; n < op.carries; ++n)
    c.same(op.inputs() + n, c.result(outputs + n));
}

void add(Collector &c, const SelectAndScatterOp &) { c.same(0, c.result(0)); }

void add(Collector &c, const TopKOp &op) {
  const int64_t last = op.operands[0].rank() - 1;
  for (int64_t r = 0; r < 2; ++r) c.same(0, c.result(r), last);
  for (int64_t r = 0; r < 2; ++r)
    c.rules.define({c.result(r), last},
                   [k = op.k](SizeContext &s) { return s.constant(k); });
}

void add(Collector &c, const FftOp &op) {
  c.same(0, 1,
         op.kind == FftOp::Kind::Rfft || op.kind == FftOp::Kind::Irfft
             ? op.operands[0].rank() - 1
             : -1);
}

void add(Collector &c, const BatchNormOp &op) {
  c.allSame(0);
  const int64_t count = c.operands + op.results.size();
  // Where the operand has rank 1 all have its size.
  for (int64_t t = 1; t < count && c.rank(0) > 1; ++t)
    if (c.rank(t) == 1) c.equal({0, op.featureIndex}, {t, 0});
}

void add(Collector &c, const TriangularSolveOp &op) {
  c.same(1, c.result(0));
  const int64_t rank = op.operands[0].rank();
  for (int64_t k = 0; k + 2 < rank; ++k) c.equal({0, k}, {1, k});
  c.equal({0, rank - 1}, {0, rank - 2});
  c.equal({0, rank - 1}, {1, op.leftSide ? rank - 2 : rank - 1});
}

void add(Collector &c, const AllReduceOp &) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}
void add(Collector &c, const CollectiveBroadcastOp &) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}
void add(Collector &c, const CollectivePermuteOp &op) {
  if (op.results.size() != op.operands.size()) return;
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}
void add(Collector &c, const AllGatherOp &op) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k), op.dimension);
}
void add(Collector &c, const ReduceScatterOp &op) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k), op.dimension);
}

void add(Collector &c, const ForwardOp &op) {
  for (size_t r = 0; r < op.reads.size(); ++r)
    if (op.reads[r] >= 0) c.same(op.reads[r], c.result(r));
}

void add(Collector &c, const StartOp &op) {
  for (int64_t r = 0; r < op.forwards; ++r) c.same(r, c.result(r));
  families::innerOf(op).addRules(c.rules);
}

}  // namespace

template <typename Family>
SizeRules sizeRulesOfFamily(const Family &op) {
  SizeRules rules;
  Collector collector(op, rules);
  add(collector, op);
  return rules;
}

SizeRules sizeRulesOf(const Op &op) {
  return std::visit(
      [](const auto &family) { return sizeRulesOfFamily(family); }, op);
}

// Of the families that ask for their own.
template SizeRules sizeRulesOfFamily(const ReverseOp &);
template SizeRules sizeRulesOfFamily(const ConcatenateOp &);
template SizeRules sizeRulesOfFamily(const BroadcastOp &);
template SizeRules sizeRulesOfFamily(const BroadcastingOp &);
template SizeRules sizeRulesOfFamily(const PadOp &);
template SizeRules sizeRulesOfFamily(const SliceOp &);
template SizeRules sizeRulesOfFamily(const DynamicSliceOp &);
template SizeRules sizeRulesOfFamily(const DynamicUpdateSliceOp &);
template SizeRules sizeRulesOfFamily(const GatherOp &);
template SizeRules sizeRulesOfFamily(const ScatterOp &);
template SizeRules sizeRulesOfFamily(const ConvolutionOp &);
template SizeRules sizeRulesOfFamily(const SelectAndScatterOp &);
template SizeRules sizeRulesOfFamily(const ReshapeOp &);
template SizeRules sizeRulesOfFamily(const DynamicReshapeOp &);

}  // namespace indexical
