// tensor.gather and tensor.scatter: whole slices at coordinates.
//
//   tensor.gather %t[%i] gather_dims([1])
//       : (tensor<3x4x5xf32>, tensor<6x1xindex>) -> tensor<6x3x1x5xf32>
//     operand 0   (d0, d1, d2, d3){rt0} -> (d1, rt0, d3)
//                 rt0 in [0, 3], the index at (d0, 0), not clamped
//     operand 1   (d0, d1, d2, d3)[s0] -> (d0, s0)
//
// The trailing dimension of the indices holds the coordinates of the dimensions
// that are named; a slice has all of the other dimensions. A slice's dimensions
// stand behind those of the indices, with the named ones as 1 or without them,
// as the ranks show. A coordinate outside of the tensor is undefined
// behaviour in both ops, and so is one that a scatter names twice: the runtime
// variables are not clamped, and a map holds where its coordinates are inside.
#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/tensor_ops.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/indices.h"

namespace indexical {
namespace {

namespace tensor = mlir::tensor;

/// The coordinates of an element, in the indexed tensor and in the slices.
struct Coordinates {
  Access::Exprs indexed, slices;
};

Coordinates coordinatesOf(Access &access, const ArrayShape &indexed,
                          const ArrayShape &indices, const ArrayShape &slices,
                          int64_t indicesLeaf, llvm::ArrayRef<int64_t> named) {
  Coordinates made;
  const int64_t batch = indices.rank() - 1;
  const bool keepsRank = slices.rank() == batch + indexed.rank();
  Access::Exprs loops = access.loopsOver(slices);
  llvm::append_range(made.slices, llvm::ArrayRef(loops).take_front(batch));
  Access::Exprs place = made.slices;
  place.push_back(Expr());
  int64_t next = batch;
  for (int64_t k = 0; k < indexed.rank(); ++k) {
    const auto *component = llvm::find(named, k);
    if (component == named.end()) {
      made.indexed.push_back(loops[next]);
      made.slices.push_back(loops[next++]);
      continue;
    }
    place.back() = access.constant(component - named.begin());
    made.indexed.push_back(
        access.element(indicesOf(indexed, k), indicesLeaf, place));
    if (keepsRank) made.slices.push_back(loops[next++]);
  }
  return made;
}

/// The numbers of the tensors of a gather or scatter.
struct SliceTensors {
  int64_t indexed, indices, slices;
};

/// Adds the sizes of the slices: the batch sizes of the indices and, along a
/// dimension that no index names, the size of the tensor.
void addSizesOfSlices(SizeRules &rules, const ArrayShape &indexed,
                      const ArrayShape &indices, const SliceTensors &tensors,
                      const ArrayShape &slices, llvm::ArrayRef<int64_t> named) {
  const int64_t batch = indices.rank() - 1;
  for (int64_t k = 0; k < batch; ++k)
    rules.equal({tensors.indices, k}, {tensors.slices, k});
  const bool keepsRank = slices.rank() == batch + indexed.rank();
  int64_t next = batch;
  for (int64_t k = 0; k < indexed.rank(); ++k) {
    const bool isNamed = llvm::is_contained(named, k);
    if (!isNamed) rules.equal({tensors.indexed, k}, {tensors.slices, next});
    if (!isNamed || keepsRank) ++next;
  }
}

/// Returns the number of a slice as its place in the indices, without the
/// coordinate.
Access::Exprs placeOfSlice(Access &access, const ArrayShape &indices,
                           int64_t number) {
  Access::Exprs place(indices.rank());
  for (int64_t k = indices.rank() - 2; k >= 0; --k) {
    place[k] = access.constant(number % indices.dimensions[k]);
    number /= indices.dimensions[k];
  }
  return place;
}

/// Returns where a slice begins along the named dimensions.
Access::Exprs startsOf(Access &access, const ArrayShape &indexed,
                       Access::Exprs place, llvm::ArrayRef<int64_t> named) {
  Access::Exprs starts;
  for (auto [component, k] : llvm::enumerate(named)) {
    place.back() = access.constant(component);
    starts.push_back(access.element(indicesOf(indexed, k), 2, place));
  }
  return starts;
}

/// Restricts to elements that are not those of the slice at these starts:
///
///   named [0, 1] of tensor<3x4xf32>
///   ((d0 - rt0) * 4 + d1 - rt1) mod 12 in [1, 11]
///
/// Coordinates are inside the tensor, so no difference is as large as the
/// number of elements. If sizes are open, the squares of the differences add up
/// to at least 1.
void restrictToOthers(Access &access, const ArrayShape &result,
                      llvm::ArrayRef<Expr> starts,
                      llvm::ArrayRef<int64_t> named) {
  // The number of index tuples along these dimensions, if it is known.
  std::optional<int64_t> places = 1;
  for (int64_t k : named) {
    const int64_t size = result.dimensions[k];
    places = size == kDynamicSize || !places
                 ? std::nullopt
                 : checkedMul(*places, std::max<int64_t>(size, 1));
  }
  Expr distance = access.constant(0);
  for (auto [start, k] : llvm::zip(starts, named)) {
    const Expr difference = access.result[k] - start;
    distance = places ? distance * result.dimensions[k] + difference
                      : distance + access.product(difference, difference);
  }
  if (places)
    access.constraint(mod(distance, *places), {1, *places - 1});
  else
    access.constraint(distance, {1, Interval::kInfinity});
}

/// Adds the elements of a scatter's destination that no slice covers. With few
/// slices, a piece lies outside each of them in one way, and there is a piece
/// for each combination of ways; with more, one piece has a constraint for each
/// slice. With very many slices, or an unknown number, it is a cover.
void addKept(AccessList &list, const OpShapes &s,
             llvm::ArrayRef<int64_t> named) {
  constexpr size_t kMostPieces = 64;
  constexpr int64_t kMostSlices = 256;
  const ArrayShape &result = s.results[0], &indices = s.operands[2];
  if (s.operands[0].isEmpty()) return list.addIdentity(result);
  ArrayShape batch = indices;
  batch.dimensions.pop_back();
  const auto slices = batch.elementCount();
  if (!slices || *slices > kMostSlices) {
    list.addIdentity(result);
    return list.weaken(Precision::Cover);
  }
  const size_t outside = outsidePieces(named.size());
  size_t pieces = 1;
  for (int64_t n = 0; n < *slices && pieces <= kMostPieces; ++n)
    pieces *= outside;
  const bool isOne = pieces > kMostPieces;
  for (size_t piece = 0; piece < (isOne ? 1 : pieces); ++piece) {
    Access &access = list.add();
    access.result = access.loopsOver(result);
    access.operand = access.result;
    size_t rest = piece;
    for (int64_t n = 0; n < *slices; ++n) {
      const Access::Exprs starts =
          startsOf(access, result, placeOfSlice(access, indices, n), named);
      if (isOne) {
        restrictToOthers(access, result, starts, named);
        continue;
      }
      llvm::SmallVector<Stretch, 6> box;
      for (auto [start, k] : llvm::zip(starts, named))
        box.push_back(
            {access.result[k], start, access.constant(1), access.constant(1)});
      restrictOutside(access, box, rest % outside);
      rest /= outside;
    }
  }
}

std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

}  // namespace

absl::StatusOr<Op> describeTensorGather(mlir::Operation *op, OpShapes shapes) {
  const Int64s named(llvm::cast<tensor::GatherOp>(op).getGatherDims());
  return accessOp(
      std::move(shapes),
      [named](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        const ArrayShape &indices = s.operands[1];
        Access &access = list.add();
        if (operand == 0) {
          Coordinates made = coordinatesOf(access, s.operands[0], indices,
                                           s.results[0], 1, named);
          access.result = std::move(made.slices);
          access.operand = std::move(made.indexed);
          return absl::OkStatus();
        }
        access.result = access.loopsOver(s.results[0]);
        for (int64_t k = 0; k + 1 < indices.rank(); ++k)
          access.operand.push_back(access.result[k]);
        access.operand.push_back(access.loopsOver(indices).back());
        return absl::OkStatus();
      },
      [named](const OpShapes &s, SizeRules &rules) {
        addSizesOfSlices(rules, s.operands[0], s.operands[1],
                         {0, 1, static_cast<int64_t>(s.operands.size())},
                         s.results[0], named);
      });
}

absl::StatusOr<Op> describeTensorScatter(mlir::Operation *op, OpShapes shapes) {
  auto scatter = llvm::cast<tensor::ScatterOp>(op);
  // MLIR's verifier does not check this.
  if (scatter.getResult().getType() != scatter.getDest().getType())
    return absl::InvalidArgumentError(absl::StrCat(
        "the result of tensor.scatter must be of the type of its destination, ",
        typeText(scatter.getDest().getType()), ", but is of ",
        typeText(scatter.getResult().getType())));
  const Int64s named(scatter.getScatterDims());
  return accessOp(
      std::move(shapes),
      [named](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand == 0) {
          Access &access = list.add();
          Coordinates made = coordinatesOf(access, s.results[0], s.operands[2],
                                           s.operands[0], 2, named);
          access.result = std::move(made.indexed);
          access.operand = std::move(made.slices);
        } else if (operand == 1) {
          addKept(list, s, named);
        } else {
          // Any index may be the one that names an element.
          list.addEverything(s.results[0], s.operands[2]);
        }
        return absl::OkStatus();
      },
      [named](const OpShapes &s, SizeRules &rules) {
        addSame(rules, s.results[0], 1, s.operands.size());
        addSizesOfSlices(rules, s.operands[1], s.operands[2], {1, 2, 0},
                         s.operands[0], named);
      });
}

}  // namespace indexical
