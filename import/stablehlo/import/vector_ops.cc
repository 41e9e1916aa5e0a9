// vector: ops on whole vectors. Transfers stand in vector_transfers.cc.
//
//   vector.contract {indexing_maps = [(i, j, k) -> (i, k), (i, j, k) -> (k, j),
//                    (i, j, k) -> (i, j)], …} %a, %b, %acc
//     operand 0   (d0, d1)[s0] -> (d0, s0)
//     operand 2   (d0, d1) -> (d0, d1)
//
// A lane that is poison (position -1) reads nothing. Vectors of a size that
// only the machine knows are opaque.
#include "indexical/import/stablehlo/import/vector_ops.h"

#include <memory>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {
namespace {

namespace vector = mlir::vector;
using Describe = FunctionMaps::Function;

using Loops = std::shared_ptr<const BodyLoops>;

/// Like accessOp, for vectors whose sizes are known.
absl::StatusOr<Op> vectorOp(mlir::Operation *op, OpShapes shapes,
                            Describe describe, Loops loops = nullptr) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  return accessOp(std::move(shapes), std::move(describe), /*sizes=*/nullptr,
                  std::move(loops));
}

//===-- Reductions as elements --------------------------------------------===//

/// Returns the op of scalars that `make` builds of two values of the type.
template <typename Make>
std::optional<Op> opOfScalars(mlir::Operation *op, mlir::Type type, Make make) {
  mlir::Block block;
  const mlir::Value a = block.addArgument(type, op->getLoc());
  const mlir::Value b = block.addArgument(type, op->getLoc());
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  const mlir::Value made = make(builder, op->getLoc(), a, b);
  auto shape = shapeOf(type);
  if (!made || !made.getDefiningOp() || !shape.ok()) return std::nullopt;
  OpShapes shapes;
  const ArrayShape scalar = shape->leaves()[0];
  shapes.operands = {scalar, scalar};
  shapes.results = {scalar};
  auto described = describeOp(made.getDefiningOp(), std::move(shapes));
  if (!described.ok()) return std::nullopt;
  return *std::move(described);
}

/// Returns the loops of a reduction, whose places are the numbers of loops for
/// each coordinate of each operand. Returns null where the op may round as it
/// likes (fastmath), or mixes types.
Loops reductionLoops(mlir::Operation *op, const OpShapes &shapes,
                     vector::CombiningKind kind, llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<Int64s> places, int64_t inputs) {
  const mlir::Attribute flags = op->getAttr("fastmath");
  if (auto math = llvm::dyn_cast_or_null<mlir::arith::FastMathFlagsAttr>(flags);
      math && math.getValue() != mlir::arith::FastMathFlags::none)
    return nullptr;
  const ElementType type = shapes.results[0].type;
  if (hasOpenSizes(shapes) || shapes.operands.size() != places.size() ||
      llvm::any_of(shapes.operands,
                   [&](const ArrayShape &shape) { return shape.type != type; }))
    return nullptr;
  const mlir::Type element =
      mlir::getElementTypeOrSelf(op->getResult(0).getType());
  auto made = std::make_shared<BodyLoops>();
  made->inputs = inputs;
  made->sizes.assign(sizes.begin(), sizes.end());
  for (const Int64s &dims : places) {
    IndexingMapBuilder builder;
    llvm::SmallVector<Expr, 6> loops;
    for (int64_t size : sizes)
      loops.push_back(builder.dimension({0, size - 1}));
    for (int64_t dim : dims) builder.result(loops[dim]);
    auto place = builder.build();
    if (!place.ok()) return nullptr;
    made->places.push_back(*std::move(place));
  }
  made->combine = opOfScalars(
      op, element, [&](auto &builder, auto at, auto a, auto before) {
        return vector::makeArithReduction(builder, at, kind, a, before);
      });
  if (inputs == 2)
    made->product =
        opOfScalars(op, element,
                    [&](auto &builder, auto at, auto a, auto b) -> mlir::Value {
                      if (llvm::isa<mlir::FloatType>(element))
                        return mlir::arith::MulFOp::create(builder, at, a, b);
                      return mlir::arith::MulIOp::create(builder, at, a, b);
                    });
  return made->combine && (inputs == 1 || made->product) ? made : nullptr;
}

/// Returns 0, 1 and so on, as many as there are dimensions.
Int64s allOf(const ArrayShape &shape) {
  Int64s dims(shape.rank());
  for (auto [k, dim] : llvm::enumerate(dims)) dim = k;
  return dims;
}

/// An op of ops/, for vectors whose sizes are known.
template <typename T>
absl::StatusOr<Op> knownOp(mlir::Operation *op, T known, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  static_cast<OpShapes &>(known) = std::move(shapes);
  return Op(std::move(known));
}

Int64s integersOf(mlir::ArrayAttr array) {
  Int64s values;
  for (mlir::Attribute value : array)
    values.push_back(llvm::cast<mlir::IntegerAttr>(value).getInt());
  return values;
}

absl::StatusOr<Op> describeBroadcast(mlir::Operation *op, OpShapes shapes) {
  BroadcastOp broadcast;
  const int64_t rank = shapes.operands[0].rank();
  for (int64_t k = 0; k < rank; ++k)
    broadcast.dimensions.push_back(shapes.results[0].rank() - rank + k);
  return knownOp(op, std::move(broadcast), std::move(shapes));
}

absl::StatusOr<Op> describeTranspose(mlir::Operation *op, OpShapes shapes) {
  TransposeOp transpose;
  transpose.permutation.assign(
      llvm::cast<vector::TransposeOp>(op).getPermutation());
  return knownOp(op, std::move(transpose), std::move(shapes));
}

absl::StatusOr<Op> describeShapeCast(mlir::Operation *op, OpShapes shapes) {
  return knownOp(op, ReshapeOp(), std::move(shapes));
}

absl::StatusOr<Op> describeNullary(mlir::Operation *op, OpShapes shapes) {
  return knownOp(op, NullaryOp(), std::move(shapes));
}

/// The bits of the last dimension are cut anew.
absl::StatusOr<Op> describeBitcast(mlir::Operation *op, OpShapes shapes) {
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t, int64_t, AccessList &list) {
        const ArrayShape &from = s.operands[0], &to = s.results[0];
        const bool merges = to.elementCount() < from.elementCount();
        Access &access = list.add();
        Access::Exprs few = access.loopsOver(merges ? to : from);
        Access::Exprs many = few;
        if (!few.empty() && from.dimensions.back() > 0 &&
            to.dimensions.back() > 0) {
          const int64_t ratio =
              merges ? from.dimensions.back() / to.dimensions.back()
                     : to.dimensions.back() / from.dimensions.back();
          many.back() = few.back() * ratio + access.loop({0, ratio - 1});
        }
        access.result = merges ? few : many;
        access.operand = merges ? many : few;
        return absl::OkStatus();
      });
}

absl::StatusOr<Op> describeMultiReduction(mlir::Operation *op,
                                          OpShapes shapes) {
  auto reduction = llvm::cast<vector::MultiDimReductionOp>(op);
  const Int64s reduced(reduction.getReductionDims());
  const Int64s all = allOf(shapes.operands[0]);
  Int64s kept;
  for (int64_t dim : all)
    if (!llvm::is_contained(reduced, dim)) kept.push_back(dim);
  Loops loops = reductionLoops(op, shapes, reduction.getKind(),
                               shapes.operands[0].dimensions, {all, kept}, 1);
  return vectorOp(
      op, std::move(shapes),
      [reduced](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand > 0) {
          list.addIdentity(s.results[0]);
          return absl::OkStatus();
        }
        Access &access = list.add();
        access.operand = access.loopsOver(s.operands[0]);
        for (auto [k, e] : llvm::enumerate(access.operand))
          if (!llvm::is_contained(reduced, static_cast<int64_t>(k)))
            access.result.push_back(e);
        return absl::OkStatus();
      },
      std::move(loops));
}

/// Everything of everything: reduction to a scalar, create_mask.
absl::StatusOr<Op> describeMaskOrReduction(mlir::Operation *op,
                                           OpShapes shapes) {
  Loops loops;
  if (auto reduction = llvm::dyn_cast<vector::ReductionOp>(op)) {
    llvm::SmallVector<Int64s, 2> places{allOf(shapes.operands[0])};
    if (shapes.operands.size() > 1) places.push_back({});
    loops = reductionLoops(op, shapes, reduction.getKind(),
                           shapes.operands[0].dimensions, places, 1);
  }
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t result, int64_t operand, AccessList &list) {
        list.addEverything(s.results[result], s.operands[operand]);
        return absl::OkStatus();
      },
      std::move(loops));
}

absl::StatusOr<Op> describeContract(mlir::Operation *op, OpShapes shapes) {
  // Every coordinate is an iterator: for each operand, their numbers.
  llvm::SmallVector<Int64s, 3> maps;
  auto contract = llvm::cast<vector::ContractionOp>(op);
  for (mlir::AffineMap map : contract.getIndexingMapsArray()) {
    Int64s &dims = maps.emplace_back();
    for (mlir::AffineExpr expr : map.getResults()) {
      auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr);
      if (!dim)
        return coverOp(std::move(shapes), Precision::Cover,
                       "a coordinate is not an iterator");
      dims.push_back(dim.getPosition());
    }
  }
  Int64s sizes(contract.getIteratorTypes().size(), 0);
  for (auto [operand, dims] : llvm::zip(shapes.operands, maps))
    for (auto [k, dim] : llvm::enumerate(dims))
      sizes[dim] = operand.dimensions[k];
  Loops loops = reductionLoops(op, shapes, contract.getKind(), sizes, maps, 2);
  return vectorOp(
      op, std::move(shapes),
      [maps, sizes](const OpShapes &s, int64_t, int64_t operand,
                    AccessList &list) {
        if (operand == 2) {
          list.addIdentity(s.results[0]);
          return absl::OkStatus();
        }
        Access &access = list.add();
        for (int64_t size : sizes) access.loop({0, size - 1});
        for (int64_t dim : maps[2])
          access.result.push_back(access.loopNumber(dim));
        for (int64_t dim : maps[operand])
          access.operand.push_back(access.loopNumber(dim));
        return absl::OkStatus();
      },
      std::move(loops));
}

/// A vector by a vector, or by a scalar.
absl::StatusOr<Op> describeOuterProduct(mlir::Operation *op, OpShapes shapes) {
  llvm::SmallVector<Int64s, 3> places;
  for (size_t k = 0; k < shapes.operands.size(); ++k)
    places.push_back(k == 2 ? allOf(shapes.results[0])
                     : shapes.operands[k].rank() > 0
                         ? Int64s{static_cast<int64_t>(k)}
                         : Int64s());
  Loops loops = reductionLoops(op, shapes,
                               llvm::cast<vector::OuterProductOp>(op).getKind(),
                               shapes.results[0].dimensions, places, 2);
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand == 2) {
          list.addIdentity(s.results[0]);
          return absl::OkStatus();
        }
        Access &access = list.add();
        access.result = access.loopsOver(s.results[0]);
        if (s.operands[operand].rank() > 0)
          access.operand = {access.result[operand]};
        return absl::OkStatus();
      },
      std::move(loops));
}

//===-- Parts of vectors --------------------------------------------------===//

/// The dimensions behind those that are named are whole.
absl::StatusOr<Op> describeExtractSlice(mlir::Operation *op, OpShapes shapes) {
  auto extract = llvm::cast<vector::ExtractStridedSliceOp>(op);
  SliceOp slice;
  slice.starts = integersOf(extract.getOffsets());
  slice.strides = integersOf(extract.getStrides());
  const Int64s sizes = integersOf(extract.getSizes());
  for (auto [k, size] : llvm::enumerate(sizes))
    slice.limits.push_back(slice.starts[k] + (size - 1) * slice.strides[k] + 1);
  const ArrayShape &source = shapes.operands[0];
  for (int64_t k = slice.starts.size(); k < source.rank(); ++k) {
    slice.starts.push_back(0);
    slice.strides.push_back(1);
    slice.limits.push_back(source.dimensions[k]);
  }
  return knownOp(op, std::move(slice), std::move(shapes));
}

/// The source is put into the last dimensions; along the first ones it is one
/// element thick.
absl::StatusOr<Op> describeInsertSlice(mlir::Operation *op, OpShapes shapes) {
  auto insert = llvm::cast<vector::InsertStridedSliceOp>(op);
  const Int64s offsets = integersOf(insert.getOffsets());
  const Int64s strides = integersOf(insert.getStrides());
  return vectorOp(
      op, std::move(shapes),
      [offsets, strides](const OpShapes &s, int64_t, int64_t operand,
                         AccessList &list) {
        const ArrayShape &source = s.operands[0], &dest = s.results[0];
        const int64_t thin = dest.rank() - source.rank();
        if (operand == 0) {
          Access &access = list.add();
          access.operand = access.loopsOver(source);
          for (int64_t k = 0; k < dest.rank(); ++k) {
            const Expr start = access.constant(offsets[k]);
            access.result.push_back(k < thin
                                        ? start
                                        : start + access.operand[k - thin] *
                                                      strides[k - thin]);
          }
          return absl::OkStatus();
        }
        addOutside(list, dest.rank(), [&](Access &access) {
          access.result = access.loopsOver(dest);
          access.operand = access.result;
          llvm::SmallVector<Stretch, 6> box;
          for (int64_t k = 0; k < dest.rank(); ++k)
            box.push_back(
                {access.result[k], access.constant(offsets[k]),
                 access.constant(k < thin ? 1 : source.dimensions[k - thin]),
                 access.constant(k < thin ? 1 : strides[k - thin])});
          return box;
        });
        return absl::OkStatus();
      });
}

/// A position along the first dimensions, of a vector of that shape.
Access::Exprs positionOf(Access &access, const MixedList &position,
                         const ArrayShape &shape) {
  Access::Exprs place;
  for (size_t k = 0; k < position.size(); ++k)
    place.push_back(position.at(access, k, {0, shape.dimensions[k] - 1}));
  return place;
}

absl::StatusOr<Op> describeExtract(mlir::Operation *op, OpShapes shapes) {
  const MixedList position =
      mixed(llvm::cast<vector::ExtractOp>(op).getStaticPosition(), 1);
  return vectorOp(op, std::move(shapes),
                  [position](const OpShapes &s, int64_t, int64_t operand,
                             AccessList &list) {
                    if (operand > 0) {
                      list.addEverything(s.results[0], s.operands[operand]);
                      return absl::OkStatus();
                    }
                    Access &access = list.add();
                    access.result = access.loopsOver(s.results[0]);
                    access.operand =
                        positionOf(access, position, s.operands[0]);
                    llvm::append_range(access.operand, access.result);
                    return absl::OkStatus();
                  });
}

absl::StatusOr<Op> describeInsert(mlir::Operation *op, OpShapes shapes) {
  const MixedList position =
      mixed(llvm::cast<vector::InsertOp>(op).getStaticPosition(), 2);
  return vectorOp(
      op, std::move(shapes),
      [position](const OpShapes &s, int64_t, int64_t operand,
                 AccessList &list) {
        if (operand > 1) {
          list.addEverything(s.results[0], s.operands[operand]);
        } else if (operand == 0) {
          Access &access = list.add();
          access.operand = access.loopsOver(s.operands[0]);
          access.result = positionOf(access, position, s.results[0]);
          llvm::append_range(access.result, access.operand);
        } else {
          addOutside(list, position.size(), [&](Access &access) {
            access.result = access.loopsOver(s.results[0]);
            access.operand = access.result;
            llvm::SmallVector<Stretch, 6> box;
            for (auto [k, start] :
                 llvm::enumerate(positionOf(access, position, s.results[0])))
              box.push_back({access.result[k], start, access.constant(1),
                             access.constant(1)});
            return box;
          });
        }
        return absl::OkStatus();
      });
}

/// A run of lanes that read one operand in steps.
void addRuns(AccessList &list, llvm::ArrayRef<int64_t> mask, int64_t first,
             int64_t count, const ArrayShape &result,
             const ArrayShape &operand) {
  auto isMine = [&](size_t i) {
    return i < mask.size() && mask[i] >= first && mask[i] < first + count;
  };
  for (size_t i = 0; i < mask.size();) {
    if (!isMine(i)) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    const int64_t step = isMine(end) ? mask[end] - mask[i] : 1;
    while (isMine(end) && mask[end] - mask[end - 1] == step) ++end;
    Access &access = list.add();
    const Expr lane = access.loop({0, static_cast<int64_t>(end - i) - 1});
    access.result = {lane + static_cast<int64_t>(i)};
    if (operand.rank() > 0) access.operand = {lane * step + (mask[i] - first)};
    for (int64_t k = 1; k < result.rank(); ++k) {
      const Expr inner = access.loop({0, result.dimensions[k] - 1});
      access.result.push_back(inner);
      access.operand.push_back(inner);
    }
    i = end;
  }
}

absl::StatusOr<Op> describeShuffle(mlir::Operation *op, OpShapes shapes) {
  const Int64s mask(llvm::cast<vector::ShuffleOp>(op).getMask());
  return vectorOp(
      op, std::move(shapes),
      [mask](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        auto lanes = [](const ArrayShape &shape) {
          return shape.rank() == 0 ? 1 : shape.dimensions[0];
        };
        addRuns(list, mask, operand == 0 ? 0 : lanes(s.operands[0]),
                lanes(s.operands[operand]), s.results[0], s.operands[operand]);
        return absl::OkStatus();
      });
}

/// Element l of operand k is element 2 * l + k of the result.
absl::StatusOr<Op> describeInterleave(mlir::Operation *op, OpShapes shapes) {
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        Access &access = list.add();
        access.operand = access.loopsOver(s.operands[operand]);
        access.result = access.operand;
        if (access.result.empty())
          access.result.push_back(access.constant(operand));
        else
          access.result.back() = access.result.back() * 2 + operand;
        return absl::OkStatus();
      });
}

absl::StatusOr<Op> describeDeinterleave(mlir::Operation *op, OpShapes shapes) {
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t result, int64_t, AccessList &list) {
        Access &access = list.add();
        access.result = access.loopsOver(s.results[result]);
        access.operand = access.result;
        access.operand.back() = access.operand.back() * 2 + result;
        return absl::OkStatus();
      });
}

/// The coordinates of element `number` in row major order.
Access::Exprs unraveled(Access &access, int64_t number,
                        const ArrayShape &shape) {
  Access::Exprs index(shape.rank());
  for (int64_t k = shape.rank() - 1; k >= 0; --k) {
    index[k] = access.constant(number % shape.dimensions[k]);
    number /= shape.dimensions[k];
  }
  return index;
}

absl::StatusOr<Op> describeFromElements(mlir::Operation *op, OpShapes shapes) {
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        Access &access = list.add();
        access.result = unraveled(access, operand, s.results[0]);
        return absl::OkStatus();
      });
}

absl::StatusOr<Op> describeToElements(mlir::Operation *op, OpShapes shapes) {
  return vectorOp(
      op, std::move(shapes),
      [](const OpShapes &s, int64_t result, int64_t, AccessList &list) {
        Access &access = list.add();
        access.operand = unraveled(access, result, s.operands[0]);
        return absl::OkStatus();
      });
}

/// Result 0 reads the elements up to its own place, or before it if the scan is
/// exclusive. Result 1 reads those of the last place.
absl::StatusOr<Op> describeScan(mlir::Operation *op, OpShapes shapes) {
  auto scan = llvm::cast<vector::ScanOp>(op);
  const int64_t dimension = scan.getReductionDim();
  const bool inclusive = scan.getInclusive();
  return vectorOp(
      op, std::move(shapes),
      [dimension, inclusive](const OpShapes &s, int64_t result, int64_t operand,
                             AccessList &list) {
        const ArrayShape &source = s.operands[0];
        const int64_t last = source.dimensions[dimension] - 1;
        Access &access = list.add();
        access.operand = access.loopsOver(s.operands[operand]);
        access.result = access.operand;
        if (operand == 0) {
          const Expr along = access.operand[dimension];
          const Expr place =
              result == 0 ? access.loop({0, last}) : access.constant(last);
          access.constraint(along - place,
                            {Interval::kMinusInfinity, inclusive ? 0 : -1});
          access.result.erase(access.result.begin() + dimension);
          if (result == 0)
            access.result.insert(access.result.begin() + dimension, place);
          return absl::OkStatus();
        }
        if (result == 0)
          access.result.insert(access.result.begin() + dimension,
                               access.loop({0, last}));
        // Lowerings of an inclusive scan leave the initial value out.
        if (inclusive) list.weaken(Precision::Cover);
        return absl::OkStatus();
      });
}

constexpr MlirOpInfo kVectorOps[] = {
    {"vector.bitcast", describeBitcast, kindOf<BitcastOp>()},
    {"vector.broadcast", describeBroadcast, Precision::Exact, ""},
    {"vector.constant_mask", describeNullary, Precision::Exact, ""},
    {"vector.contract", describeContract, Precision::Exact, "",
     KernelRole::Bytes},
    {"vector.create_mask", describeMaskOrReduction, Precision::Exact, ""},
    {"vector.deinterleave", describeDeinterleave, Precision::Exact, ""},
    {"vector.extract", describeExtract, Precision::Exact, ""},
    {"vector.extract_strided_slice", describeExtractSlice, Precision::Exact,
     ""},
    {"vector.from_elements", describeFromElements, Precision::Exact, ""},
    {"vector.gather", describeVectorGather, Precision::Exact, ""},
    {"vector.insert", describeInsert, Precision::Exact, ""},
    {"vector.insert_strided_slice", describeInsertSlice, Precision::Exact, ""},
    {"vector.interleave", describeInterleave, Precision::Exact, ""},
    {"vector.mask", describeMask, Precision::Exact, ""},
    {"vector.multi_reduction", describeMultiReduction, Precision::Exact, ""},
    {"vector.outerproduct", describeOuterProduct, Precision::Exact, ""},
    {"vector.reduction", describeMaskOrReduction, Precision::Exact, ""},
    {"vector.scan", describeScan, Precision::Cover,
     "of the initial value of an inclusive scan, which need not be used"},
    {"vector.shape_cast", describeShapeCast, Precision::Exact, ""},
    {"vector.shuffle", describeShuffle, Precision::Exact, ""},
    {"vector.step", describeNullary, Precision::Exact, ""},
    {"vector.to_elements", describeToElements, Precision::Exact, ""},
    {"vector.transfer_read", describeTransferRead, Precision::Exact, ""},
    {"vector.transfer_write", describeTransferWrite, Precision::Exact, ""},
    {"vector.transpose", describeTranspose, Precision::Exact, ""},
    {"vector.vscale", describeNullary, Precision::Exact, ""},
};

}  // namespace

llvm::ArrayRef<MlirOpInfo> vectorOps() { return kVectorOps; }

}  // namespace indexical
