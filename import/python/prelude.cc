#include "indexical/import/python/prelude.h"

#include <map>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/tokens.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

/// Source: triton/language/standard.py, and torch/_inductor/runtime/
/// triton_helpers.py, whose functions have names that begin with `th_`.
constexpr StringRef kText = R"py(
def cdiv(x, div):
    return (x + div - 1) // div
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    z = x - tl.max(x, axis, keep_dims=True)
    num = tl.exp(z)
    return num / tl.sum(num, axis, keep_dims=True)
def zeros_like(input):
    return tl.zeros(input.shape, input.dtype)
def full_like(input, value):
    return tl.full(input.shape, value, input.dtype)
def ravel(x):
    return tl.reshape(x, [x.numel])
def swizzle2d(i, j, size_i, size_j, size_g):
    ij = i * size_j + j
    size_gj = size_g * size_j
    group_id = ij // size_gj
    off_i = group_id * size_g
    size_g = tl.minimum(size_i - off_i, size_g)
    ij = ij % size_gj
    new_i = off_i + ij % size_g
    new_j = ij // size_g
    return new_i, new_j
def combine_sum(a, b):
    return a + b
def combine_max(a, b):
    return tl.maximum(a, b)
def combine_min(a, b):
    return tl.minimum(a, b)
def combine_prod(a, b):
    return a * b
def combine_xor(a, b):
    return a ^ b
def combine_or(a, b):
    return a | b
def combine_argmax(v1, i1, v2, i2):
    tie = v1 == v2 and i1 < i2
    gt = v1 > v2 or tie
    return tl.where(gt, v1, v2), tl.where(gt, i1, i2)
def combine_argmax_any(v1, i1, v2, i2):
    gt = v1 > v2
    return tl.where(gt, v1, v2), tl.where(gt, i1, i2)
def combine_argmin(v1, i1, v2, i2):
    tie = v1 == v2 and i1 < i2
    lt = v1 < v2 or tie
    return tl.where(lt, v1, v2), tl.where(lt, i1, i2)
def combine_argmin_any(v1, i1, v2, i2):
    lt = v1 < v2
    return tl.where(lt, v1, v2), tl.where(lt, i1, i2)
def th_promote_to_tensor(x):
    return x + tl.zeros((1,), tl.int1)
def th_div_floor_integer(a, b):
    quot = a // b
    remainder = a % b
    fixed = tl.where(remainder != 0, quot - 1, quot)
    return tl.where((a < 0) != (b < 0), fixed, quot)
def th_remainder_integer(a, b):
    remainder = a % b
    return tl.where((remainder != 0) & ((a < 0) != (b < 0)), remainder + b, remainder)
def th_is_floating(x):
    return x.dtype.is_floating()
def th_minimum(a, b):
    mask = a < b
    if a.dtype.is_floating():
        mask |= a != a
    return tl.where(mask, a, b)
def th_maximum(a, b):
    mask = a > b
    if a.dtype.is_floating():
        mask |= a != a
    return tl.where(mask, a, b)
def th_min2(a, dim):
    return tl.reduce(a, dim, th_minimum)
def th_max2(a, dim):
    return tl.reduce(a, dim, th_maximum)
def th_prod(input, axis):
    return tl.reduce(input, axis, combine_prod)
def th_any(a, dim):
    return tl.reduce(a, dim, combine_or)
def th_minimum_with_index(a_value, a_index, b_value, b_index):
    mask = a_value < b_value
    equal = a_value == b_value
    if a_value.dtype.is_floating():
        a_isnan = a_value != a_value
        b_isnan = b_value != b_value
        mask |= a_isnan & (not b_isnan)
        equal |= a_isnan & b_isnan
    mask |= equal & (a_index < b_index)
    return tl.where(mask, a_value, b_value), tl.where(mask, a_index, b_index)
def th_maximum_with_index(a_value, a_index, b_value, b_index):
    mask = a_value > b_value
    equal = a_value == b_value
    if a_value.dtype.is_floating():
        a_isnan = a_value != a_value
        b_isnan = b_value != b_value
        mask |= a_isnan & (not b_isnan)
        equal |= a_isnan & b_isnan
    mask |= equal & (a_index < b_index)
    return tl.where(mask, a_value, b_value), tl.where(mask, a_index, b_index)
def th_min_with_index(value, index, dim):
    return tl.reduce((value, index), dim, th_minimum_with_index)
def th_max_with_index(value, index, dim):
    return tl.reduce((value, index), dim, th_maximum_with_index)
def th_welford_reduce(value, mean, m2, weight, first_iteration):
    if first_iteration:
        new_weight = tl.full(weight.shape, 1, weight.dtype)
        new_mean = value
        new_m2 = tl.zeros_like(m2)
    else:
        delta = value - mean
        new_weight = weight + 1
        new_mean = mean + delta / new_weight
        new_m2 = m2 + delta * (value - new_mean)
    return new_mean, new_m2, new_weight
def th_welford_combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    new_weight = weight_1 + weight_2
    w2_over_w = tl.where(new_weight == 0.0, 0.0, weight_2 / new_weight)
    return (mean_1 + delta * w2_over_w, m2_1 + m2_2 + delta * delta * weight_1 * w2_over_w, new_weight)
def th_welford(mean, m2, weight, dim):
    return tl.reduce((mean, m2, weight), dim, th_welford_combine)
)py";

class Prelude {
 public:
  Prelude() {
    tokens_ = tokensOf(kText);
    Parser parser(tokens_, store_);
    while (parser.token().is("def")) {
      auto function = parser.function({});
      if (!function || parser.refusal) break;
      const StringRef name = function->name;
      functions_.emplace(name, std::move(*function));
    }
  }

  const FunctionText *find(StringRef name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }

  bool has(const FunctionText *function) const {
    return find(function->name) == function;
  }

 private:
  std::vector<Token> tokens_;
  SyntaxStore store_;
  std::map<StringRef, FunctionText> functions_;
};

const Prelude &thePrelude() {
  static const Prelude *const kPrelude = new Prelude();
  return *kPrelude;
}

}  // namespace

const FunctionText *preludeFunction(StringRef name) {
  return thePrelude().find(name);
}

bool isPreludeFunction(const FunctionText *function) {
  return thePrelude().has(function);
}

}  // namespace indexical::python
