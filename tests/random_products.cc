#include "tests/random_products.h"

namespace indexical::testing {
namespace {

using Sizes = Product::Sizes;

std::string byX(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : "x") + std::to_string(value);
  return text;
}

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

/// Scaled by column, and as a whole.
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

/// Batch, feature, and what is behind them.
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

Product reduceWindow(const Sizes &input, Random &random) {
  const Window window(input, 1, random);
  return {"reduce-window",
          {{{}}},
          window.attribute() + ", to_apply=sum",
          window.counts};
}

Product selectAndScatter(const Sizes &operand, Random &random) {
  const Window window(operand, 3, random);
  return {"select-and-scatter",
          {{window.counts}, {{}}},
          window.attribute() + ", select=sum, scatter=sum",
          operand};
}

}  // namespace

std::optional<Product> randomProduct(const Sizes &sizes, Random &random) {
  const size_t rank = sizes.size();
  switch (random.in(0, 5)) {
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
    default:
      if (rank >= 1) return reduceWindow(sizes, random);
  }
  return std::nullopt;
}

}  // namespace indexical::testing
