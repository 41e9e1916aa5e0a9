// Ops that reduce, call, or are structured: what has loops or a body.
#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"

#include "tests/import/stablehlo/lower/tensor_writer.h"

namespace indexical::testing {

std::string TensorWriter::reducer(const NumberTensor &v) {
  static const char *const kNames[] = {"add",      "maximum", "minimum",
                                       "multiply", "and",     "or"};
  return kNames[random_.in(0, v.isFloat() ? 2 : v.element == "i1" ? 5 : 3)];
}

void TensorWriter::forEachReduced(
    const Index &sizes, llvm::ArrayRef<int64_t> dims, const Index &kept,
    const std::function<void(const Index &)> &visit) {
  forEachIndex(sizes, [&](const Index &index) {
    size_t next = 0;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (!llvm::is_contained(dims, static_cast<int64_t>(k)) &&
          index[k] != kept[next++])
        return;
    visit(index);
  });
}

void TensorWriter::reduce() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  const auto dims =
      random_.subset(v.sizes.size(), random_.in(0, v.sizes.size()));
  Index result;
  for (size_t k = 0; k < v.sizes.size(); ++k)
    if (!llvm::is_contained(dims, static_cast<int64_t>(k)))
      result.push_back(v.sizes[k]);
  const std::string op = reducer(v);
  const NumberTensor first = filled(typeOnly(v.element, {}));
  const NumberTensor type = typeOnly(v.element, result);
  const std::string init = constant(first);
  add("stablehlo.reduce(" + name(x) + " init: " + init +
          ") applies stablehlo." + op + " across dimensions = " + list(dims) +
          " : (" + this->type(x) + ", " + first.type() + ") -> " + type.type(),
      type, [&](const Index &kept) {
        int64_t sum = first.numbers[0];
        forEachReduced(v.sizes, dims, kept, [&](const Index &i) {
          sum = wrapped(v, combined(v, op, sum, element(x, i)));
        });
        return sum;
      });
}

void TensorWriter::twoReductions() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  if (v.sizes.empty() || v.element == "i1") return;
  const size_t y = like(x);
  const auto dims = random_.subset(v.sizes.size(), 1);
  Index result;
  for (size_t k = 0; k < v.sizes.size(); ++k)
    if (static_cast<int64_t>(k) != dims[0]) result.push_back(v.sizes[k]);
  const NumberTensor type = typeOnly(v.element, result);
  const NumberTensor first = filled(typeOnly(v.element, {}));
  const std::string init = constant(first), s = first.type();
  const int64_t which = random_.in(0, 1);
  const std::string pair = "%pair" + std::to_string(constants_++);
  std::string text = pair + ":2 = \"stablehlo.reduce\"(" + name(x) + ", " +
                     name(y) + ", " + init + ", " + init + ") ({\n  ^bb0(" +
                     "%a: " + s + ", %b: " + s + ", %c: " + s + ", %d: " + s +
                     "):\n    %m = stablehlo.maximum %a, %c : " + s +
                     "\n    %n = stablehlo.add %b, %d : " + s +
                     "\n    %o = stablehlo.subtract %n, %a : " + s +
                     "\n    stablehlo.return %m, %o : " + s + ", " + s +
                     "\n  }) {dimensions = " + array(dims) + "} : (" +
                     this->type(x) + ", " + this->type(y) + ", " + s + ", " +
                     s + ") -> (" + type.type() + ", " + type.type() + ")";
  const std::string before = body_;
  body_ += "  " + text + "\n";
  // The sum takes away the maximum so far: it needs both, in order.
  const bool isAdded =
      add("stablehlo.reshape " + pair + "#" + std::to_string(which) + " : (" +
              type.type() + ") -> " + type.type(),
          type, [&](const Index &kept) {
            int64_t most = first.numbers[0], sum = first.numbers[0];
            forEachReduced(v.sizes, dims, kept, [&](const Index &i) {
              sum = wrapped(v, Wide(sum) + element(y, i) - most);
              most = std::max(most, element(x, i));
            });
            return which ? sum : most;
          });
  if (!isAdded) body_ = before;
}

void TensorWriter::reduceWindow() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  if (v.sizes.empty()) return;
  Index window, strides, base, dilation, low, result;
  std::string padding;
  for (int64_t size : v.sizes) {
    window.push_back(random_.in(1, 3));
    strides.push_back(random_.in(1, 2));
    base.push_back(random_.in(1, 2));
    dilation.push_back(random_.in(1, 2));
    low.push_back(random_.in(0, 2));
    const int64_t high = random_.in(0, 2);
    padding +=
        (padding.empty() ? "[" : ", [") + joined({low.back(), high}) + "]";
    const int64_t padded = low.back() + (size - 1) * base.back() + 1 + high;
    const int64_t reach = (window.back() - 1) * dilation.back() + 1;
    if (reach > padded) return;
    result.push_back((padded - reach) / strides.back() + 1);
  }
  const std::string op = reducer(v);
  const NumberTensor first = filled(typeOnly(v.element, {}));
  const NumberTensor type = typeOnly(v.element, result);
  if (countOf(result) > 200) return;
  const std::string init = constant(first), s = first.type();
  add("\"stablehlo.reduce_window\"(" + name(x) + ", " + init +
          ") ({\n  ^bb0(%a: " + s + ", %b: " + s + "):\n    %m = stablehlo." +
          op + " %a, %b : " + s + "\n    stablehlo.return %m : " + s +
          "\n  }) {window_dimensions = " + array(window) +
          ", window_strides = " + array(strides) +
          ", base_dilations = " + array(base) +
          ", window_dilations = " + array(dilation) + ", padding = dense<[" +
          padding + "]> : tensor<" + std::to_string(v.sizes.size()) +
          "x2xi64>} : (" + this->type(x) + ", " + s + ") -> " + type.type(),
      type, [&](const Index &i) {
        int64_t sum = first.numbers[0];
        forEachIndex(window, [&](const Index &w) {
          Index from(i.size());
          for (size_t k = 0; k < i.size(); ++k) {
            const int64_t place =
                i[k] * strides[k] + w[k] * dilation[k] - low[k];
            if (place < 0 || place % base[k]) return;
            from[k] = place / base[k];
          }
          if (isInside(v.sizes, from))
            sum = wrapped(v, combined(v, op, sum, element(x, from)));
        });
        return sum;
      });
}

void TensorWriter::call() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  if (v.sizes.empty()) return;
  const std::string helper = name_ + "_helper" + std::to_string(constants_++);
  const std::string before = helpers_;
  helpers_ += "func.func private @" + helper + "(%x: " + type(x) + ") -> " +
              type(x) +
              " {\n  %r = stablehlo.reverse %x, dims = [0] : " + type(x) +
              "\n  %s = stablehlo.add %x, %r : " + type(x) +
              "\n  return %s : " + type(x) + "\n}\n";
  const bool isAdded =
      add("func.call @" + helper + "(" + name(x) + ") : (" + type(x) + ") -> " +
              type(x),
          typeOnly(v.element, v.sizes), [&](const Index &i) {
            Index back = i;
            back[0] = v.sizes[0] - 1 - i[0];
            return combined(v, "add", element(x, i), element(x, back));
          });
  if (!isAdded) helpers_ = before;
}

std::optional<size_t> TensorWriter::signless(size_t rank) {
  return pick([&](const NumberTensor &v) {
    return v.element == "i32" && v.sizes.size() == rank;
  });
}

void TensorWriter::matmul() {
  auto x = signless(2);
  if (!x) return;
  auto y = pick([&](const NumberTensor &v) {
    return v.element == "i32" && v.sizes.size() == 2 &&
           v.sizes[0] == values_[*x].sizes[1];
  });
  if (!y) return;
  NumberTensor into =
      filled(typeOnly("i32", {values_[*x].sizes[0], values_[*y].sizes[1]}));
  const std::string init = constant(into);
  add("linalg.matmul ins(" + name(*x) + ", " + name(*y) + " : " + type(*x) +
          ", " + type(*y) + ") outs(" + init + " : " + into.type() + ") -> " +
          into.type(),
      typeOnly("i32", into.sizes), [&](const Index &i) {
        int64_t sum = into.numbers[rowMajor(into.sizes, i)];
        for (int64_t k = 0; k < values_[*x].sizes[1]; ++k)
          sum = wrapped(into,
                        sum + static_cast<__int128>(element(*x, {i[0], k})) *
                                  element(*y, {k, i[1]}));
        return sum;
      });
}

void TensorWriter::generic() {
  auto x = signless(2);
  if (!x) return;
  const Index &s = values_[*x].sizes;
  const bool isSum = random_.oneIn(2);
  const NumberTensor into =
      filled(typeOnly("i32", isSum ? Index{s[1]} : Index{s[1], s[0]}));
  const std::string init = constant(into);
  add("linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
      "affine_map<(i, j) -> (" +
          std::string(isSum ? "j" : "j, i") + ")>], iterator_types = [" +
          (isSum ? "\"reduction\"" : "\"parallel\"") + ", \"parallel\"]} ins(" +
          name(*x) + " : " + type(*x) + ") outs(" + init + " : " + into.type() +
          ") {\n  ^bb0(%a: i32, %b: i32):\n" + "    %k = linalg.index " +
          (isSum ? "0" : "1") +
          " : index\n    %n = arith.index_cast %k : index to i32\n" +
          (isSum ? "    %p = arith.muli %a, %n : i32\n"
                   "    %q = arith.addi %b, %p : i32\n"
                 : "    %q = arith.addi %a, %n : i32\n") +
          "    linalg.yield %q : i32\n  } -> " + into.type(),
      typeOnly("i32", into.sizes), [&](const Index &i) {
        if (!isSum) return element(*x, {i[1], i[0]}) + i[0];
        int64_t sum = into.numbers[i[0]];
        for (int64_t k = 0; k < s[0]; ++k)
          sum = wrapped(into, sum + element(*x, {k, i[0]}) * k);
        return sum;
      });
}

void TensorWriter::upstream() {
  auto x = pick([](const NumberTensor &v) { return v.element == "i32"; });
  if (!x) return;
  const size_t y = like(*x);
  add("arith.subi " + name(*x) + ", " + name(y) + " : " + type(*x),
      typeOnly("i32", values_[*x].sizes),
      [&](const Index &i) { return Wide(element(*x, i)) - element(y, i); });
}

}  // namespace indexical::testing
