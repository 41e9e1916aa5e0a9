// Ops that are algorithms: they are run, step by step, on tensors of reads.
#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

/// The index with other values in the last two dimensions.
Index placeIn(const Index &matrix, int64_t row, int64_t column) {
  Index index = matrix;
  index.push_back(row);
  index.push_back(column);
  return index;
}

/// Calls `visit` with the batch index of each matrix.
template <typename Visit>
void forEachMatrix(const Tensor &tensor, Visit visit) {
  Index batch(tensor.sizes.begin(), tensor.sizes.end() - 2);
  forEachIndex(batch, visit);
}

/// Replaces every line of the tensor along the dimension by one of size `size`:
/// each element of the new line reads all elements of the old one.
Tensor transformed(const Tensor &tensor, int64_t dimension, int64_t size) {
  Index sizes = tensor.sizes;
  sizes[dimension] = size;
  Tensor result{sizes};
  forEachIndex(sizes, [&](const Index &to) {
    Index from = to;
    for (int64_t i = 0; i < tensor.sizes[dimension]; ++i) {
      from[dimension] = i;
      unite(result.at(to), tensor.at(from));
    }
    normalize(result.at(to));
  });
  return result;
}

//===-- Arithmetic of batch normalization ---------------------------------===//

/// Elementwise, of tensors of one shape.
Tensor combined(const Tensor &a, const Tensor &b) {
  Tensor result = a;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    unite(result.elements[i], b.elements[i]);
    normalize(result.elements[i]);
  }
  return result;
}

/// One value a feature, for every element.
Tensor broadcast(const Tensor &values, int64_t feature, const Tensor &like) {
  Tensor result{like.sizes};
  forEachIndex(like.sizes, [&](const Index &index) {
    result.at(index) = values.at({index[feature]});
  });
  return result;
}

Tensor sumOf(const Tensor &tensor, int64_t feature) {
  Tensor result{{tensor.sizes[feature]}};
  forEachIndex(tensor.sizes, [&](const Index &index) {
    unite(result.at({index[feature]}), tensor.at(index));
  });
  for (Reads &reads : result.elements) normalize(reads);
  return result;
}

Tensor normalized(const BatchNormOp &op, const Tensor &operand,
                  const Tensor &scale, const Tensor &offset, const Tensor &mean,
                  const Tensor &variance) {
  auto bcast = [&](const Tensor &values) {
    return broadcast(values, op.featureIndex, operand);
  };
  const Tensor centered = combined(operand, bcast(mean));
  const Tensor divided = combined(centered, bcast(variance));
  return combined(combined(bcast(scale), divided), bcast(offset));
}

Tensors gradients(const BatchNormOp &op, const Tensors &operands) {
  const Tensor &operand = operands[0], &gradOutput = operands[4];
  auto bcast = [&](const Tensor &values) {
    return broadcast(values, op.featureIndex, operand);
  };
  const Tensor centered = combined(operand, bcast(operands[2]));
  const Tensor stddev = bcast(operands[3]);
  const Tensor normal = combined(centered, stddev);
  const Tensor i2 = bcast(sumOf(gradOutput, op.featureIndex));
  const Tensor i3 =
      bcast(sumOf(combined(gradOutput, centered), op.featureIndex));
  const Tensor i5 = combined(combined(i3, centered), stddev);
  const Tensor i6 = combined(combined(gradOutput, i2), i5);
  return {combined(combined(bcast(operands[1]), stddev), i6),
          sumOf(combined(gradOutput, normal), op.featureIndex),
          sumOf(gradOutput, op.featureIndex)};
}

}  // namespace

Tensors define(const SortOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  for (Tensor &result : results)
    for (const Tensor &operand : operands) {
      Tensor lines =
          transformed(operand, op.dimension, operand.sizes[op.dimension]);
      result = combined(result, lines);
    }
  return results;
}

Tensors define(const TopKOp &op, const Tensors &operands) {
  Tensor top = transformed(operands[0], operands[0].sizes.size() - 1, op.k);
  return {top, top};
}

/// Dimension by dimension. The last one is halved first, or made whole last.
Tensors define(const FftOp &op, const Tensors &operands) {
  Tensor tensor = operands[0];
  const int64_t last = tensor.sizes.size() - 1;
  const int64_t first = last + 1 - op.lengths.size();
  const int64_t lastSize = op.results[0].dimensions.back();
  const bool halvesFirst = op.kind == FftOp::Kind::Rfft;
  if (halvesFirst) tensor = transformed(tensor, last, lastSize);
  for (int64_t k = first; k < last; ++k)
    tensor = transformed(tensor, k, tensor.sizes[k]);
  if (!halvesFirst) tensor = transformed(tensor, last, lastSize);
  return {tensor};
}

Tensors define(const BatchNormOp &op, const Tensors &operands) {
  const Tensor &operand = operands[0];
  switch (op.kind) {
    case BatchNormOp::Kind::Inference:
      return {normalized(op, operand, operands[1], operands[2], operands[3],
                         operands[4])};
    case BatchNormOp::Kind::Gradient:
      return gradients(op, operands);
    case BatchNormOp::Kind::Training:
      break;
  }
  const Tensor mean = sumOf(operand, op.featureIndex);
  const Tensor centered =
      combined(operand, broadcast(mean, op.featureIndex, operand));
  const Tensor variance = sumOf(centered, op.featureIndex);
  return {normalized(op, operand, operands[1], operands[2], mean, variance),
          mean, variance};
}

/// Column by column: l[i, j] = (a[i, j] - sum of l[i, q] * l[j, q]) / l[j, j].
Tensors define(const CholeskyOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const int64_t n = operands[0].sizes.back();
  forEachMatrix(operands[0], [&](const Index &batch) {
    auto place = [&](int64_t row, int64_t column) {
      return op.lower ? placeIn(batch, row, column)
                      : placeIn(batch, column, row);
    };
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = j; i < n; ++i) {
        Reads &element = results[0].at(place(i, j));
        element = operands[0].at(place(i, j));
        for (int64_t q = 0; q < j; ++q) {
          unite(element, Reads(results[0].at(place(i, q))));
          unite(element, Reads(results[0].at(place(j, q))));
        }
        if (i > j) unite(element, Reads(results[0].at(place(j, j))));
        normalize(element);
      }
  });
  return results;
}

/// Substitution, in an order that is found by looking at the matrix: a line is
/// solved once all lines that its equation names are.
Tensors define(const TriangularSolveOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const Tensor &a = operands[0], &b = operands[1];
  const int64_t n = a.sizes.back();
  const int64_t across = b.sizes[b.sizes.size() - (op.leftSide ? 1 : 2)];
  // Coefficient c of equation e: an element of a, which is zero outside of the
  // triangle, or known to be one.
  auto coefficient = [&](int64_t e, int64_t c) {
    const bool turned = op.transposed == op.leftSide;
    return turned ? std::make_pair(c, e) : std::make_pair(e, c);
  };
  auto isThere = [&](std::pair<int64_t, int64_t> at) {
    return op.lower ? at.first >= at.second : at.first <= at.second;
  };
  forEachMatrix(b, [&](const Index &batch) {
    std::vector<bool> solved(n, false);
    for (int64_t step = 0; step < n; ++step) {
      int64_t e = 0;
      for (; e < n; ++e) {
        bool ready = !solved[e];
        for (int64_t c = 0; ready && c < n; ++c)
          ready = c == e || solved[c] || !isThere(coefficient(e, c));
        if (ready) break;
      }
      solved[e] = true;
      for (int64_t x = 0; x < across; ++x) {
        auto place = [&](int64_t line) {
          return op.leftSide ? placeIn(batch, line, x)
                             : placeIn(batch, x, line);
        };
        Reads &element = results[0].at(place(e));
        element = b.at(place(e));
        for (int64_t c = 0; c < n; ++c) {
          const auto at = coefficient(e, c);
          if (!isThere(at)) continue;
          if (c != e || !op.unitDiagonal)
            unite(element, a.at(placeIn(batch, at.first, at.second)));
          if (c != e) unite(element, Reads(results[0].at(place(c))));
        }
        normalize(element);
      }
    }
  });
  return results;
}

}  // namespace indexical::testing
