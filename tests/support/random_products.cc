#include "tests/support/random_products.h"

namespace indexical::testing {
namespace {

std::string byX(llvm::ArrayRef<int64_t> values) { return listOf(values, "x"); }

/// A window that fits into the sizes.
struct Window {
  Sizes sizes, strides, counts;

  Window(const Sizes &over, int64_t mostStride, Random &random) {
    for (int64_t size : over) {
      sizes.push_back(random.in(1, size));
      strides.push_back(random.in(1, mostStride));
      counts.push_back((size - sizes.back()) / strides.back() + 1);
    }
  }
  std::string attribute() const {
    return ", window={size=" + byX(sizes) + " stride=" + byX(strides) + "}";
  }
};

std::string contracting(const char *lhs, const char *rhs) {
  return std::string(", lhs_contracting_dims=") + lhs +
         ", rhs_contracting_dims=" + rhs;
}

Product dot(const Sizes &lhs, Random &random) {
  const int64_t n = random.in(1, 3);
  return {"dot", {{{lhs[1], n}}}, contracting("{1}", "{0}"), {lhs[0], n}};
}

/// Makes a product whose lhs is scaled by column, and whose rhs as a whole.
Product scaledDot(const Sizes &lhs, Random &random) {
  const int64_t n = random.in(1, 3);
  return {"scaled-dot",
          {{{lhs[1], n}}, {{1, lhs[1]}}, {{}}},
          contracting("{1}", "{0}"),
          {lhs[0], n}};
}

Product raggedDot(const Sizes &lhs, Random &random) {
  const int64_t n = random.in(1, 3), groups = random.in(1, 3);
  if (random.oneIn(2))
    return {
        "ragged-dot",
        {{{groups, lhs[1], n}}, {{groups}, true}},
        contracting("{1}", "{1}") + ", lhs_ragged_dims={0}, rhs_group_dims={0}",
        {lhs[0], n}};
  return {"ragged-dot",
          {{{lhs[1], n}}, {{groups}, true}},
          contracting("{1}", "{0}") + ", lhs_ragged_dims={1}",
          {groups, lhs[0], n}};
}

/// Makes a convolution of an input of batch, feature and spatial dimensions.
Product convolution(const Sizes &input, Random &random) {
  const Window window(Sizes(input.begin() + 2, input.end()), 2, random);
  const int64_t features = random.in(1, 3);
  Sizes kernel = {input[1], features}, result = {input[0], features};
  kernel.append(window.sizes);
  result.append(window.counts);
  std::string digits;
  for (size_t i = 0; i < window.sizes.size(); ++i) digits += std::to_string(i);
  return {"convolution",
          {{kernel}},
          (digits.empty() ? "" : window.attribute()) + ", dim_labels=bf" +
              digits + "_io" + digits + "->bf" + digits,
          result};
}

Product selectAndScatter(const Sizes &operand, Random &random) {
  const Window window(operand, 3, random);
  return {"select-and-scatter",
          {{window.counts}, {{}}},
          window.attribute() + ", select=sum, scatter=sum",
          operand};
}

/// Scatters slices of random sizes, without some dimensions, at places that
/// name some dimensions.
Product scatter(const Sizes &input, Random &random) {
  const int64_t rank = input.size(), slices = random.in(1, 3);
  Sizes update = {slices}, window, inserted;
  for (int64_t k = 0; k < rank; ++k) {
    if (random.oneIn(3)) {
      inserted.push_back(k);
      continue;
    }
    window.push_back(update.size());
    update.push_back(random.in(1, input[k]));
  }
  const Sizes moved = random.subset(rank, random.in(1, rank));
  return {"scatter",
          {{{slices, static_cast<int64_t>(moved.size())}, true}, {update}},
          ", update_window_dims=" + braces(window) +
              ", inserted_window_dims=" + braces(inserted) +
              ", scatter_dims_to_operand_dims=" + braces(moved) +
              ", index_vector_dim=1, to_apply=sum",
          input};
}

Product normalize(const Sizes &input, Random &random) {
  const int64_t feature = random.in(0, input.size() - 1);
  const Sizes one = {input[feature]};
  return {"batch-norm-inference",
          {{one}, {one}, {one}, {one}},
          ", epsilon=0, feature_index=" + std::to_string(feature),
          input};
}

const char *oneOfTwo(const char *a, const char *b, Random &random) {
  return random.oneIn(2) ? a : b;
}

/// Makes a solve with the operand, a batch of matrices.
Product solve(const Sizes &matrices, Random &random) {
  const bool left = random.oneIn(2);
  Sizes sizes = matrices;
  sizes[sizes.size() - (left ? 1 : 2)] = random.in(1, 3);
  return {"triangular-solve",
          {{sizes}},
          std::string(", left_side=") + (left ? "true" : "false") +
              oneOfTwo(", lower=true", "", random) +
              oneOfTwo(", unit_diagonal=true", "", random) +
              ", transpose_a=" + oneOfTwo("ADJOINT", "NO_TRANSPOSE", random),
          sizes};
}

bool isSquare(const Sizes &sizes) {
  const size_t rank = sizes.size();
  return rank >= 2 && sizes[rank - 1] == sizes[rank - 2];
}

}  // namespace

Product randomReduceWindow(const Sizes &input, Random &random) {
  Sizes padded = input;
  std::string padding;
  for (int64_t &size : padded) {
    const int64_t low = random.oneIn(4), high = random.oneIn(4);
    size += low + high;
    padding += (padding.empty() ? "" : "x") + std::to_string(low) + "_" +
               std::to_string(high);
  }
  const Window window(padded, 3, random);
  std::string attribute = window.attribute();
  attribute.insert(attribute.size() - 1, " pad=" + padding);
  return {"reduce-window", {{{}}}, attribute + ", to_apply=sum", window.counts};
}

std::optional<Product> randomProduct(const Sizes &sizes, Random &random) {
  const size_t rank = sizes.size();
  switch (random.in(0, 8)) {
    case 0:
      if (rank == 2) return dot(sizes, random);
      break;
    case 1:
      if (rank == 2) return scaledDot(sizes, random);
      break;
    case 2:
      if (rank == 2) return raggedDot(sizes, random);
      break;
    case 3:
      if (rank >= 2) return convolution(sizes, random);
      break;
    case 4:
      if (rank >= 1) return selectAndScatter(sizes, random);
      break;
    case 5:
      if (rank >= 1) return scatter(sizes, random);
      break;
    case 6:
      if (rank >= 1) return normalize(sizes, random);
      break;
    case 7:
      if (isSquare(sizes)) return solve(sizes, random);
      break;
    default:
      if (rank >= 1) return randomReduceWindow(sizes, random);
  }
  return std::nullopt;
}

}  // namespace indexical::testing
