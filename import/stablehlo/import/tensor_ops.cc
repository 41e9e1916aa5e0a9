// tensor: elements and whole tensors. Slices and padding stand in
// tensor_slices.cc, gather and scatter in tensor_gather.cc.
//
//   tensor.insert %x into %t[%i] : tensor<8xf32>
//     operand 0, the element   (d0){rt0} -> (),  d0 - rt0 in [0, 0]
//     operand 1, the tensor    (d0){rt0} -> (d0) in two pieces, where
//                              d0 - rt0 in [-inf, -1], d0 - rt0 in [1, inf]
//     operand 2, the index     (d0) -> ()
//
// An index that is an operand is a runtime variable without a clamp: outside of
// the tensor the op is not defined.
#include "indexical/import/stablehlo/import/tensor_ops.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/region_reads.h"
#include "indexical/ops/indices.h"

namespace indexical {
namespace {

namespace tensor = mlir::tensor;

absl::StatusOr<Op> describeCast(mlir::Operation *op, OpShapes shapes) {
  auto cast = make<ElementwiseOp>(std::move(shapes));
  cast.opKind = llvm::isa<tensor::CastOp>(op) ? kindOf<ElementwiseOp>("cast")
                                              : kindOf<BitcastOp>();
  return Op(std::move(cast));
}

absl::StatusOr<Op> describeConcat(mlir::Operation *op, OpShapes shapes) {
  auto concat = make<ConcatenateOp>(std::move(shapes));
  concat.dimension = llvm::cast<tensor::ConcatOp>(op).getDim();
  return Op(std::move(concat));
}

/// Sizes and ranks read no element. The number of the dimension is read, unless
/// it is a constant: the size is then known.
absl::StatusOr<Op> describeDim(mlir::Operation *op, OpShapes shapes) {
  std::optional<int64_t> index;
  if (op->getNumOperands() == 2)  // the dimension
    index = mlir::getConstantIntValue(op->getOperand(1));
  if (index && *index >= 0 && *index < shapes.operands[0].rank()) {
    auto size = make<NullaryOp>(std::move(shapes));
    size.sizeOf = *index;
    return Op(std::move(size));
  }
  return accessOp(std::move(shapes), [](const OpShapes &s, int64_t result,
                                        int64_t operand, AccessList &list) {
    if (operand > 0) list.addEverything(s.results[result], s.operands[operand]);
    return absl::OkStatus();
  });
}

/// Every element reads all operands: sizes, and the element of a splat.
absl::StatusOr<Op> describeEmptyOrSplat(mlir::Operation *op, OpShapes shapes) {
  auto sizes = givenSizes(shapes, llvm::isa<tensor::SplatOp>(op) ? 1 : 0);
  return accessOp(
      std::move(shapes),
      [](const OpShapes &s, int64_t result, int64_t operand, AccessList &list) {
        list.addEverything(s.results[result], s.operands[operand]);
        return absl::OkStatus();
      },
      std::move(sizes));
}

/// The element at the index of the scalar operands from `first` on.
Access::Exprs pointOf(Access &access, const ArrayShape &shape, int64_t first) {
  Access::Exprs index;
  for (int64_t k = 0; k < shape.rank(); ++k)
    index.push_back(access.element(indicesOf(shape, k), first + k, {}));
  return index;
}

absl::StatusOr<Op> describeExtract(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  return accessOp(std::move(shapes), [](const OpShapes &s, int64_t,
                                        int64_t operand, AccessList &list) {
    if (operand > 0) {
      list.addEverything(s.results[0], s.operands[operand]);
    } else {
      Access &access = list.add();
      access.operand = pointOf(access, s.operands[0], 1);
      // A vector is one element of such a tensor, not its own dimensions.
      access.result = access.loopsOver(s.results[0]);
    }
    return absl::OkStatus();
  });
}

/// The result has the sizes of the tensor that is written to.
void addSizesOfDestination(const OpShapes &s, SizeRules &rules) {
  addSame(rules, s.results[0], 1, s.operands.size());
}

absl::StatusOr<Op> describeInsert(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto describe = [](const OpShapes &s, int64_t, int64_t operand,
                     AccessList &list) {
    if (operand >= 2) {
      list.addEverything(s.results[0], s.operands[operand]);
    } else if (operand == 0) {
      Access &access = list.add();
      access.result = pointOf(access, s.results[0], 2);
      access.operand = access.loopsOver(s.operands[0]);
    } else {
      addOutside(list, s.results[0].rank(), [&](Access &access) {
        access.result = access.loopsOver(s.results[0]);
        access.operand = access.result;
        const Access::Exprs point = pointOf(access, s.results[0], 2);
        llvm::SmallVector<Stretch, 6> box;
        for (auto [k, start] : llvm::enumerate(point))
          box.push_back({access.result[k], start, access.constant(1),
                         access.constant(1)});
        return box;
      });
    }
    return absl::OkStatus();
  };
  return accessOp(std::move(shapes), describe, addSizesOfDestination);
}

/// Operand k is element k in row major order.
absl::StatusOr<Op> describeFromElements(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  return accessOp(std::move(shapes), [](const OpShapes &s, int64_t,
                                        int64_t operand, AccessList &list) {
    Access &access = list.add();
    access.result.resize(s.results[0].rank());
    int64_t rest = operand;
    for (int64_t k = s.results[0].rank() - 1; k >= 0; --k) {
      const int64_t size = s.results[0].dimensions[k];
      access.result[k] = access.constant(rest % size);
      rest /= size;
    }
    access.operand = access.loopsOver(s.operands[operand]);
    return absl::OkStatus();
  });
}

/// The body yields the element at the index of its arguments; operands are
/// sizes, and what the body captures stands behind them.
absl::StatusOr<Op> describeGenerate(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  const RegionReads reads(op, op->getRegion(0));
  const auto yielded =
      reads.of(op->getRegion(0).front().getTerminator()->getOperand(0));
  const int64_t sizes = op->getNumOperands();
  auto given = givenSizes(shapes, 0);
  auto loops = std::make_shared<BodyLoops>();
  loops->indices = shapes.results[0].rank();
  for (int64_t size : shapes.results[0].dimensions) {
    loops->sizes.push_back(size);
    loops->extents.push_back({});
  }
  return regionOp(
      op, std::move(shapes),
      [&](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand < sizes)
          list.addEverything(s.results[0], s.operands[operand]);
        else
          addRegionReads(list, reads, yielded, s, operand, nullptr);
        return absl::OkStatus();
      },
      std::move(given), std::move(loops));
}

//===-- Reshapes ----------------------------------------------------------===//

/// Whether the strides of the expanded dimensions that make one collapsed
/// dimension are known: no size but the first of a group is open.
bool stridesAreKnown(const ArrayShape &expanded,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups) {
  for (const auto &group : groups)
    for (int64_t k : llvm::ArrayRef(group).drop_front())
      if (expanded.dimensions[k] == kDynamicSize ||
          (!expanded.dynamic.empty() && expanded.dynamic[k]))
        return false;
  return true;
}

/// Groups of dimensions say how elements are counted, so that a size that is
/// not known in one leaves the others as they are.
absl::StatusOr<Op> describeGroups(
    OpShapes shapes, llvm::ArrayRef<mlir::ReassociationIndices> groups,
    bool expands) {
  const ArrayShape &expanded = expands ? shapes.results[0] : shapes.operands[0];
  auto isOpen = [](const ArrayShape &shape) {
    return shape.hasUnknownSize() || shape.dynamic.any();
  };
  if ((!isOpen(shapes.results[0]) && !isOpen(shapes.operands[0])) ||
      !stridesAreKnown(expanded, groups))
    return withSizes(ReshapeOp(), std::move(shapes));
  llvm::SmallVector<mlir::ReassociationIndices, 4> lists(groups.begin(),
                                                         groups.end());
  auto describe = [lists, expands](const OpShapes &s, int64_t, int64_t operand,
                                   AccessList &list) {
    if (operand > 0) {
      list.addEverything(s.results[0], s.operands[operand]);
      return absl::OkStatus();
    }
    Access &access = list.add();
    const Access::Exprs apart =
        access.loopsOver(expands ? s.results[0] : s.operands[0]);
    const ArrayShape &shape = expands ? s.results[0] : s.operands[0];
    Access::Exprs together;
    for (const auto &group : lists) {
      Expr sum = access.constant(0);
      for (int64_t k : group)
        sum = (k == group.front() ? sum : sum * shape.dimensions[k]) + apart[k];
      together.push_back(sum);
    }
    access.result = expands ? apart : together;
    access.operand = expands ? together : apart;
    return absl::OkStatus();
  };
  // No size but the first of a group is open.
  auto sizes = [lists, expands](const OpShapes &s, SizeRules &rules) {
    const int64_t result = s.operands.size();
    const ArrayShape &apart = expands ? s.results[0] : s.operands[0];
    for (auto [k, group] : llvm::enumerate(lists)) {
      if (group.empty()) continue;
      int64_t rest = 1;
      for (int64_t j : llvm::ArrayRef(group).drop_front())
        rest *= apart.dimensions[j];
      const SizeRef one = {expands ? 0 : result, static_cast<int64_t>(k)};
      const SizeRef first = {expands ? result : 0, group.front()};
      if (rest == 1)
        rules.equal(one, first);
      else if (!expands)
        rules.define(one, [=](SizeContext &c) { return c.size(first) * rest; });
      else if (rest > 0)
        rules.define(
            first, [=](SizeContext &c) { return floorDiv(c.size(one), rest); });
    }
  };
  return accessOp(std::move(shapes), describe, sizes);
}

absl::StatusOr<Op> describeExpand(mlir::Operation *op, OpShapes shapes) {
  auto expand = llvm::cast<tensor::ExpandShapeOp>(op);
  return describeGroups(std::move(shapes), expand.getReassociationIndices(),
                        /*expands=*/true);
}

absl::StatusOr<Op> describeCollapse(mlir::Operation *op, OpShapes shapes) {
  auto collapse = llvm::cast<tensor::CollapseShapeOp>(op);
  return describeGroups(std::move(shapes), collapse.getReassociationIndices(),
                        /*expands=*/false);
}

absl::StatusOr<Op> describeReshape(mlir::Operation *, OpShapes shapes) {
  return Op(make<DynamicReshapeOp>(std::move(shapes)));
}

constexpr MlirOpInfo kTensorOps[] = {
    {"shape.dim", describeDim, Precision::Exact, ""},
    {"shape.get_extent", describeExtract, ElementRule::Extracted},
    {"tensor.bitcast", describeCast, kindOf<BitcastOp>()},
    {"tensor.cast", describeCast, kindOf<ElementwiseOp>("cast")},
    {"tensor.collapse_shape", describeCollapse, Precision::Exact, ""},
    {"tensor.concat", describeConcat, Precision::Exact, ""},
    {"tensor.dim", describeDim, Precision::Exact, ""},
    {"tensor.empty", describeEmptyOrSplat, Precision::Exact, ""},
    {"tensor.expand_shape", describeExpand, Precision::Exact, ""},
    {"tensor.extract", describeExtract, ElementRule::Extracted},
    {"tensor.extract_slice", describeExtractSlice, Precision::Exact, ""},
    {"tensor.from_elements", describeFromElements, ElementRule::Listed},
    {"tensor.gather", describeTensorGather, Precision::Exact, ""},
    {"tensor.generate", describeGenerate, Precision::Cover,
     "a tensor that the body reads at an index that is not affine is a cover"},
    {"tensor.insert", describeInsert, Precision::Exact, ""},
    {"tensor.insert_slice", describeInsertSlice, Precision::Exact, ""},
    {"tensor.pad", describeTensorPad, Precision::Cover,
     "a tensor that the body reads at an index that is not affine is a cover"},
    {"tensor.rank", describeDim, Precision::Exact, ""},
    {"tensor.reshape", describeReshape, Precision::Exact, ""},
    {"tensor.scatter", describeTensorScatter, Precision::Cover,
     "of the destination, of more than 256 slices or of an open number"},
    {"tensor.splat", describeEmptyOrSplat, ElementRule::Splat},
};

}  // namespace

void addRegionReads(AccessList &list, const RegionReads &reads,
                    llvm::ArrayRef<RegionRead> yielded, const OpShapes &shapes,
                    int64_t leaf,
                    const std::function<void(Access &)> &restrict) {
  for (const RegionRead &read : yielded) {
    if (read.kind != RegionRead::Kind::Captured || read.number != leaf)
      continue;
    reads.addCaptured(
        list, read, shapes.operands[leaf],
        [&](Access &access) {
          access.result = access.loopsOver(shapes.results[0]);
          if (restrict) restrict(access);
        },
        [](Access &access, unsigned argument, Interval) {
          return std::optional<Expr>(access.loopNumber(argument));
        },
        [](Access &, int64_t) { return std::optional<Expr>(); });
  }
}

llvm::ArrayRef<MlirOpInfo> tensorOps() { return kTensorOps; }

}  // namespace indexical
