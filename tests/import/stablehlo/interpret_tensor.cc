#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "tests/import/stablehlo/upstream_interpreter.h"

namespace indexical::testing {
namespace {

namespace tensor = mlir::tensor;
using mlir::ShapedType;

/// Numbers of which some are operands, from operand `next` on.
Index numbers(llvm::ArrayRef<int64_t> list, const OperandValues &values,
              size_t &next) {
  Index made;
  for (int64_t value : list)
    made.push_back(ShapedType::isDynamic(value) ? values[next++][0] : value);
  return made;
}

struct Run {
  mlir::Operation *op;
  const OperandValues &values;
  std::vector<Tensor> operands;
  Tensor result;

  /// Every element reads the operands from `first` on whole.
  std::vector<Tensor> finish(size_t first) {
    for (size_t k = first; k < op->getNumOperands(); ++k)
      for (Reads &reads : result.elements)
        unite(reads, wholeLeaf(op->getOperand(k), k));
    return {result};
  }

  Index point(size_t first, size_t rank) const {
    Index index;
    for (size_t k = 0; k < rank; ++k) index.push_back(values[first + k][0]);
    return index;
  }

  std::vector<Tensor> extract(tensor::ExtractOp) {
    result.elements[0] = operands[0].at(point(1, operands[0].sizes.size()));
    return finish(1);
  }

  std::vector<Tensor> insert(tensor::InsertOp) {
    result = operands[1];
    result.at(point(2, result.sizes.size())) = operands[0].elements[0];
    return finish(2);
  }

  std::vector<Tensor> fromElements(tensor::FromElementsOp) {
    for (size_t i = 0; i < result.elements.size(); ++i)
      result.elements[i] = operands[i].elements[0];
    return {result};
  }

  /// Visits (index in the smaller tensor, index in the larger one).
  template <typename SliceOp, typename Visit>
  void slice(SliceOp op, size_t next, const Index &larger, const Index &smaller,
             Visit visit) {
    const Index offsets = numbers(op.getStaticOffsets(), values, next);
    const Index sizes = numbers(op.getStaticSizes(), values, next);
    const Index strides = numbers(op.getStaticStrides(), values, next);
    int64_t place = 0;
    (void)larger;
    forEachIndex(sizes, [&](const Index &index) {
      Index large;
      for (size_t k = 0; k < index.size(); ++k)
        large.push_back(offsets[k] + index[k] * strides[k]);
      // Dropping dimensions of size 1 keeps the order of the elements.
      Index small(smaller.size());
      for (int64_t k = smaller.size() - 1, rest = place++; k >= 0; --k) {
        small[k] = rest % smaller[k];
        rest /= smaller[k];
      }
      visit(small, large);
    });
  }

  std::vector<Tensor> extractSlice(tensor::ExtractSliceOp op) {
    slice(op, 1, operands[0].sizes, result.sizes,
          [&](const Index &small, const Index &large) {
            result.at(small) = operands[0].at(large);
          });
    return finish(1);
  }

  std::vector<Tensor> insertSlice(tensor::InsertSliceOp op) {
    result = operands[1];
    slice(op, 2, result.sizes, operands[0].sizes,
          [&](const Index &small, const Index &large) {
            result.at(large) = operands[0].at(small);
          });
    return finish(2);
  }

  /// Also expand_shape, collapse_shape: the order of the elements is kept.
  std::vector<Tensor> reshape(mlir::Operation *) {
    result.elements = operands[0].elements;
    return finish(1);
  }

  std::vector<Tensor> pad(tensor::PadOp op) {
    size_t next = 1;
    const Index low = numbers(op.getStaticLow(), values, next);
    const std::vector<mlir::Value> leaves = leavesOf(op);
    forEachIndex(result.sizes, [&](const Index &index) {
      Index place;
      for (size_t k = 0; k < index.size(); ++k)
        place.push_back(index[k] - low[k]);
      if (isInside(operands[0].sizes, place))
        result.at(index) = operands[0].at(place);
      else
        result.at(index) = body(leaves, index);
    });
    return finish(1);
  }

  Reads body(const std::vector<mlir::Value> &leaves, const Index &index) {
    std::vector<Cell> arguments;
    for (int64_t i : index) arguments.push_back({{}, i});
    return runRegion(op->getRegion(0), arguments, {}, leaves, values)[0].reads;
  }

  std::vector<Tensor> generate(tensor::GenerateOp op) {
    const std::vector<mlir::Value> leaves = leavesOf(op);
    forEachIndex(result.sizes, [&](const Index &index) {
      result.at(index) = body(leaves, index);
    });
    return finish(0);
  }

  std::vector<Tensor> concat(tensor::ConcatOp op) {
    int64_t start = 0;
    for (const Tensor &part : operands) {
      forEachIndex(part.sizes, [&](const Index &index) {
        Index place = index;
        place[op.getDim()] += start;
        result.at(place) = part.at(index);
      });
      start += part.sizes[op.getDim()];
    }
    return {result};
  }

  /// Calls visit(index in the tensor of slices, index in the tensor indexed).
  template <typename Visit>
  void gathered(llvm::ArrayRef<int64_t> named, size_t indices,
                const Index &slices, const Index &indexed, Visit visit) {
    const Index &shape = operands[indices].sizes;
    const size_t batch = shape.size() - 1;
    const bool keeps = slices.size() == batch + indexed.size();
    forEachIndex(slices, [&](const Index &index) {
      Index vector(index.begin(), index.begin() + batch), place;
      size_t next = batch;
      for (int64_t k = 0; k < static_cast<int64_t>(indexed.size()); ++k) {
        const auto *found = std::find(named.begin(), named.end(), k);
        if (found == named.end()) {
          place.push_back(index[next++]);
          continue;
        }
        if (keeps) ++next;
        Index component = vector;
        component.push_back(found - named.begin());
        place.push_back(values[indices][rowMajor(shape, component)]);
      }
      visit(index, place, vector);
    });
  }

  std::vector<Tensor> gather(tensor::GatherOp op) {
    gathered(op.getGatherDims(), 1, result.sizes, operands[0].sizes,
             [&](const Index &index, const Index &place, Index vector) {
               result.at(index) = operands[0].at(place);
               vector.push_back(0);
               for (; vector.back() < operands[1].sizes.back(); ++vector.back())
                 unite(result.at(index), operands[1].at(vector));
             });
    return {result};
  }

  std::vector<Tensor> scatter(tensor::ScatterOp op) {
    result = operands[1];
    gathered(op.getScatterDims(), 2, operands[0].sizes, result.sizes,
             [&](const Index &index, const Index &place, const Index &) {
               result.at(place) = operands[0].at(index);
             });
    return finish(2);
  }
};

}  // namespace

std::vector<Tensor> interpretTensor(mlir::Operation *op,
                                    const OperandValues &values) {
  Run run{op, values, {}, Tensor(sizesOf(op->getResult(0).getType()))};
  for (unsigned k = 0; k < op->getNumOperands(); ++k)
    run.operands.push_back(leafTensor(op->getOperand(k), k));
  return llvm::TypeSwitch<mlir::Operation *, std::vector<Tensor>>(op)
      .Case([&](tensor::ExtractOp o) { return run.extract(o); })
      .Case([&](tensor::InsertOp o) { return run.insert(o); })
      .Case([&](tensor::FromElementsOp o) { return run.fromElements(o); })
      .Case([&](tensor::ExtractSliceOp o) { return run.extractSlice(o); })
      .Case([&](tensor::InsertSliceOp o) { return run.insertSlice(o); })
      .Case([&](tensor::PadOp o) { return run.pad(o); })
      .Case([&](tensor::GenerateOp o) { return run.generate(o); })
      .Case([&](tensor::ConcatOp o) { return run.concat(o); })
      .Case([&](tensor::GatherOp o) { return run.gather(o); })
      .Case([&](tensor::ScatterOp o) { return run.scatter(o); })
      .Case<tensor::EmptyOp, tensor::SplatOp>(
          [&](mlir::Operation *) { return run.finish(0); })
      .Case<tensor::DimOp, tensor::RankOp>(
          [&](mlir::Operation *) { return run.finish(1); })
      .Default([&](mlir::Operation *o) { return run.reshape(o); });
}

}  // namespace indexical::testing
