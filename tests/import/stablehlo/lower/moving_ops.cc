// Ops that move elements.
#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"

#include "tests/import/stablehlo/lower/tensor_writer.h"

namespace indexical::testing {

void TensorWriter::transpose() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  const auto order = random_.permutation(sizes.size());
  Index turned;
  for (int64_t k : order) turned.push_back(sizes[k]);
  const NumberTensor result = typeOnly(values_[x].element, turned);
  add("stablehlo.transpose " + name(x) + ", dims = " + list(order) + " : (" +
          type(x) + ") -> " + result.type(),
      result, [&](const Index &i) {
        Index from(i.size());
        for (size_t k = 0; k < i.size(); ++k) from[order[k]] = i[k];
        return element(x, from);
      });
}

void TensorWriter::reshape() {
  const size_t x = any();
  int64_t rest = countOf(values_[x].sizes);
  Index sizes;
  while (rest > 1 || random_.oneIn(4)) {
    std::vector<int64_t> factors;
    for (int64_t f = 1; f <= rest; ++f)
      if (rest % f == 0) factors.push_back(f);
    sizes.push_back(factors[random_.in(0, factors.size() - 1)]);
    rest /= sizes.back();
    if (sizes.size() == 3 && rest > 1) sizes.push_back(std::exchange(rest, 1));
    if (sizes.size() >= 4) break;
  }
  const NumberTensor result = typeOnly(values_[x].element, sizes);
  add("stablehlo.reshape " + name(x) + " : (" + type(x) + ") -> " +
          result.type(),
      result, [&](const Index &i) {
        return values_[x].numbers[rowMajor(result.sizes, i)];
      });
}

void TensorWriter::reverse() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  const auto dims = random_.subset(sizes.size(), random_.in(0, sizes.size()));
  add("stablehlo.reverse " + name(x) + ", dims = " + list(dims) + " : " +
          type(x),
      typeOnly(values_[x].element, sizes), [&](const Index &i) {
        Index from = i;
        for (int64_t k : dims) from[k] = sizes[k] - 1 - i[k];
        return element(x, from);
      });
}

void TensorWriter::slice() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  Index starts, strides, result;
  std::string bounds;
  for (int64_t size : sizes) {
    starts.push_back(random_.in(0, size - 1));
    const int64_t limit = random_.in(starts.back() + 1, size);
    strides.push_back(random_.in(1, 3));
    result.push_back((limit - starts.back() + strides.back() - 1) /
                     strides.back());
    bounds += (bounds.empty() ? "" : ", ") + std::to_string(starts.back()) +
              ":" + std::to_string(limit) + ":" +
              std::to_string(strides.back());
  }
  if (sizes.empty()) return;
  const NumberTensor value = typeOnly(values_[x].element, result);
  add("stablehlo.slice " + name(x) + " [" + bounds + "] : (" + type(x) +
          ") -> " + value.type(),
      value, [&](const Index &i) {
        Index from(i.size());
        for (size_t k = 0; k < i.size(); ++k)
          from[k] = starts[k] + i[k] * strides[k];
        return element(x, from);
      });
}

void TensorWriter::pad() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  auto padding = pick([&](const NumberTensor &v) {
    return v.element == values_[x].element && v.sizes.empty();
  });
  Index low, high, interior, result;
  for (int64_t size : sizes) {
    low.push_back(random_.in(-1, 2));
    high.push_back(random_.in(-1, 2));
    interior.push_back(random_.in(0, 2));
    result.push_back(low.back() + high.back() + size +
                     (size - 1) * interior.back());
    if (result.back() < 1) return;
  }
  const NumberTensor scalar = filled(typeOnly(values_[x].element, {}));
  const int64_t value = padding ? element(*padding, {}) : scalar.numbers[0];
  const NumberTensor type = typeOnly(values_[x].element, result);
  if (countOf(result) > 200) return;
  const std::string of = padding ? name(*padding) : constant(scalar);
  add("stablehlo.pad " + name(x) + ", " + of + ", low = " + list(low) +
          ", high = " + list(high) + ", interior = " + list(interior) + " : (" +
          this->type(x) + ", " + scalar.type() + ") -> " + type.type(),
      type, [&](const Index &i) {
        Index from(i.size());
        for (size_t k = 0; k < i.size(); ++k) {
          const int64_t offset = i[k] - low[k], step = interior[k] + 1;
          if (offset < 0 || offset % step) return value;
          from[k] = offset / step;
        }
        return isInside(sizes, from) ? element(x, from) : value;
      });
}

void TensorWriter::broadcast() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  const int64_t rank =
      random_.in(sizes.size(), std::max<int64_t>(4, sizes.size()));
  const auto dims = random_.subset(rank, sizes.size());
  Index result;
  for (int64_t k = 0; k < rank; ++k) result.push_back(random_.in(1, 3));
  for (size_t k = 0; k < sizes.size(); ++k)
    if (sizes[k] > 1 || random_.oneIn(2)) result[dims[k]] = sizes[k];
  const NumberTensor type = typeOnly(values_[x].element, result);
  add("stablehlo.broadcast_in_dim " + name(x) + ", dims = " + list(dims) +
          " : (" + this->type(x) + ") -> " + type.type(),
      type, [&](const Index &i) {
        Index from;
        for (size_t k = 0; k < sizes.size(); ++k)
          from.push_back(sizes[k] == 1 ? 0 : i[dims[k]]);
        return element(x, from);
      });
}

void TensorWriter::concatenate() {
  const size_t x = any();
  if (values_[x].sizes.empty()) return;
  const int64_t k = random_.in(0, values_[x].sizes.size() - 1);
  auto fits = [&](const NumberTensor &v) {
    Index own = v.sizes, wanted = values_[x].sizes;
    if (own.size() != wanted.size()) return false;
    own[k] = wanted[k];
    return v.element == values_[x].element && own == wanted;
  };
  std::vector<size_t> parts = {x};
  for (int64_t n = random_.in(1, 2); n > 0; --n) parts.push_back(*pick(fits));
  std::string names, types;
  Index sizes = values_[x].sizes;
  sizes[k] = 0;
  for (size_t p : parts) {
    names += (names.empty() ? "" : ", ") + name(p);
    types += (types.empty() ? "" : ", ") + type(p);
    sizes[k] += values_[p].sizes[k];
  }
  const NumberTensor result = typeOnly(values_[x].element, sizes);
  add("stablehlo.concatenate " + names + ", dim = " + std::to_string(k) +
          " : (" + types + ") -> " + result.type(),
      result, [&](const Index &i) {
        Index from = i;
        size_t p = 0;
        while (from[k] >= values_[parts[p]].sizes[k])
          from[k] -= values_[parts[p++]].sizes[k];
        return element(parts[p], from);
      });
}

std::vector<size_t> TensorWriter::starts(size_t count) {
  auto first = pick([](const NumberTensor &v) {
    return v.sizes.empty() && !v.isFloat() && v.element != "i1";
  });
  if (!first) return {};
  std::vector<size_t> all;
  while (all.size() < count) all.push_back(like(*first));
  return all;
}

Index TensorWriter::clampedStarts(llvm::ArrayRef<size_t> starts,
                                  llvm::ArrayRef<int64_t> sizes,
                                  llvm::ArrayRef<int64_t> window) {
  Index begin;
  for (size_t k = 0; k < sizes.size(); ++k)
    begin.push_back(
        std::clamp<int64_t>(element(starts[k], {}), 0, sizes[k] - window[k]));
  return begin;
}

void TensorWriter::dynamicSlice() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  const auto at = starts(sizes.size());
  if (sizes.empty() || at.empty()) return;
  Index window;
  std::string names, types = type(x);
  for (size_t k = 0; k < sizes.size(); ++k) {
    window.push_back(random_.in(1, sizes[k]));
    names += ", " + name(at[k]);
    types += ", " + type(at[k]);
  }
  const Index begin = clampedStarts(at, sizes, window);
  const NumberTensor result = typeOnly(values_[x].element, window);
  add("stablehlo.dynamic_slice " + name(x) + names + ", sizes = " +
          list(window) + " : (" + types + ") -> " + result.type(),
      result, [&](const Index &i) {
        Index from = i;
        for (size_t k = 0; k < i.size(); ++k) from[k] += begin[k];
        return element(x, from);
      });
}

void TensorWriter::dynamicUpdateSlice() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  auto update = pick([&](const NumberTensor &v) {
    if (v.element != values_[x].element || v.sizes.size() != sizes.size())
      return false;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (v.sizes[k] > sizes[k]) return false;
    return true;
  });
  const auto at = starts(sizes.size());
  if (sizes.empty() || at.empty() || !update) return;
  std::string names, types = type(x) + ", " + type(*update);
  for (size_t start : at) {
    names += ", " + name(start);
    types += ", " + type(start);
  }
  const Index begin = clampedStarts(at, sizes, values_[*update].sizes);
  const NumberTensor result = typeOnly(values_[x].element, sizes);
  add("stablehlo.dynamic_update_slice " + name(x) + ", " + name(*update) +
          names + " : (" + types + ") -> " + result.type(),
      result, [&](const Index &i) {
        Index from = i;
        for (size_t k = 0; k < i.size(); ++k) from[k] -= begin[k];
        return isInside(values_[*update].sizes, from) ? element(*update, from)
                                                      : element(x, i);
      });
}

void TensorWriter::gather() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  auto rows = pick([](const NumberTensor &v) {
    return !v.isFloat() && v.element != "i1" && v.sizes.size() <= 2;
  });
  if (sizes.empty() || !rows) return;
  const int64_t axis = random_.in(0, sizes.size() - 1);
  const Index &batch = values_[*rows].sizes;
  Index result = batch, offsets, window = sizes;
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (static_cast<int64_t>(k) == axis) continue;
    offsets.push_back(result.size());
    result.push_back(sizes[k]);
  }
  window[axis] = 1;
  const NumberTensor type = typeOnly(values_[x].element, result);
  add("\"stablehlo.gather\"(" + name(x) + ", " + name(*rows) +
          ") {dimension_numbers = #stablehlo.gather<" +
          (offsets.empty() ? "" : "offset_dims = " + list(offsets) + ", ") +
          "collapsed_slice_dims = " + list({axis}) +
          ", start_index_map = " + list({axis}) +
          ", index_vector_dim = " + std::to_string(batch.size()) +
          ">, slice_sizes = " + array(window) + "} : (" + this->type(x) + ", " +
          this->type(*rows) + ") -> " + type.type(),
      type, [&](const Index &i) {
        const llvm::ArrayRef<int64_t> all(i);
        const Index place(all.take_front(batch.size()));
        Index from(all.drop_front(batch.size()));
        from.insert(
            from.begin() + axis,
            std::clamp<int64_t>(element(*rows, place), 0, sizes[axis] - 1));
        return element(x, from);
      });
}

void TensorWriter::scatter() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  const Index sizes = v.sizes;
  auto rows = pick([](const NumberTensor &other) {
    return !other.isFloat() && other.element != "i1" && other.sizes.size() <= 2;
  });
  if (sizes.empty() || !rows) return;
  const int64_t axis = random_.in(0, sizes.size() - 1);
  const Index batch = values_[*rows].sizes;
  Index slices = batch, windows;
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (static_cast<int64_t>(k) == axis) continue;
    windows.push_back(slices.size());
    slices.push_back(sizes[k]);
  }
  const NumberTensor updates = filled(typeOnly(v.element, slices));
  const std::string written = constant(updates),
                    s = "tensor<" + v.element + ">";
  const bool isPut = random_.oneIn(3);
  const std::string op = isPut ? "" : reducer(v);
  add("\"stablehlo.scatter\"(" + name(x) + ", " + name(*rows) + ", " + written +
          ") ({\n  ^bb0(%a: " + s + ", %b: " + s + "):\n" +
          (isPut ? "" : "    %m = stablehlo." + op + " %a, %b : " + s + "\n") +
          "    stablehlo.return " + (isPut ? "%b" : "%m") + " : " + s +
          "\n  }) {scatter_dimension_numbers = #stablehlo.scatter<" +
          (windows.empty() ? ""
                           : "update_window_dims = " + list(windows) + ", ") +
          "inserted_window_dims = " + list({axis}) +
          ", scatter_dims_to_operand_dims = " + list({axis}) +
          ", index_vector_dim = " + std::to_string(batch.size()) + ">} : (" +
          this->type(x) + ", " + this->type(*rows) + ", " + updates.type() +
          ") -> " + this->type(x),
      typeOnly(v.element, sizes), [&](const Index &i) {
        Wide value = element(x, i);
        forEachIndex(batch, [&](const Index &place) {
          if (element(*rows, place) != i[axis]) return;
          Index from = place;
          for (size_t k = 0; k < sizes.size(); ++k)
            if (static_cast<int64_t>(k) != axis) from.push_back(i[k]);
          const int64_t update = updates.numbers[rowMajor(slices, from)];
          value = isPut ? Wide(update)
                        : wrapped(values_[x],
                                  combined(values_[x], op, value, update));
        });
        return value;
      });
}

/// Indices that are different, as `unique` promises.
void TensorWriter::tensorScatter() {
  const size_t x = any();
  const Index sizes = values_[x].sizes;
  const std::string type = values_[x].element;
  if (sizes.empty() || type == "ui8") return;
  const auto chosen = random_.subset(sizes[0], random_.in(1, sizes[0]));
  const int64_t count = chosen.size();
  NumberTensor rows = typeOnly("i32", {count, 1});
  rows.numbers.assign(chosen.begin(), chosen.end());
  Index slices = sizes;
  slices[0] = count;
  const NumberTensor updates = filled(typeOnly(type, slices));
  const std::string indices = constant(rows), written = constant(updates);
  add("tensor.scatter " + written + " into " + name(x) + "[" + indices +
          "] scatter_dims([0]) unique : (" + updates.type() + ", " +
          this->type(x) + ", " + rows.type() + ") -> " + this->type(x),
      typeOnly(type, sizes), [&](const Index &i) -> Wide {
        const auto row = std::find(chosen.begin(), chosen.end(), i[0]);
        if (row == chosen.end()) return element(x, i);
        Index from = i;
        from[0] = row - chosen.begin();
        return updates.numbers[rowMajor(slices, from)];
      });
}

void TensorWriter::insertSlice() {
  const size_t x = any();
  const Index &sizes = values_[x].sizes;
  if (sizes.empty()) return;
  auto part = pick([&](const NumberTensor &v) {
    if (v.element != values_[x].element || v.sizes.size() != sizes.size())
      return false;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (v.sizes[k] > sizes[k]) return false;
    return true;
  });
  Index offsets, strides;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const int64_t own = values_[*part].sizes[k];
    strides.push_back(own > 1 ? random_.in(1, (sizes[k] - 1) / (own - 1)) : 1);
    offsets.push_back(random_.in(0, sizes[k] - 1 - (own - 1) * strides.back()));
  }
  add("tensor.insert_slice " + name(*part) + " into " + name(x) +
          list(offsets) + " " + list(values_[*part].sizes) + " " +
          list(strides) + " : " + type(*part) + " into " + type(x),
      typeOnly(values_[x].element, sizes), [&](const Index &i) {
        Index from(i.size());
        for (size_t k = 0; k < i.size(); ++k) {
          const int64_t offset = i[k] - offsets[k];
          if (offset < 0 || offset % strides[k]) return element(x, i);
          from[k] = offset / strides[k];
        }
        return isInside(values_[*part].sizes, from) ? element(*part, from)
                                                    : element(x, i);
      });
}

}  // namespace indexical::testing
