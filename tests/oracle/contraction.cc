// Contractions with scales and with groups.
#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

/// Each element of `operand` multiplied by its block's scale.
Tensor scaled(const Tensor &operand, const Tensor &scale) {
  Tensor product = operand;
  forEachIndex(operand.sizes, [&](const Index &index) {
    Index block;
    for (size_t k = 0; k < scale.sizes.size(); ++k)
      block.push_back(index[k] / (operand.sizes[k] / scale.sizes[k]));
    unite(product.at(index), scale.at(block));
  });
  return product;
}

/// The group of each row, found by dealing the rows out one by one.
class Owners {
 public:
  Owners(const RaggedDotOp &op, const Tensors &operands,
         llvm::ArrayRef<int64_t> values)
      : op(op),
        lhs(operands[0]),
        sizes(operands[2]),
        values(values),
        ragged(op.lhsRagged[0]) {}

  /// Returns the coordinates of the lhs element by which sizes may differ.
  Index prefix(const Index &left) const {
    Index at;
    if (sizes.sizes.size() == 1) return at;
    for (int64_t k : op.lhsBatch) {
      if (k == ragged) return at;
      at.push_back(left[k]);
    }
    if (llvm::is_contained(op.lhsContracting, ragged)) {
      for (int64_t k : op.lhsContracting) {
        if (k == ragged) return at;
        at.push_back(left[k]);
      }
    }
    for (int64_t k = 0; k < ragged; ++k)
      if (!llvm::is_contained(op.lhsBatch, k) &&
          !llvm::is_contained(op.lhsContracting, k))
        at.push_back(left[k]);
    return at;
  }

  /// Returns the group of the lhs element's row, or -1.
  int64_t operator()(const Index &left) const {
    Index at = prefix(left);
    at.push_back(0);
    std::vector<int64_t> owner;
    for (; at.back() < sizes.sizes.back(); ++at.back())
      for (int64_t n = values[rowMajor(sizes.sizes, at)];
           n > 0 && static_cast<int64_t>(owner.size()) < lhs.sizes[ragged]; --n)
        owner.push_back(at.back());
    owner.resize(lhs.sizes[ragged], -1);
    return owner[left[ragged]];
  }

 private:
  const RaggedDotOp &op;
  const Tensor &lhs, &sizes;
  llvm::ArrayRef<int64_t> values;
  const int64_t ragged;
};

/// Sets the result's index, without a group, for a pair of operand elements.
/// Returns false if the elements are not multiplied. Dimensions of the rhs that
/// number groups do not count as free ones.
bool meet(const DotDimensions &op, llvm::ArrayRef<int64_t> rhsGroup,
          const Index &left, const Index &right, Index &to) {
  for (size_t k = 0; k < op.lhsContracting.size(); ++k)
    if (left[op.lhsContracting[k]] != right[op.rhsContracting[k]]) return false;
  for (size_t k = 0; k < op.lhsBatch.size(); ++k) {
    if (left[op.lhsBatch[k]] != right[op.rhsBatch[k]]) return false;
    to.push_back(left[op.lhsBatch[k]]);
  }
  for (size_t k = 0; k < left.size(); ++k)
    if (!llvm::is_contained(op.lhsBatch, k) &&
        !llvm::is_contained(op.lhsContracting, k))
      to.push_back(left[k]);
  for (size_t k = 0; k < right.size(); ++k)
    if (!llvm::is_contained(op.rhsBatch, k) &&
        !llvm::is_contained(op.rhsContracting, k) &&
        !llvm::is_contained(rhsGroup, k))
      to.push_back(right[k]);
  return true;
}

/// Adds to every result element the reads of the sizes with its coordinates.
void readSizes(const RaggedDotOp &op, const Tensors &operands, Tensor &result) {
  const Tensor &sizes = operands[2];
  const bool leading = llvm::is_contained(op.lhsContracting, op.lhsRagged[0]);
  const bool batch = llvm::is_contained(op.lhsBatch, op.lhsRagged[0]);
  // With the contracting coordinates free, the others are the result's, behind
  // its groups: batch dimensions first, then the free ones of the lhs.
  Index names;  // for each dimension of the sizes, the result's, or -1
  if (sizes.sizes.size() > 1) {
    for (size_t b = 0; b < op.lhsBatch.size(); ++b) {
      if (op.lhsBatch[b] == op.lhsRagged[0]) break;
      names.push_back(leading + b);
    }
    int64_t next = op.lhsBatch.size();
    for (int64_t k = 0; !leading && !batch && k < op.lhsRagged[0]; ++k)
      if (!llvm::is_contained(op.lhsBatch, k) &&
          !llvm::is_contained(op.lhsContracting, k))
        names.push_back(next++);
  }
  names.resize(sizes.sizes.size(), -1);
  forEachIndex(result.sizes, [&](const Index &to) {
    forEachIndex(sizes.sizes, [&](const Index &at) {
      for (size_t k = 0; k < at.size(); ++k)
        if (names[k] >= 0 && at[k] != to[names[k]]) return;
      unite(result.at(to), sizes.at(at));
    });
  });
}

}  // namespace

Tensors define(const DotOp &op, const Tensors &operands) {
  const Tensor &lhs = operands[0], &rhs = operands[1];
  Tensors results = emptyResults(op);
  forEachIndex(lhs.sizes, [&](const Index &left) {
    forEachIndex(rhs.sizes, [&](const Index &right) {
      Index to;
      if (!meet(op, {}, left, right, to)) return;
      unite(results[0].at(to), lhs.at(left));
      unite(results[0].at(to), rhs.at(right));
    });
  });
  return results;
}

Tensors define(const ScaledDotOp &op, const Tensors &operands) {
  DotOp dot;
  static_cast<DotDimensions &>(dot) = op;
  dot.results = op.results;
  return define(dot, {scaled(operands[0], operands[2]),
                      scaled(operands[1], operands[3])});
}

Tensors define(const RaggedDotOp &op, const Tensors &operands,
               const OperandValues &values) {
  const Tensor &lhs = operands[0], &rhs = operands[1];
  const Owners owners(op, operands, values[2]);
  const bool batch = llvm::is_contained(op.lhsBatch, op.lhsRagged[0]);
  Tensors results = emptyResults(op);
  forEachIndex(lhs.sizes, [&](const Index &left) {
    const int64_t owner = batch ? -1 : owners(left);
    if (!batch && owner < 0) return;
    forEachIndex(rhs.sizes, [&](const Index &right) {
      Index to;
      if (!batch && op.rhsGroup.empty()) to.push_back(owner);
      for (int64_t k : op.rhsGroup)
        if (right[k] != owner) return;
      if (!meet(op, op.rhsGroup, left, right, to)) return;
      unite(results[0].at(to), lhs.at(left));
      unite(results[0].at(to), rhs.at(right));
    });
  });
  readSizes(op, operands, results[0]);
  return results;
}

}  // namespace indexical::testing
