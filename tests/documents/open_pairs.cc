#include "tests/documents/open_pairs.h"

namespace indexical::testing {

using absl::StrCat;
using absl::StrJoin;

std::optional<OpenStep> OpenSteps::drawOne(int64_t rank) {
  switch (random_.in(0, 12)) {
    case 0:
    case 1:
      return reverse(rank);
    case 2:
      if (rank == 2) return transpose();
      return std::nullopt;
    case 3:
    case 4:
      return broadcast(rank, /*ofSizes=*/false);
    case 5:
      return reshape(rank);
    case 6:
      return pad(rank, /*isDynamic=*/!random_.oneIn(3));
    case 7:
      return slice(rank);
    case 8:
      return gather(rank);
    case 9:
      return iota(rank);
    case 10:
      if (rank != otherRank_) return std::nullopt;
      return random_.oneIn(2) ? addOther() : concatenate();
    case 11:
      if (rank != 2) return std::nullopt;
      if (otherRank_ == 1 && random_.oneIn(2)) return dot();
      return reduce(rank);
    default:
      return broadcast(rank, /*ofSizes=*/true);
  }
}

OpenStep OpenSteps::reverse(int64_t rank) {
  Numbers dims;
  for (int64_t k = 0; k < rank; ++k)
    if (random_.oneIn(2)) dims.push_back(k);
  if (dims.empty()) dims.push_back(0);
  return {rank, rank, "reverse",
          [=](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.reverse ", from, ", dims = [",
                          StrJoin(dims, ", "), "] : ", type(rank), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            return make(from.sizes, {}, numbers, [&](Numbers index) {
              for (int64_t k : dims) index[k] = from.sizes[k] - 1 - index[k];
              return from.reads.at(index);
            });
          }};
}

OpenStep OpenSteps::transpose() {
  return {2, 2, "transpose",
          [](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.transpose ", from,
                          ", dims = [1, 0] : (", type(2), ") -> ", type(2),
                          "\n");
          },
          [](const RunArray &from,
             const RunNumbers &numbers) -> std::optional<RunArray> {
            return make({from.sizes[1], from.sizes[0]}, {}, numbers,
                        [&](const Numbers &index) {
                          return from.reads.at({index[1], index[0]});
                        });
          }};
}

/// C5: an operand's size is 1 or the result's. C7: the sizes are the list.
/// `ofSizes`: they are sizes of y.
OpenStep OpenSteps::broadcast(int64_t rank, bool ofSizes) {
  const int64_t after = random_.in(rank, 2);
  Numbers dims;
  for (int64_t k = 0; k < rank; ++k) dims.push_back(k);
  if (after > rank && random_.oneIn(2)) dims[0] = 1;
  if (rank == 2 && random_.oneIn(4)) std::swap(dims[0], dims[1]);
  Numbers sizesOf;
  for (int64_t k = 0; k < after; ++k)
    sizesOf.push_back(random_.in(0, otherRank_ - 1));
  const std::string sizes = ofSizes ? "" : list(after);
  const int64_t other = otherRank_;
  auto text = [=](const std::string &from, const std::string &to) {
    std::string made, operand = "%" + sizes, element = "i64";
    if (ofSizes) {
      std::vector<std::string> parts;
      for (size_t k = 0; k < sizesOf.size(); ++k) {
        const std::string d = StrCat(to, "_d", k), r = StrCat(to, "_r", k);
        absl::StrAppend(&made, "  ", d,
                        " = stablehlo.get_dimension_size %y, dim = ",
                        sizesOf[k], " : (", type(other), ") -> tensor<i32>\n");
        absl::StrAppend(&made, "  ", r, " = stablehlo.reshape ", d,
                        " : (tensor<i32>) -> tensor<1xi32>\n");
        parts.push_back(r);
      }
      operand = parts[0], element = "i32";
      if (after == 2) {
        operand = to + "_s";
        absl::StrAppend(&made, "  ", operand, " = stablehlo.concatenate ",
                        StrJoin(parts, ", "),
                        ", dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
                        "tensor<2xi32>\n");
      }
    }
    return StrCat(made, "  ", to, " = stablehlo.dynamic_broadcast_in_dim ",
                  from, ", ", operand, ", dims = [", StrJoin(dims, ", "),
                  "] : (", type(rank), ", tensor<", after, "x", element,
                  ">) -> ", type(after), "\n");
  };
  auto run = [=](const RunArray &from,
                 const RunNumbers &numbers) -> std::optional<RunArray> {
    Numbers to;
    std::vector<std::string> lists;
    if (ofSizes) {
      for (int64_t k : sizesOf) to.push_back(numbers.sizes.at("y")[k]);
    } else {
      to = numbers.lists.at(sizes);
      lists = {sizes};
    }
    for (int64_t size : to)
      if (size < 0) return std::nullopt;
    for (size_t k = 0; k < dims.size(); ++k)
      if (from.sizes[k] != 1 && from.sizes[k] != to[dims[k]])
        return std::nullopt;
    return make(to, lists, numbers, [&](const Numbers &index) {
      Numbers at;
      for (size_t k = 0; k < dims.size(); ++k)
        at.push_back(from.sizes[k] == 1 ? 0 : index[dims[k]]);
      return from.reads.at(at);
    });
  };
  return {rank, after, "broadcast", text, run};
}

/// C2: the number of elements stays. C4: the sizes are the list.
OpenStep OpenSteps::reshape(int64_t rank) {
  const int64_t after = random_.in(1, 2);
  const std::string sizes = list(after);
  return {rank, after, "reshape",
          [=](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.dynamic_reshape ", from,
                          ", %", sizes, " : (", type(rank), ", ",
                          listType(after), ") -> ", type(after), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            const Numbers to = numbers.lists.at(sizes);
            int64_t had = 1, has = 1;
            for (int64_t size : from.sizes) had *= size;
            for (int64_t size : to) {
              if (size < 0) return std::nullopt;
              has *= size;
            }
            if (had != has) return std::nullopt;
            return make(to, {sizes}, numbers, [&](const Numbers &index) {
              return from.reads.at(delinear(linear(index, to), from.sizes));
            });
          }};
}

/// C3: the interior padding is not negative. C4: the sizes. Of dynamic_pad the
/// amounts are lists; negative padding removes elements.
OpenStep OpenSteps::pad(int64_t rank, bool isDynamic) {
  std::vector<std::string> lists;
  std::vector<Numbers> amounts(3, Numbers(rank));
  for (size_t n = 0; n < 3; ++n) {
    if (isDynamic) lists.push_back(list(rank));
    for (int64_t &amount : amounts[n])
      amount = n == 2 ? random_.in(0, 1) : random_.in(-1, 2);
  }
  auto text = [=](const std::string &from, const std::string &to) {
    const std::string zero = to + "_z";
    std::string made =
        StrCat("  ", zero, " = stablehlo.constant dense<0.0> : tensor<f32>\n");
    if (isDynamic) {
      std::vector<std::string> types(3, listType(rank));
      return StrCat(made, "  ", to, " = stablehlo.dynamic_pad ", from, ", ",
                    zero, ", %", StrJoin(lists, ", %"), " : (", type(rank),
                    ", tensor<f32>, ", StrJoin(types, ", "), ") -> ",
                    type(rank), "\n");
    }
    return StrCat(made, "  ", to, " = stablehlo.pad ", from, ", ", zero,
                  ", low = [", StrJoin(amounts[0], ", "), "], high = [",
                  StrJoin(amounts[1], ", "), "], interior = [",
                  StrJoin(amounts[2], ", "), "] : (", type(rank),
                  ", tensor<f32>) -> ", type(rank), "\n");
  };
  auto run = [=](const RunArray &from,
                 const RunNumbers &numbers) -> std::optional<RunArray> {
    std::vector<Numbers> of = amounts;
    if (isDynamic)
      for (size_t n = 0; n < 3; ++n) of[n] = numbers.lists.at(lists[n]);
    Numbers to;
    for (int64_t k = 0; k < rank; ++k) {
      if (of[2][k] < 0) return std::nullopt;
      const int64_t inner = std::max<int64_t>(from.sizes[k] - 1, 0) * of[2][k];
      to.push_back(from.sizes[k] + of[0][k] + inner + of[1][k]);
      if (to.back() < 0) return std::nullopt;
    }
    return make(to, lists, numbers, [&](const Numbers &index) {
      Numbers at;
      for (int64_t k = 0; k < rank; ++k) {
        const int64_t place = index[k] - of[0][k], step = of[2][k] + 1;
        if (place < 0 || place % step != 0 || place / step >= from.sizes[k])
          return std::set<RunArray::Element>();
        at.push_back(place / step);
      }
      return from.reads.at(at);
    });
  };
  return {rank, rank, "pad", text, run};
}

/// C3: 0 <= start <= limit <= size. C4: the strides are positive.
OpenStep OpenSteps::slice(int64_t rank) {
  const std::vector<std::string> lists = {list(rank), list(rank), list(rank)};
  return {rank, rank, "slice",
          [=](const std::string &from, const std::string &to) {
            std::vector<std::string> types(3, listType(rank));
            return StrCat("  ", to, " = stablehlo.real_dynamic_slice ", from,
                          ", %", StrJoin(lists, ", %"), " : (", type(rank),
                          ", ", StrJoin(types, ", "), ") -> ", type(rank),
                          "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            const Numbers start = numbers.lists.at(lists[0]);
            const Numbers limit = numbers.lists.at(lists[1]);
            const Numbers stride = numbers.lists.at(lists[2]);
            Numbers to;
            for (int64_t k = 0; k < rank; ++k) {
              if (start[k] < 0 || start[k] > limit[k] ||
                  limit[k] > from.sizes[k] || stride[k] <= 0)
                return std::nullopt;
              to.push_back((limit[k] - start[k] + stride[k] - 1) / stride[k]);
            }
            return make(to, lists, numbers, [&](const Numbers &index) {
              Numbers at;
              for (int64_t k = 0; k < rank; ++k)
                at.push_back(start[k] + index[k] * stride[k]);
              return from.reads.at(at);
            });
          }};
}

/// A gather of one slice at index 0. C8: a slice fits. C13: the result's sizes.
OpenStep OpenSteps::gather(int64_t rank) {
  const std::string sizes = list(rank);
  return {
      rank, rank, "gather",
      [=](const std::string &from, const std::string &to) {
        const std::string start = to + "_i";
        Numbers offsets;
        for (int64_t k = 0; k < rank; ++k) offsets.push_back(k);
        return StrCat(
            "  ", start, " = stablehlo.constant dense<0> : tensor<1xi64>\n  ",
            to, " = \"stablehlo.dynamic_gather\"(", from, ", ", start, ", %",
            sizes, ") <{dimension_numbers = #stablehlo.gather<offset_dims = [",
            StrJoin(offsets, ", "),
            "], start_index_map = [0], index_vector_dim = 0>, "
            "indices_are_sorted = false}> : (",
            type(rank), ", tensor<1xi64>, ", listType(rank), ") -> ",
            type(rank), "\n");
      },
      [=](const RunArray &from,
          const RunNumbers &numbers) -> std::optional<RunArray> {
        const Numbers to = numbers.lists.at(sizes);
        for (int64_t k = 0; k < rank; ++k)
          if (to[k] < 0 || to[k] > from.sizes[k]) return std::nullopt;
        return make(to, {sizes}, numbers,
                    [&](const Numbers &index) { return from.reads.at(index); });
      }};
}

/// The sum with an iota of the list's sizes.
OpenStep OpenSteps::iota(int64_t rank) {
  const std::string sizes = list(rank);
  const int64_t dimension = random_.in(0, rank - 1);
  return {rank, rank, "iota",
          [=](const std::string &from, const std::string &to) {
            const std::string i = to + "_i";
            return StrCat("  ", i, " = stablehlo.dynamic_iota %", sizes,
                          ", dim = ", dimension, " : (", listType(rank),
                          ") -> ", type(rank), "\n  ", to, " = stablehlo.add ",
                          from, ", ", i, " : ", type(rank), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            if (numbers.lists.at(sizes) != from.sizes) return std::nullopt;
            return make(
                from.sizes, {sizes}, numbers,
                [&](const Numbers &index) { return from.reads.at(index); });
          }};
}

OpenStep OpenSteps::addOther() {
  const int64_t rank = otherRank_;
  return {rank, rank, "add",
          [=](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.add ", from,
                          ", %y : ", type(rank), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            const RunArray other = parameter("y", numbers);
            if (other.sizes != from.sizes) return std::nullopt;
            return make(from.sizes, {}, numbers, [&](const Numbers &index) {
              auto reads = from.reads.at(index);
              const auto &more = other.reads.at(index);
              reads.insert(more.begin(), more.end());
              return reads;
            });
          }};
}

OpenStep OpenSteps::concatenate() {
  const int64_t rank = otherRank_;
  const int64_t along = random_.in(0, rank - 1);
  return {rank, rank, "concatenate",
          [=](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.concatenate ", from,
                          ", %y, dim = ", along, " : (", type(rank), ", ",
                          type(rank), ") -> ", type(rank), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            const RunArray other = parameter("y", numbers);
            Numbers to = from.sizes;
            for (int64_t k = 0; k < rank; ++k)
              if (k != along && other.sizes[k] != from.sizes[k])
                return std::nullopt;
            to[along] += other.sizes[along];
            return make(to, {}, numbers, [&](Numbers index) {
              if (index[along] < from.sizes[along]) return from.reads.at(index);
              index[along] -= from.sizes[along];
              return other.reads.at(index);
            });
          }};
}

OpenStep OpenSteps::reduce(int64_t rank) {
  const int64_t along = random_.in(0, rank - 1);
  return {
      rank, rank - 1, "reduce",
      [=](const std::string &from, const std::string &to) {
        const std::string zero = to + "_z";
        return StrCat(
            "  ", zero, " = stablehlo.constant dense<0.0> : tensor<f32>\n  ",
            to, " = stablehlo.reduce(", from, " init: ", zero,
            ") applies stablehlo.add across dimensions = [", along, "] : (",
            type(rank), ", tensor<f32>) -> ", type(rank - 1), "\n");
      },
      [=](const RunArray &from,
          const RunNumbers &numbers) -> std::optional<RunArray> {
        Numbers to = from.sizes;
        to.erase(to.begin() + along);
        return make(to, {}, numbers, [&](const Numbers &index) {
          std::set<RunArray::Element> reads;
          for (int64_t n = 0; n < from.sizes[along]; ++n) {
            Numbers at = index;
            at.insert(at.begin() + along, n);
            reads.insert(from.reads.at(at).begin(), from.reads.at(at).end());
          }
          return reads;
        });
      }};
}

/// C10: the contracted sizes are equal.
OpenStep OpenSteps::dot() {
  return {2, 1, "dot",
          [=](const std::string &from, const std::string &to) {
            return StrCat("  ", to, " = stablehlo.dot_general ", from,
                          ", %y, contracting_dims = [1] x [0] : (", type(2),
                          ", ", type(1), ") -> ", type(1), "\n");
          },
          [=](const RunArray &from,
              const RunNumbers &numbers) -> std::optional<RunArray> {
            const RunArray other = parameter("y", numbers);
            if (other.sizes[0] != from.sizes[1]) return std::nullopt;
            return make({from.sizes[0]}, {}, numbers,
                        [&](const Numbers &index) {
                          std::set<RunArray::Element> reads;
                          for (int64_t n = 0; n < from.sizes[1]; ++n) {
                            const auto &own = from.reads.at({index[0], n});
                            reads.insert(own.begin(), own.end());
                            reads.insert({"y", {n}});
                          }
                          return reads;
                        });
          }};
}

}  // namespace indexical::testing
