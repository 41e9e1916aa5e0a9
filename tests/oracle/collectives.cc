#include "tests/oracle/collectives.h"

#include <type_traits>
#include <variant>

#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

using Tensors = std::vector<Tensor>;
using Devices = std::vector<Tensors>;  // one list of leaves a member

/// `parts` one behind the other.
Tensor joined(const Tensors &parts, int64_t axis) {
  Index sizes = parts[0].sizes;
  sizes[axis] = 0;
  for (const Tensor &part : parts) sizes[axis] += part.sizes[axis];
  Tensor whole(sizes);
  int64_t offset = 0;
  for (const Tensor &part : parts) {
    forEachIndex(part.sizes, [&](const Index &index) {
      Index to = index;
      to[axis] += offset;
      whole.at(to) = part.at(index);
    });
    offset += part.sizes[axis];
  }
  return whole;
}

/// Cuts the tensor into `count` parts of one size.
Tensors cut(const Tensor &whole, int64_t count, int64_t axis) {
  Index sizes = whole.sizes;
  sizes[axis] /= count;
  Tensors parts(count, Tensor(sizes));
  for (int64_t p = 0; p < count; ++p)
    forEachIndex(sizes, [&](const Index &index) {
      Index from = index;
      from[axis] += p * sizes[axis];
      parts[p].at(index) = whole.at(from);
    });
  return parts;
}

/// Leaf k of all members, element by element.
Tensor combined(const Devices &operands, size_t k) {
  Tensor sum = operands[0][k];
  for (size_t m = 1; m < operands.size(); ++m)
    for (size_t i = 0; i < sum.elements.size(); ++i)
      unite(sum.elements[i], operands[m][k].elements[i]);
  return sum;
}

Devices run(const AllGatherOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  Devices results(operands.size());
  for (size_t k = 0; k < op.operands.size(); ++k) {
    Tensors parts;
    for (const Tensors &leaves : operands) parts.push_back(leaves[k]);
    for (Tensors &leaves : results)
      leaves.push_back(joined(parts, op.dimension));
  }
  return results;
}

Devices run(const AllReduceOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  Devices results(operands.size());
  for (size_t k = 0; k < op.operands.size(); ++k)
    for (Tensors &leaves : results) leaves.push_back(combined(operands, k));
  return results;
}

Devices run(const ReduceScatterOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  Devices results(operands.size());
  for (size_t k = 0; k < op.operands.size(); ++k) {
    Tensors parts = cut(combined(operands, k), operands.size(), op.dimension);
    for (size_t m = 0; m < results.size(); ++m) results[m].push_back(parts[m]);
  }
  return results;
}

Devices run(const AllToAllOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  const size_t members = operands.size();
  Devices results(members);
  if (!op.dimension) {
    for (size_t m = 0; m < members; ++m)
      for (size_t from = 0; from < members; ++from)
        results[m].push_back(operands[from][m]);
    return results;
  }
  for (size_t k = 0; k < op.operands.size(); ++k) {
    std::vector<Tensors> arriving(members);
    for (size_t from = 0; from < members; ++from) {
      Tensors parts = cut(operands[from][k], members, *op.dimension);
      for (size_t m = 0; m < members; ++m) arriving[m].push_back(parts[m]);
    }
    for (size_t m = 0; m < members; ++m)
      results[m].push_back(
          joined(arriving[m], op.joined.value_or(*op.dimension)));
  }
  return results;
}

Devices run(const CollectiveBroadcastOp &, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  return Devices(operands.size(), operands[0]);
}

Devices run(const CollectivePermuteOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues>) {
  Devices results(operands.size());
  for (Tensors &leaves : results)
    for (const ArrayShape &shape : op.results)
      leaves.emplace_back(shape.dimensions);
  for (const CollectivePermuteOp::Pair &pair : op.pairs)
    results[pair.target] = operands[pair.source];
  return results;
}

// Every member sends. Slices that begin outside of the operand or of the result
// are skipped.
Devices run(const RaggedAllToAllOp &op, const Devices &operands,
            llvm::ArrayRef<OperandValues> values) {
  const int64_t members = operands.size();
  const int64_t updates = op.operands[2].dimensions[0] / members;
  const int64_t rows = op.operands[0].dimensions[0];
  const int64_t resultRows = op.results[0].dimensions[0];
  Devices results;
  for (const Tensors &leaves : operands) results.push_back({leaves[1]});
  for (int64_t from = 0; from < members; ++from)
    for (int64_t to = 0; to < members; ++to)
      for (int64_t j = 0; j < updates; ++j) {
        const int64_t u = to * updates + j;
        const int64_t input = values[from][2][u], size = values[from][3][u];
        const int64_t output = values[from][4][u];
        Tensor &result = results[to][0];
        // All rows of a result depend on the offsets and the sizes.
        for (Reads &reads : result.elements)
          for (int64_t k : {2, 3, 4}) unite(reads, operands[from][k].at({u}));
        if (input < 0 || input >= rows || output < 0 || output >= resultRows ||
            size < 1 || size > rows)
          continue;
        forEachIndex(operands[from][0].sizes, [&](const Index &index) {
          if (index[0] < input || index[0] - input >= size) return;
          Index at = index;
          at[0] += output - input;
          if (at[0] < resultRows)
            unite(result.at(at), operands[from][0].at(index));
        });
      }
  for (int64_t m = 0; m < members; ++m)
    for (Reads &reads : results[m][0].elements)
      for (const Reads &size : operands[m][5].elements) unite(reads, size);
  return results;
}

template <typename T>
constexpr bool isCollective = std::is_base_of_v<CollectiveShapes, T> ||
                              std::is_same_v<T, CollectivePermuteOp>;

}  // namespace

std::vector<std::vector<Tensor>> evaluateMembers(
    const Op &op, int64_t members, llvm::ArrayRef<OperandValues> values) {
  const ShapeList &shapes = shapesOf(op).operands;
  Devices operands(members);
  for (int64_t m = 0; m < members; ++m)
    for (size_t k = 0; k < shapes.size(); ++k) {
      Tensor &tensor = operands[m].emplace_back(shapes[k].dimensions);
      const int64_t number = m * shapes.size() + k;
      for (size_t i = 0; i < tensor.elements.size(); ++i)
        tensor.elements[i].push_back({number, static_cast<int64_t>(i)});
    }
  Devices results = visitOp(
      [&](const auto &family) -> Devices {
        if constexpr (isCollective<std::decay_t<decltype(family)>>)
          return run(family, operands, values);
        else
          return {};
      },
      op);
  for (Tensors &leaves : results)
    for (Tensor &leaf : leaves)
      for (Reads &reads : leaf.elements) normalize(reads);
  return results;
}

}  // namespace indexical::testing
