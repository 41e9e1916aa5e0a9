#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "tests/import/stablehlo/upstream_interpreter.h"

namespace indexical::testing {
namespace {

namespace vector = mlir::vector;
using mlir::ShapedType;

Index integersOf(mlir::ArrayAttr array) {
  Index values;
  for (mlir::Attribute value : array)
    values.push_back(llvm::cast<mlir::IntegerAttr>(value).getInt());
  return values;
}

struct Run {
  mlir::Operation *op;
  const OperandValues &values;
  std::vector<Tensor> operands;
  std::vector<Tensor> results;

  Tensor &result() { return results[0]; }

  void readWhole(size_t first, size_t end) {
    for (Tensor &tensor : results)
      for (Reads &reads : tensor.elements)
        for (size_t k = first; k < end; ++k)
          unite(reads, wholeLeaf(op->getOperand(k), k));
  }

  void broadcast() {
    const Tensor &source = operands[0];
    forEachIndex(result().sizes, [&](const Index &index) {
      Index place(index.end() - source.sizes.size(), index.end());
      for (size_t k = 0; k < place.size(); ++k)
        if (source.sizes[k] == 1) place[k] = 0;
      result().at(index) = source.at(place);
    });
  }

  void transpose(vector::TransposeOp o) {
    forEachIndex(result().sizes, [&](const Index &index) {
      Index place(index.size());
      for (size_t k = 0; k < index.size(); ++k)
        place[o.getPermutation()[k]] = index[k];
      result().at(index) = operands[0].at(place);
    });
  }

  /// The bits in row major order, in the widest units that both share.
  void bitcast() {
    const size_t from = operands[0].elements.size();
    const size_t to = result().elements.size();
    const size_t units = std::max(from, to);
    for (size_t unit = 0; unit < units; ++unit)
      unite(result().elements[unit * to / units],
            operands[0].elements[unit * from / units]);
  }

  void multiReduction(vector::MultiDimReductionOp o) {
    result() = operands[1];
    forEachIndex(operands[0].sizes, [&](const Index &index) {
      Index kept;
      for (size_t k = 0; k < index.size(); ++k)
        if (!o.isReducedDim(k)) kept.push_back(index[k]);
      unite(result().at(kept), operands[0].at(index));
    });
  }

  void contract(vector::ContractionOp o) {
    const auto maps = o.getIndexingMapsArray();
    Index counts(o.getIteratorTypes().size(), 0);
    for (size_t i = 0; i < maps.size(); ++i)
      for (size_t k = 0; k < maps[i].getNumResults(); ++k)
        counts[maps[i].getDimPosition(k)] = operands[i].sizes[k];
    result() = operands[2];
    forEachIndex(counts, [&](const Index &loops) {
      auto at = [&](size_t i) {
        Index place;
        for (size_t k = 0; k < maps[i].getNumResults(); ++k)
          place.push_back(loops[maps[i].getDimPosition(k)]);
        return place;
      };
      unite(result().at(at(2)), operands[0].at(at(0)));
      unite(result().at(at(2)), operands[1].at(at(1)));
    });
  }

  void outerProduct() {
    forEachIndex(result().sizes, [&](const Index &index) {
      Reads &reads = result().at(index);
      unite(reads, operands[0].at({index[0]}));
      unite(reads, index.size() == 1 ? operands[1].elements[0]
                                     : operands[1].at({index[1]}));
      if (operands.size() > 2) unite(reads, operands[2].at(index));
    });
  }

  void extractSlice(vector::ExtractStridedSliceOp o) {
    const Index offsets = integersOf(o.getOffsets());
    const Index strides = integersOf(o.getStrides());
    forEachIndex(result().sizes, [&](const Index &index) {
      Index place = index;
      for (size_t k = 0; k < offsets.size(); ++k)
        place[k] = offsets[k] + index[k] * strides[k];
      result().at(index) = operands[0].at(place);
    });
  }

  void insertSlice(vector::InsertStridedSliceOp o) {
    const Index offsets = integersOf(o.getOffsets());
    const Index strides = integersOf(o.getStrides());
    result() = operands[1];
    const size_t thin = offsets.size() - strides.size();
    forEachIndex(operands[0].sizes, [&](const Index &index) {
      Index place = offsets;
      for (size_t k = 0; k < index.size(); ++k)
        place[thin + k] += index[k] * strides[k];
      result().at(place) = operands[0].at(index);
    });
  }

  Index positionOf(llvm::ArrayRef<int64_t> list, size_t next) {
    Index place;
    for (int64_t value : list)
      place.push_back(ShapedType::isDynamic(value) ? values[next++][0] : value);
    return place;
  }

  void extract(vector::ExtractOp o) {
    const Index position = positionOf(o.getStaticPosition(), 1);
    forEachIndex(result().sizes, [&](const Index &index) {
      Index place = position;
      place.append(index.begin(), index.end());
      if (isInside(operands[0].sizes, place))  // else poison
        result().at(index) = operands[0].at(place);
    });
    readWhole(1, operands.size());
  }

  void insert(vector::InsertOp o) {
    const Index position = positionOf(o.getStaticPosition(), 2);
    result() = operands[1];
    forEachIndex(operands[0].sizes, [&](const Index &index) {
      Index place = position;
      place.append(index.begin(), index.end());
      result().at(place) = operands[0].at(index);
    });
    readWhole(2, operands.size());
  }

  void shuffle(vector::ShuffleOp o) {
    const int64_t first = operands[0].sizes.empty() ? 1 : operands[0].sizes[0];
    const int64_t each =
        result().elements.size() / std::max<int64_t>(o.getMask().size(), 1);
    for (size_t lane = 0; lane < o.getMask().size(); ++lane) {
      int64_t from = o.getMask()[lane];
      if (from < 0) continue;
      const Tensor &source = operands[from < first ? 0 : 1];
      if (from >= first) from -= first;
      for (int64_t i = 0; i < each; ++i)
        result().elements[lane * each + i] = source.elements[from * each + i];
    }
  }

  void interleave() {
    for (size_t i = 0; i < result().elements.size(); ++i)
      result().elements[i] = operands[i % 2].elements[i / 2];
  }

  void deinterleave() {
    for (size_t i = 0; i < operands[0].elements.size(); ++i)
      results[i % 2].elements[i / 2] = operands[0].elements[i];
  }

  void scan(vector::ScanOp o) {
    const int64_t dim = o.getReductionDim();
    const int64_t count = operands[0].sizes[dim];
    forEachIndex(operands[1].sizes, [&](const Index &index) {
      Reads sum;
      if (!o.getInclusive()) sum = operands[1].at(index);
      Index place = index;
      place.insert(place.begin() + dim, 0);
      for (int64_t i = 0; i < count; ++i) {
        place[dim] = i;
        if (o.getInclusive()) unite(sum, operands[0].at(place));
        results[0].at(place) = sum;
        if (i + 1 == count) results[1].at(index) = sum;
        if (!o.getInclusive()) unite(sum, operands[0].at(place));
      }
    });
  }

  void gather() {
    const size_t rank = operands[0].sizes.size();
    forEachIndex(result().sizes, [&](const Index &index) {
      Index place;
      for (size_t k = 0; k < rank; ++k) place.push_back(values[1 + k][0]);
      place.back() += values[1 + rank][rowMajor(result().sizes, index)];
      Reads &reads = result().at(index);
      if (isInside(operands[0].sizes, place))
        unite(reads, operands[0].at(place));
      for (size_t k = 1 + rank; k < operands.size(); ++k)
        unite(reads, operands[k].at(index));
    });
    readWhole(1, 1 + rank);
  }

  /// The place in the tensor of a vector's element.
  Index transferPlace(mlir::AffineMap map, const Index &index, size_t first,
                      size_t rank) {
    Index place;
    for (size_t k = 0; k < rank; ++k) place.push_back(values[first + k][0]);
    for (size_t k = 0; k < map.getNumResults(); ++k)
      if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(k)))
        place[d.getPosition()] += index[k];
    return place;
  }

  /// The place in the mask: the tensor's dimensions that the vector has.
  Index maskPlace(mlir::AffineMap map, const Index &index) {
    Index place;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      for (size_t k = 0; k < map.getNumResults(); ++k)
        if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(k)))
          if (d.getPosition() == dim) place.push_back(index[k]);
    return place;
  }

  void transferRead(vector::TransferReadOp o) {
    const size_t rank = operands[0].sizes.size(), padding = rank + 1;
    const bool masked = operands.size() > padding + 1;
    forEachIndex(result().sizes, [&](const Index &index) {
      const Index place = transferPlace(o.getPermutationMap(), index, 1, rank);
      Reads &reads = result().at(index);
      const bool inside = isInside(operands[0].sizes, place);
      if (inside) unite(reads, operands[0].at(place));
      if (!inside || masked) unite(reads, operands[padding].elements[0]);
      if (masked)
        unite(reads, operands[padding + 1].at(
                         maskPlace(o.getPermutationMap(), index)));
    });
    readWhole(1, padding);
  }

  void transferWrite(vector::TransferWriteOp o) {
    const size_t rank = operands[1].sizes.size(), mask = rank + 2;
    result() = operands[1];
    forEachIndex(operands[0].sizes, [&](const Index &index) {
      const Index place = transferPlace(o.getPermutationMap(), index, 2, rank);
      if (!isInside(result().sizes, place)) return;
      Reads &reads = result().at(place);
      if (operands.size() == mask)
        reads = operands[0].at(index);
      else
        for (const Reads &more :
             {operands[0].at(index),
              operands[mask].at(maskPlace(o.getPermutationMap(), index))})
          unite(reads, more);
    });
    readWhole(2, mask);
  }
};

/// An op that has these operands.
std::vector<Tensor> interpretWith(mlir::Operation *op,
                                  const OperandValues &values,
                                  std::vector<Tensor> operands) {
  Run run{op, values, {}, {}};
  run.operands = std::move(operands);
  for (mlir::Type type : op->getResultTypes())
    run.results.emplace_back(sizesOf(type));
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case([&](vector::BroadcastOp) { run.broadcast(); })
      .Case([&](vector::TransposeOp o) { run.transpose(o); })
      .Case<vector::BitCastOp, vector::ShapeCastOp>(
          [&](mlir::Operation *) { run.bitcast(); })
      .Case([&](vector::MultiDimReductionOp o) { run.multiReduction(o); })
      .Case([&](vector::ContractionOp o) { run.contract(o); })
      .Case([&](vector::OuterProductOp) { run.outerProduct(); })
      .Case([&](vector::ExtractStridedSliceOp o) { run.extractSlice(o); })
      .Case([&](vector::InsertStridedSliceOp o) { run.insertSlice(o); })
      .Case([&](vector::ExtractOp o) { run.extract(o); })
      .Case([&](vector::InsertOp o) { run.insert(o); })
      .Case([&](vector::ShuffleOp o) { run.shuffle(o); })
      .Case([&](vector::InterleaveOp) { run.interleave(); })
      .Case([&](vector::DeinterleaveOp) { run.deinterleave(); })
      .Case([&](vector::ScanOp o) { run.scan(o); })
      .Case([&](vector::GatherOp) { run.gather(); })
      .Case([&](vector::TransferReadOp o) { run.transferRead(o); })
      .Case([&](vector::TransferWriteOp o) { run.transferWrite(o); })
      .Case([&](vector::FromElementsOp) {
        for (size_t i = 0; i < run.operands.size(); ++i)
          run.result().elements[i] = run.operands[i].elements[0];
      })
      .Case([&](vector::ToElementsOp) {
        for (size_t i = 0; i < run.results.size(); ++i)
          run.results[i].elements[0] = run.operands[0].elements[i];
      })
      .Default([&](mlir::Operation *) {
        run.readWhole(0, run.operands.size());  // reduction, create_mask
      });
  return run.results;
}

std::vector<Tensor> operandsOf(mlir::Operation *op) {
  std::vector<Tensor> operands;
  for (unsigned k = 0; k < op->getNumOperands(); ++k)
    operands.push_back(leafTensor(op->getOperand(k), k));
  return operands;
}

/// The op under the mask, and the mask at the lanes that it reads: those of its
/// first operand, or of the result, whichever has the mask's sizes; a transfer
/// has it as its last operand.
std::vector<Tensor> interpretMask(vector::MaskOp op,
                                  const OperandValues &values) {
  mlir::Operation *under = op.getMaskableOp();
  const std::vector<mlir::Value> leaves = leavesOf(op);
  std::vector<int64_t> numbers;
  OperandValues inside;
  for (mlir::Value value : under->getOperands()) {
    numbers.push_back(
        std::find(leaves.begin() + op->getNumOperands(), leaves.end(), value) -
        leaves.begin());
    inside.push_back(values[numbers.back()]);
  }
  std::vector<Tensor> operands = operandsOf(under);
  const bool isTransfer =
      llvm::isa<vector::TransferReadOp, vector::TransferWriteOp>(under);
  if (isTransfer) {
    operands.push_back(leafTensor(op.getMask(), operands.size()));
    numbers.push_back(0);
    inside.push_back(values[0]);
  }
  std::vector<Tensor> results =
      interpretWith(under, inside, std::move(operands));
  const Tensor mask = leafTensor(op.getMask(), 0);
  const bool ofResult =
      llvm::isa<vector::OuterProductOp, vector::GatherOp>(under);
  for (size_t e = 0; e < results[0].elements.size(); ++e) {
    Reads reads;
    for (const Read &read : results[0].elements[e]) {
      reads.push_back({numbers[read.operand], read.element});
      if (!ofResult && !isTransfer && read.operand == 0 &&
          mask.sizes == sizesOf(under->getOperand(0).getType()))
        reads.push_back({0, read.element});
    }
    if (ofResult) reads.push_back({0, static_cast<int64_t>(e)});
    results[0].elements[e] = reads;
  }
  return results;
}

}  // namespace

std::vector<Tensor> interpretVector(mlir::Operation *op,
                                    const OperandValues &values) {
  if (auto mask = llvm::dyn_cast<vector::MaskOp>(op))
    return interpretMask(mask, values);
  return interpretWith(op, values, operandsOf(op));
}

}  // namespace indexical::testing
